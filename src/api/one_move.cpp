#include "api/one_move.h"

#include <fmt/core.h>

#include "act/gate.h"
#include "api/arrivals.h"
#include "api/conversation.h"
#include "base/text.h"
#include "os/digest.h"
#include "os/file.h"
#include "os/random.h"
#include "os/tcp.h"
#include "perceive/profile/catalog.h"
#include "perceive/profile/launch.h"
#include "store/agent_files.h"
#include "store/conversation.h"
#include "store/environment.h"
#include "store/real_disk.h"

namespace pawl::api {
namespace {

using model::MoveStep;
using model::State;
constexpr int kStepsAtOnce = 16;

}  // namespace

struct OneMove::Looking : Errand {
  std::string transcript;
  std::vector<File> files = {};
  std::string wrong = {};

  void run() override {
    store::RealDisk disk;
    const std::string folder = transcript.substr(0, transcript.rfind('.')) + "/";
    for (const auto& one : store::conversation_files(disk, transcript)) {
      const auto digest = os::sha256_of_file(one.path);
      if (!digest) return void(wrong = text_of(digest.error()));
      const std::string name =
          one.path == transcript ? std::string() : one.path.substr(folder.size());
      files.push_back({one.path, name, *digest, one.size});
    }
    if (files.empty() || files[0].path != transcript)
      wrong = "its conversation is not on the disk: " + transcript;
  }
};

struct OneMove::Reading : Errand {
  std::string path;
  uint64_t offset = 0;
  std::string bytes = {};
  void run() override { bytes = os::read_slice(path, offset, kMovePiece); }
};

OneMove::OneMove(MoveAround around, std::string id, MoveOrder order, const Clock& now)
    : around_(std::move(around)),
      id_(std::move(id)),
      order_(std::move(order)),
      next_(now.mono),
      watched_(now.mono) {
  const model::Agent* agent = own();
  session_id_ = agent ? agent->session_id : "";
  limit_ = now.mono + (order_.now ? kMoveHurry : order_.patience);
}

OneMove::OneMove(MoveAround around, const model::Agent& agent, const Clock& now)
    : around_(std::move(around)), id_(agent.move->move), next_(now.mono), watched_(now.mono) {
  order_.agent = agent.spec.name;
  order_.machine = agent.move->machine;
  order_.there = agent.move->there;
  order_.by = agent.move->by;
  session_id_ = agent.session_id;
  given_ = agent.move->step == MoveStep::given;
  start_asked_ = left_ = true;
  because_ = "the daemon ended in the middle of it";
  go(now, given_ ? Step::starts : Step::undoes, given_ ? kMoveLooks : kMoveTidies);
}

const model::Agent* OneMove::own() const {
  return around_.engine.fleet().find(order_.agent);
}

void OneMove::go(const Clock& now, Step step, Duration limit) {
  step_ = step;
  limit_ = now.mono + limit;
  next_ = now.mono;
}

void OneMove::end(Result<Json> result) {
  line_.reset();
  story_.end = std::move(result);
  step_ = Step::over;
}

void OneMove::wrong(const Clock& now, Error error) {
  error_ = std::move(error);
  because_ = text_of(error_);
  line_.reset();
  found_.reset();
  asked_ = false;
  if (!begun_there_ && !left_) return end(tl::unexpected(error_));
  if (left_) tell(because_ + "; it comes back");
  go(now, Step::undoes, kMoveTidies);
}

// Nothing of it is there any more, or that machine sees to it.
void OneMove::undone(const Clock& now) {
  if (!left_) return end(tl::unexpected(error_));
  go(now, Step::returns, kMoveEnds);
}

void OneMove::journal(const Clock& now, MoveStep step, Step next) {
  core::MoveAsked ask;
  ask.agent = order_.agent;
  ask.request = request_ = around_.engine.next_request();
  ask.step = {step, order_.machine, id_, order_.there, because_, order_.by};
  if (step != MoveStep::back) ask.step.because.clear();
  around_.engine.asked_by(order_.by);
  around_.engine.submit(std::move(ask));
  around_.engine.asked_by({});
  around_.wake();
  go(now, next, kMoveEnds);
}

void OneMove::answered(const Clock& now, const core::Answer& answer) {
  if (request_.value == 0 || answer.request != request_) return;
  request_ = {};
  const model::Agent* agent = own();
  switch (step_) {
    case Step::ends:
      left_ = agent && agent->away();
      if (!answer.done) return wrong(now, answer.done.error());
      return go(now, Step::looks, kMoveLooks);
    case Step::gives:
      if (!answer.done) return wrong(now, answer.done.error());
      given_ = true;
      return go(now, Step::starts, kMoveLooks);
    case Step::keeps:
      return go(now, Step::closes, kMoveTidies);
    case Step::returns:
      if (!agent || !agent->away())
        return end(fail(because_, answer.done ? "it goes on here"
                                              : "it is here, and did not start again: " +
                                                    text_of(answer.done.error())));
      next_ = now.mono + std::chrono::seconds{1};  // something is under way with it
      return;
    case Step::closes:
    case Step::waits:
    case Step::asks:
    case Step::looks:
    case Step::ships:
    case Step::starts:
    case Step::undoes:
    case Step::over:
      return;
  }
}

Done OneMove::here() {
  if (!given_ || (step_ != Step::starts && step_ != Step::undoes))
    return fail("'" + order_.agent + "' is on its way", "wait: pawl why " + order_.agent);
  because_ = "somebody said that it does not run there";
  line_.reset();
  step_ = Step::returns;
  next_ = {};
  return {};
}

void OneMove::send(std::unique_ptr<Errand> errand) {
  away_ = true;
  found_.reset();
  around_.away(std::move(errand), step_ == Step::looks ? kMoveLooks : kMoveReads,
               [find = around_.find, id = id_](ErrandBox back) {
                 OneMove* move = find(id);
                 if (!move) return;
                 move->found_ = std::move(back);
                 move->away_ = false;
               });
}

// Why it is not moved now; empty: now.
std::string OneMove::held_up(const model::Agent& agent, const Clock& now) const {
  if (agent.intent) return agent.spec.name + " is in the middle of something";
  if (agent.state == State::typing) return agent.spec.name + " has an unsent text in its box";
  if (order_.now) return {};
  const bool limited = agent.state == State::limited && agent.reaches_prompt();
  model::Agent going = agent;  // it may be paused, and stays so
  going.paused = false;
  const auto held = act::held_back(going, {}, now.wall);
  if (held && !limited) return held->because;
  if (!agent.outbox.empty())
    return fmt::format("{} texts wait to be typed into {}", agent.outbox.size(), agent.spec.name);
  if (agent.background > 0) return runs_behind(agent);
  return {};
}

void OneMove::wait(const Clock& now) {
  const model::Agent* agent = own();
  if (!agent) return end(fail("no agent named '" + order_.agent + "'"));
  if (!agent->running())
    return end(
        fail("'" + order_.agent + "' is not running",
             "start it first, so that it is seen to go on there: pawl start " + order_.agent));
  if (now.mono - watched_ > kMoveUnwatched)
    return end(fail("nobody waits for it any more", "it was left as it is"));
  const std::string why = held_up(*agent, now);
  if (why.empty()) return go(now, Step::asks, kMoveAsks);
  if (now.mono >= limit_)
    return end(fail(why + ", and was for all the time that was given",
                    order_.now ? "it was left as it is"
                               : "it was left as it is; wait longer with --timeout, or --now",
                    124));
  if (!std::exchange(busy_told_, true)) tell(why + "; this is waited for");
}

Json OneMove::brings(const model::Agent& agent) const {
  model::AgentSpec spec = agent.spec;
  spec.name = order_.there;
  if (!order_.dir.empty()) spec.dir = order_.dir;
  spec.repairs.clear();
  return Json::object({{"spec", model::to_json(spec)},
                       {"runtime", agent.runtime()},
                       {"from", os::host_name()},
                       {"there", order_.agent},
                       {"session_id", session_id_},
                       {"source", transcript_},
                       {"paused", agent.paused},
                       {"bytes", os::file_size(transcript_)}});
}

void OneMove::ask(const Clock& now) {
  const model::Agent* agent = own();
  if (!agent || !agent->running()) return go(now, Step::waits, order_.patience);
  if (!asked_ && transcript_.empty()) {
    transcript_ = agent->transcript;
    const auto* catalog = around_.engine.catalog();
    const auto* profile =
        catalog ? perceive::profile_of(*catalog, agent->runtime(), agent->spec.command) : nullptr;
    const auto& files = around_.engine.files();
    if (transcript_.empty() && profile) {
      const auto own_file = files.env_file(agent->spec);
      transcript_ = store::find_conversation(
          files.disk(), profile->files.transcript,
          store::merge_environment(files.environment(agent->spec),
                                   own_file ? *own_file : std::vector<std::string>{}),
          session_id_);
    }
    if (session_id_.empty() || transcript_.empty())
      return wrong(now, "it is not known which conversation " + order_.agent +
                            " is in, or where it is kept");
  }
  if (!asked_) {
    const Place* place = place_named(around_.server.places, order_.machine);
    const bool soon = place && !place->standing().online && place->standing().first_try;
    const auto done = say(now, kArrive, "begin", brings(*agent));
    if (!done && soon && now.mono < limit_) return;
    if (!done) return wrong(now, done.error());
  }
  const auto heard = hear(now);
  if (!heard) return wrong(now, heard.error());
  if (!*heard) return;
  if (!**heard) return wrong(now, said((*heard)->error(), kArrive));
  begun_there_ = true;
  if (const std::string why = held_up(*agent, now); !why.empty())
    return go(now, Step::waits, order_.now ? kMoveHurry : order_.patience);
  tell(fmt::format("{} is ended here", order_.agent));
  if (const size_t items = agent->memory.desk.waiting.size(); items > 0)
    tell(fmt::format("{} of its inbox stay here: pawl inbox ls {}", items, order_.agent));
  if (!agent->outbox.empty())
    tell(fmt::format("{} queued texts are not typed any more", agent->outbox.size()));
  journal(now, MoveStep::leaving, Step::ends);
}

void OneMove::look(const Clock& now) {
  if (!files_.empty()) return go(now, Step::ships, kMoveLooks);
  if (away_) return;
  if (auto* what = dynamic_cast<Looking*>(found_.get())) {
    if (!what->wrong.empty()) return wrong(now, what->wrong);
    files_ = std::move(what->files);
    uint64_t all = 0;
    for (const auto& file : files_) all += file.size;
    if (all > kMaxMoved) return wrong(now, "its conversation is too large to be moved");
    tell(fmt::format("{} KB of its conversation are sent to {}", all / 1024 + 1, order_.machine));
    found_.reset();
    return go(now, Step::ships, kMoveLooks);
  }
  if (now.mono >= limit_) return wrong(now, "its conversation could not be read in time");
  if (found_ || std::exchange(looked_, true)) return wrong(now, "its conversation cannot be read");
  auto errand = std::make_unique<Looking>();
  errand->transcript = transcript_;
  send(std::move(errand));
}

// One piece after the other, each when the one before has arrived: nothing piles up here, on the way or there.
void OneMove::ship(const Clock& now) {
  if (asked_) {
    const auto heard = hear(now);
    if (!heard) return wrong(now, heard.error());
    if (!*heard) return;
    if (!**heard) return wrong(now, said((*heard)->error(), kArriveLook));
    const File& file = files_[file_];
    if (offset_ >= file.size) ++file_, offset_ = 0;
  }
  if (away_) return;
  if (file_ == files_.size()) return journal(now, MoveStep::given, Step::gives);
  const File& file = files_[file_];
  if (auto* what = dynamic_cast<Reading*>(found_.get())) {
    if (what->bytes.empty() && file.size > 0)
      return wrong(now, "its conversation cannot be read: " + file.path);
    const Json piece =
        Json::object({{"file", file_}, {"offset", offset_}, {"data", base64(what->bytes)}});
    offset_ += what->bytes.size();
    sent_ += what->bytes.size();
    reading_ = false;
    found_.reset();
    if (auto done = say(now, kArriveLook, "part", piece); !done) return wrong(now, done.error());
    return;
  }
  if (std::exchange(reading_, true))
    return wrong(now, "its conversation could not be read in time");
  auto errand = std::make_unique<Reading>();
  errand->path = file.path;
  errand->offset = offset_;
  send(std::move(errand));
}

void OneMove::step(const Clock& now) {
  switch (step_) {
    case Step::waits:
      return wait(now);
    case Step::asks:
      return ask(now);
    case Step::looks:
      return look(now);
    case Step::ships:
      return ship(now);
    case Step::starts:
      return start(now);
    case Step::undoes:
      return undo(now);
    case Step::closes:
      return close(now);
    case Step::returns:
      if (request_.value == 0) journal(now, MoveStep::back, Step::returns);
      next_ = now.mono + kMovePoll;
      return;
    case Step::ends:
    case Step::gives:
      if (now.mono >= limit_) wrong(now, "it did not end in time");
      return;
    case Step::keeps:
    case Step::over:
      return;
  }
}

// As far as it comes without waiting.
void OneMove::turn(const Clock& now) {
  for (int i = 0; i < kStepsAtOnce && !over(); ++i) {
    const bool fed = asked_ || (found_ && (step_ == Step::looks || step_ == Step::ships));
    if (now.mono < next_ && !fed) return;
    const Step before = step_;
    next_ = now.mono + kMovePoll;
    step(now);
    if (step_ == before && !(found_ && !asked_)) return;
  }
}

}  // namespace pawl::api
