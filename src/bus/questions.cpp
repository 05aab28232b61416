#include "bus/questions.h"

#include <charconv>

#include "os/clock.h"
#include "os/digest.h"

namespace pawl::bus {

Questions::Questions(os::Loop& loop, Line& line) : line_(line), timer_(loop, [this] { look(); }) {}

// Nobody can guess it: an answer is believed by where it comes.
bool Questions::begin(const std::string& prefix) {
  clear();
  inbox_ = prefix + "." + os::hex(os::random_secret(16)).substr(0, 32);
  return line_.listen(inbox_ + ".q.*", kRepliesChannel);
}

void Questions::clear() {
  open_.clear();
  by_.clear();
  timer_.cancel();
}

uint64_t Questions::ask(const std::string& subject, const Headers& headers, std::string_view value,
                        Duration limit, Then then) {
  const uint64_t number = ++last_;
  const auto sent = line_.send(subject, inbox_ + ".q." + std::to_string(number), headers, value);
  if (sent == Sent::broken) return 0;
  const MonoTime by = os::read_clock().mono + limit;
  open_.emplace(number, Open{by, subject, std::move(then)});
  by_.emplace(by, number);
  if (sent == Sent::too_large) answer(number, {Answer::How::too_large, {}});
  arm();
  return number;
}

void Questions::forget(uint64_t number) {
  const auto found = open_.find(number);
  if (found == open_.end()) return;
  by_.erase({found->second.by, number});
  open_.erase(found);
}

void Questions::heard(const Heard& heard) {
  const size_t dot = heard.subject.rfind('.') + 1;
  uint64_t number = 0;
  std::from_chars(heard.subject.data() + dot, heard.subject.data() + heard.subject.size(), number);
  answer(number, {Answer::How::came, heard});
}

// The server drops what is not allowed and says which subject it was, not which message: the oldest question is the one.
void Questions::denied(const std::string& words) {
  for (const auto& [number, open] : open_) {
    if (words.find("\"" + open.subject + "\"") == std::string::npos) continue;
    return answer(number, {Answer::How::denied, {}});
  }
}

void Questions::answer(uint64_t number, const Answer& with) {
  const auto found = open_.find(number);
  if (found == open_.end()) return;  // it is late
  const Then then = std::move(found->second.then);
  by_.erase({found->second.by, number});
  open_.erase(found);
  then(with);
}

void Questions::look() {
  const MonoTime now = os::read_clock().mono;
  while (!by_.empty() && by_.begin()->first <= now) answer(by_.begin()->second, {});
  arm();
}

void Questions::arm() {
  if (by_.empty()) return timer_.cancel();
  timer_.start(std::max(Duration{1000}, by_.begin()->first - os::read_clock().mono));
}

}  // namespace pawl::bus
