#include "act/outgoing.h"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::act {
namespace {

using model::Severity;

bool worth_sending(const Message& message) {
  return message.severity == Severity::warning || message.severity == Severity::error ||
         message.matter.starts_with("task ");  // whoever gave one waits for it (R14)
}

bool is_error(const Message& message) {
  return message.severity == Severity::error;
}

// How many may begin in kMessagesIn, the others included.
size_t room(bool error) {
  return kMessages + (error ? kErrors : 0);
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
  const std::string answer = message.link.url.empty() ? "" : " " + message.link.url;
  return (message.agent.empty() ? "pawl" : message.agent) + ": " + text + answer;
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
  const bool error = is_error(message);
  const auto known = told_.find(matter_of(message));
  if (known != told_.end() && (known->second.error || !error)) return false;
  told_[matter_of(message)] = {now, error};
  if (waiting_.size() >= kWaiting) {
    auto oldest = std::find_if(waiting_.begin(), waiting_.end(),
                               [](const Waiting& one) { return !is_error(one.message); });
    if (oldest == waiting_.end()) oldest = waiting_.begin();
    told_.erase(matter_of(oldest->message));  // nobody heard of it: it may come again
    waiting_.erase(oldest);
    ++dropped_;
  }
  const auto in_time = static_cast<size_t>(std::count_if(
      waiting_.begin(), waiting_.end(), [](const Waiting& one) { return !one.late; }));
  waiting_.push_back({std::move(message), begun_.size() + in_time >= room(error)});
  return true;
}

bool Outgoing::room_for(bool error) const {
  return begun_.size() < room(error);
}

bool Outgoing::error_waits() const {
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [](const Waiting& one) { return is_error(one.message); });
}

// By an error, because what is tried again is a warning.
bool Outgoing::overtaken() const {
  return parcel_ && !parcel_->under_way && !aside_ && !is_error(parcel_->message) && error_waits();
}

std::optional<Message> Outgoing::next(const Clock& now) {
  forget_old(now.mono);
  if (parcel_ && parcel_->under_way) return std::nullopt;
  if (overtaken() && room_for(true)) aside_ = std::exchange(parcel_, std::nullopt);
  if (parcel_) {
    if (now.mono < parcel_->again) return std::nullopt;
  } else {
    const auto which = next_ones();
    if (which.empty()) {
      if (aside_) parcel_ = std::exchange(aside_, std::nullopt);
      return std::nullopt;
    }
    pack(now, which);
    begun_.push_back(now.mono);
  }
  parcel_->under_way = true;
  return parcel_->message;
}

// The first that came in time, alone; else all that wait, or the errors among them when there is no room for more.
std::vector<size_t> Outgoing::next_ones() const {
  const bool errors = aside_ || !room_for(false);
  std::vector<size_t> out;
  for (size_t i = 0; i < waiting_.size(); ++i) {
    if (!room_for(is_error(waiting_[i].message)) || (errors && !is_error(waiting_[i].message)))
      continue;
    if (!waiting_[i].late) return {i};
    out.push_back(i);
  }
  return out;
}

void Outgoing::pack(const Clock& now, const std::vector<size_t>& which) {
  Parcel parcel;
  std::vector<Message> all;
  for (const size_t i : which) all.push_back(std::move(waiting_[i].message));
  for (auto i = which.rbegin(); i != which.rend(); ++i)
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(*i));
  for (const auto& one : all) parcel.matters.push_back(matter_of(one));
  if (all.size() == 1) {
    parcel.message = std::move(all.front());
  } else {
    parcel.message = digest(now, all);
    parcel.messages = all.size() + std::exchange(dropped_, 0);
  }
  parcel_ = std::move(parcel);
}

Message Outgoing::digest(const Clock& now, const std::vector<Message>& all) const {
  const bool error = std::any_of(all.begin(), all.end(), is_error);
  const bool same = std::all_of(all.begin(), all.end(),
                                [&](const Message& one) { return one.agent == all.front().agent; });
  std::string text = fmt::format("{} more alerts: ", all.size() + dropped_);
  size_t shown = 0;
  for (const auto& one : all) {
    const std::string line = in_short(one);
    if (text.size() + line.size() > kDigestBytes) break;
    text += (shown++ > 0 ? "; " : "") + line;
  }
  if (shown < all.size()) text += fmt::format("; and {} more", all.size() - shown);
  if (dropped_ > 0) text += fmt::format("; {} older ones were dropped", dropped_);
  return {same ? all.front().agent : "",
          now.wall,
          error ? Severity::error : Severity::warning,
          std::move(text),
          "digest",
          "look at them with: pawl events"};
}

void Outgoing::sent() {
  parcel_ = std::exchange(aside_, std::nullopt);
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
  parcel_ = std::exchange(aside_, std::nullopt);
  return lost;
}

std::optional<MonoTime> Outgoing::wake_at() const {
  if (parcel_ && parcel_->under_way) return std::nullopt;
  // Long ago when there is room: at once.
  const auto has_room = [&](bool error) {
    return room_for(error) ? MonoTime{} : over(begun_[begun_.size() - room(error)]);
  };
  if (parcel_) return overtaken() ? std::min(parcel_->again, has_room(true)) : parcel_->again;
  if (waiting_.empty()) return std::nullopt;
  return has_room(error_waits());
}

size_t Outgoing::unsent() const {
  return (parcel_ ? parcel_->messages : 0) + (aside_ ? aside_->messages : 0) + waiting_.size() +
         dropped_;
}

bool Outgoing::idle(MonoTime now) const {
  return unsent() == 0 && std::all_of(told_.begin(), told_.end(), [&](const auto& one) {
           return now >= one.second.at + kMatterEvery;
         });
}

}  // namespace pawl::act
