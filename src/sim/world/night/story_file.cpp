#include "sim/world/night/story_file.h"

#include <algorithm>
#include <cmath>

#include "model/config.h"
#include "model/toml_table.h"
#include "sim/world/agents/behaviour_fields.h"
#include "sim/world/agents/model.h"

namespace pawl::sim {
namespace {

using model::Context;
using model::Table;

// The largest number of TOML is that of 63 bits.
template <class Unsigned>
void read_count(Table& reader, const char* key, Unsigned& value) {
  int64_t number = 0;
  reader(key, number);
  value = static_cast<Unsigned>(number);
}

double seconds_of(Duration time) {
  return std::chrono::duration<double>(time).count();
}
Duration from_seconds(double s) {
  return Duration{std::llround(s * 1e6)};
}

// A number that may be less than 0: a clock can be set back.
Duration read_span(const toml::table& table, const char* key, Context& context, Table& reader) {
  reader.know(key);
  const toml::node* node = table.get(key);
  if (!node) return {};
  if (const auto value = node->value<double>(); value && node->is_number() && std::isfinite(*value))
    return from_seconds(*value);
  context.complain(node->source(), fmt::format("'{}' must be a number", key));
  return {};
}

// A Behaviour's, or a TaskWays'.
template <class Habits>
void read_habits(Table& reader, Habits& habits) {
  each_rate(habits, reader);
  each_span(habits, [&](const char* key, Duration& value) {
    double s = seconds_of(value);
    reader(key, s);
    value = from_seconds(s);
  });
}

void read_behaviour(const toml::table& table, Context& context, Behaviour& behaviour) {
  Table reader(table, context);
  read_habits(reader, behaviour);
  reader("tokens", behaviour.tokens);
  reader("context", behaviour.context);
  reader.refuse_unknown("'behaviour'");
}

Actor read_actor(const toml::table& table, Context& context) {
  Actor actor;
  Table reader(table, context);
  reader("name", actor.spec.name);
  reader("program", actor.model);
  read_count(reader, "seed", actor.seed);
  reader("stays", actor.stays);
  reader("agent", actor.spec);
  reader.know("behaviour");
  reader.refuse_unknown("[[actor]]");
  if (const toml::table* its = table["behaviour"].as_table())
    read_behaviour(*its, context, actor.behaviour);
  if (actor.spec.name.empty())
    context.complain(table.source(), "an [[actor]] needs a name", "name = \"a\"");
  if (!find_model(actor.model)) {
    std::vector<std::string> words;
    for (const Model* one : models()) words.emplace_back(one->name);
    context.complain(table.source(),
                     fmt::format("there is no program '{}' in this world", actor.model),
                     "program = one of: " + join(words, ", "));
  }
  if (const auto fine = model::check(actor.spec); !fine)
    context.complain(table.source(), fine.error().what, fine.error().fix);
  return actor;
}

TaskActor read_task(const toml::table& table, Context& context) {
  TaskActor task;
  Table reader(table, context);
  reader("name", task.spec.name);
  reader("program", task.program);
  read_count(reader, "seed", task.seed);
  reader("stays", task.stays);
  reader("leased", task.leased);
  reader("agent", task.spec);
  reader.know("ways");
  reader.refuse_unknown("[[task]]");
  if (const toml::table* its = table["ways"].as_table()) {
    Table ways(*its, context);
    read_habits(ways, task.ways);
    ways.refuse_unknown("'ways'");
  }
  if (task.spec.name.empty())
    context.complain(table.source(), "a [[task]] needs a name", "name = \"task-t1\"");
  if (task.program != "claude" && task.program != "plain")
    context.complain(table.source(),
                     fmt::format("there is no task program '{}' in this world", task.program),
                     "program = one of: claude, plain");
  if (const auto fine = model::check(task.spec); !fine)
    context.complain(table.source(), fine.error().what, fine.error().fix);
  return task;
}

Doing read_doing(const toml::table& table, Context& context) {
  Doing doing;
  std::string does;
  Table reader(table, context);
  doing.at = read_span(table, "at_s", context, reader);
  doing.length = read_span(table, "length_s", context, reader);
  doing.after = read_span(table, "after_s", context, reader);
  std::string upon;
  reader("upon", upon);
  reader("does", does);
  reader("agent", doing.agent);
  reader("text", doing.text);
  read_count(reader, "number", doing.number);
  reader.refuse_unknown("[[doing]]");
  if (!upon.empty() && !(doing.upon = model::action_from(upon)))
    context.complain(table.source(), fmt::format("'{}' is no action", upon),
                     "upon = \"send\", \"restart\", \"nudge\", …");
  if (const auto known = does_from(does)) {
    doing.does = *known;
  } else {
    std::vector<std::string> words;
    for (size_t i = 0; i < kDoings; ++i) words.emplace_back(word(static_cast<Does>(i)));
    context.complain(table.source(), fmt::format("nobody '{}'", does),
                     "use one of: " + join(words, ", "));
  }
  return doing;
}

template <class Visit>
void each_of(const toml::table& root, const char* key, Context& context, Visit&& visit) {
  const toml::node* node = root.get(key);
  if (!node) return;
  const toml::array* list = node->as_array();
  if (!list)
    return context.complain(node->source(), fmt::format("'{0}' must be tables: [[{0}]]", key));
  for (const toml::node& one : *list)
    if (const toml::table* table = one.as_table()) visit(*table);
}

void check_names(const toml::table& root, Context& context, const NightStory& story) {
  for (const auto& doing : story.doings) {
    if (doing.agent.empty()) continue;
    const auto named = [&](const auto& one) { return one.spec.name == doing.agent; };
    const bool task = std::any_of(story.tasks.begin(), story.tasks.end(), named);
    if (!task && of_task(doing.does))
      context.complain(root.source(), fmt::format("there is no [[task]] '{}'", doing.agent));
    else if (!task && std::none_of(story.actors.begin(), story.actors.end(), named))
      context.complain(root.source(), fmt::format("there is no [[actor]] '{}'", doing.agent));
  }
}

void read_story(const toml::table& root, Context& context, NightStory& story) {
  Table reader(root, context);
  double hours = 0;
  reader("night_hours", hours);
  read_count(reader, "seed", story.seed);
  reader.know("actor");
  reader.know("task");
  reader.know("doing");
  reader.refuse_unknown("the night");
  story.length = from_seconds(hours * 3600);
  if (hours <= 0) context.complain(root.source(), "night_hours must be more than 0");
  each_of(root, "actor", context,
          [&](const toml::table& table) { story.actors.push_back(read_actor(table, context)); });
  each_of(root, "task", context,
          [&](const toml::table& table) { story.tasks.push_back(read_task(table, context)); });
  each_of(root, "doing", context,
          [&](const toml::table& table) { story.doings.push_back(read_doing(table, context)); });
  check_names(root, context, story);
}

// As TOML has it: only what is not as usual.
std::string value_of(const Json& value, const Json& usual) {
  if (!value.is_object()) return value.dump();
  std::vector<std::string> parts;
  for (const auto& [key, each] : value.members())
    if (each.dump() != usual[key].dump()) parts.push_back(key + " = " + value_of(each, usual[key]));
  return "{ " + join(parts, ", ") + " }";
}

std::string write_spec(const model::AgentSpec& spec) {
  const Json value = to_json(spec), usual = to_json(model::AgentSpec{});
  std::string out;
  for (const auto& [key, each] : value.members()) {
    if (key == "name" || key == "repairs" || key == "pane" || each.dump() == usual[key].dump())
      continue;
    out += key + " = " + value_of(each, usual[key]) + "\n";
  }
  return out;
}

template <class Habits>
std::string write_habits(Habits habits) {
  Habits usual;
  std::string out;
  std::vector<double> rates;
  each_rate(usual, [&](const char*, const double& value) { rates.push_back(value); });
  size_t at = 0;
  each_rate(habits, [&](const char* key, const double& value) {
    if (value != rates[at++]) out += fmt::format("{} = {}\n", key, value);
  });
  std::vector<Duration> spans;
  each_span(usual, [&](const char*, const Duration& value) { spans.push_back(value); });
  at = 0;
  each_span(habits, [&](const char* key, const Duration& value) {
    if (value != spans[at++]) out += fmt::format("{} = {:.6f}\n", key, seconds_of(value));
  });
  return out;
}

std::string write_behaviour(const Behaviour& behaviour) {
  const Behaviour usual;
  std::string out = write_habits(behaviour);
  if (behaviour.tokens != usual.tokens) out += fmt::format("tokens = {}\n", behaviour.tokens);
  if (behaviour.context != usual.context) out += fmt::format("context = {}\n", behaviour.context);
  return out;
}

std::string write_doing(const Doing& doing) {
  std::string out = fmt::format("\n[[doing]]\nat_s = {:.6f}\ndoes = \"{}\"\n", seconds_of(doing.at),
                                word(doing.does));
  if (!doing.agent.empty()) out += fmt::format("agent = {}\n", Json(doing.agent).dump());
  if (doing.upon)
    out += fmt::format("upon = \"{}\"\nafter_s = {:.6f}\n", word(*doing.upon),
                       seconds_of(doing.after));
  if (!doing.text.empty()) out += fmt::format("text = {}\n", Json(doing.text).dump());
  if (doing.length != Duration{})
    out += fmt::format("length_s = {:.6f}\n", seconds_of(doing.length));
  if (doing.number != 0) out += fmt::format("number = {}\n", doing.number);
  return out;
}

}  // namespace

bool is_night(const std::string& text) {
  return text.starts_with("night_hours") || text.find("\nnight_hours") != std::string::npos;
}

Result<NightStory> read_night(const std::string& text, const std::string& path) {
  Context context{path};
  NightStory story;
  try {
    const toml::table root = toml::parse(text, path);
    read_story(root, context, story);
  } catch (const toml::parse_error& error) {
    context.complain(error.source(), std::string(error.description()));
  }
  if (!context.complaints.empty()) return tl::unexpected(context.complaints.front());
  std::stable_sort(story.doings.begin(), story.doings.end(),
                   [](const Doing& a, const Doing& b) { return a.at < b.at; });
  return story;
}

std::string write_night(const NightStory& story, const std::vector<std::string>& about) {
  std::string out;
  for (std::string line : about) {
    for (char& c : line)
      if (static_cast<unsigned char>(c) < ' ') c = ' ';
    out += "# " + line + "\n";
  }
  out +=
      fmt::format("night_hours = {:.6f}\nseed = {}\n", seconds_of(story.length) / 3600, story.seed);
  for (const auto& actor : story.actors) {
    out += fmt::format("\n[[actor]]\nname = {}\nprogram = \"{}\"\nseed = {}\n",
                       Json(actor.spec.name).dump(), actor.model, actor.seed);
    if (actor.stays) out += "stays = true\n";
    out += "[actor.agent]\n" + write_spec(actor.spec);
    out += "[actor.behaviour]\n" + write_behaviour(actor.behaviour);
  }
  for (const auto& task : story.tasks) {
    out += fmt::format("\n[[task]]\nname = {}\nprogram = \"{}\"\nseed = {}\n",
                       Json(task.spec.name).dump(), task.program, task.seed);
    if (task.stays) out += "stays = true\n";
    if (task.leased) out += "leased = true\n";
    out += "[task.agent]\n" + write_spec(task.spec);
    out += "[task.ways]\n" + write_habits(task.ways);
  }
  for (const auto& doing : story.doings) out += write_doing(doing);
  return out;
}

}  // namespace pawl::sim
