// What the rows of dialogs cost, runtime by runtime. The screens are short forms of what the programs draw.

#include <gtest/gtest.h>

#include "perceive/test_dialog.h"

namespace pawl::perceive {
namespace {

using test::costs_on;
using test::dialog_on;
using test::framed;
using test::menu_of;
using Words = std::vector<std::string>;

const std::string kEnter = "\n Enter to confirm · Esc to cancel";
const std::string kAmend = "\n Esc to cancel · Tab to amend";

TEST(Dialog, ClaudeAsksForTrust) {
  const Words costs{"destroys: No, exit", "allow: Yes, I trust this folder"};
  const std::string asks = " Quick safety check: Is this a project you created?\n\n";
  EXPECT_EQ(costs_on("claude", asks + " ❯ No, exit\n   Yes, I trust this folder\n" + kEnter),
            costs);
  EXPECT_EQ(costs_on("claude", asks + menu_of({"Yes, I trust this folder", "No, exit"}) + kEnter),
            (Words{costs[1], costs[0]}));
  EXPECT_EQ(dialog_on("claude", asks + " ❯ No, exit\n   Yes, I trust this folder\n" + kEnter).kind,
            "trust");
}

TEST(Dialog, ClaudeAsksForPermission) {
  EXPECT_EQ(
      costs_on("claude", " Do you want to proceed?\n" +
                             menu_of({"Yes", "Yes, and always allow access to /x from here",
                                      "Yes, and switch to auto mode · it handles these", "No"}) +
                             kAmend),
      (Words{"allow: Yes", "permission: Yes, and always allow access to /x from here",
             "permission: Yes, and switch to auto mode · it handles these", "deny: No"}));
  EXPECT_EQ(
      costs_on("claude", " Do you want to create notes.txt?\n" +
                             menu_of({"Yes", "Yes, allow all edits during this session (shift+tab)",
                                      "No, and tell Claude what to do differently (esc)"}) +
                             kAmend),
      (Words{"allow: Yes", "permission: Yes, allow all edits during this session (shift+tab)",
             "deny: No, and tell Claude what to do differently (esc)"}));
  EXPECT_EQ(costs_on("claude", " Do you want to proceed?\n" +
                                   menu_of({"Yes", "Yes, and don’t ask again for: npm run *",
                                            "No, use the other folder"}) +
                                   kAmend)[2],
            "question: No, use the other folder")
      << "somebody is typing";
}

TEST(Dialog, ClaudeIsStartedWithoutPermissions) {
  const std::string asks = " WARNING: Claude Code running in Bypass Permissions mode\n\n";
  EXPECT_EQ(costs_on("claude", asks + " ❯ No, exit\n   Yes, I accept\n" + kEnter),
            (Words{"destroys: No, exit", "permission: Yes, I accept"}));
}

TEST(Dialog, ClaudeOffersAnotherMode) {
  const std::string asks = " Make auto mode your default permission mode?\n\n";
  EXPECT_EQ(costs_on("claude", asks +
                                   " ❯ Yes, set auto mode as my default permission mode\n"
                                   "   No, keep manual mode\n" +
                                   kEnter),
            (Words{"permission: Yes, set auto mode as my default permission mode",
                   "free: No, keep manual mode"}));
  EXPECT_EQ(costs_on("claude", " Enable auto mode?\n\n" +
                                   menu_of({"Yes, and make it my default mode",
                                            "Yes, enable auto mode", "No, exit"}) +
                                   kEnter),
            (Words{"permission: Yes, and make it my default mode",
                   "permission: Yes, enable auto mode", "destroys: No, exit"}));
}

TEST(Dialog, ClaudeOnlyAPersonKnows) {
  for (const auto& [asks, rows] : std::vector<std::pair<std::string, Words>>{
           {" This session is 3h old and 200k tokens.\n",
            {"Resume from summary (recommended)", "Resume full session as-is",
             "Don't ask me again"}},
           {" Which one?\n", {"Red", "Stop and wait for limit to reset", "Type something."}},
           {" Ready to submit your answers?\n", {"Submit answers", "Cancel"}}}) {
    const auto costs = costs_on("claude", asks + menu_of(rows) + kEnter);
    ASSERT_EQ(costs.size(), rows.size()) << asks;
    for (const auto& cost : costs) EXPECT_TRUE(cost.starts_with("question: ")) << cost;
  }
  EXPECT_EQ(costs_on("claude",
                     " Do you want to use this API key?\n\n   Yes\n ❯ No (recommended)\n" + kEnter),
            (Words{"money: Yes", "question: No (recommended)"}));
  EXPECT_EQ(costs_on("claude", " Select login method:\n" +
                                   menu_of({"Claude account with subscription · Pro, Max",
                                            "Anthropic Console account · API usage billing",
                                            "3rd-party platform · Amazon Bedrock"}) +
                                   kEnter),
            (Words{"question: Claude account with subscription · Pro, Max",
                   "money: Anthropic Console account · API usage billing",
                   "money: 3rd-party platform · Amazon Bedrock"}));
}

TEST(Dialog, ClaudesSurveyIsDismissedByAKey) {
  const std::string asks =
      "● How is Claude doing this session? (optional)\n  1: Bad    2: Fine   3: Good   0: "
      "Dismiss\n";
  const std::string rule = "──────────────────────────\n", box = rule + "❯ \n" + rule;
  const auto seen = dialog_on("claude", asks + "\n" + box);
  EXPECT_EQ(seen.kind, "survey");
  ASSERT_EQ(seen.dialog.rows.size(), 1u);
  EXPECT_EQ(seen.dialog.rows[0], (model::DialogRow{"Dismiss", model::Cost::free, "0"}));
  EXPECT_EQ(dialog_on("claude", asks + "✻ Brewed for 3s\n\n" + box).kind, "") << "a quotation";
  EXPECT_EQ(dialog_on("claude", asks + "\n" + rule + "❯ go on\n" + rule).kind, "")
      << "a digit would be typed";
  EXPECT_EQ(dialog_on("claude", "> " + asks.substr(0, asks.size() - 1) + "ed\n\n" + box).kind, "");
}

TEST(Dialog, CodexAsks) {
  const std::string enter = "\n  Press enter to confirm or esc to cancel";
  EXPECT_EQ(
      costs_on("codex", "  Trust this folder? Codex can read files here\n\n" +
                            menu_of({"Trust and continue", "Back to Agent Command Center"}, "›") +
                            "\n  enter continue · esc back"),
      (Words{"allow: Trust and continue", "question: Back to Agent Command Center"}));
  EXPECT_EQ(costs_on("codex", "  Do you trust the contents of this directory?\n\n" +
                                  menu_of({"Yes, continue", "No, quit"}, "›") + enter),
            (Words{"allow: Yes, continue", "destroys: No, quit"}));
  EXPECT_EQ(
      costs_on("codex",
               "  Would you like to run the following command?\n\n  $ touch x\n\n"
               " › 1. Yes, proceed (y)\n"
               "   2. Yes, and don't ask again for commands that start with `touch /home/\n"
               "      outside.txt` (p)\n"
               "   3. No, and tell Codex what to do differently (esc)\n" +
                   enter),
      (Words{"allow: Yes, proceed (y)",
             "permission: Yes, and don't ask again for commands that start with `touch /home/",
             "deny: No, and tell Codex what to do differently (esc)"}));
  EXPECT_EQ(costs_on("codex", "  Would you like to grant these permissions?\n\n" +
                                  menu_of({"Yes, grant these permissions for this turn (y)",
                                           "No, continue without permissions (n)"},
                                          "›") +
                                  enter),
            (Words{"permission: Yes, grant these permissions for this turn (y)",
                   "deny: No, continue without permissions (n)"}));
  EXPECT_EQ(costs_on("codex", "  Allow the files server to run tool \"read\"?\n\n" +
                                  menu_of({"Allow                  Run the tool and continue",
                                           "Allow for this session  Run the tool and remember",
                                           "Cancel                 Cancel this tool call"},
                                          "›") +
                                  enter),
            (Words{"allow: Allow                  Run the tool and continue",
                   "permission: Allow for this session  Run the tool and remember",
                   "deny: Cancel                 Cancel this tool call"}));
}

TEST(Dialog, CodexOffers) {
  const std::string enter = "\n  Press enter to confirm or esc to go back";
  EXPECT_EQ(costs_on("codex", "  Approaching rate limits\n  Switch to gpt-6-luna?\n\n" +
                                  menu_of({"Switch to gpt-6-luna    Uses fewer credits",
                                           "Keep current model",
                                           "Keep current model (never show again)  Hide reminders"},
                                          "›") +
                                  enter),
            (Words{"money: Switch to gpt-6-luna    Uses fewer credits", "free: Keep current model",
                   "question: Keep current model (never show again)  Hide reminders"}));
  EXPECT_EQ(costs_on("codex", "  ✨ Update available! 0.166.0 -> 0.167.0\n\n" +
                                  menu_of({"Update now (runs `npm install -g @openai/codex`)",
                                           "Skip", "Skip until next version"},
                                          "›") +
                                  enter),
            (Words{"destroys: Update now (runs `npm install -g @openai/codex`)", "free: Skip",
                   "free: Skip until next version"}));
  EXPECT_EQ(costs_on("codex", "  Your workspace is out of credits. Notify owner?\n\n" +
                                  menu_of({"Yes", "No (default)"}, "›") + enter),
            (Words{"money: Yes", "free: No (default)"}));
}

TEST(Dialog, GeminiAsksInAFrame) {
  EXPECT_EQ(
      costs_on("gemini",
               framed(" Do you trust the files in this folder?\n" +
                      menu_of({"Trust folder (proj)", "Trust parent folder (dev)", "Don't trust"},
                              "●"))),
      (Words{"allow: Trust folder (proj)", "permission: Trust parent folder (dev)",
             "question: Don't trust"}));
  EXPECT_EQ(costs_on("gemini",
                     framed(" Apply this change?\n" +
                            menu_of({"Allow once", "Allow for this session",
                                     "Allow for this file in all future sessions",
                                     "Modify with external editor", "No, suggest changes (esc)"},
                                    "●"))),
            (Words{"allow: Allow once", "permission: Allow for this session",
                   "permission: Allow for this file in all future sessions",
                   "question: Modify with external editor", "deny: No, suggest changes (esc)"}));
  EXPECT_EQ(costs_on("gemini", framed(" > Do you want to connect VS Code to Gemini CLI?\n" +
                                      menu_of({"Yes", "No (esc)", "No, don't ask again"}, "●"))),
            (Words{"question: Yes", "free: No (esc)", "question: No, don't ask again"}));
  EXPECT_EQ(costs_on("gemini", framed(" A potential loop was detected\n" +
                                      menu_of({"Keep loop detection enabled (esc)",
                                               "Disable loop detection for this session"},
                                              "●"))),
            (Words{"free: Keep loop detection enabled (esc)",
                   "question: Disable loop detection for this session"}));
}

TEST(Dialog, OthersAsk) {
  EXPECT_EQ(costs_on("qwen", framed(" Allow execution of: 'touch'?\n" +
                                    menu_of({"Yes, allow once", "Always allow in this project",
                                             "No, suggest changes (esc)"},
                                            "›"))),
            (Words{"allow: Yes, allow once", "permission: Always allow in this project",
                   "deny: No, suggest changes (esc)"}));
  EXPECT_EQ(
      costs_on("copilot",
               framed(" Do you want to run this command?\n" +
                      menu_of({"Yes", "Yes, and don't ask again for `touch` in this repo",
                               "No, and tell Copilot what to do differently (Esc to stop)"}))),
      (Words{"allow: Yes", "permission: Yes, and don't ask again for `touch` in this repo",
             "deny: No, and tell Copilot what to do differently (Esc to stop)"}));
  EXPECT_EQ(costs_on("copilot",
                     framed(" Do you trust the files in this folder?\n" +
                            menu_of({"Yes", "Yes, and remember this folder for future sessions",
                                     "No, exit (Esc)"}))),
            (Words{"allow: Yes", "permission: Yes, and remember this folder for future sessions",
                   "destroys: No, exit (Esc)"}));
  EXPECT_EQ(costs_on("generic", " Do you want to go on?\n" + menu_of({"Yes", "No"}) + kEnter),
            (Words{"question: Yes", "question: No"}));
}

TEST(Dialog, ButtonsSideBySideHaveKeys) {
  const auto seen = dialog_on(
      "opencode",
      "  ┃  △ Permission required\n  ┃    → Read /etc/passwd\n  ┃\n"
      "  ┃   Allow once   Allow always   Reject        ctrl+f fullscreen  ⇆ select  enter confirm");
  EXPECT_EQ(seen.kind, "permission");
  ASSERT_EQ(seen.dialog.rows.size(), 1u) << "which one is chosen is not written there";
  EXPECT_EQ(seen.dialog.rows[0], (model::DialogRow{"Reject", model::Cost::deny, "Escape"}));

  const std::string rule = "──────────────────────────";
  const auto cline =
      dialog_on("cline", "  Run command (1)    Reject (2)\n╭" + rule + "╮\n│   │\n╰" + rule + "╯");
  EXPECT_EQ(cline.kind, "permission");
  EXPECT_EQ(cline.dialog.row(model::Cost::allow)->key, "1");
  EXPECT_EQ(cline.dialog.row(model::Cost::deny)->key, "2");
}

}  // namespace
}  // namespace pawl::perceive
