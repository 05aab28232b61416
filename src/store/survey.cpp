#include "store/survey.h"

#include <fmt/core.h>

namespace pawl::store {
namespace {

constexpr const char* kBin = "/.forgotten";
constexpr int kDeepest = 8;  // an agent may have made folders in its task's

bool real_dir(Disk& disk, const std::string& path) {
  const auto seen = disk.look(path, false);
  return seen && seen->kind == Kind::folder;
}

// All of it; `changed`: when the last of its files was.
void add_up(Disk& disk, const std::string& path, int depth, model::Held& held) {
  const auto seen = disk.look(path, false);
  if (!seen) return;
  held.changed = std::max(held.changed, seen->modified);
  if (seen->kind == Kind::file) held.bytes += seen->size;
  if (seen->kind != Kind::folder || depth == kDeepest) return;
  for (const auto& name : disk.list_dir(path)) add_up(disk, path + "/" + name, depth + 1, held);
}

model::Held folder(Disk& disk, const std::string& agent, const std::string& dir,
                   const std::string& name) {
  model::Held held{agent, name, 0, {}};
  add_up(disk, dir + "/" + name, 0, held);
  return held;
}

// Also what is kept of one that could not be read to its end (recording_pack.h).
bool a_part(const std::string& name) {
  return name.ends_with(".cast") || name.ends_with(".cast.zst") ||
         name.ends_with(".cast.zst.damaged");
}

void add_parts(Disk& disk, const std::string& agents, const std::string& agent,
               std::vector<model::Held>& out) {
  const std::string dir = agents + "/" + agent + "/rec";
  if (!real_dir(disk, agents + "/" + agent) || !real_dir(disk, dir)) return;
  for (const auto& name : disk.list_dir(dir)) {
    const auto seen = a_part(name) ? disk.look(dir + "/" + name, false) : std::nullopt;
    if (seen && seen->kind == Kind::file) out.push_back({agent, name, seen->size, seen->modified});
  }
}

bool a_name(const std::string& name) {
  return !name.empty() && name[0] != '.' && name.find('/') == std::string::npos;
}

// No folder on the way to it is a link.
bool within(Disk& disk, const std::string& home, const std::string& path) {
  for (size_t at = path.find('/', home.size() + 1); at != std::string::npos;
       at = path.find('/', at + 1))
    if (!real_dir(disk, path.substr(0, at))) return false;
  return path.starts_with(home + "/");
}

// In one step, so that nobody finds a half of it. Where that cannot be, piece by piece.
Done to_bin(Disk& disk, const std::string& home, const std::string& path) {
  if (!disk.look(path, false)) return {};
  if (!within(disk, home, path)) return fail(path + " is not in " + home + " itself");
  if (!disk.look(home + kBin, false) && !disk.make_private_dir(home + kBin))
    return disk.remove_tree(path);
  const std::string place = home + kBin + "/" + path.substr(path.rfind('/') + 1);
  for (int n = 1; n < 1000; ++n) {
    const std::string free = fmt::format("{}.{}", place, n);
    if (disk.look(free, false)) continue;
    if (disk.move_file(path, free)) return {};
    break;
  }
  return disk.remove_tree(path);
}

}  // namespace

model::Holdings survey(Disk& disk, const std::string& home) {
  model::Holdings out;
  const std::string tasks = home + "/tasks", agents = home + "/agents", archive = home + "/archive";
  out.elsewhere = disk.is_link(tasks);
  if (real_dir(disk, tasks))
    for (const auto& name : disk.list_dir(tasks))
      if (a_name(name) && real_dir(disk, tasks + "/" + name))
        out.tasks.push_back(folder(disk, "", tasks, name));
  if (real_dir(disk, agents))
    for (const auto& name : disk.list_dir(agents)) add_parts(disk, agents, name, out.recordings);
  if (!real_dir(disk, archive)) return out;
  for (const auto& agent : disk.list_dir(archive)) {
    const std::string dir = archive + "/" + agent;
    // What waited in an inbox is work, and is not forgotten.
    if (!real_dir(disk, dir) || agent.find(".inbox") != std::string::npos) continue;
    for (const auto& id : disk.list_dir(dir))
      if (a_name(id) && real_dir(disk, dir + "/" + id))
        out.archive.push_back(folder(disk, agent, dir, id));
  }
  return out;
}

void empty_bin(Disk& disk, const std::string& home) {
  const std::string bin = home + kBin;
  if (!real_dir(disk, bin)) return;
  for (const auto& name : disk.list_dir(bin)) (void)disk.remove_tree(bin + "/" + name);
}

Done forget(const AgentFiles& files, const model::Going& going) {
  Disk& disk = files.disk();
  const std::string& home = files.home();
  const model::Held& held = going.held;
  if (!a_name(held.name) || held.agent.find('/') != std::string::npos)
    return fail("'" + held.name + "' is nothing that is forgotten");
  switch (going.what) {
    case model::Forget::tasks:
      return forget_task(files, held.agent, held.name);
    case model::Forget::folders:
      return to_bin(disk, home, home + "/tasks/" + held.name);
    case model::Forget::archive:
      return to_bin(disk, home, files.archive(held.agent) + "/" + held.name);
    case model::Forget::recordings:
      if (!a_name(held.agent)) break;
      return to_bin(disk, home, files.recordings(held.agent) + "/" + held.name);
  }
  return fail("'" + held.agent + "' is nobody's folder");
}

Done forget_task(const AgentFiles& files, const std::string& agent, const std::string& folder) {
  Disk& disk = files.disk();
  if (!a_name(agent) || !a_name(folder)) return fail("'" + folder + "' is no task's folder");
  Done done = files.keep_inbox(agent);
  if (done) done = to_bin(disk, files.home(), files.dir(agent));
  auto went = to_bin(disk, files.home(), files.home() + "/tasks/" + folder);
  return done ? went : done;
}

}  // namespace pawl::store
