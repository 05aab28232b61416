#include "ui/press.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "ui/layout.h"
#include "ui/take.h"

namespace pawl::ui {
namespace {

using Kind = Key::Kind;

constexpr int kWheel = 3;

// How far a key moves in a list of which `shown` are to be seen.
std::optional<std::ptrdiff_t> step_of(const Key& key, int shown) {
  const std::ptrdiff_t page = std::max(1, shown - 1), far = 1'000'000'000;
  if (key.kind == Kind::up || (key.kind == Kind::text && key.text == "k")) return -1;
  if (key.kind == Kind::down || (key.kind == Kind::text && key.text == "j")) return 1;
  if (key.kind == Kind::page_up || (key.kind == Kind::control && key.text == "b")) return -page;
  if (key.kind == Kind::page_down || (key.kind == Kind::control && key.text == "f")) return page;
  if (key.kind == Kind::home || (key.kind == Kind::text && key.text == "g")) return -far;
  if (key.kind == Kind::end || (key.kind == Kind::text && key.text == "G")) return far;
  if (key.kind == Kind::wheel_up) return -kWheel;
  if (key.kind == Kind::wheel_down) return kWheel;
  return std::nullopt;
}

size_t moved(size_t at, std::ptrdiff_t by, size_t size) {
  const auto last = static_cast<std::ptrdiff_t>(size) - 1;
  return static_cast<size_t>(std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(at) + by, 0,
                                                        std::max<std::ptrdiff_t>(0, last)));
}

void select_row(State& state, size_t at) {
  if (at >= state.rows.size()) return;
  state.selected = state.rows[at];
  settle(state);
}

size_t row_selected(const State& state) {
  const auto at = std::find(state.rows.begin(), state.rows.end(), state.selected);
  return at == state.rows.end() ? 0 : static_cast<size_t>(at - state.rows.begin());
}

std::string named(const std::vector<std::string>& names) {
  if (names.size() == 1) return names[0];
  return fmt::format("{} and {} more", names[0], names.size() - 1);
}

Wish run_on(const std::string& verb, const std::vector<std::string>& names) {
  Wish wish{Wish::Kind::run};
  wish.words = {verb};
  wish.words.insert(wish.words.end(), names.begin(), names.end());
  return wish;
}

Wishes ask(State& state, const std::string& verb, const std::string& what) {
  const auto names = targets(state);
  if (names.empty()) return {};
  state.overlay = Question{fmt::format("{} {}?", what, named(names)), {run_on(verb, names)}};
  return {};
}

Wishes pause_or_resume(State& state) {
  const auto names = targets(state);
  if (names.empty()) return {};
  const bool all = std::all_of(names.begin(), names.end(), [&](const std::string& id) {
    const Agent* agent = state.fleet.find(id);
    return agent && (agent->paused || !agent->trouble.empty());
  });
  return {run_on(all ? "resume" : "pause", names)};
}

void type_to(State& state, Typing::What what) {
  Typing typing;
  typing.what = what;
  typing.to = targets(state);
  if (!typing.to.empty()) state.overlay = std::move(typing);
}

void open_filter(State& state) {
  Typing typing;
  typing.what = Typing::What::filter;
  typing.before = state.filter;
  typing.line = LineEdit(state.filter);
  state.overlay = std::move(typing);
}

void open_answer(State& state) {
  const Json& dialog = state.detail["dialog"];
  if (!state.selected.empty() && state.detail_of != state.selected) {
    state.answer_soon = state.selected;
    return;
  }
  if (!dialog.is_object())
    return tell(
        state,
        state.selected.empty() ? "no agent is selected" : state.selected + " has no open dialog",
        true);
  state.overlay = Answering{state.selected, dialog};
}

Wishes open_page(State& state, const std::string& title, std::vector<std::string> words) {
  state.page = Page::text;
  state.text = {title, {}, 0, true};
  Wish wish{Wish::Kind::run};
  wish.words = std::move(words);
  wish.page = true;
  return {wish};
}

Wishes open_moments(State& state) {
  if (state.selected.empty()) return {};
  state.page = Page::moments;
  state.moments = {};
  state.moments.agent = state.selected;
  return {{Wish::Kind::moments, state.selected}};
}

void mark(State& state) {
  if (state.selected.empty()) return;
  if (state.marked.erase(state.selected) == 0) state.marked.insert(state.selected);
  select_row(state, std::min(row_selected(state) + 1, state.rows.size() - 1));
}

void mark_all(State& state) {
  const bool all = std::all_of(state.rows.begin(), state.rows.end(),
                               [&](const std::string& id) { return state.marked.contains(id); });
  for (const auto& id : state.rows)
    if (all)
      state.marked.erase(id);
    else
      state.marked.insert(id);
}

void click(State& state, const Key& key) {
  const Area list = layout_of(state.size).list;
  if (key.row < list.row || key.row >= list.row + list.rows || key.col >= list.col + list.cols)
    return;
  select_row(state, state.top + static_cast<size_t>(key.row - list.row));
}

// What a letter does to the list; Escape and the arrows are not letters.
Wishes letter(State& state, const std::string& text) {
  const auto open = [&](Typing::What what) {
    type_to(state, what);
    return Wishes{};
  };
  if (text == "q") return {{Wish::Kind::quit}};
  if (text == "s") return open(Typing::What::send);
  if (text == "w") return open(Typing::What::wake);
  if (text == "p") return pause_or_resume(state);
  if (text == "r") return ask(state, "restart", "Restart");
  if (text == "x") return ask(state, "stop", "Stop");
  if (text == "t") return open_moments(state);
  if (text == "R") return open_page(state, "report", {"report"});
  if (text == "e" && !state.selected.empty())
    return open_page(state, "events of " + state.selected,
                     {"events", "--agent", state.selected, "--since", "24h"});
  if (text == "a") open_answer(state);
  if (text == "n") state.overlay = new_form(state);
  if (text == "/") open_filter(state);
  if (text == ":") state.overlay = Typing{Typing::What::command};
  if (text == "?") state.page = Page::keys;
  if (text == " ") mark(state);
  if (text == "*") mark_all(state);
  if (text == "o") {
    state.order = after(state.order);
    settle(state);
  }
  return {};
}

Wishes press_agents(State& state, const Key& key) {
  const Layout layout = layout_of(state.size);
  if (const auto step = step_of(key, layout.list.rows)) {
    if (!state.rows.empty())
      select_row(state, moved(row_selected(state), *step, state.rows.size()));
    return {};
  }
  if (key.kind == Kind::click) {
    click(state, key);
    return {};
  }
  if (key.kind == Kind::enter && !state.selected.empty())
    return {{Wish::Kind::attach, state.selected}};
  if (key.kind == Kind::escape) {
    if (!state.marked.empty())
      state.marked.clear();
    else
      state.filter.clear();
    settle(state);
  }
  return key.kind == Kind::text ? letter(state, key.text) : Wishes{};
}

bool leaves(const Key& key) {
  return key.kind == Kind::escape || (key.kind == Kind::text && key.text == "q");
}

Wishes press_text(State& state, const Key& key) {
  if (leaves(key)) {
    state.page = Page::agents;
    const bool running = std::exchange(state.text.running, false);
    return running ? Wishes{{Wish::Kind::cancel}} : Wishes{};
  }
  const auto room = static_cast<size_t>(std::max(2, state.size.rows - 3));
  const size_t size = state.text.lines.size();
  // Long lines take several rows: the last half page may stand alone.
  if (const auto step = step_of(key, static_cast<int>(room)))
    state.text.top = moved(state.text.top, *step, size > room ? size - room / 2 : 1);
  return {};
}

Wishes press_moments(State& state, const Key& key) {
  Moments& moments = state.moments;
  if (leaves(key)) {
    state.page = Page::agents;
    return {};
  }
  const auto step = step_of(key, layout_of(state.size).list.rows);
  if (step && !moments.list.empty())
    moments.chosen = moved(moments.chosen, *step, moments.list.size());
  return {};
}

}  // namespace

std::vector<std::string> targets(const State& state) {
  if (!state.marked.empty()) return {state.marked.begin(), state.marked.end()};
  if (state.selected.empty()) return {};
  return {state.selected};
}

const std::vector<std::pair<std::string, std::string>>& keys_page() {
  static const std::vector<std::pair<std::string, std::string>> rows{
      {"↑ ↓  j k", "select an agent; PgUp, PgDn, Home, End, wheel and click work, too"},
      {"Enter", "attach to it; Ctrl-\\ comes back here"},
      {"a", "answer its dialog"},
      {"s", "send it a text, typed when it is ready"},
      {"w", "wake it: a text that goes first"},
      {"p", "pause it; again: resume"},
      {"r  x", "restart or stop it (asks)"},
      {"n", "start an agent or a task"},
      {"Space  *", "mark it, or all; s w p r x then act on the marked ones"},
      {"/", "filter by names and by the text on screens"},
      {"o", "order: urgency, name, folder, machine"},
      {"t", "its timeline, with the screen at each event"},
      {"e", "its events of the last 24 hours"},
      {"R", "the report of the last 12 hours"},
      {":", "any verb of pawl; Tab completes"},
      {"Esc", "back; unmark; clear the filter"},
      {"q", "quit; agents keep running"}};
  return rows;
}

Wishes press(State& state, const Key& key) {
  if (key.kind == Kind::control && key.text == "z") return {{Wish::Kind::suspend}};
  if (key.kind == Kind::control && key.text == "c") {
    if (std::holds_alternative<std::monostate>(state.overlay)) return {{Wish::Kind::quit}};
    return press(state, {Kind::escape});
  }
  if (auto* typing = std::get_if<Typing>(&state.overlay)) return press_typing(state, *typing, key);
  if (auto* form = std::get_if<Form>(&state.overlay)) return press_form(state, *form, key);
  if (key.kind == Kind::paste) return {};  // a pasted text presses no key
  state.notice.clear();
  state.answer_soon.clear();
  if (auto* answering = std::get_if<Answering>(&state.overlay))
    return press_answering(state, *answering, key);
  if (auto* question = std::get_if<Question>(&state.overlay)) {
    const bool yes = key.kind == Kind::text && (key.text == "y" || key.text == "Y");
    Wishes wishes = yes ? question->yes : Wishes{};
    state.overlay = {};
    return wishes;
  }
  if (state.page == Page::text) return press_text(state, key);
  if (state.page == Page::moments) return press_moments(state, key);
  if (state.page == Page::keys) {
    state.page = Page::agents;
    return {};
  }
  return press_agents(state, key);
}

}  // namespace pawl::ui
