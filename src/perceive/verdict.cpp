#include "perceive/verdict.h"

namespace pawl::perceive {

std::string_view word(Tier tier) {
  switch (tier) {
    case Tier::process:
      return "process";
    case Tier::status:
      return "status";
    case Tier::hook:
      return "hook";
    case Tier::file:
      return "file";
    case Tier::osc:
      return "osc";
    case Tier::screen:
      return "screen";
    case Tier::silence:
      return "silence";
    case Tier::pattern:
      return "pattern";
  }
  return "";
}

}  // namespace pawl::perceive
