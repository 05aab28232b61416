// What Claude Code asks. Permission, trust, write, edit and the question are as recorded; login, limit, plan, survey and the
// choice at a resume have the words its package and its profile name, for nobody has recorded them.

#include "base/text.h"
#include "sim/world/agents/claude.h"

namespace pawl::sim {
namespace {

using model::Cost;

const Rows kAmend{" Esc to cancel · Tab to amend"};
const Rows kConfirm{" Enter to confirm · Esc to cancel"};

std::string dashes(const Scene& scene) {
  return rule(scene.size.cols, "╌");
}

Rows indented(const std::string& text) {
  Rows rows;
  for (const auto& line : split(text, '\n')) rows.push_back(" " + line);
  return rows;
}

Asked command(const About& about, const Scene& scene) {
  Asked out;
  out.tool = "Bash";
  out.question = "Do you want to proceed?";
  out.lines = {
      " Bash command",
      " Tip: auto mode handles these prompts for you — choose \"switch to auto mode\" below",
      " Run a command", dashes(scene)};
  add(out.lines, hanging(" ", " ", wrapped(about.subject, scene.size.cols - 2)));
  add(out.lines, {dashes(scene), " " + out.question});
  out.rows = {
      {"Yes", Cost::allow},
      {"Yes, and always allow access to /home/dev/proj from this project", Cost::permission},
      {"Yes, and switch to auto mode · auto mode handles these prompts for you", Cost::permission},
      {"No", Cost::deny}};
  out.under = kAmend;
  out.esc = 3;
  return out;
}

Asked file(bool edit, const About& about, const Scene& scene) {
  Asked out;
  out.tool = edit ? "Update" : "Write";
  out.question = edit ? "Do you want to make this edit to " + about.subject + "?"
                      : "Do you want to create " + about.subject + "?";
  out.lines = {edit ? " Edit file" : " Create file", " " + about.subject, dashes(scene)};
  add(out.lines, indented(about.content));
  add(out.lines, {dashes(scene), " " + out.question});
  out.rows = {{"Yes", Cost::allow},
              {"Yes, and switch to accept edits (auto-approve file edits and common file commands) "
               "for this session (shift+tab)",
               Cost::permission},
              {"No", Cost::deny}};
  out.under = kAmend;
  out.esc = 2;
  return out;
}

Asked trust(const Scene& scene) {
  Asked out;
  out.question = "Quick safety check: Is this a project you created or one you trust?";
  out.lines = {" Accessing workspace:", "", " /home/dev/proj", ""};
  add(out.lines,
      hanging(" ", " ",
              wrapped(out.question + " (Like your own code, a well-known open source project, or "
                                     "work from your team). If not, take a moment to review what's "
                                     "in this folder first.",
                      scene.size.cols - 4)));
  add(out.lines, {"", " Claude Code'll be able to read, edit, and execute files here.", "",
                  " Security guide", ""});
  out.rows = {{"No, exit", Cost::destroys}, {"Yes, I trust this folder", Cost::allow}};
  out.under = kConfirm;
  out.numbered = false;
  return out;
}

Asked login() {
  Asked out;
  out.question = "Select login method:";
  out.lines = {
      " Claude Code can be used with your Claude subscription or billed based on API usage",
      " through your Console account.", "", " " + out.question, ""};
  out.rows = {
      {"Claude account with subscription · Individual, Team, or Enterprise", Cost::question},
      {"Anthropic Console account · API usage billing", Cost::money},
      {"3rd-party platform · Amazon Bedrock, Microsoft Foundry, or Vertex AI", Cost::money}};
  out.under = kConfirm;
  return out;
}

Asked limit(const Scene& scene) {
  Asked out;
  out.question = "What do you want to do?";
  if (!scene.limit.empty())
    out.lines = {" You've hit your limit · resets " + scene.limit + " (UTC)", ""};
  out.lines.push_back(" " + out.question);
  out.lines.emplace_back();
  out.rows = {{"Stop and wait for limit to reset", Cost::free},
              {"Add funds to continue with usage credits", Cost::money},
              {"Upgrade your plan", Cost::money}};
  out.under = kConfirm;
  out.esc = 0;
  return out;
}

Asked survey() {
  Asked out;
  out.question = "How is Claude doing this session? (optional)";
  out.lines = {"● " + out.question, "  1: Bad    2: Fine   3: Good   0: Dismiss"};
  out.rows = {{"Dismiss", Cost::free, {}, '0'},
              {"Bad", Cost::question, {}, '1'},
              {"Fine", Cost::question, {}, '2'},
              {"Good", Cost::question, {}, '3'}};
  return out;
}

Asked question(const About& about) {
  Asked out;
  out.tool = "AskUserQuestion";
  out.question = about.subject;
  out.lines = {"←  ☐ " + (about.reason.empty() ? "Question" : about.reason) + "  ✔ Submit  →", "",
               out.question, ""};
  for (const auto& row : split(about.content, '\n')) {
    const auto parts = split(row, '|');
    out.rows.push_back({parts[0], Cost::question, parts.size() > 1 ? parts[1] : ""});
  }
  out.rows.push_back({"Type something.", Cost::question});
  out.rows.push_back({"Chat about this", Cost::question});
  out.under = {"Enter to select · Tab/Arrow keys to navigate · Esc to cancel"};
  out.esc = out.rows.size() - 1;
  return out;
}

Asked plan(const About& about, const Scene& scene) {
  Asked out;
  out.tool = "ExitPlanMode";
  out.question = "Claude has written up a plan and is ready to execute. Would you like to proceed?";
  out.lines = {" Ready to code?", "", " Here is Claude's plan:", dashes(scene)};
  add(out.lines, indented(about.content));
  add(out.lines, {dashes(scene), " " + out.question});
  out.rows = {{"Yes, and use auto mode", Cost::permission},
              {"Yes, manually approve edits", Cost::permission},
              {"No, keep planning", Cost::deny}};
  out.under = {" Esc to cancel"};
  out.esc = 2;
  return out;
}

Asked resume() {
  Asked out;
  out.question = "This session is 3h old and 180k tokens.";
  out.lines = {" " + out.question, ""};
  out.rows = {{"Resume from summary (recommended)", Cost::destroys},
              {"Resume full session as-is", Cost::question},
              {"Don't ask me again", Cost::question}};
  out.under = kConfirm;
  out.esc = 1;
  return out;
}

}  // namespace

bool claude_covers(Ask ask) {
  return ask == Ask::trust || ask == Ask::login;
}

Asked claude_ask(Ask ask, const About& about, const Scene& scene) {
  switch (ask) {
    case Ask::command:
      return command(about, scene);
    case Ask::write:
    case Ask::edit:
      return file(ask == Ask::edit, about, scene);
    case Ask::trust:
      return trust(scene);
    case Ask::login:
      return login();
    case Ask::limit:
      return limit(scene);
    case Ask::survey:
      return survey();
    case Ask::question:
      return question(about);
    case Ask::plan:
      return plan(about, scene);
    case Ask::resume:
      return resume();
    case Ask::update:
    case Ask::strange:
      break;
  }
  return {};
}

Rows claude_dialog_rows(const Scene& scene) {
  const Asked& asked = *scene.asked;
  const bool question = asked.ask == Ask::question;
  Rows rows{rule(scene.size.cols)};
  add(rows, asked.lines);
  for (size_t i = 0; i < asked.rows.size(); ++i) {
    if (question && i + 1 == asked.rows.size()) rows.push_back(rule(scene.size.cols));
    std::string row = i == asked.chosen ? "❯ " : "  ";
    if (asked.numbered) row += std::to_string(i + 1) + ". ";
    rows.push_back((question ? "" : " ") + row + asked.rows[i].text);
    if (!asked.rows[i].detail.empty()) rows.push_back("     " + asked.rows[i].detail);
  }
  rows.emplace_back();
  add(rows, asked.under);
  return rows;
}

int claude_chosen_row(const Asked& asked) {
  int row = 1 + static_cast<int>(asked.lines.size());
  for (size_t i = 0; i < asked.chosen; ++i) row += asked.rows[i].detail.empty() ? 1 : 2;
  const bool ruled = asked.ask == Ask::question && asked.chosen + 1 == asked.rows.size();
  return row + (ruled ? 1 : 0);
}

}  // namespace pawl::sim
