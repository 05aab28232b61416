#pragma once
// What happens to tasks, for programs that wait for them: one JSON object for each thing that matters (doc/task.md, "For
// orchestrators"), told from the journal in its order. Used by `pawl task events` and by the daemon's pushes (daemon/task_push.h).

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "api/any_task.h"
#include "base/json.h"
#include "model/event.h"

namespace pawl::api {

class TaskTeller {
 public:
  // The agent of this name as it is now: for events whose beginning was not read. Null: there is none.
  using Lookup = std::function<AnyAgent(const std::string& agent)>;
  explicit TaskTeller(Lookup lookup) : lookup_(std::move(lookup)) {}

  // Nothing: it is no task's, or nothing that matters. To be shown every event, in order.
  std::optional<Json> take(const model::Event& event);

 private:
  // What is known of one so far.
  struct Story {
    std::string task, dir;
    bool structured = false;
    bool over = false;
    bool ended_by_us = false;  // its program is about to end, and that says nothing
    model::TaskReport report = {};
  };

  Story* story_of(const model::Event& event);
  static Json told(const model::Event& event, const Story& story, const std::string& what);
  std::optional<Json> state(const model::Event& event, Story& its, const model::StateChanged& fact);
  std::optional<Json> decision(const model::Event& event, Story& its, const model::Decided& fact);
  static Json end(const model::Event& event, Story& its, const model::TaskEnded& fact);

  Lookup lookup_;
  std::map<std::string, std::optional<Story>> stories_;  // by agent; none: it is no task
};

}  // namespace pawl::api
