// How an agent is spoken of.

#include <fmt/core.h>

#include <algorithm>

#include "model/fleet.h"

namespace pawl::model {

TaskStatus shown_status(const Agent& agent) {
  const Task& task = *agent.task;
  if (final(task.status)) return task.status;
  if (agent.never_started() || agent.state == State::starting) return TaskStatus::running;
  if (agent.state == State::limited || (ended(agent.state) && task.report.trouble == "limit"))
    return TaskStatus::limited;
  // What looks like a good end is looked at twice before it is called one.
  if (ended(agent.state))
    return task.report.finished || (agent.ending && agent.ending->clean()) ? TaskStatus::running
                                                                           : TaskStatus::crashed;
  const bool ending = agent.intent && agent.intent->action == Action::restart;
  return ending ? TaskStatus::hung : TaskStatus::running;
}

std::string asks_else(const Agent& agent) {
  const std::string& name = agent.spec.name;
  if (!agent.dialog) return name + " asks something else now, and its dialog is not drawn yet";
  const std::string& subject = agent.dialog->subject;
  return name + " asks something else now: " + agent.dialog->asks() +
         (subject.empty() ? "" : "\n" + subject);
}

std::string in_mode(const Agent& agent) {
  const std::string& name = agent.spec.name;
  if (agent.input == "shell")
    return name + " is in shell mode: what is typed there would run as a command";
  if (agent.input == "agents")
    return name + " shows its agents view: what is typed there would start a new session";
  if (agent.input == "picker")
    return name + " shows a list that somebody opened: what is typed there would choose from it";
  if (agent.input == "view")
    return name + " shows a page that somebody opened: what is typed there would not be a prompt";
  if (agent.input == "search")
    return name + " searches its old prompts: what is typed there would be searched for";
  if (agent.input == "editor")
    return name + " has an editor open: what is typed there would become its text";
  return name + " is in " + agent.input + " mode: what is typed there would not be a prompt";
}

std::string runs_behind(const Agent& agent) {
  return fmt::format("{} of {}'s background jobs run{}, and background = \"wait\"",
                     agent.background, agent.spec.name, agent.background == 1 ? "s" : "");
}

std::string pane_state(const Agent& agent) {
  const auto shows = [&](const char* kind) {
    return std::any_of(agent.notices.begin(), agent.notices.end(),
                       [&](const Notice& one) { return one.kind == kind; });
  };
  if (agent.state == State::waiting)
    return agent.kind == "update" ? "upgrade_nag" : "waiting_for_input";
  if (shows("crash")) return "crash_text";
  return shows("update") ? "upgrade_nag" : "running";
}

}  // namespace pawl::model
