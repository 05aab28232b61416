// Where the keyboard does not reach the prompt, and what is asked: test/corpus/modes, as it was recorded and labelled.

#include <gtest/gtest.h>

#include "perceive/test_recording.h"
#include "perceive/test_screen.h"

namespace pawl::perceive {
namespace {

constexpr double kGrace = 0.6, kEarly = 0.35;  // as tools/judge.py has it

const Catalog& profiles() {
  static const Catalog catalog = Catalog::built_in();
  return catalog;
}

std::vector<std::string> mode_recordings() {
  std::vector<std::string> out;
  for (const char* agent :
       {"auggie", "claude", "cline", "codex", "copilot", "gemini", "opencode", "pi", "qwen"})
    for (auto& name : test_recordings(std::string("modes/") + agent))
      out.push_back(std::move(name));
  return out;
}

Player player_of(const TestRecording& recording, bool osc) {
  TrackerOptions options;
  const std::string rest = recording.name.substr(recording.name.find('/') + 1);
  options.runtime = rest.substr(0, rest.find('/'));
  options.channels.osc = osc;
  return {profiles(), recording.header.size, options};
}

TEST(Modes, NothingIsReadyWhereTheKeyboardDoesNotReachThePrompt) {
  size_t judged = 0;
  for (const auto& name : mode_recordings())
    for (const bool osc : {true, false}) {
      const TestRecording recording = test_recording(name);
      Player player = player_of(recording, osc);
      test_play(player, recording);
      player.finish();
      std::vector<Played> said = player.take();
      said.push_back({1e9, {}});
      for (const auto& label : recording.labels) {
        if (label.sub != "mode") continue;
        ++judged;
        for (size_t i = 0; i + 1 < said.size(); ++i) {
          const double from = std::max(said[i].t, label.from + kGrace);
          const double to = std::min(said[i + 1].t, label.to - kEarly);
          EXPECT_FALSE(from < to && said[i].verdict.state == model::State::ready)
              << name << " (osc " << osc << ") says ready at " << from << " in " << label.input;
        }
      }
    }
  EXPECT_GE(judged, 10u);
}

TEST(Modes, TheModeIsNamed) {
  for (const auto& name : mode_recordings()) {
    const TestRecording recording = test_recording(name);
    for (const auto& label : recording.labels) {
      if (label.input.empty()) continue;
      Player player = player_of(recording, true);
      test_play(player, recording, label.to - kEarly);
      player.advance_to(label.to - kEarly);
      const Verdict& said = player.tracker().verdict();
      if (label.state == "typing" && said.state == model::State::starting) continue;  // too early
      EXPECT_EQ(model::input_word(said.state, said.input), label.input)
          << name << " at " << label.to << ": " << model::word(said.state) << ", " << said.because;
    }
  }
}

std::string bare(const std::string& text) {
  return model::without_space(text);
}

TEST(Modes, TheQuestionIsNeverARowAndTheSubjectIsShown) {
  size_t judged = 0;
  for (const auto& name : mode_recordings()) {
    const TestRecording recording = test_recording(name);
    for (const auto& label : recording.labels) {
      if (label.question.empty()) continue;
      Player player = player_of(recording, true);
      test_play(player, recording, label.to - kEarly);
      player.advance_to(label.to - kEarly);
      const auto dialog = dialog_in(player.tracker().evidence());
      ASSERT_TRUE(dialog) << name << " at " << label.to;
      ++judged;
      EXPECT_NE(bare(dialog->question).find(bare(label.question)), std::string::npos)
          << name << ": " << dialog->question;
      for (const auto& row : dialog->rows) EXPECT_NE(row.text, dialog->question) << name;
      EXPECT_NE(bare(dialog->subject).find(bare(label.subject)), std::string::npos)
          << name << " at " << label.to << ": " << dialog->subject;
      EXPECT_EQ(dialog->id.size(), 16u);
    }
  }
  EXPECT_GE(judged, 8u);
}

// As each profile draws its box, with what stands in it in shell mode.
TEST(Modes, AnExclamationMarkInTheBoxIsShellModeInEveryProfile) {
  std::string line, top = "╭", bottom = "╰";
  for (int i = 0; i < 60; ++i) line += "─", top += "─", bottom += "─";
  top += "╮", bottom += "╯";
  struct Row {
    std::string runtime, screen;
  };
  const std::vector<Row> rows{
      {"claude", line + "\n! \n" + line + "\n  ! for shell mode"},
      {"claude", line + "\n! ls\n" + line},
      {"claude", line + "\n# \n" + line},
      {"codex", "! \n\n  gpt-5.1-codex default · ~/proj\n      Shell mode"},
      {"gemini", " !   Type your shell command\n ~/proj   main"},
      {"qwen",
       line + "\n!   Type your message\n" + line + "\n  shell mode enabled (esc to disable)"},
      {"copilot", line + "\n! Execute shell command\n" + line + "\n Shell · Manual Approval"},
      {"opencode",
       "  ┃\n  ┃  Run a command...\n  ┃\n  ┃  Shell\n  ╹▀▀▀▀▀▀▀\n  esc exit shell mode"},
      {"kimi", top + "\n│ ! \n" + bottom},
      {"kimi", top + "\n│ $ \n" + bottom},
      {"generic", top + "\n│ ! \n" + bottom},
      {"generic", top + "\n│ $ \n" + bottom},
      {"pi", line + "\n! ls\n" + line},
      {"cline", top + "\n│ ! \n" + bottom},
      {"cursor", top + "\n│ ! \n" + bottom},
  };
  for (const Row& row : rows) {
    term::Terminal terminal({80, 24}, {.answers = false, .scrollback_lines = 0});
    std::string bytes;
    for (const char c : row.screen) bytes += c == '\n' ? std::string("\r\n") : std::string(1, c);
    terminal.feed(bytes);
    for (int up = 0; up < 10; ++up) {  // wherever in the box the cursor has to be
      TrackerOptions options;
      options.runtime = row.runtime;
      options.running = true;
      Tracker tracker(profiles(), options, MonoTime{std::chrono::seconds{1}});
      tracker.screen(MonoTime{std::chrono::seconds{2}}, terminal.screen());
      tracker.read(MonoTime{std::chrono::seconds{60}});
      EXPECT_NE(tracker.verdict().state, model::State::ready) << row.runtime << "\n" << row.screen;
      terminal.feed("\x1b[A");
    }
  }
}

std::string repeated(const char* sign) {
  std::string out;
  for (int i = 0; i < 60; ++i) out += sign;
  return out;
}

// A tracker that has looked at this for a while, with a cursor that nobody sees.
Tracker looked_at(const std::string& runtime, const std::string& screen) {
  term::Terminal terminal({120, 40}, {.answers = false, .scrollback_lines = 0});
  std::string bytes;
  for (const char c : screen) bytes += c == '\n' ? std::string("\r\n") : std::string(1, c);
  terminal.feed(bytes + "\x1b[?25l");
  TrackerOptions options;
  options.runtime = runtime;
  options.running = true;
  Tracker tracker(profiles(), options, MonoTime{std::chrono::seconds{1}});
  tracker.screen(MonoTime{std::chrono::seconds{2}}, terminal.screen());
  tracker.read(MonoTime{std::chrono::seconds{60}});
  return tracker;
}

TEST(Modes, WhatAPersonOpenedIsNamedAndAsksNothing) {
  const std::string panel = "❯ hello there\n● It is done.\n" + repeated("▔") + "\n";
  struct Row {
    std::string runtime, screen, input;
  };
  const std::vector<Row> rows{
      {"claude",
       panel +
           "   Permissions  Allow   Ask   Deny\n     1. Add a new rule…\n   ←/→ to switch · ↓ to "
           "select · Esc to cancel",
       "picker"},
      {"claude", panel + "   Help  General   Commands\n   ! for shell mode\n   Esc to cancel",
       "picker"},
      {"claude",
       panel + "   Rewind\n     hello there\n   ❯ (current)\n   Enter to continue · Esc to cancel",
       "picker"},
      {"claude",
       "● It is done.\n" + repeated("─") +
           "\n  Search prompts · everywhere\n  ❯ 0s ago   hello there\n  ↑/↓ to navigate · Enter "
           "to use · Esc to cancel",
       "search"},
      {"claude",
       "● It is done.\n" + repeated("─") +
           "\n  Showing detailed transcript · ctrl+o to toggle · ↑↓ scroll",
       "view"},
      {"claude", "~\n~\n~\n\"/tmp/prompt.md\" 0L, 0B      0,0-1         All", "editor"},
      {"codex",
       "• It is done.\n\n  Select Model and Effort\n› 1. One    The first.\n  2. Two    The "
       "second.\n\n  enter select · esc back",
       "picker"},
      {"codex",
       "  Lifecycle hooks\n› PreToolUse   0\n  PostToolUse  0\n\n  enter details · esc close",
       "picker"},
      {"codex", "• It is done.\n\n› Ask Codex to do anything\n\n  gpt · /srv\n  reverse-i-search:",
       "search"},
      {"codex",
       "diff --git a/x b/x\n~\n~\n" + repeated("─") +
           "\n ↑/↓ to scroll · pgup/pgdn to page · home/end to jump\n q close",
       "view"},
      {"gemini",
       "✦ It is done.\n\n Shift+Tab to accept edits\n (r:)  hel\n hello there\n\n ~/proj    main",
       "search"},
  };
  for (const Row& row : rows) {
    const Tracker tracker = looked_at(row.runtime, row.screen);
    EXPECT_EQ(tracker.verdict().input, row.input) << row.runtime << "\n" << row.screen;
    EXPECT_EQ(tracker.verdict().state, model::State::typing) << row.runtime << "\n" << row.screen;
    EXPECT_FALSE(tracker.evidence().sight->menu) << row.runtime << "\n" << row.screen;
  }
}

// A command that opens one leaves the box like a prompt that is sent.
TEST(Modes, WhatACommandOpenedIsNotStuckHoweverLongItStays) {
  term::Terminal terminal({120, 40}, {.answers = false, .scrollback_lines = 0});
  TrackerOptions options;
  options.runtime = "claude";
  options.running = true;
  Tracker tracker(profiles(), options, MonoTime{});
  const auto shows = [&](int64_t at, const std::string& bytes) {
    terminal.feed("\x1b[2J\x1b[H" + bytes);
    tracker.screen(MonoTime{std::chrono::seconds{at}}, terminal.screen());
    tracker.read(MonoTime{std::chrono::seconds{at}});
  };
  const std::string rule = repeated("─") + "\r\n";
  shows(10, rule + "❯ /config\r\n" + rule);
  shows(11, rule + "❯ \r\n" + rule);
  shows(12, "● It is done.\r\n" + repeated("▔") +
                "\r\n   Settings  Status   Config\r\n   Esc to cancel");
  tracker.read(MonoTime{std::chrono::hours{1}});
  EXPECT_EQ(tracker.verdict().state, model::State::typing) << tracker.verdict().because;
  EXPECT_EQ(tracker.verdict().input, "picker");
}

TEST(Modes, WhatOnlyLooksLikeOneIsNone) {
  const std::string box = repeated("─") + "\n❯ \n" + repeated("─") + "\n";
  for (const std::string& screen :
       {"● " + repeated("▔") + "\n" + repeated("▔") + "\n  Search prompts · everywhere\n~\n" + box +
            "  ? for shortcuts",
        "● It is done.\n" + box +
            "  ! for shell mode        double tap esc to clear input\n  / for commands"}) {
    const Tracker tracker = looked_at("claude", screen);
    EXPECT_EQ(tracker.verdict().input, "") << screen;
    EXPECT_EQ(tracker.verdict().state, model::State::ready) << screen;
  }
}

TEST(Modes, VimsNormalModeIsReadyWhileNothingIsInTheBox) {
  const TestRecording recording = test_recording("modes/claude/vim");
  std::vector<model::State> seen;
  for (const auto& label : recording.labels) {
    if (label.input != "vim") continue;
    Player player = player_of(recording, true);
    test_play(player, recording, label.to - kEarly);
    player.advance_to(label.to - kEarly);
    EXPECT_EQ(player.tracker().verdict().input, "vim");
    seen.push_back(player.tracker().verdict().state);
  }
  EXPECT_EQ(seen, (std::vector{model::State::ready, model::State::typing}));
}

}  // namespace
}  // namespace pawl::perceive
