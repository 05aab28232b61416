#pragma once
// A small made-up fleet for tests of the views and the keys.

#include <string>

#include "ui/draw.h"
#include "ui/press.h"
#include "ui/take.h"

namespace pawl::ui {

inline WallTime test_now() {
  WallTime now;
  (void)parse_rfc3339("2026-11-19T12:00:00Z", now);
  return now;
}

inline Json test_row(const std::string& name, const std::string& state, const std::string& because,
                     Duration age) {
  return Json::object({{"name", name},
                       {"state", state},
                       {"because", because},
                       {"runtime", "claude"},
                       {"dir", "/src/" + name},
                       {"since", rfc3339(test_now() - age)}});
}

inline Json test_list(Json rows) {
  return Json::object({{"version", 1}, {"agents", std::move(rows)}});
}

inline Json three_agents() {
  using std::chrono::hours;
  using std::chrono::minutes;
  using std::chrono::seconds;
  return test_list(Json::Array{test_row("busy", "busy", "its spinner turns", seconds{7}),
                               test_row("asks", "waiting", "it asks to run make", minutes{8}),
                               test_row("gone", "exited", "exit code 0", hours{30})});
}

inline State state_of(Size size, const Json& list) {
  State state;
  state.size = size;
  take_list(state, list);
  return state;
}

inline Json test_dialog() {
  const auto row = [](const char* text, const char* meaning) {
    return Json::object({{"text", text}, {"meaning", meaning}});
  };
  return Json::object(
      {{"id", "d1"},
       {"question", "Run this command?"},
       {"subject", "make test"},
       {"rows", Json::Array{row("Yes", "allow"), row("Always", "permission"), row("No", "deny")}}});
}

inline void show_dialog(State& state, const Json& dialog) {
  take_detail(state, state.selected, Json::object({{"agent", Json::object({{"dialog", dialog}})}}));
}

inline std::string text_of_screen(const State& state, Colours colours = Colours::full) {
  return draw(state, {colours, test_now()}).screen.text();
}

inline std::string row_of_screen(const State& state, int row) {
  return draw(state, {Colours::full, test_now()}).screen.row_text(row);
}

inline Wishes type(State& state, const std::string& text) {
  Wishes wishes;
  KeyReader reader;
  for (const auto& key : reader.read(text))
    for (auto& wish : press(state, key)) wishes.push_back(std::move(wish));
  for (const auto& key : reader.flush())
    for (auto& wish : press(state, key)) wishes.push_back(std::move(wish));
  return wishes;
}

inline bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace pawl::ui
