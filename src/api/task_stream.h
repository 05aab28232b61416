#pragma once
// Verbs of tasks that go on: waiting for their ends, and reading along in output.log.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/stream.h"

namespace pawl::api {

class TaskWait {
 public:
  // `any`: one of them is enough.
  TaskWait(std::vector<std::string> agents, bool any, std::optional<MonoTime> deadline)
      : agents_(std::move(agents)), any_(any), deadline_(deadline) {}
  StreamEnd pump(StreamContext& context) const;
  std::optional<MonoTime> wake_at() const { return deadline_; }

 private:
  std::vector<std::string> agents_;
  bool any_;
  std::optional<MonoTime> deadline_;
};

class TaskOutput {
 public:
  // `lines`: only so many from the end, then what follows.
  TaskOutput(std::string agent, bool follow, std::optional<size_t> lines)
      : agent_(std::move(agent)), follow_(follow), lines_(lines) {}
  StreamEnd pump(StreamContext& context);
  std::optional<MonoTime> wake_at() const { return follow_ ? std::optional(next_) : std::nullopt; }

 private:
  void begin(store::Disk& disk, const std::string& path);

  std::string agent_;
  bool follow_;
  std::optional<size_t> lines_;
  bool begun_ = false;
  uint64_t at_ = 0;
  MonoTime next_{};
};

}  // namespace pawl::api
