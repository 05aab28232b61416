// Tasks in numbers: the list of them, those that are over in pages, and forgetting them.

#include <fmt/core.h>

#include <charconv>

#include "api/fleet_tasks.h"
#include "api/handlers.h"
#include "api/roles.h"
#include "api/task_handlers.h"
#include "api/task_view.h"
#include "api/view.h"
#include "api/window.h"
#include "base/text.h"
#include "store/journal.h"

namespace pawl::api {
namespace {

constexpr size_t kRecent = 50;     // that are over, unless more are asked for
constexpr size_t kPage = 500;      // in one reply; the client asks on
constexpr size_t kForgotten = 64;  // at a time: other requests come in between
constexpr auto kLately = std::chrono::hours{24};

Result<size_t> limit_of(const Call& call) {
  const std::string text = call.args["limit"].as_string();
  if (text.empty()) return call.args["all"].as_bool() ? kPage : kRecent;
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size())
    return fail("'" + text + "' is not a number of tasks", "use --limit 100", 2);
  return std::min(number, kPage);
}

Result<std::set<model::TaskStatus>> statuses_of(const Call& call) {
  std::set<model::TaskStatus> out;
  for (const auto& word : split(call.args["status"].as_string(), ',')) {
    if (word.empty()) continue;
    const auto status = model::task_status_from(word);
    if (!status)
      return fail("'" + word + "' is no status of a task",
                  "use running, completed, completed-with-denials, failed, crashed, hung, limited, "
                  "abandoned or cancelled",
                  2);
    out.insert(*status);
  }
  return out;
}

// "TIME_US AGENT": the last one of the page before, as `next` had it.
Result<std::optional<store::TaskPlace>> after_of(const Call& call) {
  const std::string text = call.args["after"].as_string();
  if (text.empty()) return std::optional<store::TaskPlace>{};
  int64_t us = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), us);
  if (error != std::errc{} || end == text.data() + text.size() || *end != ' ')
    return fail("'" + text + "' is no end of a page", "use what \"next\" of the page before says",
                2);
  return std::optional(store::TaskPlace{WallTime{Duration{us}}, std::string(end + 1)});
}

std::string text_of(const store::TaskPlace& place) {
  return fmt::format("{} {}", place.first.time_since_epoch().count(), place.second);
}

Result<store::TaskQuery> query_of(const Call& call) {
  store::TaskQuery query;
  auto limit = limit_of(call);
  if (!limit) return tl::unexpected(limit.error());
  auto statuses = statuses_of(call);
  if (!statuses) return tl::unexpected(statuses.error());
  auto after = after_of(call);
  if (!after) return tl::unexpected(after.error());
  query.limit = *limit;
  query.statuses = std::move(*statuses);
  query.after = std::move(*after);
  const std::string since = call.args["since"].as_string();
  const bool narrowed =
      call.args["all"].as_bool() || call.args.has("limit") || call.args.has("status");
  if (since.empty() && !narrowed) query.since = call.now.wall - kLately;
  if (since.empty()) return query;
  const auto at = instant(since, call.now.wall);
  if (!at) return tl::unexpected(at.error());
  query.since = *at;
  return query;
}

// What is asked about thousands of them at once.
Json brief_view(const model::TaskRow& row, bool over) {
  return Json::object({{"task_name", row.task},
                       {"final", over},
                       {"read", row.read},
                       {"worktree", text_or_null(row.worktree)}});
}

// Those of the fleet: under way, or over just now.
Json current(const Call& call, const store::TaskQuery& query, bool brief) {
  Json out = Json::array();
  for (const auto& [name, agent] : call.engine.fleet().agents) {
    if (!agent.task) continue;
    const bool over = model::final(agent.task->status);
    if (!query.statuses.empty() && !query.statuses.contains(model::shown_status(agent))) continue;
    if (over && query.since && agent.task->finished && *agent.task->finished < *query.since)
      continue;
    out.push(brief ? brief_view(store::row_of(agent), over) : task_view(agent));
  }
  return out;
}

struct Page {
  Json tasks = Json::array();
  size_t rows = 0;  // of the journal
  std::optional<store::TaskPlace> last = {};
};

// Those that are over. Brief ones are not read whole.
Result<Page> filed(const Call& call, const store::TaskQuery& query, bool brief) {
  Page out;
  const auto add = [&](const auto& each, const std::string& agent, const store::TaskPlace& place,
                       const auto& view) {
    ++out.rows;
    out.last = place;
    if (!call.engine.fleet().find(agent)) out.tasks.push(view(each));
  };
  if (brief) {
    const auto rows = call.engine.journal().tasks().list_rows(query);
    if (!rows) return tl::unexpected(rows.error());
    for (const auto& row : *rows)
      add(row, row.agent, {row.over, row.agent},
          [](const auto& it) { return brief_view(it, true); });
    return out;
  }
  const auto agents = call.engine.journal().tasks().list(query);
  if (!agents) return tl::unexpected(agents.error());
  for (const auto& agent : *agents)
    add(agent, agent.spec.name, store::place_of(agent),
        [](const auto& it) { return task_view(it); });
  return out;
}

struct Leaving {
  core::FiledTask what;
  bool filed = true;
};

// A person may in any case; whose task it is, its whole record says.
Result<Leaving> leaving(const Call& call, const std::string& name) {
  const model::Fleet& fleet = call.engine.fleet();
  if (call.asker.kind == model::kPerson && !find_task(fleet, name)) {
    auto row = call.engine.journal().tasks().find_row(name);
    if (!row) return tl::unexpected(row.error());
    if (*row && !fleet.find((*row)->agent)) return Leaving{{(*row)->agent, (*row)->dir}};
  }
  const auto task = task_named(call, name);
  if (!task) return tl::unexpected(task.error());
  if (auto fine = allowed_task(fleet, call.asker, "task clean", **task); !fine)
    return tl::unexpected(fine.error());
  return Leaving{{(*task)->spec.name, (*task)->task->order.dir}, task->filed()};
}

}  // namespace

// The page's tasks that are over are the newest first; "next" asks for those after them, and "more" says how many there are that
// were not asked for.
Outcome task_ls(const Call& call) {
  const auto query = query_of(call);
  if (!query) return Result<Json>(tl::unexpected(query.error()));
  const bool brief = call.args["brief"].as_bool();
  auto page = filed(call, *query, brief);
  if (!page) return Result<Json>(tl::unexpected(page.error()));
  Json tasks = query->after ? Json::array() : current(call, *query, brief);
  const bool units = call.args["units"].as_bool() && call.asker.kind != model::kMachine;
  const Json waiting =
      units && query->statuses.empty() && !query->after ? waiting_units(call.server) : Json();
  for (const auto& unit : waiting.items()) tasks.push(unit);
  for (auto& task : page->tasks.items()) tasks.push(task);
  Json rows = Json::array();
  for (const auto& task : tasks.items()) rows.push(Json(task).set("machine", Json()));
  Json out = Json::object({{"version", 1}, {"tasks", std::move(rows)}});
  if (page->rows == query->limit && page->last) out.set("next", text_of(*page->last));
  if (query->after) return Result<Json>(std::move(out));
  const auto all = call.engine.journal().tasks().count({});
  if (!all) return Result<Json>(tl::unexpected(all.error()));
  out.set("more", *all - std::min(*all, page->rows));
  return Result<Json>(std::move(out));
}

// The client has asked the person; here it is only done. One by its name, or several: those that are over together.
Outcome task_clean(const Call& call) {
  auto names = call.args["names"].as_strings();
  const std::string one = call.args["name"].as_string();
  if (!one.empty()) names.push_back(one);
  if (names.empty()) return Result<Json>(fail("which task?", "name one or more", 2));
  if (names.size() > kForgotten)
    return Result<Json>(
        fail(fmt::format("more than {} tasks at once", kForgotten), "name fewer", 2));
  std::vector<Leaving> tasks;
  for (const auto& name : names) {
    auto task = leaving(call, name);
    if (!task) return Result<Json>(tl::unexpected(task.error()));
    tasks.push_back(std::move(*task));
  }
  Gathering gathering;
  gathering.bare = tasks.size() == 1 && !one.empty();
  core::ForgetTasks forget;
  for (const auto& task : tasks) {
    const std::string& agent = task.what.agent;
    if (task.filed) {
      forget.tasks.push_back(task.what);
      continue;
    }
    core::RemoveAsked ask;
    ask.request = call.engine.next_request();
    ask.agent = agent;
    ask.force = true;
    gathering.waiting[ask.request] = agent;
    call.engine.submit(std::move(ask));
  }
  if (forget.tasks.empty()) return gathering;
  forget.request = call.engine.next_request();
  gathering.waiting[forget.request] = forget.tasks.front().agent;
  call.engine.submit(std::move(forget));
  return gathering;
}

}  // namespace pawl::api
