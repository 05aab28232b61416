#include "act/outgoing.h"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::act {
namespace {

bool worth_sending(const Message& message) {
  return message.severity == "warning" || message.severity == "error" ||
         message.matter.starts_with("task ");  // whoever gave one waits for it (R14)
}

// "a: it is parked"; one line, and not a long one: many of them are read together.
std::string in_short(const Message& message) {
  constexpr size_t kShort = 120;
  std::string text = message.text.substr(0, message.text.find('\n'));
  if (text.size() > kShort) {
    size_t end = kShort;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    text = text.substr(0, end) + "…";
  }
  return (message.agent.empty() ? "pawl" : message.agent) + ": " + text;
}

}  // namespace

Outgoing::Matter Outgoing::matter_of(const Message& message) {
  return {message.agent, message.matter.empty() ? message.text : message.matter};
}

void Outgoing::forget_old(MonoTime now) {
  std::erase_if(told_, [&](const auto& one) { return now >= one.second.at + kMatterEvery; });
  while (told_.size() >= kMattersKept)
    told_.erase(std::min_element(told_.begin(), told_.end(), [](const auto& a, const auto& b) {
      return a.second.at < b.second.at;
    }));
  while (!begun_.empty() && now >= over(begun_.front())) begun_.pop_front();
}

bool Outgoing::add(MonoTime now, Message message) {
  if (!worth_sending(message)) return false;
  forget_old(now);
  const bool error = message.severity == "error";
  const auto known = told_.find(matter_of(message));
  if (known != told_.end() && (known->second.error || !error)) return false;
  told_[matter_of(message)] = {now, error};
  if (waiting_.size() >= kWaiting) {
    told_.erase(matter_of(waiting_.front().message));  // nobody heard of it: it may come again
    waiting_.pop_front();
    ++dropped_;
  }
  const auto in_time = static_cast<size_t>(std::count_if(
      waiting_.begin(), waiting_.end(), [](const Waiting& one) { return !one.late; }));
  waiting_.push_back({std::move(message), begun_.size() + in_time >= kMessages});
  return true;
}

std::optional<Message> Outgoing::next(const Clock& now) {
  forget_old(now.mono);
  if (parcel_) {
    if (parcel_->under_way || now.mono < parcel_->again) return std::nullopt;
  } else {
    if (waiting_.empty() || begun_.size() >= kMessages) return std::nullopt;
    pack(now);
    begun_.push_back(now.mono);
  }
  parcel_->under_way = true;
  return parcel_->message;
}

// The first one alone, or all there are.
void Outgoing::pack(const Clock& now) {
  const size_t count = waiting_.front().late ? waiting_.size() : 1;
  Parcel parcel;
  for (size_t i = 0; i < count; ++i) parcel.matters.push_back(matter_of(waiting_[i].message));
  if (count == 1) {
    parcel.message = std::move(waiting_.front().message);
  } else {
    parcel.message = digest(now);
    parcel.messages = count + std::exchange(dropped_, 0);
  }
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
  parcel_ = std::move(parcel);
}

Message Outgoing::digest(const Clock& now) const {
  const Message& first = waiting_.front().message;
  const bool error = std::any_of(waiting_.begin(), waiting_.end(), [](const Waiting& one) {
    return one.message.severity == "error";
  });
  const bool same = std::all_of(waiting_.begin(), waiting_.end(), [&](const Waiting& one) {
    return one.message.agent == first.agent;
  });
  std::string text = fmt::format("{} more alerts: ", waiting_.size() + dropped_);
  size_t shown = 0;
  for (const auto& one : waiting_) {
    const std::string line = in_short(one.message);
    if (text.size() + line.size() > kDigestBytes) break;
    text += (shown++ > 0 ? "; " : "") + line;
  }
  if (shown < waiting_.size()) text += fmt::format("; and {} more", waiting_.size() - shown);
  if (dropped_ > 0) text += fmt::format("; {} older ones were dropped", dropped_);
  return {same ? first.agent : "", now.wall, error ? "error" : "warning",
          std::move(text),         "digest", "look at them with: pawl events"};
}

void Outgoing::sent() {
  parcel_.reset();
}

size_t Outgoing::failed(MonoTime now) {
  if (!parcel_ || !parcel_->under_way) return 0;
  if (parcel_->tries < kRetryAfter.size()) {
    parcel_->again = now + kRetryAfter.at(parcel_->tries++);
    parcel_->under_way = false;
    return 0;
  }
  for (const auto& matter : parcel_->matters) told_.erase(matter);
  for (auto& one : waiting_) one.late = true;
  const size_t lost = parcel_->messages;
  parcel_.reset();
  return lost;
}

std::optional<MonoTime> Outgoing::wake_at() const {
  if (parcel_) return parcel_->under_way ? std::nullopt : std::optional(parcel_->again);
  if (waiting_.empty()) return std::nullopt;
  // Long ago when nothing was begun lately: at once.
  return begun_.size() < kMessages ? MonoTime{} : over(begun_[begun_.size() - kMessages]);
}

size_t Outgoing::unsent() const {
  return (parcel_ ? parcel_->messages : 0) + waiting_.size() + dropped_;
}

bool Outgoing::idle(MonoTime now) const {
  return unsent() == 0 && std::all_of(told_.begin(), told_.end(), [&](const auto& one) {
           return now >= one.second.at + kMatterEvery;
         });
}

}  // namespace pawl::act
