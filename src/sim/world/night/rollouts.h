#pragma once
// The files in which the modelled Codex keeps its conversations: one is there when something was said in it for the first time, and
// its first line says where and when it was begun. The daemon finds an agent's conversation by that.

#include <map>
#include <string>

#include "base/clock.h"
#include "sim/world/agents/log.h"
#include "store/disk.h"

namespace pawl::sim {

class Rollouts {
 public:
  // `dir`: where that agent works.
  void took(const std::string& agent, const Entry& entry, const std::string& dir, WallTime now,
            store::Disk& disk);

 private:
  struct Begun {
    std::string id;
    WallTime at;
    bool kept = false;
  };
  std::map<std::string, Begun> begun_;  // by agent
};

}  // namespace pawl::sim
