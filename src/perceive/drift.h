#pragma once
// Has the program outgrown its profile? After an update of the program a rule may fit nothing any more, and nobody notices as
// long as a better channel (its own reports, hooks, title, progress) still tells the state. So each turn that a better channel
// told is held against the rules for the screen; several in a row without a match are an alarm, once for each rule and start
// of the program; so is a sign of work that all those channels deny. Fed by the Tracker with every reading; pure.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "perceive/evidence.h"
#include "perceive/verdict.h"

namespace pawl::perceive {

inline constexpr int kDriftTurns = 3;    // in a row before the alarm
inline constexpr int kDriftDialogs = 2;  // … dialogs are rarer, and matter more
// A stretch shorter than this proves nothing: the screen follows some tenths of a second later.
inline constexpr Duration kDriftWork = std::chrono::seconds{2};
inline constexpr Duration kDriftAsks = std::chrono::seconds{1};
inline constexpr Duration kDriftIdle = std::chrono::seconds{2};

class Drift {
 public:
  // `rule`: of the table in rules.cpp, the one that gave the verdict.
  void look(const Evidence& evidence, const Verdict& verdict, std::string_view rule);
  // Another program, or another profile: nothing seen so far counts.
  void restart() { *this = {}; }

  // What to tell the user, once.
  std::optional<std::string> take_alarm();
  // The rules that disagreed in the latest turns, alarm or not.
  std::vector<std::string> disagreements(const Profile& profile) const;

 private:
  enum Rule { busy, title, dialog, box, placeholder, row, kRules };
  struct Streak {
    int turns = 0;  // without a match, in a row
    bool told = false;
    std::string detail;  // of the last one: the channel that spoke, the title, the text
  };
  // From the moment a better channel says something until it no longer does.
  struct Stretch {
    bool open = false;
    MonoTime since{};
    std::string who;
    bool lasted(MonoTime now, Duration least) const { return open && now - since >= least; }
  };

  void look_at_work(const Evidence& e, const Verdict& verdict, std::string_view rule);
  void look_at_question(const Evidence& e, const Verdict& verdict);
  void look_at_prompt(const Evidence& e, std::string_view rule);
  void look_at_row(const Evidence& e, const Verdict& verdict);
  void judge(const Profile& profile, Rule rule, bool agreed, std::string detail);
  std::string text_of(const Profile& profile, Rule rule) const;

  std::array<Streak, kRules> streaks_;
  Stretch work_, asks_, idle_, rests_;
  bool row_there_ = false, row_judged_ = false;  // while it rests: one that looks like work
  Duration in_view_{};  // of this turn: so long its signs could have been seen
  std::optional<MonoTime> viewed_;
  bool sign_seen_ = false, title_seen_ = false, dialog_seen_ = false, box_seen_ = false;
  bool titled_ = false;  // before this turn its title was an idle one: it tells by its title
  bool worked_ = false;  // a turn ended, and the prompt after it was not judged yet
  std::string work_title_;
  std::string left_;  // in its box when the last turn was over
  std::optional<std::string> alarm_;
};

}  // namespace pawl::perceive
