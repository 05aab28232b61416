#include "ui/take.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "term/strip.h"
#include "ui/layout.h"

namespace pawl::ui {
namespace {

constexpr size_t kMaxPageLine = 4096;

Size size_of(const Json& json) {
  const auto in = [](int64_t value, int64_t otherwise) {
    return static_cast<uint16_t>(value > 0 && value <= term::kMaxCols ? value : otherwise);
  };
  return {in(json["cols"].as_int(), 80), in(json["rows"].as_int(), 24)};
}

term::Terminal picture_of(Size size) {
  return term::Terminal(size, {false, 0});
}

}  // namespace

void settle(State& state) {
  const auto was = std::find(state.rows.begin(), state.rows.end(), state.selected);
  const auto place = static_cast<size_t>(was == state.rows.end() ? 0 : was - state.rows.begin());
  state.rows = state.fleet.ordered(state.order, state.filter, state.found);
  std::erase_if(state.marked, [&](const std::string& id) { return !state.fleet.find(id); });
  const auto& rows = state.rows;
  if (rows.empty()) {
    state.selected.clear();
    state.top = 0;
    return;
  }
  auto now = std::find(rows.begin(), rows.end(), state.selected);
  if (now == rows.end()) {
    const bool gone = !state.selected.empty() && !state.fleet.find(state.selected);
    if (gone) tell(state, state.selected + " was removed", false);
    now = rows.begin() + static_cast<std::ptrdiff_t>(std::min(place, rows.size() - 1));
    state.selected = *now;
  }
  const auto at = static_cast<size_t>(now - rows.begin());
  const auto shown = static_cast<size_t>(std::max(1, layout_of(state.size).list.rows));
  state.top = std::min(state.top, rows.size() > shown ? rows.size() - shown : 0);
  if (at < state.top) state.top = at;
  if (at >= state.top + shown) state.top = at + 1 - shown;
}

void take_list(State& state, const Json& list) {
  state.fleet.take(list);
  state.known = true;
  settle(state);
}

void take_some(State& state, const Json& list, const std::set<std::string>& names) {
  state.fleet.take(list, names);
  settle(state);
}

void take_found(State& state, const Json& list) {
  state.found.clear();
  for (const auto& row : list["agents"].items()) state.found.insert(agent_from(row).id());
  settle(state);
}

void take_detail(State& state, const std::string& agent, const Result<Json>& shown) {
  if (agent != state.selected) return;
  state.detail_of = agent;
  state.detail = shown ? (*shown)["agent"] : Json();
  if (std::exchange(state.answer_soon, "") != agent) return;
  if (state.page != Page::agents || !std::holds_alternative<std::monostate>(state.overlay)) return;
  if (state.detail["dialog"].is_object())
    state.overlay = Answering{agent, state.detail["dialog"]};
  else
    tell(state, agent + " has no open dialog", true);
}

void look_at(State& state, const std::string& agent) {
  if (state.picture.of == agent) return;
  state.picture = {};
  state.picture.of = agent;
}

void take_size(State& state, Size size) {
  state.picture.note.clear();
  state.picture.terminal = picture_of(size);
}

void take_output(State& state, std::string_view bytes) {
  if (!state.picture.terminal) state.picture.terminal = picture_of({120, 40});
  state.picture.terminal->feed(bytes);
}

term::Terminal still_of(const Json& screen) {
  term::Terminal terminal = picture_of(size_of(screen));
  std::string bytes = "\x1b[?7l";
  for (const char byte : screen["screen"].as_string()) {
    if (byte == '\n') bytes += '\r';
    bytes += byte;
  }
  if (bytes.ends_with("\r\n")) bytes.resize(bytes.size() - 2);  // a full screen would scroll
  terminal.feed(bytes);
  return terminal;
}

void take_still(State& state, const Result<Json>& screen) {
  if (screen && (*screen)["screen"].is_string()) {
    state.picture.terminal = still_of(*screen);
  } else if (!screen) {
    state.picture.terminal.reset();
    state.picture.note = text_of(screen.error());
  }
}

void take_moments(State& state, const std::string& agent, const Result<std::vector<Moment>>& list) {
  if (agent != state.moments.agent) return;
  state.moments.known = true;
  if (!list) {
    state.moments.note = text_of(list.error());
    return;
  }
  state.moments.list = *list;
  state.moments.chosen = list->empty() ? 0 : list->size() - 1;
  if (list->empty()) state.moments.note = "nothing happened to " + agent + " in these 24 hours";
}

void take_then(State& state, const std::string& at, const Result<Json>& screen) {
  if (at != state.moments.then_at) return;
  state.moments.then.reset();
  state.moments.note.clear();
  if (screen)
    state.moments.then = still_of(*screen);
  else
    state.moments.note = text_of(screen.error());
}

void take_text(State& state, std::string_view bytes) {
  Text& text = state.text;
  if (text.lines.empty()) text.lines.emplace_back();
  term::Stripper stripper;
  const std::string plain = stripper.feed(bytes);
  for (const char byte : plain) {
    if (byte == '\n')
      text.lines.emplace_back();
    else if (text.lines.back().size() < kMaxPageLine)
      text.lines.back() += byte == '\t' ? ' ' : byte;
  }
  if (text.lines.size() <= kMaxPageLines) return;
  const size_t gone = text.lines.size() - kMaxPageLines;
  text.lines.erase(text.lines.begin(), text.lines.begin() + static_cast<std::ptrdiff_t>(gone));
  text.top -= std::min(text.top, gone);
}

void take_end(State& state, int exit_code) {
  Text& text = state.text;
  text.running = false;
  while (!text.lines.empty() && text.lines.back().empty()) text.lines.pop_back();
  if (exit_code != 0) text.lines.push_back(fmt::format("(exit code {})", exit_code));
  if (text.lines.empty()) text.lines.push_back("(no output)");
}

void tell(State& state, std::string text, bool bad) {
  state.notice = std::move(text);
  state.bad = bad;
}

}  // namespace pawl::ui
