#pragma once
// For tests of this layer: a small profile, screens from text, recordings of test/corpus.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/source_dir.h"
#include "base/text.h"
#include "perceive/profile/catalog.h"
#include "perceive/profile/facts.h"
#include "perceive/screen/sight.h"
#include "perceive/tracker.h"
#include "term/cast.h"
#include "term/terminal.h"

namespace pawl::perceive::test {

// An agent that does not exist: two rules with a pointer between them, and one pattern of everything a profile can hold.
inline constexpr const char* kToyProfile = R"toml(
name = "toy"
about = "a toy"
quiet_ms = 150
progress = true
placeholders = ['Ask me']
[recognise]
processes = ["toy"]
arguments = ["@toys/toy"]
apps = ["toy-app"]
titles = ['^Toy: ']
screen = ['Toy v\d']
[launch]
batch = ["-p"]
[title]
idle = '^Toy: idle'
busy = '^Toy: busy'
waiting = '^Toy: asks'
[start]
settle_ms = 300
[[start.sign]]
pattern = '^Loading'
means = "it loads"
[[box]]
above = '^\s*─{4,}'
prompt = '^❯(?:\s|$)'
below = '^\s*─{4,}'
cursor = "any"
footer_rows = 3
[[busy]]
where = "above"
pattern = '^\* \w+…'
means = "its spinner turns"
[[background]]
where = "below"
pattern = '\d jobs? behind'
means = "its footer counts jobs"
[[background]]
where = "below"
pattern = '(\d+) shells?\b'
busy = false
[[dialog]]
kind = "permission"
pattern = '^Do you want to run'
[[notice]]
kind = "limit"
pattern = '^You have hit your limit'
[[notice]]
kind = "auth"
pattern = '^Not logged in'
)toml";

inline Profile profile_from(const std::string& text) {
  auto profile = parse_profile(text, "test.toml");
  EXPECT_TRUE(profile) << (profile ? "" : text_of(profile.error()));
  return profile ? std::move(*profile) : Profile{};
}

inline TrackerOptions options_of(const std::string& runtime, Channels channels = {},
                                 std::vector<std::string> argv = {}) {
  TrackerOptions options;
  options.runtime = runtime;
  options.channels = channels;
  options.argv = std::move(argv);
  return options;
}

// Rows as a person would write them; \n goes to the start of the next row.
inline std::string rows_of(const std::string& text) {
  std::string bytes;
  for (const char c : text) (c == '\n' ? bytes += "\r\n" : bytes += c);
  return bytes;
}

inline term::Terminal screen_of(const std::string& text, Size size = {40, 12}) {
  term::Terminal terminal(size, {.answers = false, .scrollback_lines = 0});
  terminal.feed(rows_of(text));
  return terminal;
}

// One recording: its output with the time of each piece.
struct Tape {
  std::string name, command;
  Size size;
  struct Piece {
    double t = 0;
    std::string bytes;
  };
  std::vector<Piece> pieces;
};

inline std::vector<std::string> tape_names() {
  const std::filesystem::path corpus = std::string(source_dir()) + "/test/corpus";
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus))
    if (entry.path().extension() == ".cast") {
      auto name = std::filesystem::relative(entry.path(), corpus).replace_extension().string();
      if (!name.starts_with("modes/"))
        names.push_back(std::move(name));  // modes_test.cpp has those
    }
  std::sort(names.begin(), names.end());
  return names;
}

inline Tape load_tape(const std::string& name) {
  std::ifstream file(std::string(source_dir()) + "/test/corpus/" + name + ".cast");
  std::string line;
  std::getline(file, line);
  const auto header = term::parse_cast_header(line);
  EXPECT_TRUE(header) << name;
  if (!header) return {};
  Tape tape{name, header->command, header->size, {}};
  term::CastDecoder decoder;
  while (std::getline(file, line)) {
    const auto event = term::parse_cast_event(line);
    EXPECT_TRUE(event) << name << ": " << line.substr(0, 80);
    if (!event) break;
    if (auto bytes = decoder.output(*event)) tape.pieces.push_back({event->t, std::move(*bytes)});
  }
  return tape;
}

}  // namespace pawl::perceive::test
