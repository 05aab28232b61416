#include "serve/user_agent.h"

#include <array>
#include <utility>

namespace pawl::serve {
namespace {

using Mark = std::pair<std::string_view, std::string_view>;  // what is said, and what it means

// Each says the names of those after it, too.
constexpr std::array<Mark, 7> kBrowsers{{{"Edg", "Edge"},
                                         {"OPR/", "Opera"},
                                         {"Firefox/", "Firefox"},
                                         {"FxiOS/", "Firefox"},
                                         {"CriOS/", "Chrome"},
                                         {"Chrome/", "Chrome"},
                                         {"Safari/", "Safari"}}};
constexpr std::array<Mark, 7> kSystems{{{"iPhone", "iPhone"},
                                        {"iPad", "iPad"},
                                        {"Android", "Android"},
                                        {"CrOS", "ChromeOS"},
                                        {"Mac OS X", "macOS"},
                                        {"Windows", "Windows"},
                                        {"Linux", "Linux"}}};

template <class Marks>
std::string_view first_of(const Marks& marks, std::string_view text) {
  for (const auto& [said, means] : marks)
    if (text.find(said) != std::string_view::npos) return means;
  return {};
}

}  // namespace

std::string browser_name(std::string_view user_agent) {
  const std::string browser(first_of(kBrowsers, user_agent));
  const std::string system(first_of(kSystems, user_agent));
  if (browser.empty()) return system.empty() ? "a browser" : "a browser on " + system;
  return system.empty() ? browser : browser + " on " + system;
}

}  // namespace pawl::serve
