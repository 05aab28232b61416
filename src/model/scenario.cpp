#include "model/scenario.h"

#include "model/config.h"
#include "model/toml_table.h"

namespace pawl::model {
namespace {

constexpr int kOomCode = 137;

struct Item {
  std::string name, from;
  int64_t mtime = 0, size = 0;
};

template <class Visit>
void each_field(Item& item, Visit&& visit) {
  visit("name", item.name);
  visit("from", item.from);
  visit("mtime", item.mtime);
  visit("size", item.size);
}

struct Exit {
  int code = 0, signal = 0;
  bool oom = false;
  bool unseen = false;  // a reboot
};

template <class Visit>
void each_field(Exit& exit, Visit&& visit) {
  visit("code", exit.code);
  visit("signal", exit.signal);
  visit("oom", exit.oom);
  visit("unseen", exit.unseen);
}

struct Use {
  int64_t tokens = 0;
  double cost_usd = -1;
};

template <class Visit>
void each_field(Use& use, Visit&& visit) {
  visit("tokens", use.tokens);
  visit("cost_usd", use.cost_usd);
}

// A nested table, when it is there.
template <class T>
bool read_inner(const toml::table& table, const char* key, Context& context, T& value) {
  const toml::node* node = table.get(key);
  if (!node) return false;
  const toml::table* inner = node->as_table();
  if (!inner) {
    context.complain(node->source(), fmt::format("'{}' must be a table, like {{ a = 1 }}", key));
    return false;
  }
  Table reader(*inner, context);
  each_field(value, reader);
  reader.refuse_unknown(fmt::format("'{}'", key));
  return true;
}

// A key that is only sometimes there.
template <class T>
std::optional<T> maybe(Table& reader, const toml::table& table, const char* key) {
  T value{};
  reader(key, value);
  return table.contains(key) ? std::optional(value) : std::nullopt;
}

void read_state(const toml::table& table, Context& context, Table& reader, Happening& happening) {
  std::string state;
  reader("state", state);
  if (state.empty()) return;
  happening.state = state_from(state);
  if (!happening.state)
    context.complain(table.get("state")->source(), fmt::format("'{}' is no state", state),
                     "use one of: " + join(state_words(), ", "));
}

// What stands for a state: a draft in the box, a service that does not answer.
void read_signs(const toml::table& table, Table& reader, Happening& happening) {
  const auto draft = maybe<bool>(reader, table, "draft");
  const auto overload = maybe<bool>(reader, table, "overload");
  if (draft) happening.state = *draft ? State::typing : State::ready;
  if (!overload) return;
  happening.state = State::ready;
  if (*overload) happening.notice = "overload";
}

Happening read_happening(const toml::table& table, Context& context) {
  Happening happening;
  Table reader(table, context);
  reader("at_s", happening.at_s);
  read_state(table, context, reader, happening);
  read_signs(table, reader, happening);
  reader("kind", happening.kind);
  happening.until_s = maybe<double>(reader, table, "until_s");
  reader("screen", happening.screen);
  reader("notice", happening.notice);
  reader("progress", happening.progress);
  reader("input", happening.input);
  reader("background", happening.background);
  reader("human", happening.human);
  reader("text", happening.text);
  reader("sleep_s", happening.sleep_s);
  reader.know("clock_s");
  if (const toml::node* step = table.get("clock_s")) {
    if (const auto by = step->value<double>())
      happening.clock_s = *by;
    else
      context.complain(step->source(), "'clock_s' must be a number");
  }
  if (happening.sleep_s < 0)
    context.complain(table.get("sleep_s")->source(), "'sleep_s' must not be less than 0",
                     "a clock that is set back is: clock_s = -7200");
  happening.pause = maybe<bool>(reader, table, "pause");
  reader.know("work");
  reader.know("exit");
  reader.know("spent");
  reader.refuse_unknown("[[input]]");
  if (Item item; read_inner(table, "work", context, item))
    happening.work = WorkSeen{item.name, item.from, fmt::format("{}:{}", item.mtime, item.size)};
  if (Exit exit; read_inner(table, "exit", context, exit)) {
    if (exit.oom && exit.code == 0 && exit.signal == 0) exit.code = kOomCode;
    happening.exit = Ending{exit.signal != 0 ? -1 : exit.code, exit.signal, !exit.unseen};
    happening.oom = exit.oom;
  }
  if (Use use; read_inner(table, "spent", context, use)) {
    happening.spent = Spent{"", use.tokens};
    if (use.cost_usd >= 0) happening.spent->cost_usd = use.cost_usd;
  }
  return happening;
}

Expected read_expected(const toml::table& table, Context& context) {
  Expected expected;
  Table reader(table, context);
  reader("at_s", expected.at_s);
  reader("action", expected.action);
  reader("how", expected.how);
  reader("rule", expected.rule);
  expected.attempt = maybe<int>(reader, table, "attempt");
  reader.refuse_unknown("[[expect]]");
  expected.line = static_cast<int>(table.source().begin.line);
  return expected;
}

// The tables of a list: [[input]]. An empty list is one as well.
template <class Visit>
void each_of(const toml::table& root, const char* key, Context& context, Visit&& visit) {
  const toml::node* node = root.get(key);
  if (!node) return;
  const toml::array* list = node->as_array();
  const std::string wanted = fmt::format("'{0}' must be tables: [[{0}]]", key);
  if (!list) return context.complain(node->source(), wanted);
  for (const toml::node& one : *list) {
    if (const toml::table* table = one.as_table())
      visit(*table);
    else
      context.complain(one.source(), wanted);
  }
}

void read_scenario(const toml::table& root, Context& context, Scenario& scenario) {
  Table reader(root, context);
  reader("until_s", scenario.until_s);
  reader("about", scenario.about);
  reader("session_id", scenario.session_id);
  scenario.auto_continue = maybe<bool>(reader, root, "auto_continue");
  for (const char* key : {"agent", "input", "expect"}) reader.know(key);
  reader.refuse_unknown("the scenario");
  scenario.spec.name = "agent";
  if (const toml::table* agent = root["agent"].as_table()) {
    Table its(*agent, context);
    its("name", scenario.spec.name);
    each_field(scenario.spec, its);
    its.refuse_unknown("[agent]");
    scenario.repairs = repair_loop(scenario.spec);
    if (const auto fine = check(scenario.spec); !fine)
      context.complain(agent->source(), fine.error().what, fine.error().fix);
  }
  each_of(root, "input", context, [&](const toml::table& table) {
    scenario.happenings.push_back(read_happening(table, context));
  });
  if (root.contains("expect")) scenario.expected.emplace();
  each_of(root, "expect", context, [&](const toml::table& table) {
    scenario.expected->push_back(read_expected(table, context));
  });
}

}  // namespace

Result<Scenario> parse_scenario(const std::string& text, const std::string& path) {
  Context context{path};
  Scenario scenario;
  try {
    const toml::table root = toml::parse(text, path);
    read_scenario(root, context, scenario);
  } catch (const toml::parse_error& error) {
    context.complain(error.source(), std::string(error.description()));
  }
  if (!context.complaints.empty()) return tl::unexpected(context.complaints.front());
  std::stable_sort(scenario.happenings.begin(), scenario.happenings.end(),
                   [](const Happening& a, const Happening& b) { return a.at_s < b.at_s; });
  return scenario;
}

}  // namespace pawl::model
