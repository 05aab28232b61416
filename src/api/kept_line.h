#pragma once
// A line to a place that somebody stays on for long: it is made again when it was lost, and it is told once that the place went away,
// and once that it is back. For places_followed.h and places_awaited.h. Time is an argument.

#include <deque>
#include <functional>

#include "api/line.h"

namespace pawl::api {

inline constexpr Duration kCallsAgain = std::chrono::seconds{2};  // after a line was lost

// What is asked first on every line: it is answered at once, so that a place is known to be back; with the number of its last event.
Json greeting();

class KeptLine {
 public:
  // What is said first on every new line.
  using Opening = std::function<std::vector<Json>()>;
  KeptLine(std::string machine, std::string from, const std::function<Places()>* places,
           MonoTime begun);

  // The next frame, from whichever line there is now; nothing: none is there yet.
  std::optional<Frame> next(const Clock& now, const Opening& opening);
  int number() const { return number_; }  // of the line that the last frame came from
  // This line is no good any more: another one is made, now or a while later.
  void lose(const Clock& now, const std::string& because);
  void begin_again() { line_.reset(); }
  // {"type": "machine", "what": "away" or "back", …}: what is to be told, each once.
  std::optional<Json> take_news();

  const std::string& machine() const { return machine_; }
  bool away() const { return away_; }
  const std::string& because() const { return because_; }  // it is away
  std::optional<MonoTime> wake_at() const;

 private:
  void look(const Clock& now, const Opening& opening);
  void tell(const Clock& now, const char* what);

  std::string machine_, from_;
  const std::function<Places()>* places_;
  MonoTime patience_;  // for a place that is tried for the first time
  std::optional<Line> line_;
  int number_ = 0;
  std::optional<MonoTime> again_;  // not before
  bool away_ = false;              // and it was told
  std::string because_;
  std::deque<Json> news_;
};

}  // namespace pawl::api
