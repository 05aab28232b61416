#pragma once
// What an engine is told once, when it is made.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/zone.h"
#include "model/retention.h"
#include "perceive/profile/catalog.h"
#include "store/disk.h"
#include "store/recording.h"

namespace pawl::core {

// A time zone by name; the empty one is the local zone.
using ZoneOf = std::function<Result<Zone>(std::string_view)>;

struct EngineOptions {
  std::string home;
  store::RecordingLimits recordings;
  const perceive::Catalog* catalog = nullptr;  // null: nothing is perceived
  ZoneOf zone_of = {};
  std::string pawl = {};  // our executable, for programs that are to call us
  std::function<std::string()> new_id =
      {};  // for conversations; without it programs choose their own
  // What a program's hooks have to show as those of this session (PAWL_HOOK); null: nothing.
  std::function<std::string(SessionId)> hook_secret = {};
  int rule_rounds = 32;  // of one turn: rules settle after two or three
  bool dry_run = false;  // decide and write down, do nothing by rule
  bool asks =
      false;  // programs are asked about their login before they are started: somebody runs commands
  std::optional<model::Retention> keep = {};  // how much of the past; nothing: all of it
  store::Disk* disk = nullptr;                // where all files are; null: the machine's own
};

}  // namespace pawl::core
