#include "perceive/player.h"

#include <cmath>

namespace pawl::perceive {
namespace {

constexpr double kMaxSeconds = 1e9;  // later than that is no time of a recording

double seconds(MonoTime t) {
  return std::chrono::duration<double>(t.time_since_epoch()).count();
}

}  // namespace

Player::Player(const Catalog& catalog, Size size, TrackerOptions options)
    : terminal_(size, {.answers = false, .scrollback_lines = 0}),
      tracker_(catalog, std::move(options), MonoTime{}) {
  touched(MonoTime{});  // what is known before the first byte
}

// Never backwards: a recording whose times jump back goes on where it was.
MonoTime Player::at(double t) const {
  const double safe = std::isfinite(t) ? std::min(std::max(t, 0.0), kMaxSeconds) : 0;
  return std::max(last_, MonoTime{Duration{static_cast<int64_t>(std::llround(safe * 1e6))}});
}

void Player::before(MonoTime t) {
  while (true) {
    std::optional<MonoTime> next = tracker_.wake_at();
    if (look_at_ && (!next || *look_at_ < *next)) next = look_at_;
    if (!next || *next >= t) break;
    look(*next);
  }
  last_ = t;
}

void Player::look(MonoTime t) {
  if (look_at_ && *look_at_ <= t) {
    look_at_.reset();
    drawn_ = drawn_ && !tracker_.screen(t, terminal_.screen());
    if (drawn_) look_at_ = t + kLookGrid;
  }
  if (auto verdict = tracker_.read(t)) edges_.push_back({seconds(t), std::move(*verdict)});
}

void Player::touched(MonoTime t) {
  if (look_at_) return;
  const auto grid = kLookGrid.count();
  look_at_ = MonoTime{Duration{(t.time_since_epoch().count() + grid - 1) / grid * grid}};
}

void Player::output(double t, std::string_view bytes) {
  const MonoTime now = at(t);
  before(now);
  terminal_.count(tracker_.profile().counts);
  terminal_.feed(bytes);
  // A mode an interface wants, set at any time: the way output is cut must not matter.
  if (!had_interface_)
    had_interface_ = bytes.find("\x1b[?2004h") != std::string_view::npos ||
                     terminal_.screen().modes().bracketed_paste;
  drawn_ = true;
  touched(now);
}

void Player::resize(double t, Size size) {
  const MonoTime now = at(t);
  before(now);
  terminal_.resize(size);
  drawn_ = true;
  touched(now);
}

void Player::facts(double t, const Facts& facts) {
  const MonoTime now = at(t);
  before(now);
  tracker_.facts(now, facts);
  touched(now);
}

void Player::exited(double t, int code) {
  const MonoTime now = at(t);
  before(now);
  ended_ = true;
  tracker_.ended(now, {.exit_code = code});
  touched(now);
}

void Player::finish(double after) {
  const MonoTime end = last_;
  const auto& screen = terminal_.screen();
  const auto& facts = tracker_.evidence().facts;
  const bool gave_back = had_interface_ && !screen.modes().bracketed_paste && !screen.alternate() &&
                         screen.cursor().visible && tracker_.evidence().agent_seen;
  const bool in_shell = facts ? shell_in_front(*facts) : tracker_.evidence().shell_shown.value;
  if (!ended_ && !in_shell && (gave_back || (facts && facts->zombie))) {
    tracker_.ended(end, {.exit_code = 0});
    touched(end);
  }
  before(end + Duration{static_cast<int64_t>(after * 1e6)});
}

double Player::now() const {
  return seconds(last_);
}

void Player::advance_to(double t) {
  const MonoTime now = at(t);
  before(now + Duration{1});
  last_ = now;
}

}  // namespace pawl::perceive
