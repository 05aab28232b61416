#pragma once
// `pawl task events`: what happens to tasks, one JSON object each (api/task_teller.h).

#include <optional>
#include <set>
#include <string>

#include "api/journal_reader.h"
#include "api/stream.h"
#include "api/task_teller.h"

namespace pawl::api {

class TaskEvents {
 public:
  // `tasks`: only of these; empty: of all.
  TaskEvents(core::Engine& engine, Seq after, std::set<std::string> tasks, bool follow);
  StreamEnd pump(StreamContext& context);
  std::optional<MonoTime> wake_at() const { return reader_.wake_at(); }

 private:
  JournalReader reader_;
  TaskTeller teller_;
  std::set<std::string> tasks_;
  bool follow_;
};

// The agent as it is now, null when there is none.
TaskTeller::Lookup lookup_in(core::Engine& engine);

}  // namespace pawl::api
