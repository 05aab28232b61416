// What a dialog asks, and what about: however long that is, whoever else says something of it, and whatever is in it.

#include <gtest/gtest.h>

#include <set>

#include "perceive/records/hook.h"
#include "perceive/test_dialog.h"
#include "perceive/tracker.h"

namespace pawl::perceive {
namespace {

using namespace std::chrono_literals;
using test::all_profiles;
using test::dialog_on;
using test::menu_of;
using Words = std::vector<std::string>;

const std::string kLine = "────────────────────────────────────────\n";
const std::string kEsc = "\n Esc to cancel · Tab to amend";

Words texts(const model::Dialog& dialog) {
  Words out;
  for (const auto& row : dialog.rows) out.push_back(row.text);
  return out;
}

std::string permission(const std::string& about) {
  return kLine + " Bash command\n " + about + "\n\n Do you want to proceed?\n" +
         menu_of({"Yes", "No"}) + kEsc;
}

// A Claude Code that is drawn by hand and whose hooks speak.
class Asking {
 public:
  explicit Asking(Size size = {120, 30})
      : terminal_(size, {.answers = false, .scrollback_lines = 100}), tracker_(options()) {}

  void draws(const std::string& text) {
    std::string bytes = "\x1b[2J\x1b[H";
    for (const char c : text) bytes += c == '\n' ? "\r\n" : std::string(1, c);
    prints(bytes + "\x1b[?25l");
  }
  void prints(const std::string& bytes) {
    terminal_.feed(bytes);
    tracker_.screen(now_, terminal_.screen());
    tracker_.read(now_);
  }
  void hook(const std::string& tool_input, const std::string& event = "PermissionRequest") {
    const std::string type =
        event == "Notification" ? R"("notification_type":"permission_prompt",)" : "";
    const auto hook = read_hook(tracker_.profile(), R"({"hook_event_name":")" + event + R"(",)" +
                                                        type + R"("tool_name":"Bash",)" +
                                                        R"("tool_input":)" + tool_input + "}");
    ASSERT_TRUE(hook && hook->word);
    tracker_.told(now_, true, *hook->word);
    tracker_.read(now_);
  }
  void pass(Duration time) { now_ += time; }
  model::Dialog dialog() const {
    const auto found = dialog_in(tracker_.evidence());
    EXPECT_TRUE(found);
    return found.value_or(model::Dialog{});
  }

 private:
  Tracker options() {
    TrackerOptions options;
    options.runtime = "claude";
    options.running = true;
    return {all_profiles(), options, now_};
  }
  MonoTime now_{100s};
  term::Terminal terminal_;
  Tracker tracker_;
};

std::string command(const std::string& text) {
  return Json::object({{"command", text}}).dump();
}

TEST(Question, NumberedLinesAboveAMenuAreNoRows) {
  const auto seen = dialog_on("claude", kLine +
                                            " Here is the plan:\n 1. Rename greet\n 2. Run the "
                                            "tests\n Would you like to proceed?\n" +
                                            menu_of({"Yes", "No"}) + kEsc);
  EXPECT_EQ(texts(seen.dialog), (Words{"Yes", "No"}));
  EXPECT_EQ(seen.dialog.question, "Would you like to proceed?");
  EXPECT_NE(seen.dialog.subject.find("2. Run the tests"), std::string::npos);
}

TEST(Question, ANumberedLineInsideOfARowIsNone) {
  const auto seen = dialog_on("claude", kLine +
                                            " Which one?\n ❯ 1. The first\n      1. a part of it\n"
                                            "      2. another\n   2. The second\n" +
                                            kEsc);
  EXPECT_EQ(texts(seen.dialog), (Words{"The first", "The second"}));
}

TEST(Question, ARowThatWrapsOverManyLinesHidesNoOther) {
  const auto seen = dialog_on("claude",
                              kLine +
                                  " Do you want to proceed?\n ❯ 1. Yes\n   2. Yes, and don't\n"
                                  "      ask\n      again\n      for\n      this\n   3. No\n" +
                                  kEsc,
                              {40, 20});
  EXPECT_EQ(texts(seen.dialog), (Words{"Yes", "Yes, and don't", "No"}));
}

TEST(Question, OfTwoHundredRowsAllAreThereAndTheIdIsOfMore) {
  const auto asked = [](const std::string& last) {
    Words rows;
    for (int i = 1; i < 230; ++i) rows.push_back("row " + std::to_string(i));
    rows.push_back(last);
    return dialog_on("claude", kLine + " Which one?\n" + menu_of(rows) + kEsc, {80, 250}).dialog;
  };
  EXPECT_EQ(asked("the last").rows.size(), model::kMaxDialogRows);
  EXPECT_NE(asked("the last").id, asked("another").id);
}

TEST(Question, WhatTurnsLettersAroundOrHidesIsShownHarmless) {
  const std::string evil = "\u202Egpj.exe\u2066 rm\u200B -rf";
  const auto seen = dialog_on("claude", kLine + " Bash command\n " + evil + "\n\n Do you " + evil +
                                            " want?\n" + menu_of({"Yes " + evil, "No"}) + kEsc);
  for (const std::string& text :
       {seen.dialog.question, seen.dialog.subject, seen.dialog.rows.at(0).text}) {
    EXPECT_NE(text.find("gpj.exe rm -rf"), std::string::npos) << text;
    for (const char* mark : {"\u202E", "\u2066", "\u200B"})
      EXPECT_EQ(text.find(mark), std::string::npos) << text;
  }
}

TEST(Question, AScrollBarIsNoPartOfIt) {
  const auto seen = dialog_on("qwen",
                              " ? Shell rm x        █\n Apply this change?        █\n › 1. "
                              "Yes, allow once       █\n   2. No, suggest changes (esc)    █");
  const auto bare = dialog_on("qwen",
                              " ? Shell rm x\n Apply this change?\n › 1. Yes, allow once\n"
                              "   2. No, suggest changes (esc)");
  EXPECT_EQ(seen.dialog.question, "Apply this change?");
  EXPECT_EQ(texts(seen.dialog), texts(bare.dialog));
  EXPECT_EQ(seen.dialog.id, bare.dialog.id) << "it comes and goes";
}

TEST(Question, ADialogTallerThanTheScreenShowsWhatIsThereAndSaysSo) {
  const auto asked = [](const std::string& last) {
    std::string text;
    for (int i = 0; i < 40; ++i) text += "│ │ line " + std::to_string(i) + "        │ │\n";
    return dialog_on("copilot",
                     text + "│ │ " + last +
                         "      │ │\n│ Do you want to run this "
                         "command?      │\n│ ❯ 1. Yes    │\n│   2. "
                         "No (Esc)    │\n│ esc to cancel    │",
                     {80, 24})
        .dialog;
  };
  const auto first = asked("rm -rf precious"), other = asked("ls");
  EXPECT_NE(first.subject.find("rm -rf precious"), std::string::npos) << first.subject;
  EXPECT_NE(first.id, other.id);
  EXPECT_TRUE(first.subject.starts_with("(not all of it is on its screen)")) << first.subject;
}

TEST(Question, WhatScrolledOffIsReadThere) {
  std::string text = kLine + " Bash command\n rm -rf everything\n";
  for (int i = 0; i < 40; ++i) text += " │ line " + std::to_string(i) + "\n";
  Asking world({80, 24});
  std::string bytes;
  for (const char c : text + " Do you want to proceed?\n" + menu_of({"Yes", "No"}) + kEsc)
    bytes += c == '\n' ? "\r\n" : std::string(1, c);
  world.prints("● Done.\r\n" + bytes + "\x1b[?25l");
  const auto seen = world.dialog();
  EXPECT_TRUE(seen.subject.starts_with("Bash command\nrm -rf everything\nline 0\n"))
      << seen.subject;
  EXPECT_EQ(seen.subject.find("Done"), std::string::npos) << "that is above its edge";
}

TEST(Question, CodexNamesATallOneFarAboveItsRows) {
  std::string text = "  Would you like to run the following command?\n\n  $ cat > x\n";
  for (int i = 0; i < 28; ++i) text += "  line " + std::to_string(i) + "\n";
  const auto seen = dialog_on("codex",
                              text +
                                  "  [… 89 lines] ^a view all\n› 1. Yes, proceed (y)\n"
                                  "  2. No, and tell Codex what to do differently (esc)\n\n"
                                  "  Press enter to confirm or esc to cancel",
                              {120, 40});
  EXPECT_EQ(seen.kind, "permission");
  EXPECT_EQ(seen.dialog.question, "Would you like to run the following command?");
  EXPECT_NE(seen.dialog.subject.find("$ cat > x\nline 0\n"), std::string::npos);
  EXPECT_EQ(seen.dialog.rows[0].cost, model::Cost::allow);
}

TEST(Question, WhatAHookSaidOfItHoldsAsLongAsItIsThere) {
  Asking world({80, 24});
  std::string tall;
  for (int i = 0; i < 60; ++i) tall += " │ line " + std::to_string(i) + "\n";
  world.hook(command("first part\nline 1\nline 59"));
  world.draws(tall + " Do you want to proceed?\n" + menu_of({"Yes", "No"}) + kEsc);
  const auto first = world.dialog();
  EXPECT_NE(first.subject.find("Bash: first part"), std::string::npos) << first.subject;
  world.pass(6s);
  world.hook("null", "Notification");  // as it comes six seconds later: it says nothing of it
  world.pass(1h);
  EXPECT_EQ(world.dialog(), first);
  world.draws("");  // it is drawn anew
  world.draws(tall + " Do you want to proceed?\n" + menu_of({"Yes", "No"}) + kEsc);
  EXPECT_EQ(world.dialog(), first);
}

TEST(Question, OfTwoThatAskAtOnceEachHasItsOwn) {
  Asking world;
  world.hook(command("ls -l"));
  world.hook(command("git push --force origin"));
  world.draws(permission("ls -l"));
  EXPECT_EQ(world.dialog().subject.find("push"), std::string::npos) << world.dialog().subject;
  EXPECT_TRUE(world.dialog().subject.starts_with("Bash: ls -l")) << world.dialog().subject;
  world.draws(permission("git push --force origin"));
  EXPECT_TRUE(world.dialog().subject.starts_with("Bash: git push")) << world.dialog().subject;
  EXPECT_EQ(world.dialog().subject.find("ls -l"), std::string::npos) << world.dialog().subject;
}

TEST(Question, AReportThatDoesNotFitWhatIsDrawnIsNotBelieved) {
  Asking world;
  world.prints("\x1b]7501;state=blocked:kind=permission:msg=YXBwcm92ZSBCYXNoOiBscw==\x1b\\");
  world.draws(permission("rm -rf /"));
  EXPECT_EQ(world.dialog().subject, "Bash command\nrm -rf /");
}

TEST(Question, AFormsSecondQuestionDoesNotKeepTheFirst) {
  Asking world;
  const auto form = [](const std::string& question) {
    return kLine + " ←  ☐ Database  ☐ Old table  ✔ Submit  →\n\n " + question + "\n" +
           menu_of({"One", "Two", "Type something."}) + "\n Enter to select · Esc to cancel";
  };
  // "answer: Which one? (One · Two)"
  world.prints(
      "\x1b]7501;state=blocked:kind=question:msg="
      "YW5zd2VyOiBXaGljaCBvbmU/IChPbmUgwrcgVHdvKQ==\x1b\\");
  world.draws(form("Which one?"));
  EXPECT_EQ(world.dialog().question, "Which one?");
  world.draws(form("Drop the table?"));
  EXPECT_EQ(world.dialog().question, "Drop the table?");
  EXPECT_EQ(world.dialog().subject.find("Which one"), std::string::npos) << world.dialog().subject;
}

TEST(Question, ASubjectOfAMegabyteIsCutButItsIdIsOfAllOfIt) {
  std::set<std::string> ids;
  for (const char* middle : {"ls", "rm"}) {
    Asking world;
    world.hook(command(std::string(500000, 'x') + middle + std::string(500000, 'y')));
    world.draws(" Do you want to proceed?\n" + menu_of({"Yes", "No"}) + kEsc);
    const auto seen = world.dialog();
    EXPECT_LT(seen.subject.size(), model::kMaxSubjectBytes + 200);
    EXPECT_NE(seen.subject.find("bytes are left out here"), std::string::npos);
    EXPECT_TRUE(seen.subject.ends_with("yyy"));
    ids.insert(seen.id);
  }
  EXPECT_EQ(ids.size(), 2u) << "what differs in the middle only is another dialog";
}

TEST(Question, AnArrowAboveButtonsIsWhatTheyAreAbout) {
  const auto seen = dialog_on(
      "opencode",
      "  ┃  △ Permission required\n  ┃    → Read /etc/passwd\n  ┃\n  ┃   Allow once   Allow "
      "always   Reject        ctrl+f fullscreen  ⇆ select  enter confirm");
  EXPECT_EQ(seen.dialog.question, "Permission required");
  EXPECT_EQ(seen.dialog.subject, "→ Read /etc/passwd");
  EXPECT_EQ(texts(seen.dialog), Words{"Reject"});
}

// Two questions, one after the other, then what was chosen.
TEST(Question, NumberedRowsOfWhichNoneLooksChosen) {
  const std::string before =
      "  ┃\n  ┃  ask me\n  ┃\n\n     → Asked 2 questions\n\n     ▣  Build · Fake Model\n\n  ┃\n"
      "  ┃   it   that   Confirm\n  ┃\n";
  const auto seen = dialog_on(
      "opencode", before +
                      "  ┃  Where shall it go?\n  ┃\n  ┃  1. Here\n  ┃     the near one\n  ┃  2. "
                      "There\n  ┃     the 3 far ones\n  ┃  3. Type your own answer\n  ┃\n"
                      "  ┃  ⇆ tab  ↑↓ select  enter confirm  esc dismiss\n  ┃");
  EXPECT_EQ(seen.kind, "question");
  EXPECT_EQ(seen.dialog.question, "Where shall it go?");
  EXPECT_EQ(texts(seen.dialog), (Words{"Here", "There", "Type your own answer"}));
  EXPECT_EQ(seen.dialog.rows[1].key, "2");
  EXPECT_EQ(seen.dialog.subject, "it   that   Confirm");
  const auto review =
      dialog_on("opencode", before +
                                "  ┃  Review\n  ┃\n  ┃  it: There\n  ┃\n  ┃  that: Here\n  ┃\n"
                                "  ┃  ⇆ tab  enter submit  esc dismiss\n  ┃");
  EXPECT_EQ(review.dialog.question, "Review");
  EXPECT_NE(review.dialog.subject.find("it: There"), std::string::npos) << review.dialog.subject;
  EXPECT_NE(review.dialog.subject.find("that: Here"), std::string::npos) << review.dialog.subject;
  EXPECT_EQ(texts(review.dialog), (Words{"Submit", "Dismiss"}));
  EXPECT_EQ(review.dialog.rows[0].key, "Enter");
}

TEST(Question, WhatFollowsTheQuestionMarkIsWhatItIsAbout) {
  const auto seen =
      dialog_on("claude", kLine + " Is this a project you trust? (Like your own code)\n\n" +
                              menu_of({"Yes, I trust this folder", "No, exit"}) + kEsc);
  EXPECT_EQ(seen.dialog.question, "Is this a project you trust?");
  EXPECT_EQ(seen.dialog.subject, "(Like your own code)");
}

}  // namespace
}  // namespace pawl::perceive
