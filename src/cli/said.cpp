#include "cli/said.h"

#include <array>
#include <cstdio>

#include "base/text.h"

namespace pawl::cli {

Said said_by(const std::vector<std::string>& words) {
  std::string line;
  for (const auto& word : words) line += (line.empty() ? "" : " ") + shell_quoted(word);
  FILE* pipe = ::popen((line + " 2>&1").c_str(), "re");
  if (!pipe) return {};
  std::string text;
  std::array<char, 4096> buffer{};
  for (size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    text.append(buffer.data(), n);
  return {::pclose(pipe) == 0, std::string(trim(text))};
}

}  // namespace pawl::cli
