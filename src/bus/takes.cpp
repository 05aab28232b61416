#include "bus/takes.h"

#include <algorithm>

#include "fleet/bus_names.h"
#include "fleet/bus_wire.h"
#include "os/clock.h"

namespace pawl::bus {
namespace {

using fleet::BusEnd;
using fleet::BusReply;

constexpr int kBeat = 100, kNone = 404, kOver = 408;
constexpr Duration kQueueMade = std::chrono::seconds{5};

}  // namespace

Takes::Takes(os::Loop& loop, Line& line, Questions& questions,
             std::function<void(fleet::BusNews)> news)
    : line_(line),
      questions_(questions),
      news_(std::move(news)),
      held_timer_(loop,
                  [this] {
                    for (const auto& [token, reply] : held_) line_.send(reply, "", {}, "+WPI");
                    if (!held_.empty()) held_timer_.start(kHeldSaid);
                  }),
      late_timer_(loop, [this] { look(); }) {}

void Takes::begin(const std::string& fleet, const std::string& node) {
  clear();
  fleet_ = fleet;
  node_ = node;
}

void Takes::clear() {
  queues_.clear();
  held_.clear();
  held_timer_.cancel();
  late_timer_.cancel();
}

void Takes::take(const fleet::BusAsk& ask) {
  const auto reader = queue_reader(fleet_, node_, ask.subject);
  if (!reader)
    return news_(
        BusReply{ask.id, BusEnd::refused, 0, "", "\"" + ask.subject + "\" is no queue of ours"});
  Queue& queue = queue_of(*reader);
  if (held_.size() + queue.waiting.size() >= kMaxHeld)
    return news_(BusReply{ask.id, BusEnd::refused, 0, "", "too much is taken already"});
  queue.waiting.push_back({ask.id, ask.limit, os::read_clock().mono + ask.limit + kTakeLate});
  if (queue.ready) pull(queue, queue.waiting.back());
  arm();
}

Takes::Queue& Takes::queue_of(const QueueReader& reader) {
  const auto [found, is_new] = queues_.try_emplace(reader.filter, Queue{reader, 0, false, {}});
  if (!is_new) return found->second;
  found->second.channel = next_++;
  line_.listen(questions_.inbox("t" + std::to_string(found->second.channel)),
               found->second.channel);
  questions_.ask(
      "$JS.API.CONSUMER.CREATE." + reader.stream + "." + reader.name + "." + reader.filter, {},
      queue_wish(reader).dump(), kQueueMade,
      [this, filter = reader.filter](const Answer& answer) { made(filter, answer); });
  return found->second;
}

void Takes::made(const std::string& filter, const Answer& answer) {
  const auto found = queues_.find(filter);
  if (found == queues_.end()) return;
  Queue& queue = found->second;
  std::string trouble;
  if (answer.how == Answer::How::came && answer.heard.status == 0) {
    auto json = Json::parse(answer.heard.value);
    const auto refusal = json ? refusal_in(*json) : Refusal{0, 0, "nonsense"};
    if (!refusal) {
      queue.ready = true;
      for (const auto& waiting : queue.waiting) pull(queue, waiting);
      return;
    }
    trouble = sentence_of(*refusal);
  } else if (answer.how == Answer::How::denied) {
    trouble = "the bus does not let this node take from there";
  }
  end_all(queue, trouble.empty() ? BusEnd::unknown : BusEnd::refused,
          trouble.empty() ? "the bus did not answer" : trouble);
  line_.unlisten(queue.channel);
  queues_.erase(found);
}

void Takes::pull(const Queue& queue, const Waiting& waiting) {
  Json wish = Json::object({{"batch", 1}});
  if (waiting.limit > Duration{0})
    wish.set("expires", static_cast<int64_t>(std::chrono::nanoseconds(waiting.limit).count()));
  else
    wish.set("no_wait", true);
  line_.send("$JS.API.CONSUMER.MSG.NEXT." + queue.reader.stream + "." + queue.reader.name,
             questions_.inbox("t" + std::to_string(queue.channel)), {}, wish.dump());
}

bool Takes::heard(const Heard& heard) {
  for (auto& [filter, queue] : queues_) {
    if (queue.channel != heard.channel) continue;
    came(queue, heard);
    return true;
  }
  return false;
}

// Which of those that wait is meant cannot be told, and does not matter: each asked for one.
void Takes::came(Queue& queue, const Heard& heard) {
  if (heard.status == kBeat) return;
  const bool message = heard.status == 0;
  const auto at = given(heard.reply);
  const std::string prefix = fleet::subject_on_bus(fleet_, "");
  if (message && (queue.waiting.empty() || !at)) {
    if (at) line_.send(heard.reply, "", {}, "-NAK");  // nobody waits for it any more
    return;
  }
  if (queue.waiting.empty()) return;
  const uint64_t id = queue.waiting.front().id;
  queue.waiting.pop_front();
  arm();
  if (!message) {
    const bool nothing = heard.status == kNone || heard.status == kOver;
    return news_(BusReply{id, nothing ? BusEnd::missing : BusEnd::unknown, 0, "", heard.words});
  }
  const std::string token = "t" + std::to_string(++tokens_);
  if (!heard.subject.starts_with(prefix) || heard.value.size() > fleet::kMaxBusValue) {
    line_.send(heard.reply, "", {},
               "+TERM");  // nobody could ever use it: it would come again and again
    return news_(BusReply{id, BusEnd::missing, 0, "", "what was there could not be used"});
  }
  if (held_.empty()) held_timer_.start(kHeldSaid);
  held_[token] = heard.reply;
  news_(
      fleet::BusMessage{id, at->sequence, heard.subject.substr(prefix.size()), heard.value, token});
  news_(BusReply{id, BusEnd::done, at->sequence});
}

void Takes::end_all(Queue& queue, BusEnd end, const std::string& because) {
  for (const auto& waiting : queue.waiting) news_(BusReply{waiting.id, end, 0, "", because});
  queue.waiting.clear();
}

void Takes::done(const fleet::BusAsk& ask) {
  const auto found = held_.find(ask.key);
  if (found == held_.end())
    return news_(BusReply{ask.id, BusEnd::missing, 0, "", "it is not held any more"});
  const std::string reply = std::move(found->second);
  held_.erase(found);
  questions_.ask(reply, {}, "+ACK", ask.limit, [this, id = ask.id](const Answer& answer) {
    const bool came = answer.how == Answer::How::came && answer.heard.status == 0;
    news_(BusReply{id, came ? BusEnd::done : BusEnd::unknown, 0, "",
                   came ? "" : "the bus did not answer"});
  });
}

void Takes::back(const fleet::BusAsk& ask) {
  const auto found = held_.find(ask.key);
  if (found == held_.end())
    return news_(BusReply{ask.id, BusEnd::missing, 0, "", "it is not held any more"});
  const auto delay = std::chrono::nanoseconds(ask.limit).count();
  line_.send(found->second, "", {}, "-NAK " + Json::object({{"delay", delay}}).dump());
  held_.erase(found);
  news_(BusReply{ask.id, BusEnd::done});
}

void Takes::give_all_back() {
  for (const auto& [token, reply] : held_) line_.send(reply, "", {}, "-NAK");
  held_.clear();
}

void Takes::look() {
  const MonoTime now = os::read_clock().mono;
  for (auto& [filter, queue] : queues_)
    std::erase_if(queue.waiting, [&](const Waiting& waiting) {
      if (waiting.by > now) return false;
      news_(BusReply{waiting.id, BusEnd::unknown, 0, "", "the bus did not answer"});
      return true;
    });
  arm();
}

void Takes::arm() {
  std::optional<MonoTime> next;
  for (const auto& [filter, queue] : queues_)
    for (const auto& waiting : queue.waiting) next = earlier(next, waiting.by);
  if (!next) return late_timer_.cancel();
  late_timer_.start(std::max(Duration{1000}, *next - os::read_clock().mono));
}

}  // namespace pawl::bus
