#pragma once
// The verbs of tasks, on the daemon's side.

#include "api/any_task.h"
#include "api/conversation.h"

namespace pawl::api {

// By its name, or the error to answer with.
Result<AnyAgent> task_named(const Call& call, const std::string& name);

Outcome task_start(const Call& call);
Outcome task_ls(const Call& call);
Outcome task_status(const Call& call);
Outcome task_wait(const Call& call);
Outcome task_output(const Call& call);
Outcome task_events(const Call& call);
Outcome task_cancel(const Call& call);
// Every unfinished one, because the daemon is to stop.
Outcome abandon_tasks(const Call& call);
Outcome task_resume(const Call& call);
Outcome task_clean(const Call& call);

}  // namespace pawl::api
