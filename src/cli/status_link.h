#pragma once
// What `pawl attach` and `pawl ls -w` tell the person's own terminal about the agents, by the Program Status Protocol
// (OSC 7501, term/status.h): a terminal that reads it can show "waiting for you" in its tab. It is asked first and told
// nothing when it does not answer. Only records made here from Pawl's own words go out, never an agent's report.
//
// Pure: bytes and times in, bytes out. The caller writes what it is given and wakes when it is told to.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "term/status.h"

namespace pawl::cli {

inline constexpr Duration kStatusAnswer =
    std::chrono::milliseconds{1500};                                 // then it is silent for good
inline constexpr Duration kStatusLate = std::chrono::seconds{10};    // an answer is still no key
inline constexpr Duration kKeyHeld = std::chrono::milliseconds{40};  // what may be half an answer
inline constexpr Duration kStatusEvery = std::chrono::milliseconds{250};  // between two reports
inline constexpr size_t kMaxStatusAgents = 60;  // of a list, besides the summary

class StatusLink {
 public:
  // The question. A terminal whose TERM says that it cannot know is not asked.
  std::string ask(MonoTime now, std::string_view term);
  // What the person typed, without the terminal's answers among it.
  std::string keys(std::string_view bytes, MonoTime now);
  // Keys that were held for a moment, because they could have been the beginning of an answer.
  std::string held_keys(MonoTime now);

  // The whole picture; what is not in it is taken back. Said when something changed, not too often.
  void want(const std::vector<term::StatusRecord>& records);
  std::string due(MonoTime now);
  // Somebody reads what we report: it has to be cleared at the end.
  bool speaks() const { return speaks_; }
  std::optional<MonoTime> wake_at() const;

 private:
  size_t answer_at(size_t from, bool& whole) const;

  bool asked_ = false, speaks_ = false;
  MonoTime asked_at_{};
  std::string held_;
  MonoTime held_since_{};
  std::map<std::string, std::string> wanted_, said_;  // id → the sequence that sets it
  std::optional<MonoTime> next_;                      // not before
};

// States as records. Remembers who worked, because ready after that is "done".
class StatusPicture {
 public:
  // Nothing when there is nothing to say (unknown).
  std::optional<term::StatusRecord> agent(const std::string& name, const std::string& state,
                                          const std::string& kind);
  // Of `pawl ls --json`: a record for each of the first agents under its name, and their sum.
  std::vector<term::StatusRecord> list(const Json& list);

 private:
  std::map<std::string, bool> worked_;
};

}  // namespace pawl::cli
