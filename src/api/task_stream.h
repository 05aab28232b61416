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

// What of a task's words is read.
struct OutputWish {
  bool follow = false;
  bool result = false;          // the file `result`, when it is over, and not output.log
  std::optional<size_t> lines;  // only so many from the end, then what follows
  uint64_t from = 0;            // bytes that whoever asks has already
  bool places = false;          // whoever asks wants to know where it begins: {"from": BYTES}
};

class TaskOutput {
 public:
  TaskOutput(std::string agent, OutputWish wish) : agent_(std::move(agent)), wish_(wish) {}
  StreamEnd pump(StreamContext& context);
  std::optional<MonoTime> wake_at() const {
    return wish_.follow ? std::optional(next_) : std::nullopt;
  }

 private:
  void begin(StreamContext& context, const std::string& path);

  std::string agent_;
  OutputWish wish_;
  bool begun_ = false;
  uint64_t at_ = 0;
  MonoTime next_{};
};

}  // namespace pawl::api
