#include "cli/skill.h"

#include <cstdlib>

#include "cli/ask.h"
#include "cli/skill_text.h"
#include "os/file.h"

namespace pawl::cli {
namespace {

constexpr const char* kDefaultDir = "~/.claude/skills/pawl-tasks";

}  // namespace

int skill(const Command& command) {
  const std::string what = command.args()["what"].as_string("print");
  if (what == "print") {
    print(kSkillText);
    return 0;
  }
  if (what != "install")
    return complain({"skill: '" + what + "'", "say pawl skill print, or pawl skill install", 2});
  const std::string dir =
      os::absolute(command.args()["dir"].as_string(kDefaultDir), os::current_dir());
  const std::string path = dir + "/SKILL.md";
  if (auto made = os::make_private_dir(dir); !made) return complain(made.error());
  if (auto written = os::write_atomically(path, kSkillText); !written)
    return complain(written.error());
  print("the skill is in " + path + "\n");
  return 0;
}

}  // namespace pawl::cli
