#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "ui/command_line.h"
#include "ui/press.h"
#include "ui/take.h"

namespace pawl::ui {
namespace {

using Kind = Key::Kind;

Wish run_words(std::vector<std::string> words, std::string input = {}) {
  Wish wish{Wish::Kind::run};
  wish.words = std::move(words);
  wish.input = std::move(input);
  return wish;
}

std::vector<std::string> ids_of(const State& state) {
  std::vector<std::string> ids;
  for (const auto& [id, agent] : state.fleet.all()) ids.push_back(id);
  return ids;
}

// Each Tab the next of them.
void complete(const State& state, Typing& typing) {
  if (typing.offers.empty()) {
    typing.offers = completions(typing.line.text(), ids_of(state));
    typing.offered = 0;
  } else {
    typing.offered = (typing.offered + 1) % typing.offers.size();
  }
  if (!typing.offers.empty()) typing.line.set(typing.offers[typing.offered]);
  if (typing.offers.size() == 1) typing.offers.clear();  // and on with the next word
}

Wishes do_command(State& state, const std::string& line) {
  const auto words = words_of(line);
  if (!words) tell(state, text_of(words.error()), true);
  if (!words || words->empty()) return {};
  if (const std::string why = unfit(*words); !why.empty()) {
    tell(state, why, true);
    return {};
  }
  state.page = Page::text;
  state.text = {"pawl " + line, {}, 0, true};
  Wish wish = run_words(*words);
  wish.page = true;
  return {wish};
}

Wishes typed(State& state, const Typing& typing) {
  const std::string& line = typing.line.text();
  if (typing.what == Typing::What::filter) return {};
  if (line.empty()) return {};
  if (typing.what == Typing::What::command) return do_command(state, line);
  const std::string verb = typing.what == Typing::What::send ? "send" : "wake";
  Wishes wishes;
  for (const auto& name : typing.to) wishes.push_back(run_words({verb, name, "-"}, line));
  return wishes;
}

bool costs(const Json& row) {
  const std::string meaning = row["meaning"].as_string();
  return meaning == "permission" || meaning == "money" || meaning == "destroys";
}

Wishes choose(State& state, Answering& answering) {
  const Json& row = answering.dialog["rows"].items()[answering.row];
  if (costs(row) && !std::exchange(answering.warned, true)) return {};
  Wish wish = run_words({"answer", answering.agent, std::to_string(answering.row + 1)});
  if (const std::string id = answering.dialog["id"].as_string(); !id.empty()) {
    wish.words.emplace_back("--dialog");
    wish.words.push_back(id);
  }
  state.overlay = {};
  return {wish};
}

// What a field may become: the runtimes and folders of the agents that are there.
std::string completed(const State& state, size_t field, const std::string& text) {
  for (const auto& [id, agent] : state.fleet.all()) {
    const std::string& value = field == Form::runtime ? agent.runtime : agent.dir;
    if (value.starts_with(text) && value != text) return value;
  }
  return text;
}

// What is to be mended before it can be started; empty: nothing.
std::string wrong_in(const Form& form, const Result<std::vector<std::string>>& command) {
  if (!valid_name(form.values[Form::name].text()))
    return "the name needs 1 to 64 of the characters A-Z a-z 0-9 . _ -";
  if (!command) return text_of(command.error());
  if (form.task() && form.values[Form::prompt].text().empty()) return "a task needs a prompt";
  if (!form.task() && command->empty() && form.values[Form::runtime].text().empty())
    return "say which runtime or which command";
  return "";
}

Wishes start(State& state, Form& form) {
  const auto value = [&](size_t field) -> const std::string& { return form.values[field].text(); };
  const auto command = words_of(value(Form::command));
  form.wrong = wrong_in(form, command);
  if (!form.wrong.empty()) return {};
  Wish wish = form.task() ? run_words({"task", "start", value(Form::name), "--prompt-file", "-"},
                                      value(Form::prompt))
                          : run_words({"run", "-d", value(Form::name)});
  const auto option = [&](const char* name, size_t field) {
    if (value(field).empty()) return;
    wish.words.emplace_back(name);
    wish.words.push_back(value(field));
  };
  option("--runtime", Form::runtime);
  option("--dir", Form::dir);
  if (!command->empty()) wish.words.emplace_back("--");
  wish.words.insert(wish.words.end(), command->begin(), command->end());
  Wishes wishes{wish};
  if (const std::string& prompt = value(Form::prompt); !form.task() && !prompt.empty())
    wishes.push_back(run_words({"send", value(Form::name), "-"}, prompt));
  state.overlay = {};
  return wishes;
}

}  // namespace

Wishes press_typing(State& state, Typing& typing, const Key& key) {
  const bool filters = typing.what == Typing::What::filter;
  if (key.kind == Kind::escape) {
    if (filters) state.filter = typing.before;
    state.overlay = {};
    settle(state);
    return {};
  }
  if (key.kind == Kind::enter) {
    const Typing done = std::move(typing);
    state.overlay = {};
    return typed(state, done);
  }
  if (key.kind == Kind::tab && typing.what == Typing::What::command) {
    complete(state, typing);
    return {};
  }
  typing.offers.clear();
  if (typing.line.take(key) && filters) {
    state.filter = typing.line.text();
    state.found.clear();
    settle(state);
  }
  return {};
}

Wishes press_answering(State& state, Answering& answering, const Key& key) {
  const size_t rows = answering.dialog["rows"].items().size();
  const bool letter = key.kind == Kind::text;
  if (key.kind == Kind::escape || (letter && key.text == "q")) {
    state.overlay = {};
    return {};
  }
  if (rows == 0) return {};
  const size_t before = answering.row;
  if (key.kind == Kind::up || (letter && key.text == "k"))
    answering.row = before == 0 ? 0 : before - 1;
  if (key.kind == Kind::down || (letter && key.text == "j"))
    answering.row = std::min(before + 1, rows - 1);
  if (letter && key.text >= "1" && key.text <= "9" && key.text.size() == 1)
    answering.row = std::min(static_cast<size_t>(key.text[0] - '1'), rows - 1);
  if (answering.row != before) answering.warned = false;
  if (key.kind == Kind::enter) return choose(state, answering);
  return {};
}

Form new_form(const State& state) {
  Form form;
  form.values[Form::what].set("agent");
  if (const Agent* agent = state.agent(); agent && agent->machine.empty())
    form.values[Form::dir].set(agent->dir);
  return form;
}

Wishes press_form(State& state, Form& form, const Key& key) {
  const bool last = form.field + 1 == Form::fields;
  if (key.kind == Kind::escape) {
    state.overlay = {};
    return {};
  }
  if (key.kind == Kind::down || (key.kind == Kind::enter && !last)) {
    form.field = (form.field + 1) % Form::fields;
  } else if (key.kind == Kind::up || key.kind == Kind::back_tab) {
    form.field = (form.field + Form::fields - 1) % Form::fields;
  } else if (key.kind == Kind::enter || (key.kind == Kind::control && key.text == "s")) {
    return start(state, form);
  } else if (form.field == Form::what) {
    if (key.kind != Kind::paste) form.values[Form::what].set(form.task() ? "agent" : "task");
  } else if (key.kind == Kind::tab) {
    LineEdit& value = form.values[form.field];
    if (form.field == Form::runtime || form.field == Form::dir)
      value.set(completed(state, form.field, value.text()));
  } else {
    (void)form.values[form.field].take(key);
  }
  return {};
}

}  // namespace pawl::ui
