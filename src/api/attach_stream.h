#pragma once
// A person at the terminal. What the person sees is painted from our screen: the program's own bytes never reach them. What a
// program says to people beside the screen (a bell, a notification, how far it is) is said again, in our words (api/calls.h).

#include <optional>
#include <string>
#include <utility>

#include "api/calls.h"
#include "api/seats.h"
#include "api/stream.h"
#include "term/paint.h"

namespace pawl::api {

// A frame that a program announced (?2026) is waited for this long; then what is there is shown.
inline constexpr Duration kHoldFrame = std::chrono::milliseconds{150};

struct AttachWish {
  Size size;
  bool read_only = false;
  bool states =
      false;  // hear of every change of the agent's state: {"state": {"state": …, "kind": …}}
  // For browsers: the terminal keeps its size and says it ({"size": {"cols": …, "rows": …}}), and goes on when its program has
  // ended and is started again.
  bool stay = false;
  bool calls = false;            // bells and notifications, too
  bool progress = false;         // … and how far it is: a terminal that shows that
  std::string where = "attach";  // what is typed came from there
};

class AttachStream {
 public:
  AttachStream(std::string agent, AttachWish wish, Seats& seats)
      : agent_(std::move(agent)), wish_(std::move(wish)), size_(wish_.size), seats_(&seats) {}
  StreamEnd pump(StreamContext& context);
  const std::string& agent() const { return agent_; }
  // Keys may come. Otherwise they wait in the client's socket, and nothing of them is lost.
  bool hears(const core::Engine& engine) const {
    return wish_.read_only || engine.takes_keys(agent_);
  }
  void control(bool wanted) { wish_.read_only = !wanted; }
  void pace(Duration every) { every_ = every; }  // at most one frame in so much time
  void input(core::Engine& engine, const Clock& now, std::string_view keys);
  void resize(core::Engine& engine, const Clock& now, Size size);
  std::optional<MonoTime> wake_at() const { return next_frame_; }

 private:
  void tell(StreamContext& context, const model::Agent& agent);
  void fit(StreamContext& context, Size size);
  void take_seat(StreamContext& context, const model::Agent& agent);
  bool held(const StreamContext& context, const term::Screen& screen);
  void paint(StreamContext& context, const term::Screen& screen, SessionId session, bool over);
  void paint_last(StreamContext& context, const model::Agent& agent);

  std::string agent_;
  AttachWish wish_;
  Size size_;
  Seats* seats_;
  Seats::Seat seat_;
  Duration every_ = std::chrono::milliseconds{16};
  std::optional<std::pair<model::State, std::string>> told_;  // state and kind
  bool sized_ = false;
  term::Painter painter_;
  Calls calls_;
  SessionId session_;
  uint64_t painted_ = 0;
  bool repaint_ = true;
  std::optional<MonoTime> drawing_since_;  // the program is in the middle of a frame
  std::optional<MonoTime> next_frame_;
  MonoTime last_frame_{};
};

// Terminals get the sizes of those who sit at them now.
void give_sizes(core::Engine& engine, const Clock& now, Seats& seats);

}  // namespace pawl::api
