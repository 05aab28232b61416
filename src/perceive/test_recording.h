#pragma once
// For tests: recordings of test/corpus with their labels, played by a Player.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/source_dir.h"
#include "perceive/player.h"
#include "term/cast.h"

namespace pawl::perceive {

struct TestLabel {
  double from = 0, to = 0;
  std::string state, sub;
  std::string input, question, subject;  // of test/corpus/modes
};

struct TestRecording {
  std::string name;  // "pi/slow"
  term::CastHeader header;
  std::vector<term::CastEvent> events;  // output only, exact
  std::vector<TestLabel> labels;
};

inline std::string test_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

inline TestRecording test_recording(const std::string& name) {
  const std::string base = std::string(source_dir()) + "/test/corpus/" + name;
  TestRecording out{name, {}, {}, {}};
  std::ifstream file(base + ".cast");
  std::string line;
  std::getline(file, line);
  const auto header = term::parse_cast_header(line);
  EXPECT_TRUE(header) << base;
  if (!header) return out;
  out.header = *header;
  while (std::getline(file, line)) {
    auto event = term::parse_cast_event(line);
    if (event && event->code == 'o') out.events.push_back(std::move(*event));
  }
  const auto labels = Json::parse(test_file(base + ".labels.json"));
  EXPECT_TRUE(labels) << base;
  if (!labels) return out;
  for (const auto& label : (*labels)["labels"].items())
    out.labels.push_back({label["t_start"].as_double(), label["t_end"].as_double(),
                          label["state"].as_string(), label["sub"].as_string(),
                          label["input"].as_string(), label["question"].as_string(),
                          label["subject"].as_string()});
  return out;
}

inline std::vector<std::string> test_recordings(const std::string& agent) {
  std::vector<std::string> out;
  const std::string dir = std::string(source_dir()) + "/test/corpus/" + agent;
  for (const auto& entry : std::filesystem::directory_iterator(dir))
    if (entry.path().extension() == ".cast")
      out.push_back(agent + "/" + entry.path().stem().string());
  std::sort(out.begin(), out.end());
  return out;
}

// Everything up to `until`, `shift` seconds later than it was recorded.
inline void test_play(Player& player, const TestRecording& recording, double until = 1e9,
                      double shift = 0) {
  for (const auto& event : recording.events)
    if (event.t <= until) player.output(event.t + shift, event.data);
}

}  // namespace pawl::perceive
