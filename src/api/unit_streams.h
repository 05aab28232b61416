#pragma once
// Tasks of the fleet that are followed from a machine which does not run them: until they are over, and what they said in the end.

#include "api/stream.h"

namespace pawl::api {

struct Server;

// Until all are over, or one of them if `any`: tasks of this machine and of the fleet alike.
class UnitWait {
 public:
  UnitWait(Server& server, std::vector<std::string> names, bool any,
           std::optional<MonoTime> deadline)
      : server_(&server), names_(std::move(names)), any_(any), deadline_(deadline) {}
  StreamEnd pump(const StreamContext& context) const;
  std::optional<MonoTime> wake_at() const { return deadline_; }

 private:
  Server* server_;
  std::vector<std::string> names_;
  bool any_;
  std::optional<MonoTime> deadline_;
};

// Its last message, as the fleet keeps it: also when the machine that ran it is away.
class UnitResult {
 public:
  explicit UnitResult(std::string text) : text_(std::move(text)) {}
  StreamEnd pump(StreamContext& context);
  static std::optional<MonoTime> wake_at() { return std::nullopt; }

 private:
  std::string text_;
  size_t at_ = 0;
};

}  // namespace pawl::api
