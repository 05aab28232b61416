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
    if (const auto kind = disk_.not_a_file(path))
      found_.push_back(unreadable(path, *kind));
    else if (disk_.file_size(path) > limit)
      found_.push_back(
          {path,
           path + " is larger than " + std::to_string(limit >> 10) + " KiB: Pawl does not read it",
           "make it smaller, or remove it"});
  }
  // A link is not followed there either.
  void look_no_link(const std::string& path) {
    if (disk_.is_link(path))
      found_.push_back(unreadable(path, "a link"));
    else
      look(path);
  }
  std::vector<Unreadable> take() { return std::move(found_); }

 private:
  Disk& disk_;
  std::vector<Unreadable> found_;
};

// A folder of this name is a Python environment, and nobody said that it is a file.
void look_at_default_env(Disk& disk, const model::Agent& agent, List& list) {
  const std::string path = os::absolute(kDefaultEnvName, agent.spec.dir);
  const bool read = !agent.running() || agent.state == model::State::shell;
  if (read && !disk.is_dir(path)) list.look(path, kEnvBytes);
}

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
  else
    look_at_default_env(disk, agent, list);
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
