// What Gemini CLI asks: permission, changes, trust, login and the quota menu as recorded; a plan has the words its profile names.

#include "base/text.h"
#include "sim/world/agents/gemini.h"

namespace pawl::sim {
namespace {

using model::Cost;

std::vector<AskRow> once_or_more(bool editor) {
  std::vector<AskRow> rows{{"Allow once", Cost::allow},
                           {"Allow for this session", Cost::permission}};
  if (editor) rows.push_back({"Modify with external editor", Cost::question});
  rows.push_back({"No, suggest changes (esc)", Cost::deny});
  return rows;
}

Asked command(const About& about, const Scene& scene) {
  Asked out;
  out.tool = "Shell";
  out.question = "Allow execution of [Shell]?";
  out.lines = {"? Shell  " + about.subject};
  add(out.lines, framed(wrapped(about.subject, scene.size.cols - 8), scene.size.cols - 4));
  add(out.lines, {out.question, ""});
  out.rows = once_or_more(false);
  out.esc = 2;
  return out;
}

Asked change(bool edit, const About& about, const Scene& scene) {
  Asked out;
  out.tool = edit ? "Edit" : "WriteFile";
  out.question = "Apply this change?";
  out.lines = {edit ? "? Edit  " + about.subject + ": " + about.reason
                    : "? WriteFile  Writing to " + about.subject};
  add(out.lines, framed(split(about.content, '\n'), scene.size.cols - 4));
  add(out.lines, {out.question, ""});
  out.rows = once_or_more(true);
  out.esc = 3;
  return out;
}

Asked trust(const Scene& scene) {
  Asked out;
  out.question = "Do you trust the files in this folder?";
  out.lines = {"", out.question, ""};
  add(out.lines, wrapped("Trusting a folder allows Gemini CLI to load its local configurations, "
                         "including custom commands, hooks, MCP servers, agent skills, and "
                         "settings. These configurations could execute code on your behalf or "
                         "change the behavior of the CLI.",
                         scene.size.cols - 6));
  add(out.lines, {"", ""});
  out.rows = {{"Trust folder (proj)", Cost::allow},
              {"Trust parent folder (dev)", Cost::permission},
              {"Don't trust", Cost::deny}};
  out.under = {""};
  out.esc = 2;
  return out;
}

Asked login() {
  Asked out;
  out.question = "How would you like to authenticate for this project?";
  out.lines = {"", "? Get started", "", "  " + out.question, ""};
  out.rows = {{"Sign in with Google", Cost::question},
              {"Use Gemini API Key", Cost::money},
              {"Vertex AI", Cost::money}};
  out.under = {"", "  No authentication method selected.", "", "  (Use Enter to select)", ""};
  return out;
}

Asked limit() {
  Asked out;
  out.question = "Usage limit reached for gemini-3.8-flash.";
  out.lines = {"", out.question, "/stats model for usage details", "/model to switch models.", "",
               ""};
  out.rows = {{"Keep trying", Cost::question}, {"Stop", Cost::free}};
  out.under = {"", ""};
  out.esc = 1;
  return out;
}

Asked plan(const About& about) {
  Asked out;
  out.tool = "exit_plan_mode";
  out.question = "Ready to start implementation?";
  out.lines = {"", "Plan"};
  add(out.lines, split(about.content, '\n'));
  add(out.lines, {"", out.question, ""});
  out.rows = {{"Yes, automatically accept edits", Cost::permission},
              {"Yes, manually accept edits", Cost::permission},
              {"No (esc)", Cost::deny}};
  out.esc = 2;
  return out;
}

}  // namespace

Asked gemini_ask(Ask ask, const About& about, const Scene& scene) {
  switch (ask) {
    case Ask::command:
      return command(about, scene);
    case Ask::write:
    case Ask::edit:
      return change(ask == Ask::edit, about, scene);
    case Ask::trust:
      return trust(scene);
    case Ask::login:
      return login();
    case Ask::limit:
      return limit();
    case Ask::plan:
      return plan(about);
    case Ask::update:
    case Ask::survey:
    case Ask::question:
    case Ask::resume:
    case Ask::strange:
      break;
  }
  return {};
}

Rows gemini_dialog_rows(const Asked& asked, int columns) {
  Rows rows = asked.lines;
  const std::string indent = asked.ask == Ask::login ? "  " : "";
  for (size_t i = 0; i < asked.rows.size(); ++i)
    rows.push_back(indent + (i == asked.chosen ? "● " : "  ") + std::to_string(i + 1) + ". " +
                   asked.rows[i].text);
  add(rows, asked.under);
  return framed(rows, columns);
}

Rows gemini_picker_rows(int columns) {
  return framed(
      {"", " > Settings", "", " ● Vim Mode                            false",
       "   Enable Vim keybindings", "", "   Default Approval Mode             Default", "",
       " (Use Enter to select, Ctrl+L to reset, Tab to change focus, Esc to close)", ""},
      columns);
}

}  // namespace pawl::sim
