#include "store/agent_files.h"

#include "os/file.h"
#include "os/process.h"
#include "store/environment.h"
#include "store/recording_reader.h"

namespace pawl::store {

Done AgentFiles::save_environment(const std::string& agent,
                                  const std::vector<std::string>& environment) const {
  return store::save_environment(dir(agent), environment);
}

std::vector<std::string> AgentFiles::environment(const std::string& agent) const {
  return load_environment(dir(agent)).value_or(os::own_environment());
}

Result<std::vector<std::string>> AgentFiles::env_file(const model::AgentSpec& spec) const {
  if (spec.env_file.empty()) return std::vector<std::string>{};
  const std::string path = os::absolute(spec.env_file, spec.dir);
  const auto text = os::read_file(path);
  if (!text)
    return fail("the env file of '" + spec.name + "': " + text.error().what,
                "create it, or drop env_file");
  return parse_env_file(*text, path);
}

std::optional<std::string> AgentFiles::owner_of(SessionId session) const {
  for (const auto& name : os::list_dir(agents_))
    for (const auto& part : parts_in(recordings(name)))
      if (part.session == session) return name;
  return std::nullopt;
}

Done AgentFiles::remove(const std::string& agent) const {
  return os::remove_tree(dir(agent));
}

}  // namespace pawl::store
