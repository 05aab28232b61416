#pragma once
// Verbs that change nothing.

#include "api/any_task.h"
#include "api/conversation.h"

namespace pawl::api {

// What an agent said last, as `ls` has it: null when it has no terminal. Of one that asks: its question, not the keys that are named
// under it.
Json last_line_of(const core::Engine& engine, const std::string& name);

// --timeout; nothing when none was given.
Result<std::optional<size_t>> lines_of(const Call& call);  // -n
Result<std::optional<MonoTime>> deadline_of(const Call& call);

Outcome ls(const Call& call);
Result<Json> list_now(const Call& call);  // … at once
Outcome show(const Call& call);
Outcome why(const Call& call);
Outcome screen(const Call& call);
Outcome logs(const Call& call);
Outcome export_recording(const Call& call);
Outcome events(const Call& call);
Outcome wait(const Call& call);
Outcome status(const Call& call);

// The agent of args["name"], also of a task that was filed, or the error to answer with.
Result<AnyAgent> agent_of(const Call& call);
Result<AnyAgent> agent_of(const Call& call, const std::string& name);
// Whoever asks was shown what this agent asks and about what, or that it asks nothing: an answer that names no dialog is for that one.
void note_shown(const Call& call, const model::Agent& agent);
// … was told its state, and not what it asks.
void note_told(core::Showings& showings, const std::string& world, const model::Agent& agent);

}  // namespace pawl::api
