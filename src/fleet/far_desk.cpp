#include "fleet/far_desk.h"

#include <algorithm>

#include "api/machine_handlers.h"

namespace pawl::fleet {
namespace {

constexpr size_t kIdBytes = 64;
constexpr size_t kRoomAtOnce = 256u << 10;

std::string over(const Error& error) {
  return text_of(TalkValue{
      Json::object({{"over", Json::object({{"what", error.what}, {"fix", error.fix}})}})});
}

}  // namespace

struct FarDesk::Talk {
  Talk(MonoTime now, std::unique_ptr<api::Conversation> whose)
      : end(now),
        reader(api::kMaxRequest),
        conversation_(std::move(whose)),
        conversation(*conversation_) {}

  FarEnd end;
  api::FrameReader reader;
  std::unique_ptr<api::Conversation> conversation_;
  api::Conversation& conversation;
  std::string token, out;  // of one verb: who waits for it, and what was said so far
  MonoTime until{};
};

// Its first words say whom it speaks for; what is answered to them is nobody's.
std::unique_ptr<api::Conversation> conversation_for(core::Engine& engine, api::Server& server,
                                                    const Clock& now, const std::string& who,
                                                    Json surroundings) {
  auto out =
      std::make_unique<api::Conversation>(engine, server, model::Asker{model::kPerson, "", 0});
  surroundings.set("verb", api::kRelayVerb).set("args", Json::object({{"from", who}}));
  out->receive(now, {api::Kind::json, surroundings.dump()});
  (void)out->take_output();
  return out;
}

FarDesk::FarDesk(core::Engine& engine, api::Server& server, Surroundings surroundings)
    : engine_(engine), server_(server), surroundings_(std::move(surroundings)) {}

FarDesk::~FarDesk() = default;

void FarDesk::ask(const Clock& now, const std::string& token, const std::string& from,
                  const std::string& value) {
  const auto said = talk_value(value);
  if (!said) return refuse(token, {"the question is not JSON", "update the pawl that asked"});
  if (said->head["talk"].is_string()) return talk(now, token, from, *said);
  if (said->head["verb"].is_string()) return one_verb(now, token, from, said->head);
  refuse(token, {"the question names no verb", "update the pawl that asked"});
}

void FarDesk::refuse(const std::string& token, const Error& error) {
  answers_.push_back({token, over(error)});
}

Done FarDesk::room_for(const std::string& from) const {
  const auto of_one = std::count_if(talks_.begin(), talks_.end(), [&](const auto& talk) {
    return talk.first.starts_with(from + "/");
  });
  if (talks_.size() + verbs_.size() < kDeskTalks && static_cast<size_t>(of_one) < kDeskTalksOfOne)
    return {};
  return fail("too many conversations of other nodes are open here", "try again in a minute");
}

std::unique_ptr<FarDesk::Talk> FarDesk::begin(const Clock& now, const std::string& who) {
  return std::make_unique<Talk>(now.mono,
                                conversation_for(engine_, server_, now, who, surroundings_()));
}

void FarDesk::talk(const Clock& now, const std::string& token, const std::string& from,
                   const TalkValue& value) {
  const std::string id = value.head["talk"].as_string();
  const std::string key = from + "/" + id;
  auto it = talks_.find(key);
  if (value.head["bye"].as_bool()) {
    if (it != talks_.end()) talks_.erase(it);
    answers_.push_back({token, text_of(TalkValue{Json::object({{"ok", true}})})});
    return;
  }
  const auto number = static_cast<uint64_t>(std::max<int64_t>(0, value.head["say"].as_int()));
  if (it == talks_.end()) {
    const std::string who = from + "/" + value.head["who"].as_string();
    if (number != 1) return refuse(token, {"the daemon there was started again", "try again"});
    if (auto room = room_for(from); !room) return refuse(token, room.error());
    if (id.empty() || id.size() > kIdBytes || !api::valid_from(who))
      return refuse(token, {"it is not said who asks", "update the pawl that asked"});
    it = talks_.emplace(key, begin(now, who)).first;
  }
  Talk& talk = *it->second;
  if (number == 0)
    return talk.end.hears(
        now.mono, static_cast<uint64_t>(std::max<int64_t>(0, value.head["hear"].as_int())), token);
  const auto fresh = talk.end.said(now.mono, number, value.bytes);
  if (!fresh) return refuse(token, fresh.error());
  answers_.push_back({token, text_of(TalkValue{Json::object({{"ok", true}})})});
  read(now, talk, *fresh);
}

void FarDesk::one_verb(const Clock& now, const std::string& token, const std::string& from,
                       const Json& head) {
  // Without its word for who asks it is nobody in particular, who may do what an agent may.
  const std::string who = from + "/" + head["who"].as_string("somebody");
  if (auto room = room_for(from); !room) return refuse(token, room.error());
  if (!api::valid_from(who)) return refuse(token, {"it is not said who asks", ""});
  auto talk = begin(now, who);
  talk->token = token;
  talk->until = now.mono + kDeskVerb;
  talk->conversation.receive(now, {api::Kind::json, head.dump()});
  verbs_.push_back(std::move(talk));
}

void FarDesk::read(const Clock& now, Talk& talk, std::string_view bytes) {
  talk.reader.feed(bytes);
  while (!talk.conversation.leaving()) {
    // As at the local socket: a request is read when the one before it was answered; keys at any time.
    if (!talk.conversation.idle() && !talk.conversation.attached()) return;
    const auto frame = talk.reader.next();
    if (!frame) return talk.conversation.refuse(frame.error());
    if (!*frame) return;
    talk.conversation.receive(now, **frame);
  }
}

void FarDesk::pump(const Clock& now, Talk& talk, const std::vector<core::Answer>& answers) {
  for (const auto& answer : answers) talk.conversation.answered(now, answer);
  const size_t room = std::min(talk.end.room(), kRoomAtOnce);
  if (room > 0) talk.conversation.pump(now, room);
}

void FarDesk::publish(const Clock& now, const std::vector<core::Answer>& answers) {
  for (auto it = talks_.begin(); it != talks_.end();) {
    Talk& talk = *it->second;
    read(now, talk, {});
    pump(now, talk, answers);
    talk.end.put(talk.conversation.take_output());
    if (talk.conversation.leaving()) talk.end.finish();
    if (auto answer = talk.end.answer(now.mono)) answers_.push_back({answer->token, answer->value});
    it = talk.end.gone(now.mono) ? talks_.erase(it) : std::next(it);
  }
  for (auto& talk : verbs_) {
    pump(now, *talk, answers);
    answer_verb(now, *talk);
  }
  std::erase_if(verbs_, [](const auto& talk) { return talk->token.empty(); });
}

// Its reply is the last thing it says.
void FarDesk::answer_verb(const Clock& now, Talk& talk) {
  talk.out += talk.conversation.take_output();
  const bool late = now.mono >= talk.until || talk.out.size() > kTalkOut;
  if (!talk.conversation.idle() && !late) return;
  api::FrameReader reader(api::kMaxReply);
  reader.feed(talk.out);
  std::string last;
  for (auto frame = reader.next(); frame && *frame; frame = reader.next())
    if ((*frame)->kind == api::Kind::json) last = (*frame)->payload;
  if (late && !talk.conversation.idle())
    last = api::reply_of(fail("the verb goes on for too long, or says too much, for one answer",
                              "use pawl with NODE/NAME", 124));
  answers_.push_back({std::exchange(talk.token, {}), last});
}

std::optional<MonoTime> FarDesk::wake_at() const {
  std::optional<MonoTime> due;
  for (const auto& [key, talk] : talks_) {
    due = earlier(due, talk->end.wake_at());
    if (talk->end.room() > 0) due = earlier(due, talk->conversation.wake_at());
  }
  for (const auto& talk : verbs_)
    due = earlier(earlier(due, talk->until), talk->conversation.wake_at());
  return due;
}

}  // namespace pawl::fleet
