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
  for (const char* agent : {"claude", "codex", "copilot", "gemini", "opencode"})
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
      if (label.input != "shell" && label.input != "agents" && label.input != "prompt") continue;
      Player player = player_of(recording, true);
      test_play(player, recording, label.to - kEarly);
      player.advance_to(label.to - kEarly);
      EXPECT_EQ(player.tracker().verdict().input, label.input == "prompt" ? "" : label.input)
          << name << " at " << label.to;
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

}  // namespace
}  // namespace pawl::perceive
