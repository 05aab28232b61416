#include "store/agent_files.h"

#include <charconv>

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

Done AgentFiles::put_text(const std::string& agent, uint64_t item, const std::string& text) const {
  if (auto made = os::make_private_dir(outbox(agent)); !made) return made;
  return os::write_atomically(outbox(agent) + "/" + std::to_string(item), text);
}

Result<std::string> AgentFiles::text(const std::string& agent, uint64_t item) const {
  return os::read_file(outbox(agent) + "/" + std::to_string(item));
}

void AgentFiles::forget_text(const std::string& agent, uint64_t item) const {
  os::remove_file(outbox(agent) + "/" + std::to_string(item));
}

std::vector<uint64_t> AgentFiles::texts(const std::string& agent) const {
  std::vector<uint64_t> items;
  for (const auto& name : os::list_dir(outbox(agent))) {
    uint64_t item = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), item);
    if (error == std::errc{} && end == name.data() + name.size()) items.push_back(item);
  }
  return items;
}

Result<std::string> AgentFiles::keep_draft(const std::string& agent, uint64_t number,
                                           const std::string& draft) const {
  if (auto made = os::make_private_dir(dir(agent)); !made) return tl::unexpected(made.error());
  const std::string path = dir(agent) + "/draft-" + std::to_string(number) + ".txt";
  if (auto kept = os::write_atomically(path, draft); !kept) return tl::unexpected(kept.error());
  return path;
}

void AgentFiles::forget_draft(const std::string& path) const {
  os::remove_file(path);
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
