#include "core/parts/showings.h"

#include "base/text.h"

namespace pawl::core {
namespace {

constexpr const char* kShown = "shown";
constexpr const char* kTold = "told";

}  // namespace

std::string Showings::text() const {
  std::string out;
  for (const auto& [agent, worlds] : last_)
    for (const auto& [world, it] : worlds)
      if (!it.dialog.empty() && world.find_first_of("\t\n") == std::string::npos)
        out += join({agent, it.shown ? kShown : kTold, it.dialog, world}, "\t") + "\n";
  return out;
}

void Showings::read(const std::string& text) {
  for (const auto& line : split(text, '\n')) {
    const auto words = split(line, '\t');
    if (words.size() != 4 || (words[1] != kShown && words[1] != kTold)) continue;
    if (Told* it = told_of(std::string(words[3]), std::string(words[0])))
      *it = {std::string(words[2]), words[1] == kShown};
  }
}

}  // namespace pawl::core
