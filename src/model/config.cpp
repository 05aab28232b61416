#include "model/config.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/cron.h"
#include "base/text.h"
#include "model/channel.h"
#include "model/limits.h"
#include "model/permission.h"
#include "model/toml_table.h"

namespace pawl::model {
namespace {

void read_models(const toml::table& table, Context& context, Config& config) {
  for (const auto& [key, node] : table) {
    if (const auto text = node.value_exact<std::string>())
      config.models[std::string(key.str())] = *text;
    else
      context.complain(node.source(),
                       fmt::format("the model '{}' must be a text in quotes", key.str()));
  }
}

void read_runtime(const std::string& name, const toml::table& table, Context& context,
                  Config& config) {
  Runtime runtime{name, "generic", {}, {}, {}, {}};
  Table reader(table, context);
  reader("profile", runtime.profile);
  reader("start", runtime.start);
  reader("resume", runtime.resume);
  reader("task", runtime.task);
  reader("task_resume", runtime.task_resume);
  AgentSpec ignored;  // agent keys are allowed here too and are applied per agent
  each_field(ignored, reader);
  reader.refuse_unknown(fmt::format("[runtime.{}]", name));
  config.runtimes[name] = std::move(runtime);
}

void read_agent(const std::string& name, const toml::key& key, const toml::table& table,
                const toml::table& root, Context& context, Config& config) {
  if (!valid_name(name))
    return context.complain(key.source(), fmt::format("bad agent name '{}'", name),
                            "use letters, digits, '.', '_' and '-', at most 64");
  AgentSpec spec = config.defaults;
  const std::string runtime = table["runtime"].value_or(spec.runtime);
  if (const toml::table* base = root["runtime"][runtime].as_table())
    each_field(spec, Table(*base, context));
  Table reader(table, context);
  each_field(spec, reader);
  reader.refuse_unknown(fmt::format("[agent.{}]", name));
  // What is no word at all is none that is known: an agent that was to live in sessions does not end after one in silence.
  if (const toml::node* node = table.get("strategy"); node && !node->is_string())
    spec.strategy = node->is_integer() ? std::to_string(node->value_or(int64_t{0})) : "?";
  spec.name = name;
  for (const auto& error : repair(spec)) {
    spec.repairs.push_back(text_of(error));
    context.complain(table.source(), error.what, error.fix);
  }
  config.agents.push_back(std::move(spec));
}

// The section, null when it is missing or complained about.
const toml::table* section_of(const toml::table& root, const char* name, Context& context) {
  const toml::node* node = root.get(name);
  if (node && !node->is_table())
    context.complain(node->source(), fmt::format("'{}' must be a table", name));
  return node ? node->as_table() : nullptr;
}

// toml++ sorts tables by name; people expect the order of their file.
template <class Visit>
void each_table(const toml::table& root, const char* section, Context& context, Visit&& visit) {
  const toml::table* tables = section_of(root, section, context);
  if (!tables) return;
  std::vector<std::pair<const toml::key*, const toml::node*>> entries;
  for (const auto& [key, entry] : *tables) entries.emplace_back(&key, &entry);
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return a.first->source().begin < b.first->source().begin;
  });
  for (const auto& [key, entry] : entries) {
    if (const toml::table* table = entry->as_table())
      visit(*key, *table);
    else
      context.complain(entry->source(),
                       fmt::format("[{}.{}] must be a table", section, key->str()));
  }
}

void refuse_unknown_sections(const toml::table& root, Context& context) {
  const std::vector<std::string> known{"defaults",  "models", "runtime", "agent",
                                       "retention", "tasks",  "fleet"};
  for (const auto& [key, node] : root) {
    const std::string name(key.str());
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const auto guess = nearest(name, known);
    context.complain(
        key.source(), fmt::format("unknown section '{}'", name),
        guess ? fmt::format("did you mean '{}'?", *guess) : "known sections: " + join(known, ", "));
  }
}

void read_tasks(const toml::table& table, Context& context, Config& config) {
  Table reader(table, context);
  reader("push", config.push);
  reader.refuse_unknown("[tasks]");
  std::erase_if(config.push, [&](const std::string& word) {
    const auto channel = channel_from(word);
    const bool fine = channel && (channel->kind == Channel::Kind::exec ||
                                  channel->kind == Channel::Kind::webhook);
    if (!fine)
      context.complain(table.source(),
                       channel ? name_of(*channel) + " in push is for people, not for programs"
                               : channel.error().what,
                       "use webhook:URL or exec:PROGRAM");
    return !fine;
  });
}

constexpr int64_t kMostFleetTasks = 1000;

// Labels and queues are parts of subjects and keys.
void keep_plain_words(const toml::table& table, Context& context, const char* key,
                      std::vector<std::string>& words) {
  std::erase_if(words, [&](const std::string& word) {
    const bool fine = valid_name(word) && word.find('.') == std::string::npos;
    if (!fine)
      context.complain(table.get(key)->source(), fmt::format("'{}' in {} is not a word", word, key),
                       "use up to 64 of A-Z a-z 0-9 _ -; until then it is left out");
    return !fine;
  });
}

void read_fleet(const toml::table& table, Context& context, FleetShare& share) {
  Table reader(table, context);
  reader("tasks", share.tasks);
  reader("labels", share.labels);
  reader("queues", share.queues);
  reader.refuse_unknown("[fleet]");
  if (share.tasks > kMostFleetTasks) {
    context.complain(table.get("tasks")->source(),
                     fmt::format("tasks = {} is more than {}", share.tasks, kMostFleetTasks),
                     "until then it is 4");
    share.tasks = FleetShare{}.tasks;
  }
  keep_plain_words(table, context, "labels", share.labels);
  keep_plain_words(table, context, "queues", share.queues);
}

constexpr int64_t kMostMb = int64_t{1} << 40;  // more is no disk's, and no number of bytes

void read_mb(Table& reader, const toml::table& table, Context& context, const char* key,
             int64_t& value) {
  const int64_t before = value;
  reader(key, value);
  if (value <= kMostMb) return;
  context.complain(table.get(key)->source(),
                   fmt::format("{} = {} is more than any disk has", key, value),
                   fmt::format("use a number of MB; until then it is {}", before));
  value = before;
}

// Results that nobody has had are kept longest.
void keep_unread_longest(const toml::table& table, Context& context, Retention& keep) {
  const auto forever = [](double days) { return days == 0; };
  if (forever(keep.unread_days) ||
      (!forever(keep.tasks_days) && keep.unread_days >= keep.tasks_days))
    return;
  if (const toml::node* written = table.get("unread_days"))
    context.complain(
        written->source(),
        fmt::format("unread_days = {} is less than tasks_days = {}", keep.unread_days,
                    keep.tasks_days),
        fmt::format("unread results are kept longest; until then it is {}", keep.tasks_days));
  keep.unread_days = keep.tasks_days;
}

void read_retention(const toml::table& table, Context& context, Retention& keep) {
  Table reader(table, context);
  reader("events_days", keep.events_days);
  reader("events_max", keep.events_max);
  reader("recordings_days", keep.recordings_days);
  reader("tasks_days", keep.tasks_days);
  reader("tasks_max", keep.tasks_max);
  reader("unread_days", keep.unread_days);
  reader("archive_days", keep.archive_days);
  read_mb(reader, table, context, "recordings_mb", keep.recordings_mb);
  read_mb(reader, table, context, "archive_mb", keep.archive_mb);
  read_mb(reader, table, context, "total_mb", keep.total_mb);
  reader.refuse_unknown("[retention]");
  keep_unread_longest(table, context, keep);
}

void read_all(const toml::table& root, Context& context, Config& config) {
  refuse_unknown_sections(root, context);
  if (const toml::table* models = section_of(root, "models", context))
    read_models(*models, context, config);
  if (const toml::table* defaults = section_of(root, "defaults", context)) {
    Table reader(*defaults, context);
    each_field(config.defaults, reader);
    reader.refuse_unknown("[defaults]");
  }
  if (const toml::table* retention = section_of(root, "retention", context))
    read_retention(*retention, context, config.retention);
  if (const toml::table* tasks = section_of(root, "tasks", context))
    read_tasks(*tasks, context, config);
  if (const toml::table* fleet = section_of(root, "fleet", context))
    read_fleet(*fleet, context, config.fleet);
  each_table(root, "runtime", context, [&](const toml::key& key, const toml::table& table) {
    read_runtime(std::string(key.str()), table, context, config);
  });
  each_table(root, "agent", context, [&](const toml::key& key, const toml::table& table) {
    read_agent(std::string(key.str()), key, table, root, context, config);
  });
}

// A key that takes one of some words, and what is safe when it has another.
struct Words {
  const char* key;
  std::vector<std::string> allowed;
  const char* safe;
};

constexpr double kLeastBaseS = 0.1;  // of task_health
const std::vector<std::string> kModes{"active", "task-only", "paused"};

bool one_of(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Error not_known(const Words& words, const std::string& value) {
  std::vector<std::string> said = words.allowed;
  std::erase(said, "");
  return {fmt::format("{} = \"{}\" is not known", words.key, value),
          fmt::format("use one of: {}; until then it is \"{}\"", join(said, ", "), words.safe), 2};
}

void mend(std::string& value, const Words& words, std::vector<Error>& out) {
  if (one_of(words.allowed, value)) return;
  out.push_back(not_known(words, value));
  value = words.safe;
}

void mend(Written<Restart>& value, std::vector<Error>& out) {
  if (value.known()) return;
  out.push_back(not_known({"restart", {"never", "fresh", "resume"}, "never"}, value.text()));
  value = Restart::never;
}

void mend_words(AgentSpec& spec, std::vector<Error>& out) {
  std::vector<std::string> modes = kModes;
  modes.emplace_back();  // worked out
  mend(spec.backend, {"backend", {"pty", "tmux"}, "pty"}, out);
  mend(spec.mode, {"mode", modes, "paused"}, out);
  mend(spec.restart, out);
  mend(spec.permission, {"permission", permissions(), "default"}, out);
  mend(spec.env, {"env", {"full", "minimal"}, "minimal"}, out);
  mend(spec.background, {"background", {"type", "wait"}, "wait"}, out);
  mend(spec.dialogs, {"dialogs", {"free-rows-only", "off"}, "off"}, out);
  mend(spec.answer_permissions, {"answer_permissions", {"ask", "deny", "allow"}, "ask"}, out);
  mend(spec.limit.policy, {"limit.policy", {"wait", "ask"}, "ask"}, out);
}

// A number with which nobody would wait for anything, or look without a pause.
void mend_health(TaskHealth& health, std::vector<Error>& out) {
  const auto at_least = [&](const char* key, double& value, double least, double safe) {
    if (value >= least) return;
    out.push_back({fmt::format("task_health.{} = {} is too short", key, value),
                   fmt::format("use {} or more; until then it is {}", least, safe), 2});
    value = safe;
  };
  const TaskHealth safe;
  at_least("base_s", health.base_s, kLeastBaseS, safe.base_s);
  at_least("deadline_s", health.deadline_s, kLeastBaseS, safe.deadline_s);
  if (health.stale_s != 0) at_least("stale_s", health.stale_s, 1, 0);
}

bool usable(Size size) {
  return size.cols >= 2 && size.rows >= 1 && size.cols <= 1000 && size.rows <= 1000;
}

// A limit that is none; panes of tmux have none.
void mend_limits(AgentSpec& spec, std::vector<Error>& out) {
  const auto mend_one = [&](std::string& value, const auto& read) {
    if (read) return;
    out.push_back({read.error().what, read.error().fix + "; until then there is no limit", 2});
    value.clear();
  };
  mend_one(spec.memory, memory_limit(spec.memory));
  mend_one(spec.cpu, cpu_limit(spec.cpu));
  if (spec.backend != "tmux" || (spec.memory.empty() && spec.cpu.empty())) return;
  out.push_back({"memory and CPU limits are not kept in tmux",
                 "use backend = \"pty\"; until then there is no limit", 2});
  spec.memory = spec.cpu = "";
}

}  // namespace

std::vector<Error> repair_loop(AgentSpec& spec) {
  std::vector<Error> out;
  // A mode in the place of the strategy is a common mistake.
  mend(spec.strategy,
       {"strategy",
        {"once", "continuous", "task-driven", "interval-poll", "backoff", "scheduled",
         "event-driven"},
        one_of(kModes, spec.strategy) ? "interval-poll" : "continuous"},
       out);
  std::erase_if(spec.loop.schedule, [&](const std::string& line) {
    const auto cron = Cron::parse(line);
    if (cron) return false;
    out.push_back({cron.error().what, cron.error().fix + "; until then it is left out", 2});
    return true;
  });
  if (spec.strategy == "scheduled" && spec.loop.schedule.empty()) {
    out.push_back(
        {"strategy = \"scheduled\" has no schedule",
         "give loop = { schedule = [\"0 9 * * mon-fri\"] }; until then it is \"interval-poll\"",
         2});
    spec.strategy = "interval-poll";
  }
  return out;
}

std::vector<Error> repair(AgentSpec& spec) {
  std::vector<Error> out = repair_loop(spec);
  mend_words(spec, out);
  mend_health(spec.task_health, out);
  mend_limits(spec, out);
  if (!usable(spec.size)) {
    out.push_back({fmt::format("the size {}x{} is not usable", spec.size.cols, spec.size.rows),
                   "use 2 to 1000 columns and 1 to 1000 rows; until then it is 120x40", 2});
    spec.size = AgentSpec{}.size;
  }
  if (spec.budget.soft_pct < 0 || spec.budget.soft_pct > 100) {
    out.push_back({fmt::format("budget.soft_pct = {} is no percentage", spec.budget.soft_pct),
                   "use 0 to 100; until then it is 80", 2});
    spec.budget.soft_pct = Budget{}.soft_pct;
  }
  std::erase_if(spec.notify, [&](const std::string& word) {
    const auto channel = channel_from(word);
    if (channel) return false;
    out.push_back({channel.error().what, channel.error().fix + "; until then it is left out", 2});
    return true;
  });
  return out;
}

Done check(const AgentSpec& spec) {
  AgentSpec copy = spec;
  auto repairs = repair(copy);
  if (repairs.empty()) return {};
  Error first = repairs.front();
  first.fix = first.fix.substr(0, first.fix.find("; until then"));
  return tl::unexpected(first);
}

const AgentSpec* Config::agent(const std::string& name) const {
  const auto it = std::find_if(agents.begin(), agents.end(),
                               [&](const auto& spec) { return spec.name == name; });
  return it == agents.end() ? nullptr : &*it;
}

Result<Repaired> read_config(const std::string& text, const std::string& path,
                             const Config& below) {
  Context context{path};
  Repaired out{below, {}};
  out.config.agents.clear();
  try {
    const toml::table root = toml::parse(text, path);
    read_all(root, context, out.config);
  } catch (const toml::parse_error& error) {
    context.complaints.clear();
    context.complain(error.source(), std::string(error.description()));
    return tl::unexpected(context.complaints.front());
  }
  out.repairs = std::move(context.complaints);
  return out;
}

Result<Config> parse_config(const std::string& text, const std::string& path, const Config& below) {
  auto read = read_config(text, path, below);
  if (!read) return tl::unexpected(read.error());
  if (!read->repairs.empty()) return tl::unexpected(read->repairs.front());
  return std::move(read->config);
}

}  // namespace pawl::model
