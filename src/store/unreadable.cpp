#include "store/unreadable.h"

#include "os/file.h"
#include "store/environment.h"
#include "store/patient_disk.h"

namespace pawl::store {
namespace {

class List {
 public:
  explicit List(Disk& disk) : disk_(disk) {}
  void look(const std::string& path, uint64_t limit = os::kFileBytes) {
    judge(path, disk_.look(path, true), limit);
  }
  // A link is not followed there either.
  void look_no_link(const std::string& path) {
    judge(path, disk_.look(path, false), os::kFileBytes);
  }
  // A folder of this name is a Python environment, and nobody said that it is a file.
  void look_at_default_env(const std::string& path) {
    const auto seen = disk_.look(path, true);
    if (seen && seen->kind != Kind::folder) judge(path, seen, kEnvBytes);
  }
  std::vector<Unreadable> take() { return std::move(found_); }

 private:
  void judge(const std::string& path, const std::optional<Entry>& seen, uint64_t limit) {
    if (!seen) return;
    if (seen->kind != Kind::file)
      found_.push_back(unreadable(path, os::words(seen->kind)));
    else if (seen->size > limit)
      found_.push_back(
          {path,
           path + " is larger than " + std::to_string(limit >> 10) + " KiB: Pawl does not read it",
           "make it smaller, or remove it"});
  }

  Disk& disk_;
  std::vector<Unreadable> found_;
};

}  // namespace

Unreadable unreadable(const std::string& path, const std::string& kind) {
  return {path, path + " is " + kind + ", not a file: Pawl does not read it",
          "put a plain file there, or remove it"};
}

std::optional<Unreadable> silent_folder(Disk& disk, const std::string& path) {
  (void)disk.look(path, true);
  if (disk.answers(path)) return std::nullopt;
  const Error error = no_answer(path);
  return Unreadable{path, error.what, error.fix};
}

std::vector<Unreadable> unreadable(const AgentFiles& files, const model::Agent& agent) {
  Disk& disk = files.disk();
  List list(disk);
  const model::AgentSpec& spec = agent.spec;
  if (auto silent = silent_folder(disk, spec.dir)) return {std::move(*silent)};
  const std::string dir = files.dir(spec.name) + "/";
  for (const char* name : {kWakeupName, kModeName, kHumanName}) list.look_no_link(dir + name);
  for (const char* name : {kSeenName, kEnvironmentName}) list.look(dir + name);
  if (!spec.env_file.empty())
    list.look(os::absolute(spec.env_file, spec.dir), kEnvBytes);
  else if (!agent.running() || agent.state == model::State::shell)  // else nobody reads it
    list.look_at_default_env(os::absolute(kDefaultEnvName, spec.dir));
  if (!spec.prompt_file.empty()) list.look(os::absolute(spec.prompt_file, spec.dir));
  if (!agent.transcript.empty())
    if (const auto kind = disk.not_a_file(agent.transcript))
      list.look(agent.transcript);  // however large it is
  if (agent.task && !model::final(agent.task->status))
    if (const std::string output = agent.task->order.dir + "/output.log"; disk.not_a_file(output))
      list.look(output);
  return list.take();
}

}  // namespace pawl::store
