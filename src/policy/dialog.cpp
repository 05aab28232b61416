#include <fmt/core.h>

#include "policy/rules.h"

namespace pawl::policy {
namespace {

constexpr int kTries = 2;  // at one dialog
constexpr double kAgainS = 5;
constexpr double kDrawnS = 2;  // from the word that it asks to the dialog

std::string matter_of(const Agent& agent) {
  return agent.dialog ? agent.dialog->matter() : "dialog " + agent.kind;
}

// What it asks, and about what.
std::string asked(const Agent& agent) {
  if (!agent.dialog) return "something (" + agent.kind + ")";
  const std::string& subject = agent.dialog->subject;
  return agent.dialog->asks() + (subject.empty() ? "" : "\n" + subject);
}

bool inside(const std::string& dir, const std::string& folder) {
  if (folder.empty() || !dir.starts_with(folder)) return false;
  return dir.size() == folder.size() || folder.back() == '/' || dir[folder.size()] == '/';
}

bool trusted(const Agent& agent) {
  const auto& named = agent.spec.trust_dirs;
  return std::any_of(named.begin(), named.end(),
                     [&](const std::string& one) { return inside(agent.spec.dir, one); });
}

const model::DialogRow* kept_row(const Agent& agent) {
  for (const auto& answer : agent.memory.answers)
    if (answer.fits(*agent.dialog))
      for (const auto& row : agent.dialog->rows)
        if (row.text == answer.choose && row.cost != model::Cost::money &&
            row.cost != model::Cost::destroys && !model::permits(agent.kind, row.text, row.cost))
          return &row;
  return nullptr;
}

// The row a rule may press, and why; null: only a person may.
const model::DialogRow* row_for(const Agent& agent, std::string& because) {
  const model::Dialog& dialog = *agent.dialog;
  if (const auto* kept = kept_row(agent)) {
    because = "a person chose it before, and kept that as a rule";
    return kept;
  }
  if (!dialog.known) return nullptr;
  if (const auto* free = dialog.row(model::Cost::free)) {
    because = fmt::format("'{}' costs nothing and changes nothing", free->text);
    return free;
  }
  if (agent.kind == "trust" && trusted(agent)) {
    because = agent.spec.dir + " is a folder you trust";
    return dialog.row(model::Cost::allow);
  }
  if (agent.kind != "permission" || agent.spec.answer_permissions == "ask") return nullptr;
  const bool allow = agent.spec.answer_permissions == "allow";
  because = fmt::format("its requests are {} by configuration", allow ? "allowed" : "refused");
  return dialog.row(allow ? model::Cost::allow : model::Cost::deny);
}

Choice press(const Situation& s, const model::DialogRow& row, const std::string& because) {
  const std::string matter = matter_of(s.agent);
  const int tries = tries_at(s, matter);
  if (tries >= kTries)
    return tell(s, matter, "its dialog did not go away: " + asked(s.agent),
                "look at it with: pawl attach " + s.agent.spec.name, Action::park);
  if (tries > 0 && s.now - *s.agent.memory.matter.last < seconds(kAgainS))
    return wait(*s.agent.memory.matter.last + seconds(kAgainS), "its dialog was just answered");
  Choice choice = act(Action::answer, because);
  choice.matter = matter;
  choice.attempt = tries + 1;
  choice.how = row.text;
  return choice;
}

}  // namespace

Claim dialog(const Situation& s) {
  const Agent& agent = s.agent;
  if (agent.state != State::waiting) return std::nullopt;
  if (agent.kind == "login" && !agent.dialog) return std::nullopt;  // no question: its login fails
  // A hook may tell of it before it is drawn.
  if (!agent.dialog && s.now - agent.since < seconds(kDrawnS))
    return wait(agent.since + seconds(kDrawnS), "it asks, and its dialog is not seen yet");
  const std::string matter = matter_of(agent), todo = "answer it: pawl answer " + agent.spec.name;
  std::string because;
  if (agent.dialog && agent.spec.dialogs != "off")
    if (const auto* row = row_for(agent, because)) return press(s, *row, because);
  const model::Matter& told = agent.memory.matter;
  if (agent.dialog && told.told && told.id == "dialog " + agent.kind)
    return nothing("it asks; a person was told before its dialog was seen");
  const std::string asks = asked(agent);
  if (agent.dialog && !agent.dialog->known)
    return tell(s, matter, "it shows a dialog nobody described: " + asks, todo, Action::park);
  return tell(s, matter, "it asks and only a person may answer: " + asks, todo);
}

}  // namespace pawl::policy
