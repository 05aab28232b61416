#pragma once
// A recording, looked at in virtual time: the same Tracker as live, fed from events instead of a terminal. Looks happen on a
// fixed grid, so that the way output was cut into events changes nothing.

#include <string_view>
#include <vector>

#include "perceive/tracker.h"
#include "term/terminal.h"

namespace pawl::perceive {

inline constexpr Duration kLookGrid = std::chrono::milliseconds{20};

struct Played {
  double t = 0;
  Verdict verdict;
};

class Player {
 public:
  Player(const Catalog& catalog, Size size, TrackerOptions options);

  // In order of time.
  void output(double t, std::string_view bytes);
  void resize(double t, Size size);
  void facts(double t, const Facts& facts);
  void exited(double t, int code);
  // No more events. What only time brings still comes, up to `after` seconds later.
  void finish(double after = 5);
  // Everything up to this instant, which need not be an event's.
  void advance_to(double t);

  std::vector<Played> take() { return std::exchange(edges_, {}); }
  const term::Terminal& terminal() const { return terminal_; }
  double now() const;  // of the last event
  const Tracker& tracker() const { return tracker_; }

 private:
  MonoTime at(double t) const;
  void before(MonoTime t);
  void look(MonoTime t);
  void touched(MonoTime t);

  term::Terminal terminal_;
  Tracker tracker_;
  std::optional<MonoTime> look_at_;
  bool drawn_ = false;  // the screen changed since the last look
  bool ended_ = false;
  bool had_interface_ = false;
  MonoTime last_{};
  std::vector<Played> edges_;
};

}  // namespace pawl::perceive
