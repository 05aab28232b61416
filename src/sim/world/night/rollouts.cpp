#include "sim/world/night/rollouts.h"

#include "base/json.h"

namespace pawl::sim {
namespace {

constexpr const char* kFolder = "/.codex/sessions/2026/01/01";  // nobody has a HOME here

std::string first_line(const std::string& id, const std::string& dir, WallTime at) {
  return Json::object({{"type", "session_meta"},
                       {"payload", Json::object({{"id", id},
                                                 {"cwd", dir},
                                                 {"timestamp", rfc3339(at)},
                                                 {"originator", "codex-tui"},
                                                 {"thread_source", "user"}})}})
             .dump() +
         "\n";
}

}  // namespace

void Rollouts::took(const std::string& agent, const Entry& entry, const std::string& dir,
                    WallTime now, store::Disk& disk) {
  Begun& its = begun_[agent];
  if (entry.what == Entry::What::began) its = {entry.text, now, entry.resumed};
  if (entry.what != Entry::What::took || entry.reached != Reached::model || its.kept) return;
  const std::string path =
      std::string(kFolder) + "/rollout-" + rfc3339(its.at) + "-" + its.id + ".jsonl";
  its.kept = disk.make_private_dir(kFolder) &&
             disk.write_atomically(path, first_line(its.id, dir, its.at));
}

}  // namespace pawl::sim
