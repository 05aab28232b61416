// What Codex asks: permission, trust, login and update as recorded; edits and the offer of another model have the words its
// source and its profile name.

#include "base/text.h"
#include "sim/world/agents/codex.h"

namespace pawl::sim {
namespace {

using model::Cost;

std::string first_words(const std::string& command) {
  const size_t end = command.find(" && ");
  return end == std::string::npos ? command : command.substr(0, end);
}

Asked command(const About& about, const Scene& scene) {
  Asked out;
  out.tool = "shell";
  out.question = "Would you like to run the following command?";
  out.lines = {"  " + out.question, "", "  Environment: local", ""};
  if (!about.reason.empty()) add(out.lines, {"  Reason: " + about.reason, ""});
  add(out.lines, hanging("  ", "  ", wrapped("$ " + about.subject, scene.size.cols - 4)));
  add(out.lines, {"", ""});
  const std::string prefix = about.content.empty() ? first_words(about.subject) : about.content;
  out.rows = {{"Yes, proceed (y)", Cost::allow, {}, 'y'},
              {"Yes, and don't ask again for commands that start with `" + prefix + "` (p)",
               Cost::permission,
               {},
               'p'},
              {"No, and tell Codex what to do differently (esc)", Cost::deny}};
  out.under = {"", "  Press enter to confirm or esc to cancel"};
  out.esc = 2;
  return out;
}

Asked edits(const About& about) {
  Asked out;
  out.tool = "apply_patch";
  out.question = "Would you like to make the following edits?";
  out.lines = {"  " + out.question, "", "  " + about.subject, ""};
  for (const auto& line : split(about.content, '\n')) out.lines.push_back("    " + line);
  out.lines.emplace_back();
  out.rows = {{"Yes, proceed (y)", Cost::allow, {}, 'y'},
              {"Yes, and don't ask again for these files (a)", Cost::permission, {}, 'a'},
              {"No, and tell Codex what to do differently (esc)", Cost::deny}};
  out.under = {"", "  Press enter to confirm or esc to cancel"};
  out.esc = 2;
  return out;
}

Asked trust(const Scene& scene) {
  Asked out;
  out.question = "Trust this folder?";
  out.lines = {"", "  Folder access", "  /home/dev/proj", ""};
  add(out.lines,
      hanging("  ", "  ",
              wrapped(out.question +
                          " Codex can read, edit, and run files here, subject to your permission "
                          "settings. Folder settings can run code automatically, even without a "
                          "model request. Continue only if you trust these files. Your trust "
                          "decision will be saved.",
                      scene.size.cols - 4)));
  out.lines.emplace_back();
  out.rows = {{"Trust and continue", Cost::allow},
              {"Back to Agent Command Center", Cost::question}};
  out.under = {"", "  enter continue · esc back"};
  out.esc = 1;
  return out;
}

Asked login() {
  Asked out;
  out.question = "Choose how you want to use Codex.";
  out.lines = {"  Welcome to Codex, OpenAI's command-line coding agent", "", "  " + out.question,
               ""};
  out.rows = {{"Sign in with ChatGPT", Cost::question,
               "Usage included with Plus, Pro, Business, and Enterprise plans"},
              {"Sign in with Device Code", Cost::question,
               "Sign in from another device with a one-time code"},
              {"Use an OpenAI API key", Cost::money, "Pay for what you use"},
              {"Use Amazon Bedrock", Cost::money, "Connect using your AWS credentials"}};
  out.under = {"  Press enter to continue"};
  return out;
}

Asked limit() {
  Asked out;
  out.question = "Approaching rate limits";
  out.lines = {"  " + out.question, "  Switch to gpt-6-luna for lower credit usage?", ""};
  out.rows = {{"Switch to gpt-6-luna    Uses fewer credits", Cost::money},
              {"Keep current model", Cost::free},
              {"Keep current model (never show again)  Hide reminders", Cost::question}};
  out.under = {"", "  Press enter to confirm or esc to go back"};
  out.esc = 1;
  return out;
}

Asked update() {
  Asked out;
  out.question = "Update available · 0.166.0 → 0.170.0";
  out.lines = {"", "  " + out.question,
               "  Release notes: https://github.com/openai/codex/releases/latest", ""};
  out.rows = {{"Update now (runs `npm install -g @openai/codex`)", Cost::destroys},
              {"Skip", Cost::free},
              {"Skip until next version", Cost::free}};
  out.under = {"", "  enter continue · esc skip"};
  out.esc = 1;
  return out;
}

}  // namespace

bool codex_covers(Ask ask) {
  return ask == Ask::trust || ask == Ask::login || ask == Ask::update;
}

Asked codex_ask(Ask ask, const About& about, const Scene& scene) {
  switch (ask) {
    case Ask::command:
      return command(about, scene);
    case Ask::write:
    case Ask::edit:
      return edits(about);
    case Ask::trust:
      return trust(scene);
    case Ask::login:
      return login();
    case Ask::limit:
      return limit();
    case Ask::update:
      return update();
    case Ask::survey:
    case Ask::question:
    case Ask::plan:
    case Ask::resume:
    case Ask::strange:
      break;
  }
  return {};
}

Rows codex_dialog_rows(const Asked& asked, Size size) {
  Rows rows = asked.lines;
  const std::string pointer = asked.ask == Ask::login ? "> " : "› ";
  for (size_t i = 0; i < asked.rows.size(); ++i) {
    add(rows, hanging((i == asked.chosen ? pointer : "  ") + std::to_string(i + 1) + ". ", "     ",
                      wrapped(asked.rows[i].text, size.cols - 5, "/")));
    if (!asked.rows[i].detail.empty()) add(rows, {"     " + asked.rows[i].detail, ""});
  }
  add(rows, asked.under);
  return rows;
}

Rows codex_picker_rows() {
  return {"  Update Model Permissions",
          "",
          "",
          "› 1. Ask for approval (current)  Read and edit workspace files and run commands",
          "  2. Approve for me              Only ask for actions detected as potentially unsafe",
          "  3. Full Access                 Use with caution: Codex can edit files outside this "
          "workspace",
          "  4. Read Only                   Read workspace files, with approval required for edits",
          "",
          "  enter select · esc back"};
}

}  // namespace pawl::sim
