#include "recording.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/source_dir.h"

namespace pawl::test {
namespace {

const std::filesystem::path kCorpus = std::filesystem::path(source_dir()) / "test/corpus";

}  // namespace

std::vector<std::string> recording_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kCorpus))
    if (entry.path().extension() == ".cast" &&
        entry.path().string().find("/modes/") == std::string::npos)
      names.push_back(
          std::filesystem::relative(entry.path(), kCorpus).replace_extension().string());
  std::sort(names.begin(), names.end());
  return names;
}

Recording load_recording(const std::string& name) {
  std::ifstream file(kCorpus / (name + ".cast"));
  std::string line;
  std::getline(file, line);
  const auto head = nlohmann::json::parse(line);
  Recording r{name, {head["width"].get<uint16_t>(), head["height"].get<uint16_t>()}, {}, {}};
  while (std::getline(file, line)) {
    if (line.empty()) continue;
    const auto event = nlohmann::json::parse(line);
    if (event[1] != "o") continue;
    r.output += event[2].get<std::string>();
    r.reads.push_back(r.output.size());
  }
  return r;
}

}  // namespace pawl::test
