#include "perceive/profile/wrapper.h"

#include <algorithm>
#include <string_view>

#include "perceive/profile/facts.h"

namespace pawl::perceive {
namespace {

using OptionNames = std::vector<std::string_view>;

// What does not stand here takes nothing, or has it after a =.
struct Wrapper {
  std::string_view name;
  OptionNames one = {}, two = {}, three = {};  // options by how many words follow them
  size_t words = 0;                            // without a dash, before the program: timeout's time
  bool assigns = false;                        // NAME=value before the program
  OptionNames unclear = {};                    // with these nobody can tell
};

const std::vector<Wrapper>& wrappers() {
  static const std::vector<Wrapper> all{
      {.name = "bwrap",
       .one = {"--args",
               "--argv0",
               "--unsetenv",
               "--chdir",
               "--uid",
               "--gid",
               "--hostname",
               "--lock-file",
               "--sync-fd",
               "--remount-ro",
               "--exec-label",
               "--file-label",
               "--proc",
               "--dev",
               "--tmpfs",
               "--mqueue",
               "--dir",
               "--seccomp",
               "--add-seccomp-fd",
               "--block-fd",
               "--userns-block-fd",
               "--info-fd",
               "--json-status-fd",
               "--userns",
               "--userns2",
               "--pidns",
               "--cap-add",
               "--cap-drop",
               "--perms",
               "--size",
               "--overlay-src",
               "--tmp-overlay",
               "--ro-overlay"},
       .two = {"--bind", "--bind-try", "--ro-bind", "--ro-bind-try", "--dev-bind", "--dev-bind-try",
               "--symlink", "--setenv", "--file", "--bind-data", "--ro-bind-data", "--chmod",
               "--bind-fd", "--ro-bind-fd"},
       .three = {"--overlay"},
       .unclear = {"--args"}},
      {.name = "firejail"},
      {.name = "env",
       .one = {"-u", "--unset", "-C", "--chdir"},
       .assigns = true,
       .unclear = {"-S", "--split-string"}},
      {.name = "nice", .one = {"-n", "--adjustment"}},
      {.name = "ionice",
       .one = {"-c", "--class", "-n", "--classdata"},
       .unclear = {"-p", "-P", "-u"}},
      {.name = "timeout", .one = {"-k", "--kill-after", "-s", "--signal"}, .words = 1},
      {.name = "stdbuf", .one = {"-i", "-o", "-e", "--input", "--output", "--error"}},
      {.name = "prlimit", .unclear = {"-p", "--pid"}},
      {.name = "nohup"},
  };
  return all;
}

bool stands_in(const OptionNames& names, std::string_view word) {
  return std::find(names.begin(), names.end(), word) != names.end();
}

// Where the program begins after this wrapper, which is argv[at].
size_t after_wrapper(const Wrapper& wrapper, const std::vector<std::string>& argv, size_t at) {
  size_t left = wrapper.words;
  for (size_t i = at + 1; i < argv.size();) {
    const std::string& word = argv[i];
    if (stands_in(wrapper.unclear, word)) return argv.size();
    if (word == "--" && left == 0) return i + 1;
    if (word.starts_with('-') && word.size() > 1)
      i += stands_in(wrapper.three, word) ? 4
           : stands_in(wrapper.two, word) ? 3
           : stands_in(wrapper.one, word) ? 2
                                          : 1;
    else if (word == "-" || (wrapper.assigns && word.find('=') != std::string::npos))
      ++i;
    else if (left > 0)
      --left, ++i;
    else
      return i;
  }
  return argv.size();
}

}  // namespace

size_t program_at(const std::vector<std::string>& argv) {
  size_t at = 0;
  while (at < argv.size()) {
    const std::string name(program_name(argv[at]));
    const auto& all = wrappers();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Wrapper& one) { return one.name == name; });
    if (found == all.end()) return at;
    at = after_wrapper(*found, argv, at);
  }
  return argv.size();
}

}  // namespace pawl::perceive
