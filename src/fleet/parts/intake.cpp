#include "fleet/parts/intake.h"

#include <fmt/core.h>

#include "base/text.h"

namespace pawl::fleet {
namespace {

std::set<std::string> needs_of(const Json& needs) {
  std::set<std::string> out;
  for (auto& one : needs.as_strings()) out.insert(std::move(one));
  for (auto& one : split(needs.as_string(), ','))
    if (!one.empty()) out.insert(std::string(trim(one)));
  return out;
}

}  // namespace

Wanted wanted_unit(const std::string& queue, uint64_t number, const std::string& text,
                   WallTime now) {
  Wanted out{fmt::format("{}-{}", queue, number), fmt::format("work.{} {}", queue, number), {}};
  const auto json = Json::parse(text);
  UnitOrder order{.unit = out.unit, .by = "queue " + queue};
  const char* wrong = nullptr;
  if (text.size() > kMostUnitBytes / 2)
    wrong = "the message is too large";
  else if (!json || !json->is_object())
    wrong = "the message is no JSON object";
  else if (!(*json)["task"].is_object())
    wrong = "the message has no \"task\"";
  if (!wrong) {
    order.task = (*json)["task"];
    order.needs = needs_of((*json)["needs"]);
    order.on = (*json)["on"].as_string();
    order.most_tries = static_cast<int>((*json)["tries"].as_int(order.most_tries));
    out.value = new_unit(order, now, out.source);
    return out;
  }
  order.task = Json::object({{"message", text.substr(0, kMostKept)}});
  out.value = new_unit(order, now, out.source);
  out.value.set("state", word(UnitState::ended));
  out.value.set("because", wrong);
  out.value.set("result", Json::object({{"status", "failed"}, {"because", wrong}}));
  return out;
}

void Intake::link_changed() {
  asked_.clear();
  making_.clear();
  items_.clear();
  next_.clear();
  if (!desk_.up) return;
  for (const auto& queue : desk_.options.queues) next_[queue] = desk_.mono();
  next_[""] = desk_.mono();
}

void Intake::take(const std::string& queue) {
  next_.erase(queue);
  const std::string subject =
      queue.empty() ? fmt::format("inbox.{}.>", desk_.options.node) : "work." + queue;
  const uint64_t id = desk_.ask({.op = BusOp::take, .subject = subject, .limit = kTakesFor},
                                {Part::intake, 0, queue});
  asked_[id] = queue;
}

bool Intake::message(const BusMessage& message) {
  const auto it = asked_.find(message.follow);
  if (it == asked_.end()) return false;
  const std::string queue = it->second;
  asked_.erase(it);
  desk_.take(message.follow);
  next_[queue] = desk_.mono();
  if (queue.empty())
    inbox(message);
  else
    work(queue, message);
  return true;
}

void Intake::reply(const Question& question, const BusReply& reply) {
  std::erase_if(asked_, [&](const auto& one) { return one.second == question.key; });
  const bool empty = reply.end == BusEnd::missing;
  next_[question.key] = desk_.mono() + (empty ? Duration{0} : kTakesAgain);
}

void Intake::work(const std::string& queue, const BusMessage& message) {
  Wanted wanted = wanted_unit(queue, message.sequence, message.value, desk_.wall());
  const uint64_t number = ++number_;
  making_[number] = message.token;
  if (!edits_.intake(number, wanted.unit, wanted.source, std::move(wanted.value))) {
    making_.erase(number);
    settle(message.token, false);
    next_[queue] = desk_.mono() + kTakesAgain;
  }
}

void Intake::inbox(const BusMessage& message) {
  const std::string before = fmt::format("inbox.{}.", desk_.options.node);
  const std::string agent = message.subject.starts_with(before)
                                ? name_of(std::string_view(message.subject).substr(before.size()))
                                : "";
  if (!valid_name(agent)) {
    desk_.people(model::Severity::warning, "inbox from the fleet",
                 fmt::format("an item on '{}' names no agent: it is dropped", message.subject));
    return settle(message.token, true);
  }
  items_[message.token] = desk_.mono();
  desk_.order(
      InboxItem{message.token, agent, fmt::format("bus-{}", message.sequence), message.value});
}

void Intake::inboxed(const std::string& token, bool kept) {
  if (items_.erase(token) > 0) settle(token, kept);
}

void Intake::settle(const std::string& token, bool kept) {
  BusAsk what{.op = kept ? BusOp::done : BusOp::back, .key = token};
  if (!kept) what.limit = kComesAgain;
  desk_.tell(std::move(what));
}

void Intake::step(bool joined) {
  joined_ = joined;
  for (const auto& end : edits_.take_ended()) {
    const auto it = making_.find(end.number);
    if (it == making_.end()) continue;
    settle(it->second, end.done);
    making_.erase(it);
  }
  if (!joined || !units_.complete()) return;
  const auto next = next_;
  for (const auto& [queue, at] : next) {
    if (desk_.mono() < at) continue;
    const bool full = queue.empty() ? items_.size() >= kInboxAtOnce
                                    : units_.waiting() + making_.size() >= kEnoughWaiting;
    if (full)
      next_[queue] = desk_.mono() + kTakesAgain;
    else
      take(queue);
  }
}

std::optional<MonoTime> Intake::wake_at() const {
  if (!joined_ || !units_.complete()) return std::nullopt;
  std::optional<MonoTime> out;
  for (const auto& [queue, at] : next_) out = earlier(out, at);
  return out;
}

}  // namespace pawl::fleet
