#pragma once
// What is known of another machine, and when it is called, asked and given up: the rules of lookout.h without a connection or a clock.
// Pure: what happened and the time go in, what to do comes out. outlook_random_test.cpp plays links that die, stall and come back.

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"

namespace pawl::fleet {

inline constexpr Duration kLooks = std::chrono::seconds{2};          // between two looks
inline constexpr Duration kLooksAtRest = std::chrono::seconds{5};    // … while nobody asks
inline constexpr Duration kAsksAgain = std::chrono::seconds{30};     // whoever asked
inline constexpr Duration kAnswersWithin = std::chrono::seconds{5};  // else it is not reached
inline constexpr Duration kTriesFirst = std::chrono::seconds{2};  // … again; then twice as long
inline constexpr Duration kTriesLast = std::chrono::seconds{30};

class Outlook {
 public:
  explicit Outlook(const Clock& now) : since_(now.wall), began_(now.mono), tried_(now.mono) {}

  enum class Do {
    nothing,
    call,     // make a connection
    ask,      // on the connection, what its agents do
    give_up,  // let go of the connection: it does not answer
  };
  // The connection is there. How long that may take is the connection's own business (link.h).
  Do opened(MonoTime now);
  // Time has passed.
  Do pass(MonoTime now);
  // Somebody wants to know: looked at more often, and one that is away is tried now.
  Do wanted(MonoTime now);
  // Its answer. True: it was not reached before.
  bool told(const Clock& now, std::vector<Json> agents, std::string version);
  // The connection is over. True: it was reached until now, or this was the first try.
  bool lost(const Clock& now, std::string because);
  // When pass() is due; nothing: a connection is being made.
  std::optional<MonoTime> wake_at() const { return due_; }

  bool online() const { return online_; }
  // It is online, and said so this very moment.
  bool awake(MonoTime now) const { return online_ && now - heard_ < kLooksAtRest + kAnswersWithin; }
  WallTime since() const { return since_; }
  const std::string& because() const { return because_; }      // it is not reached, and what to do
  const std::string& version() const { return version_; }      // of its pawl
  const std::vector<Json>& agents() const { return agents_; }  // as it told them last
  uint64_t answers() const { return answers_; }                // so far
  // Since when it is tried for the first time; nothing: that is over.
  std::optional<MonoTime> first_try() const {
    return settled_ ? std::nullopt : std::optional(began_);
  }

 private:
  Do call(MonoTime now);
  Do ask(MonoTime now);

  enum class Phase { calling, asked, resting, away } phase_ = Phase::calling;
  std::optional<MonoTime> due_;
  bool online_ = false, settled_ = false;
  WallTime since_;
  MonoTime began_, tried_, heard_{};
  std::optional<MonoTime> wanted_;
  Duration pause_ = kTriesFirst;
  std::string because_ = "it was not reached yet";
  std::string version_;
  std::vector<Json> agents_;
  uint64_t answers_ = 0;
};

}  // namespace pawl::fleet
