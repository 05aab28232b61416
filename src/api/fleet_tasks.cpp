#include "api/fleet_tasks.h"

#include <fmt/core.h>

#include <algorithm>

#include "api/fleet_answer.h"
#include "api/place.h"
#include "base/text.h"
#include "model/git_place.h"
#include "model/task.h"
#include "os/file.h"

namespace pawl::api {
namespace {

// What the machine that runs it is asked: as it came, but for what is about the fleet.
constexpr const char* kOfHere[] = {"on",   "needs", "prompt", "prompt-left", "prompt-base64",
                                   "json", "name",  "lease"};

// A prompt of many megabytes goes there in parts: so much longer is it waited for. The bus gives up before.
constexpr Duration kLargeTakes = std::chrono::minutes{6};

constexpr size_t kUnitName = 64;
constexpr int kRunsHere = 64;  // of one unit, on one machine

bool unit_name(const std::string& name) {
  return !name.empty() && name.size() <= kUnitName && name[0] != '-' &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

// "runtime=claude,label=gpu"
Result<Json> needs_of(const Json& args) {
  Json out = Json::array();
  const std::string text = args["needs"].as_string();
  if (text.empty()) return out;
  for (const auto& need : split(text, ',')) {
    const size_t equals = need.find('=');
    const std::string key = need.substr(0, equals);
    if (equals == std::string::npos || equals + 1 == need.size() ||
        (key != "runtime" && key != "label" && key != "account" && key != "queue"))
      return fail("--needs: '" + need + "' is nothing that can be needed",
                  "say runtime=, label=, account= or queue=NAME, with commas between them", 2);
    out.push(need);
  }
  return out;
}

tl::unexpected<Error> too_large() {
  return fail("the prompt is larger than 64 MiB", "put it into files and name them", 2);
}

Result<std::string> text_of_prompt(const Json& args) {
  const std::string left = args["prompt-left"].as_string();
  const std::string coded = args["prompt-base64"].as_string();
  if (!left.empty() && os::file_size(left) > model::kPromptBytes) return too_large();
  if (!left.empty()) return os::read_stream(left, model::kPromptBytes + 1);
  if (coded.empty()) return args["prompt"].as_string();
  auto bytes = from_base64(coded);
  if (!bytes) return fail("'prompt-base64' is no base64", "", 2);
  return std::move(*bytes);
}

Result<std::string> prompt_of(const Json& args) {
  auto text = text_of_prompt(args);
  if (!text) return text;
  if (text->empty())
    return fail("the prompt is empty", "give --prompt-file F, or - for standard input", 2);
  if (text->size() > model::kPromptBytes) return too_large();
  return text;
}

// A commit, and not a branch: every try is to have the same one.
Done check_git(const Json& args) {
  const auto place = model::git_place_from(args["git"].as_string());
  if (!place) return tl::unexpected(place.error());
  if (args["dir"].is_string())
    return fail("--dir and --git both say where it works",
                "give one of them; with --git it is a fresh clone", 2);
  if (model::whole_commit(place->ref)) return {};
  return fail("--git " + word(*place) + " names no commit",
              "write all 40 digits of it: REMOTE#COMMIT; the command line looks branches up", 2);
}

Done check_place(const Json& args) {
  if (args["worktree"].as_bool() || args["interactive"].as_bool() ||
      args["backend"].as_string() == "tmux")
    return fail("--worktree, --interactive and --backend tmux are for one machine",
                "leave them out, or start it there: pawl task start NODE/NAME", 2);
  if (args["git"].is_string()) return check_git(args);
  const std::string dir = args["dir"].as_string();
  if (!dir.empty() && dir[0] != '/' && dir[0] != '~')
    return fail(
        "--dir " + dir + " is a folder of this machine alone",
        "name one that every machine has, from / or ~ on; or what is pushed: --git REMOTE#COMMIT",
        2);
  return {};
}

}  // namespace

Outcome give_to_fleet(const Call& call) {
  const auto refused = [](const Error& error) { return Result<Json>(tl::unexpected(error)); };
  const std::string name = call.args["name"].as_string();
  if (!call.server.fleet) return refused({"there is no fleet here", "", 1});
  if (!unit_name(name))
    return refused(
        {"bad task name '" + name + "'", "use lowercase letters, digits and '-', at most 64", 2});
  if (auto fine = check_place(call.args); !fine) return refused(fine.error());
  const auto needs = needs_of(call.args);
  if (!needs) return refused(needs.error());
  auto prompt = prompt_of(call.args);
  if (!prompt) return refused(prompt.error());
  Json args = Json::object();
  for (const auto& [key, value] : call.args.members())
    if (std::find(std::begin(kOfHere), std::end(kOfHere), key) == std::end(kOfHere))
      args.set(key, value);
  const std::string on = call.args["on"].as_string();
  Json wish = Json::object({{"unit", name},
                            {"on", on == "any" ? "" : on},
                            {"needs", *needs},
                            {"by", from_of(call.asker)}});
  const bool large = prompt->size() > kUnitPrompt;
  Json task = Json::object({{"args", args}});
  if (large)
    wish.set("large", std::move(*prompt));
  else
    task.set("prompt", base64(*prompt));
  const auto given = call.server.fleet("task start", wish.set("task", std::move(task)));
  if (!given) return refused(given.error());
  if (const std::string left = call.args["prompt-left"].as_string(); !left.empty())
    os::remove_file(left);
  return FleetAnswer(call.server, (*given)["ticket"].as_int(),
                     "whether " + name + " was given to the fleet",
                     call.now.mono + (large ? kLargeTakes : Duration{0}));
}

// Null: there is none, or this machine is in no fleet.
static Json unit_named(const Server& server, const std::string& name) {
  if (!server.fleet) return {};
  const auto unit = server.fleet("unit", Json::object({{"args", Json::object({{"name", name}})}}));
  return unit ? *unit : Json();
}

static std::string numbered(const std::string& unit, int number) {
  if (number <= 1) return unit;
  const std::string mark = fmt::format("-{}", number);
  return unit.substr(0, kUnitName - mark.size()) + mark;
}

// Of this claim; null: it is not here, or not any more.
static Result<AnyAgent> run_of(core::Engine& engine, const std::string& unit, uint64_t token) {
  for (int number = 1; number <= kRunsHere; ++number) {
    auto found = any_task(engine, numbered(unit, number));
    if (!found) return found;
    if (!*found) continue;
    const model::Lease& lease = (*found)->task->order.lease;
    if (lease.unit == unit && lease.token == token) return found;
  }
  return AnyAgent();
}

std::string name_for_run(core::Engine& engine, const std::string& unit) {
  for (int number = 1; number < kRunsHere; ++number) {
    const auto found = any_task(engine, numbered(unit, number));
    const bool earlier_run = found && *found && (*found)->task->order.lease.unit == unit;
    if (!earlier_run) return numbered(unit, number);
  }
  return numbered(unit, kRunsHere);
}

Result<TaskMeant> task_meant(core::Engine& engine, const Server& server, const std::string& name) {
  auto here = any_task(engine, name);
  if (!here) return tl::unexpected(here.error());
  const bool run = *here && (*here)->task->order.lease.held();
  if (*here && !run) return TaskMeant{std::move(*here), {}};
  const std::string asked = run ? (*here)->task->order.lease.unit : name;
  Json unit = unit_named(server, asked);
  if (unit.is_null()) return TaskMeant{std::move(*here), {}};
  if (!unit["here"].as_bool() || unit["state"].as_string() == "waiting")
    return TaskMeant{{}, std::move(unit)};
  auto its = run_of(engine, asked, static_cast<uint64_t>(unit["token"].as_int()));
  if (!its) return tl::unexpected(its.error());
  if (!*its) return TaskMeant{{}, std::move(unit)};
  return TaskMeant{std::move(*its), {}};
}

Json waiting_units(const Server& server) {
  if (!server.fleet) return Json::array();
  const auto units = server.fleet("units", Json::object({}));
  Json out = Json::array();
  if (!units) return out;
  for (const auto& unit : (*units)["waiting"].items()) out.push(unit_view(unit));
  return out;
}

// As the machine that has it is asked.
static Outcome pass_on(const Call& call, const Json& unit) {
  if (auto fine = may_go_on(call.asker); !fine) return Result<Json>(tl::unexpected(fine.error()));
  Json args = call.args;
  args.set("name", unit["unit"]);
  return PassedOn(
      call.server.places,
      {unit["node"].as_string(), Json(call.request).set("args", args), from_of(call.asker)},
      call.now);
}

Outcome unit_output(const Call& call, const Json& unit) {
  const std::string name = unit["unit"].as_string(), state = unit["state"].as_string();
  const Json& result = unit["result"];
  const bool kept = result["result"].is_string() && !result["result_cut"].as_bool();
  if (state == "waiting" || !unit["node"].is_string())
    return Result<Json>(fail("'" + name + "' has not begun: " + unit["why"].as_string(),
                             "wait for it with: pawl task wait " + name));
  if (call.args["result"].as_bool() && kept) return UnitResult(result["result"].as_string());
  if (!unit["here"].as_bool()) return pass_on(call, unit);
  return Result<Json>(fail("what '" + name + "' said is not here any more", "pawl task ls --all"));
}

Outcome resume_unit(const Call& call, const Json& unit) {
  const std::string name = unit["unit"].as_string();
  if (unit["state"].as_string() == "claimed" && !unit["here"].as_bool()) return pass_on(call, unit);
  if (unit["state"].as_string() == "waiting")
    return Result<Json>(fail("'" + name + "' has not begun: " + unit["why"].as_string(), ""));
  const auto asked =
      call.server.fleet("task again", Json::object({{"unit", name}, {"by", from_of(call.asker)}}));
  if (!asked) return Result<Json>(tl::unexpected(asked.error()));
  return FleetAnswer(call.server, (*asked)["ticket"].as_int(),
                     "whether " + name + " is begun again", call.now.mono);
}

std::optional<Json> ended_unit(const Server& server, const AnyAgent& run) {
  const model::Lease& lease = run->task->order.lease;
  if (!lease.held() || !model::final(run->task->status)) return std::nullopt;
  Json unit = unit_named(server, lease.unit);
  const std::string state = unit["state"].as_string();
  if (state != "ended" && state != "cancelled") return std::nullopt;
  return unit;
}

static Json left_words(const Json& unit) {
  const auto nodes = unit["left"].as_strings();
  return nodes.empty() ? Json() : Json(join(nodes, ", "));
}

Json left_on(const Server& server, const model::Agent& run) {
  if (!run.task || !run.task->order.lease.held()) return {};
  return left_words(unit_named(server, run.task->order.lease.unit));
}

Json unit_view(const Json& unit) {
  const Json& result = unit["result"];
  const std::string state = unit["state"].as_string();
  const bool ended = state == "ended";
  return Json::object({{"version", 1},
                       {"task_name", unit["unit"]},
                       {"status", ended && result["status"].is_string() ? result["status"]
                                  : state == "claimed"                  ? Json("running")
                                                                        : Json(state)},
                       {"machine", state == "waiting" ? Json() : unit["node"]},
                       {"reason", result["reason"]},
                       {"detail", ended ? result["detail"] : unit["why"]},
                       {"retry_count", std::max<int64_t>(0, unit["tries"].as_int() - 1)},
                       {"exit_code", result["exit_code"]},
                       {"finished_at", result["finished_at"]},
                       {"result", result["result"]},
                       {"fence", unit["token"]},
                       {"left_on", left_words(unit)},
                       {"final", ended || state == "cancelled"},
                       {"unit", true}});
}

Outcome cancel_unit(const Call& call, const std::string& name) {
  const auto asked =
      call.server.fleet("task cancel", Json::object({{"unit", name}, {"by", from_of(call.asker)}}));
  if (!asked) return Result<Json>(tl::unexpected(asked.error()));
  return FleetAnswer(call.server, (*asked)["ticket"].as_int(), "whether " + name + " is cancelled",
                     call.now.mono);
}

}  // namespace pawl::api
