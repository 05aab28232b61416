// Each model's picture of a situation is perceived as a recording of the real program in the same situation is: the same state,
// kind, input, dialog and notices, on the screen alone, with titles and reports, and with hooks, processes and its own file.

#include <gtest/gtest.h>

#include "sim/world/agents/test_likeness.h"

namespace pawl::sim {
namespace {

Launch untrusted() {
  Launch launch;
  launch.trusted = false;
  return launch;
}
Launch logged_out() {
  Launch launch;
  launch.logged_in = false;
  return launch;
}
Launch in_shell() {
  Launch launch;
  launch.shell = true;
  return launch;
}
Launch with(std::vector<std::string> argv) {
  Launch launch;
  launch.argv = std::move(argv);
  return launch;
}

const std::string kFiveThousand = [] {
  std::string text;
  for (int i = 0; i < 59; ++i) text += std::string(84, 'x') + "\n";
  return text.substr(0, 5014);
}();

const std::vector<std::string> kHello{"type hello there", "enter"},
    kThing{"type do the thing", "enter"};

std::vector<std::string> then(std::vector<std::string> steps,
                              const std::vector<std::string>& more) {
  steps.insert(steps.end(), more.begin(), more.end());
  return steps;
}

TEST(Likeness, Claude) {
  Launch ghostty;
  ghostty.ghostty = true;
  const std::vector<Situation> all{
      {"claude", "claude/idle", 0.3, {"until 0.3"}},
      {"claude", "claude/idle", 8},
      {"claude", "claude/idle_80x24", 6},
      {"claude", "claude/idle_ghostty", 7, {}, ghostty},
      {"claude", "claude/typing", 12, {"type please refactor the gre"}},
      {"claude", "claude/typing", 22, {"type please refactor", "ctrl-c"}},
      {"claude", "claude/slow", 10, {"type explain the project", "enter"}},
      {"claude", "claude/slow_80x24", 10, {"type explain the project", "enter"}},
      {"claude", "claude/slow_ghostty", 10, {"type explain the project", "enter"}, ghostty},
      {"claude", "claude/slow", 24, {"type explain the project", "enter", "wait 10"}, {}, 5},
      {"claude", "claude/slow_ghostty", 19, {"type explain it", "enter", "wait 10"}, ghostty, 5},
      {"claude",
       "claude/typing_multiline",
       12,
       {"type first line", "line", "type second line", "line", "type third"}},
      {"claude", "claude/slow_unfocused", 10, {"type explain the project", "enter"}},
      {"claude", "claude/slow_tpghostty", 10, {"type explain the project", "enter"}, ghostty},
      {"claude", "claude/stall", 18, {"type explain the project", "enter", "wait 20"}},
      {"claude", "claude/think", 12, {"type explain the project", "enter"}},
      {"claude", "claude/long", 18, {"type explain the project", "enter", "wait 10"}, {}, 5},
      {"claude", "claude/tool_child_out", 11, {"type go", "enter", "tool 9s ./child.sh"}},
      {"claude", "claude/429_final", 13, then(kHello, {"fail overload", "wait 10"})},
      {"claude", "claude/perm_long", 40,
       then(kThing, {"ask command touch marker.txt && sleep 2", "wait 30"})},
      {"claude", "claude/perm_bash_ghostty", 14,
       then(kThing, {"ask command touch marker.txt && sleep 2"}), ghostty},
      {"claude", "claude/ctrlc_exit", 3, {}},
      {"claude",
       "claude/tool5",
       11,
       {"type wait five seconds", "enter", "wait 1", "tool 9s sleep 5"}},
      {"claude", "claude/perm_bash", 12, then(kThing, {"ask command touch marker.txt && sleep 2"})},
      {"claude", "claude/perm_bash", 18.5,
       then(kThing, {"ask command touch marker.txt && sleep 2", "enter"})},
      {"claude", "claude/perm_deny", 20,
       then(kThing, {"ask command touch marker.txt && sleep 2", "esc"})},
      {"claude", "claude/perm_write", 12, then(kThing, {"ask write"})},
  };
  for (const Situation& its : all) alike(its);
}

TEST(Likeness, ClaudeInTroubleAndAtItsEnds) {
  Launch ghostty;
  ghostty.ghostty = true;
  Launch nothing_to_resume = with({"claude", "--resume", "x"});
  nothing_to_resume.conversation_exists = false;
  const std::vector<Situation> all{
      {"claude", "claude/limit", 10, then(kHello, {"limit 02:26"})},
      {"claude", "claude/limit_ghostty", 12, then(kHello, {"limit 02:42"}), ghostty},
      {"claude", "claude/401", 60, then(kHello, {"fail auth", "wait 60"})},
      {"claude", "claude/403", 9, then(kHello, {"fail auth", "wait 200"})},
      {"claude", "claude/529", 8.5, then(kHello, {"wait 1", "fail overload"})},
      {"claude", "claude/529", 13, then(kHello, {"fail overload", "wait 10"})},
      {"claude", "claude/toolong", 13, then(kHello, {"fail context"})},
      {"claude", "claude/trust", 6, {}, untrusted()},
      {"claude", "claude/trust", 14, {"down", "enter", "wait 3"}, untrusted()},
      {"claude", "claude/interrupt", 13, {"type long question", "enter", "wait 2", "esc"}},
      {"claude",
       "claude/type_while_busy",
       12,
       {"type first question", "enter", "type queued draft"}},
      {"claude",
       "claude/type_while_busy",
       16,
       {"type first question", "enter", "type queued draft", "wait 5"},
       {},
       3},
      {"claude",
       "claude/background_ghostty",
       15,
       {"type start it", "enter", "wait 3", "job 1h"},
       ghostty,
       2},
      {"claude", "claude/startup_type", 6, {"until 1", "type early prompt", "enter", "wait 6"}},
      {"claude", "claude/bash_exit", 12, {"ctrl-c", "ctrl-c"}, in_shell()},
      {"claude", "claude/bash_slash_exit", 9, {"type /exit", "enter"}, in_shell()},
      {"claude",
       "claude/bash_kill9",
       13,
       {"type long question", "enter", "wait 2", "oom"},
       in_shell()},
      {"claude", "claude/cont_none", 0.6, {"until 2"}, nothing_to_resume},
  };
  for (const Situation& its : all) alike(its);
}

TEST(Likeness, ClaudeThatReports) {
  const std::vector<Situation> all{
      {"claude", "claude-ps/idle", 6, {}, {}, 1000, true},
      {"claude", "claude-ps/slow", 10, {"type explain the project", "enter"}, {}, 1000, true},
      {"claude",
       "claude-ps/slow",
       23,
       {"type explain the project", "enter", "wait 10"},
       {},
       5,
       true},
      {"claude",
       "claude-ps/tool5",
       9,
       {"type wait five seconds", "enter", "tool 9s sleep 5"},
       {},
       1000,
       true},
      {"claude",
       "claude-ps/perm_bash",
       12,
       then(kThing, {"ask command touch marker.txt && sleep 2"}),
       {},
       1000,
       true},
      {"claude", "claude-ps/limit", 10, then(kHello, {"limit 03:15"}), {}, 1000, true},
      {"claude", "claude-ps/401", 40, then(kHello, {"fail auth", "wait 20"}), {}, 1000, true},
      {"claude", "claude-ps/529", 10, then(kHello, {"fail overload", "wait 10"}), {}, 1000, true},
      {"claude",
       "claude-ps/background",
       12,
       {"type start it", "enter", "wait 3", "job 1h"},
       {},
       2,
       true},
      {"claude",
       "claude-ps/stall",
       16,
       {"type explain the project", "enter", "wait 20"},
       {},
       1000,
       true},
      {"claude", "claude-ps/trust", 6, {}, untrusted(), 1000, true},
      {"claude", "claude-ps/trust", 14, {"down", "enter", "wait 3"}, untrusted(), 1000, true},
      {"claude", "claude-ps/slashmenu", 7, {"type /"}, {}, 1000, true},
      {"claude", "claude-ps/cont_some", 5, {}, with({"claude", "--resume", "x"}), 1000, true},
      {"claude", "claude-ps/typing", 12, {"type please refactor the gre"}, {}, 1000, true},
      {"claude", "claude-ps/bash_exit", 12, {"ctrl-c", "ctrl-c"}, in_shell(), 1000, true},
  };
  for (const Situation& its : all) alike(its);
}

TEST(Likeness, ClaudesModesAndQuestions) {
  const std::vector<Situation> all{
      {"claude", "modes/claude/shell_mode", 12, {"type !"}, {}, 1000, true},
      {"claude", "modes/claude/narrow_shell", 8, {"type !"}, {}, 1000, true},
      {"claude", "modes/claude/vim", 9, {"vim", "open vim"}, {}, 1000, true},
      {"claude", "modes/claude/vim", 14, {"vim"}, {}, 1000, true},
      {"claude",
       "modes/claude/agents_left",
       18,
       {"type hello there", "enter", "wait 5", "left"},
       {},
       2,
       true},
      {"claude",
       "modes/claude/agents_left",
       25,
       {"type hello there", "enter", "wait 5", "left", "esc"},
       {},
       2,
       true},
      {"claude",
       "modes/claude/ask_two",
       12,
       then(kThing, {"ask question Which database should the service use? // PostgreSQL|A "
                     "server\nSQLite|A file // Database  ☐ Old table"}),
       {},
       1000,
       true},
      {"claude",
       "modes/claude/perm_diff",
       14,
       {"type change the greeting", "enter",
        "ask edit main.py // 1  def greet(name):\n2 -    return \"hello \" + name\n2 +    return "
        "f\"good morning {name}\"\n3\n4  print(greet(\"world\"))"},
       {},
       1000,
       true},
  };
  for (const Situation& its : all) alike(its);
}

TEST(Likeness, Codex) {
  const std::string long_command =
      "find . -type f -name '*.py' -not -path './node_modules/*' -print0 | xargs -0 grep -n "
      "'greet' | sort "
      "-t: -k1,1 -k2,2n | awk -F: '{count[$1]++} END {for (f in count) printf \"%s %d\\n\", f, "
      "count[f]}' | "
      "sort -k2,2nr | head -n 20 && touch marker.txt";
  const std::string brief = "ask command touch /home/dev/outside.txt //  // May I?";
  const std::string outside =
      "ask command touch /home/dev/outside.txt && sleep 2 //  // May I write outside of the "
      "workspace?";
  const std::vector<Situation> all{
      {"codex", "codex/idle", 1, {"until 1"}},
      {"codex", "codex/idle", 8},
      {"codex", "codex/typing", 14, {"type please refactor the gre"}},
      {"codex",
       "codex/typing_multiline",
       12,
       {"type first line", "line", "type second line", "line", "type third"}},
      {"codex", "codex/paste5k", 8.5, {"paste " + kFiveThousand}},
      {"codex", "codex/slow", 18, {"type explain the project", "enter"}},
      {"codex", "codex/slow_80x24", 22, {"type explain the project", "enter"}},
      {"codex", "codex/slow", 28, {"type explain the project", "enter", "wait 10"}, {}, 5},
      {"codex", "codex/tool5", 16, {"type wait five seconds", "enter", "tool 9s sleep 5"}},
      {"codex", "codex/perm_bash", 15, then(kThing, {outside})},
      {"codex", "codex/perm_bash_80x24", 23, then(kThing, {outside})},
      {"codex", "codex/perm_bash", 20.5, then(kThing, {outside, "enter"})},
      {"codex", "codex/perm_bash_ghostty", 20, then(kThing, {outside})},
      {"codex", "codex/perm_long", 40, then(kThing, {brief, "wait 30"})},
      {"codex", "codex/perm_notif", 23, then(kThing, {brief})},
      {"codex", "codex/perm_unfocused", 22, then(kThing, {brief})},
      {"codex", "codex/stall", 28, {"type explain the project", "enter", "wait 20"}},
      {"codex", "codex/long", 25, {"type explain the project", "enter", "wait 10"}, {}, 5},
      {"codex", "codex/cont_none", 10, {}, with({"codex", "resume", "x"})},
      {"codex", "codex/perm_deny", 23, then(kThing, {outside, "esc"})},
      {"codex", "modes/codex/perm_long_cmd", 21,
       then(kThing, {"ask command " + long_command +
                     " // find . -type f -name '*.py' -not -path './node_modules/*' -print0 // Do "
                     "you want to count the files that mention greet?"})},
      {"codex", "codex/limit", 15, then(kHello, {"limit 02:34"})},
      {"codex", "codex/401", 16, then(kHello, {"wait 1", "fail auth"})},
      {"codex", "codex/401", 23, then(kHello, {"fail auth", "wait 60"})},
      {"codex", "codex/529", 41, then(kHello, {"fail overload", "wait 60"})},
      {"codex", "codex/toolong", 18, then(kHello, {"fail context"})},
      {"codex", "codex/trust", 10, {}, untrusted()},
      {"codex", "codex/trust", 23, {"enter", "wait 4"}, untrusted()},
      {"codex", "codex/onboarding", 8, {}, logged_out()},
      {"codex", "codex/type_while_busy", 16, {"type first question", "enter", "type queued draft"}},
      {"codex",
       "codex/type_while_busy",
       19,
       {"type first question", "enter", "type queued draft", "wait 5"},
       {},
       3},
      {"codex",
       "modes/codex/backtrack",
       13,
       {"type hello there", "enter", "wait 5", "esc", "esc"},
       {},
       2},
      {"codex", "codex/bash_exit", 20, {"ctrl-c"}, in_shell()},
      {"codex",
       "codex/bash_kill9",
       22,
       {"type long question", "enter", "wait 2", "oom"},
       in_shell()},
  };
  for (const Situation& its : all) alike(its);
}

TEST(Likeness, Gemini) {
  const std::vector<Situation> all{
      {"gemini", "gemini/idle", 1, {"until 1"}},
      {"gemini", "gemini/idle", 12},
      {"gemini", "gemini/typing", 14, {"type please refactor the gre"}},
      {"gemini", "gemini/paste5k", 7.3, {"paste " + kFiveThousand}},
      {"gemini", "gemini/slow", 18, {"type explain the project", "enter"}},
      {"gemini", "gemini/slow", 28, {"type explain the project", "enter", "wait 10"}, {}, 5},
      {"gemini",
       "gemini/tool5",
       16,
       {"type wait five seconds", "enter", "tool 9s sleep 5"},
       with({"gemini", "--yolo"})},
      {"gemini", "gemini/slow_ghostty", 12, {"type explain the project", "enter"}},
      {"gemini", "gemini/long", 22, {"type explain the project", "enter", "wait 10"}, {}, 5},
      {"gemini", "gemini/cont_some", 10, {}, with({"gemini", "--resume", "x"})},
      {"gemini", "gemini/perm_bash", 21,
       then(kThing, {"ask command touch marker.txt && sleep 2", "enter"})},
      {"gemini", "gemini/perm_bash_ghostty", 17,
       then(kThing, {"ask command touch marker.txt && sleep 2"})},
      {"gemini", "gemini/trust", 23, {"enter", "wait 4"}, untrusted()},
      {"gemini", "gemini/perm_bash", 15, then(kThing, {"ask command touch marker.txt && sleep 2"})},
      {"gemini", "gemini/perm_write", 14,
       then(kThing, {"ask write notes.txt // 1 line one\n2 line two"})},
      {"gemini", "gemini/perm_deny", 25,
       then(kThing, {"ask command touch marker.txt && sleep 2", "esc"})},
      {"gemini", "modes/gemini/perm_diff", 21,
       then(kThing,
            {"ask edit main.py // 1   def greet(name):\n2 -     return \"hello \" + name\n2 +     "
             "return \"good morning \" + name\n3\n4   print(greet(\"world\")) // return \"hello \" "
             "+ name => return \"good morning \" + name"})},
      {"gemini", "gemini/limit", 14, then(kHello, {"fail limit 2h"})},
      {"gemini", "gemini/401", 12, then(kHello, {"fail auth"})},
      {"gemini", "gemini/toolong", 22, then(kHello, {"fail context"})},
      {"gemini", "gemini/429_hard", 30, then(kHello, {"fail overload", "wait 20"})},
      {"gemini", "gemini/interrupt", 16, {"type long question", "enter", "wait 2", "esc"}},
      {"gemini", "gemini/trust", 10, {}, untrusted()},
      {"gemini", "gemini/onboarding", 14, {}, logged_out()},
      {"gemini", "modes/gemini/shell_mode", 20, {"type !", "type ls"}},
      {"gemini", "gemini/bash_exit", 20, {"type /quit", "enter"}, in_shell()},
      {"gemini",
       "gemini/bash_kill9",
       16,
       {"type long question", "enter", "wait 2", "oom"},
       in_shell()},
  };
  for (const Situation& its : all) alike(its);
}

TEST(Likeness, Pi) {
  const std::vector<Situation> all{
      {"pi", "pi/idle", 0.5, {"until 0.5"}},
      {"pi", "pi/idle", 6},
      {"pi", "pi/typing", 12, {"type please refactor the gre"}},
      {"pi", "pi/paste5k", 5.1, {"paste " + kFiveThousand}},
      {"pi", "pi/slow", 10, {"type explain the project", "enter"}},
      {"pi", "pi/slow", 22, {"type explain the project", "enter", "wait 10"}, {}, 5},
      {"pi", "pi/stall", 16, {"type explain the project", "enter", "wait 20"}},
      {"pi", "pi/cont_some", 6, {}, with({"pi", "--session", "x"})},
      {"pi", "pi/tool5", 9, {"type wait five seconds", "enter", "tool 9s sleep 5"}},
      {"pi", "pi/limit", 14.95, then(kHello, {"fail limit", "wait 4.5"})},
      {"pi", "pi/startup_type", 6, {"until 1", "type early prompt", "enter", "wait 6"}},
      {"pi", "pi/401", 9, then(kHello, {"fail auth"})},
      {"pi", "pi/429_hard", 38, then(kHello, {"fail overload", "wait 30"})},
      {"pi", "pi/toolong", 12, then(kHello, {"fail context"})},
      {"pi", "pi/type_while_busy", 12, {"type first question", "enter", "type queued draft"}},
      {"pi",
       "pi/type_while_busy",
       15,
       {"type first question", "enter", "type queued draft", "wait 5"},
       {},
       3},
      {"pi", "pi/bash_exit", 12, {"ctrl-c", "ctrl-c"}, in_shell()},
      {"pi", "pi/bash_kill9", 14, {"type long question", "enter", "wait 2", "oom"}, in_shell()},
  };
  for (const Situation& its : all) alike(its);
}

}  // namespace
}  // namespace pawl::sim
