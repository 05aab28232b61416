#include <array>

#include "base/civil.h"
#include "sim/world/agents/log.h"
#include "sim/world/agents/model.h"

namespace pawl::sim {
namespace {

constexpr std::array kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                             "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

Civil civil_of(WallTime time) {
  return civil_of_seconds(
      std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count());
}

std::string two(int number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

std::string month_of(const Civil& date) {
  return kMonths[static_cast<size_t>(date.month - 1)];
}

}  // namespace

std::span<const Model* const> models() {
  static const std::array<const Model*, 5> all{&kClaude, &kCodex, &kGemini, &kPi, &kPlain};
  return all;
}

const Model* find_model(std::string_view name) {
  for (const Model* model : models())
    if (model->name == name) return model;
  return nullptr;
}

std::string clock12(WallTime time, bool tight) {
  const Civil c = civil_of(time);
  const std::string hour = std::to_string(c.hour % 12 == 0 ? 12 : c.hour % 12);
  const std::string minute = ":" + two(c.minute);
  if (!tight) return hour + minute + (c.hour < 12 ? " AM" : " PM");
  return hour + (c.minute == 0 ? "" : minute) + (c.hour < 12 ? "am" : "pm");
}

std::string clock24(WallTime time) {
  const Civil c = civil_of(time);
  return two(c.hour) + ":" + two(c.minute);
}

std::string month_day(WallTime time) {
  const Civil c = civil_of(time);
  return month_of(c) + " " + std::to_string(c.day);
}

std::string long_date(WallTime time) {
  const Civil c = civil_of(time);
  const bool teen = c.day / 10 == 1;
  const char* ending = !teen && c.day % 10 == 1   ? "st"
                       : !teen && c.day % 10 == 2 ? "nd"
                       : !teen && c.day % 10 == 3 ? "rd"
                                                  : "th";
  return month_day(time) + ending + ", " + std::to_string(c.year);
}

Frame editor_frame(const Scene& scene, std::string_view file) {
  Frame frame;
  frame.rows.push_back(scene.draft);
  while (frame.rows.size() + 1 < scene.size.rows) frame.rows.emplace_back("~");
  frame.rows.push_back(padded("\"" + std::string(file) + "\" 0L, 0B", scene.size.cols - 18) +
                       "0,0-1         All");
  frame.cursor_visible = true;
  return frame;
}

std::string_view word(Mode mode) {
  static constexpr std::array<std::string_view, 9> kWords{
      "prompt", "shell", "memory", "agents", "view", "search", "picker", "editor", "vim"};
  return kWords[static_cast<size_t>(mode)];
}

std::string_view word(Ask ask) {
  static constexpr std::array<std::string_view, 12> kWords{
      "command", "write",  "edit",     "trust", "login",  "limit",
      "update",  "survey", "question", "plan",  "resume", "strange"};
  return kWords[static_cast<size_t>(ask)];
}

std::string_view word(Trouble trouble) {
  static constexpr std::array<std::string_view, 5> kWords{"none", "limit", "auth", "overload",
                                                          "context"};
  return kWords[static_cast<size_t>(trouble)];
}

std::string_view word(Reached reached) {
  static constexpr std::array<std::string_view, 8> kWords{
      "model", "command", "shell", "memory", "agents", "search", "refused", "nothing"};
  return kWords[static_cast<size_t>(reached)];
}

std::string_view word(Entry::What what) {
  static constexpr std::array<std::string_view, 12> kWords{
      "began",     "took",  "lost",    "doubled", "asked", "answered",
      "withdrawn", "ended", "unheard", "spoke",   "works", "told"};
  return kWords[static_cast<size_t>(what)];
}

}  // namespace pawl::sim
