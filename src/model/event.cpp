#include "model/event.h"

#include <fmt/core.h>

#include <array>

#include "model/account_json.h"
#include "model/forgotten_json.h"

namespace pawl::model {
namespace {

constexpr std::array<std::string_view, 20> kActions{
    "start",        "restart", "stop",      "remove",  "send",  "keys",     "wake",
    "answer",       "nudge",   "interrupt", "leave",   "park",  "escalate", "limit-wait",
    "refresh-auth", "finish",  "abandon",   "archive", "adopt", "release"};
constexpr std::array<std::string_view, 4> kVerdictWords{"confirmed", "failed", "unverified",
                                                        "refused"};

template <class Enum, size_t N>
std::optional<Enum> find_word(const std::array<std::string_view, N>& words, std::string_view text) {
  for (size_t i = 0; i < N; ++i)
    if (words[i] == text) return static_cast<Enum>(i);
  return std::nullopt;
}

Json or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

Json body(const StateChanged& fact) {
  Json out = Json::object({{"from", word(fact.from)},
                           {"to", word(fact.to)},
                           {"kind", or_null(fact.kind)},
                           {"tier", fact.tier ? Json(word(*fact.tier)) : Json()},
                           {"because", fact.because},
                           {"confidence", fact.confidence}});
  if (fact.ending) out.set("ending", to_json(*fact.ending));
  if (!fact.notices.empty()) out.set("notices", to_json(fact.notices));
  if (fact.dialog) out.set("dialog", to_json(*fact.dialog));
  if (fact.tokens != 0) out.set("tokens", fact.tokens);
  if (!fact.input.empty()) out.set("input", fact.input);
  if (fact.background > 0) out.set("background", fact.background);
  return out;
}

Json body(const Decided& fact) {
  Json out = Json::object(
      {{"action", word(fact.action)}, {"because", fact.because}, {"attempt", fact.attempt}});
  if (fact.item != 0) out.set("item", fact.item);
  if (!fact.rule.empty()) out.set("rule", fact.rule);
  if (!fact.matter.empty()) out.set("matter", fact.matter);
  if (!fact.how.empty()) out.set("how", fact.how);
  if (fact.until) out.set("until", rfc3339(*fact.until));
  if (fact.dry) out.set("dry_run", true);
  const Asker by = fact.rule.empty() ? fact.by : Asker{kRule, fact.rule, 0};
  if (by.known()) out.set("by", to_json(by));
  return out;
}

Json body(const Finished& fact) {
  Json out = Json::object({{"action", word(fact.action)},
                           {"decision", fact.decision.value},
                           {"result", word(fact.verdict)},
                           {"witness", fact.witness},
                           {"took_ms", fact.took_ms}});
  if (fact.process) out.set("pid", fact.process->pid).set("start_ticks", fact.process->start_ticks);
  if (fact.kept) out.set("kept", true);
  return out;
}

Json body(const Alerted& fact) {
  Json out = Json::object({{"severity", word(fact.severity)}, {"text", fact.text}});
  if (!fact.matter.empty()) out.set("matter", fact.matter);
  if (!fact.todo.empty()) out.set("todo", fact.todo);
  if (!fact.screen.empty()) out.set("screen", fact.screen);
  return out;
}

Json body(const Gap& fact) {
  const auto ms = [](Duration time) {
    return int64_t{std::chrono::duration_cast<std::chrono::milliseconds>(time).count()};
  };
  Json out = Json::object({{"what", "gap"}, {"ms", ms(fact.length)}, {"because", fact.because}});
  if (fact.clock != Duration{0}) out.set("clock_ms", ms(fact.clock));
  return out;
}

Json body(const Paused& fact) {
  return Json::object({{"what", fact.paused ? "paused" : "resumed"}, {"by", fact.by}});
}

Json body(const AnswerKept& fact) {
  if (!fact.kept) return Json::object({{"what", "answers forgotten"}});
  return Json::object({{"what", "answer kept"}, {"answer", to_json(fact.answer)}});
}

Json body(const TaskGiven& fact) {
  return Json::object({{"what", "given"}, {"order", to_json(fact.order)}});
}

Json body(const TaskTold& fact) {
  return Json::object({{"what", "told"}, {"report", to_json(fact.report)}});
}

Json body(const TaskEnded& fact) {
  Json out = Json::object({{"what", "ended"},
                           {"status", word(fact.status)},
                           {"reason", fact.reason},
                           {"exit_code", fact.exit_code ? Json(*fact.exit_code) : Json()}});
  if (!fact.detail.empty()) out.set("detail", fact.detail);
  return out;
}

Json body(const TaskRead&) {
  return Json::object({{"what", "read"}});
}

Json body(const TaskFiled&) {
  return Json::object({{"what", "filed"}});
}

Json body(const TaskRecalled& fact) {
  const auto record = Json::parse(fact.record);
  return Json::object({{"what", "recalled"}, {"record", record ? *record : Json()}});
}

Json body(const Forgotten& fact) {
  return to_json(fact);
}

Json body(const AccountSeen& fact) {
  return to_json(fact);
}

Json body(const Spent& fact) {
  return to_json(fact);
}

Json body(const WorkSeen& fact) {
  return Json::object({{"what", "seen"},
                       {"name", fact.name},
                       {"from", or_null(fact.from)},
                       {"fingerprint", fact.fingerprint},
                       {"priority", fact.priority}});
}

Json body(const WorkSettled& fact) {
  return Json::object({{"what", fact.done ? "done" : "returned"},
                       {"name", fact.name},
                       {"again", fact.again},
                       {"because", fact.because}});
}

Json body(const Prepared& fact) {
  Json checks = Json::array();
  for (const auto& one : fact.checks)
    checks.push(Json::object({{"check", one.what}, {"ok", one.fine}, {"text", one.text}}));
  return Json::object({{"resume", fact.resume}, {"checks", std::move(checks)}});
}

Json body(const WorkGone& fact) {
  return Json::object({{"what", "gone"}, {"name", fact.name}});
}

Json body(const Moved& fact) {
  return to_json(fact);
}
Json body(const Quarantined& fact) {
  return Json::object({{"what", "quarantined"}, {"because", fact.because}});
}
Json body(const Requested& fact) {
  Json out = Json::object({{"verb", fact.verb}, {"by", to_json(fact.by)}});
  if (fact.refused) out.set("refused", true);
  if (const auto args = Json::parse(fact.args); args && args->is_object()) out.set("args", *args);
  return out;
}

Json body(const HumanSeen& fact) {
  Json out = Json::object({{"where", fact.where}});
  if (fact.seen) out.set("seen", rfc3339(*fact.seen));
  return out;
}

Json body(const Registered& fact) {
  return Json::object({{"what", "registered"}, {"spec", to_json(fact.spec)}});
}

Json body(const Recognised& fact) {
  Json out = Json::object({{"what", "recognised"}, {"runtime", fact.runtime}});
  if (!fact.argv.empty()) out.set("argv", fact.argv);
  return out;
}

Json body(const Removed&) {
  return Json::object({{"what", "removed"}});
}

Json body(const Learned& fact) {
  Json out = Json::object({{"what", "learned"},
                           {"session_id", fact.session_id},
                           {"transcript", or_null(fact.transcript)}});
  if (fact.named) out.set("named", true);
  return out;
}

Json body(const Queued& fact) {
  Json out = to_json(fact);
  return out.set("what", "queued");
}

Json body(const Dropped& fact) {
  return Json::object({{"what", "dropped"}, {"item", fact.item}, {"because", fact.because}});
}

Result<Fact> state_fact(const Json& json) {
  const auto from = state_from(json["from"].as_string()), to = state_from(json["to"].as_string());
  if (!from || !to) return fail("a state event with an unknown state");
  StateChanged fact{*from,
                    *to,
                    json["kind"].as_string(),
                    tier_from(json["tier"].as_string()),
                    json["because"].as_string(),
                    json["confidence"].as_double(1),
                    std::nullopt,
                    {}};
  if (const Json& end = json["ending"]; end.is_object()) fact.ending = ending_from(end);
  fact.notices = notices_from(json["notices"]);
  if (const Json& dialog = json["dialog"]; dialog.is_object()) fact.dialog = dialog_from(dialog);
  fact.tokens = json["tokens"].as_int();
  fact.input = json["input"].as_string();
  fact.background = static_cast<int>(json["background"].as_int());
  return fact;
}

Result<Fact> decision_fact(const Json& json) {
  const auto action = action_from(json["action"].as_string());
  if (!action) return fail("a decision with an unknown action");
  Decided fact{*action, json["because"].as_string(), static_cast<int>(json["attempt"].as_int(1)),
               static_cast<uint64_t>(json["item"].as_int())};
  fact.rule = json["rule"].as_string();
  fact.matter = json["matter"].as_string();
  fact.how = json["how"].as_string();
  if (WallTime until; parse_rfc3339(json["until"].as_string(), until)) fact.until = until;
  fact.dry = json["dry_run"].as_bool();
  if (fact.rule.empty()) fact.by = asker_from(json["by"]);
  return fact;
}

Result<Fact> outcome_fact(const Json& json) {
  const auto action = action_from(json["action"].as_string());
  const auto verdict = find_word<Verdict>(kVerdictWords, json["result"].as_string());
  if (!action || !verdict) return fail("an outcome with an unknown action or result");
  Finished fact{*action,
                Seq{static_cast<uint64_t>(json["decision"].as_int())},
                *verdict,
                json["witness"].as_string(),
                json["took_ms"].as_int(),
                std::nullopt};
  if (json.has("pid"))
    fact.process =
        Process{json["pid"].as_int(), static_cast<uint64_t>(json["start_ticks"].as_int())};
  fact.kept = json["kept"].as_bool();
  return fact;
}

Result<Fact> config_fact(const Json& json) {
  const std::string what = json["what"].as_string();
  if (what == "registered") return Registered{spec_from_json(json["spec"])};
  if (what == "removed") return Removed{};
  if (what == "learned")
    return Learned{json["session_id"].as_string(), json["transcript"].as_string(),
                   json["named"].as_bool()};
  if (what == "recognised")
    return Recognised{json["runtime"].as_string(), json["argv"].as_strings()};
  if (what == "gap")
    return Gap{std::chrono::milliseconds{json["ms"].as_int()}, json["because"].as_string(),
               std::chrono::milliseconds{json["clock_ms"].as_int()}};
  if (what == "quarantined") return Quarantined{json["because"].as_string()};
  if (what == "paused" || what == "resumed")
    return Paused{what == "paused", json["by"].as_string()};
  if (what == "answer kept") return AnswerKept{true, answer_from(json["answer"])};
  if (what == "answers forgotten") return AnswerKept{false, {}};
  return fail("a config event that is not known: " + what,
              "a newer pawl wrote this journal: use that one");
}

Result<Fact> task_fact(const Json& json) {
  const std::string what = json["what"].as_string();
  if (what == "given") return TaskGiven{order_from(json["order"])};
  if (what == "told") return TaskTold{report_from(json["report"])};
  if (what == "read") return TaskRead{};
  if (what == "filed") return TaskFiled{};
  if (what == "recalled") return TaskRecalled{json["record"].dump()};
  const auto status = task_status_from(json["status"].as_string());
  if (what != "ended" || !status)
    return fail("a task event that is not known: " + what,
                "a newer pawl wrote this journal: use that one");
  TaskEnded fact{*status, json["reason"].as_string(), {}, json["detail"].as_string()};
  if (json["exit_code"].is_integer()) fact.exit_code = static_cast<int>(json["exit_code"].as_int());
  return fact;
}

Result<Fact> human_fact(const Json& json) {
  HumanSeen fact{json["where"].as_string()};
  WallTime seen;
  if (parse_rfc3339(json["seen"].as_string(), seen)) fact.seen = seen;
  return fact;
}

}  // namespace

std::string_view word(Action action) {
  return kActions[static_cast<size_t>(action)];
}

std::optional<Action> action_from(std::string_view text) {
  return find_word<Action>(kActions, text);
}

std::string_view word(Verdict verdict) {
  return kVerdictWords[static_cast<size_t>(verdict)];
}

Json to_json(const Queued& one) {
  return Json::object({{"item", one.item},
                       {"action", word(one.action)},
                       {"bytes", one.bytes},
                       {"from", or_null(one.from)},
                       {"now", one.now},
                       {"by", to_json(one.by)}});
}

Queued queued_from(const Json& json) {
  return {static_cast<uint64_t>(json["item"].as_int()),
          action_from(json["action"].as_string()).value_or(Action::send),
          static_cast<uint64_t>(json["bytes"].as_int()),
          json["from"].as_string(),
          json["now"].as_bool(),
          asker_from(json["by"])};
}

std::string_view type_of(const Fact& fact) {
  // In the order of the variant.
  constexpr std::array<std::string_view, std::variant_size_v<FactKinds>> types{
      "state",  "decision",  "outcome", "alert",     "human",   "config", "config", "config",
      "config", "queue",     "queue",   "config",    "config",  "work",   "work",   "work",
      "config", "preflight", "task",    "task",      "task",    "task",   "usage",  "request",
      "config", "task",      "task",    "retention", "account", "move"};
  return types[fact.index()];
}

Json body_of(const Fact& fact) {
  return std::visit([](const auto& it) { return body(it); }, fact);
}

static Fact work_fact(const Json& json) {
  const std::string what = json["what"].as_string("seen"), name = json["name"].as_string();
  if (what == "gone") return WorkGone{name};
  if (what == "done" || what == "returned")
    return WorkSettled{name, what == "done", json["again"].as_bool(), json["because"].as_string()};
  return WorkSeen{name, json["from"].as_string(), json["fingerprint"].as_string(),
                  static_cast<int>(json["priority"].as_int())};
}

static Fact prepared_fact(const Json& json) {
  Prepared fact{{}, json["resume"].as_bool()};
  for (const Json& one : json["checks"].items())
    fact.checks.push_back({one["check"].as_string(), one["ok"].as_bool(), one["text"].as_string()});
  return fact;
}

Result<Fact> fact_from(std::string_view type, const Json& json) {
  if (type == "state") return state_fact(json);
  if (type == "decision") return decision_fact(json);
  if (type == "outcome") return outcome_fact(json);
  if (type == "alert")
    return Alerted{severity_from(json["severity"].as_string()).value_or(Severity::info),
                   json["text"].as_string(), json["matter"].as_string(), json["todo"].as_string(),
                   json["screen"].as_string()};
  if (type == "human") return human_fact(json);
  if (type == "config") return config_fact(json);
  if (type == "task") return task_fact(json);
  if (type == "work") return work_fact(json);
  if (type == "preflight") return prepared_fact(json);
  if (type == "usage") return spent_from(json);
  if (type == "retention") return forgotten_from(json);
  if (type == "account") return account_seen_from(json);
  if (type == "move") return moved_from(json);
  if (type == "request")
    return Requested{json["verb"].as_string(), asker_from(json["by"]), json["refused"].as_bool(),
                     json["args"].is_object() ? json["args"].dump() : std::string()};
  if (type == "queue" && json["what"].as_string() == "queued") return queued_from(json);
  if (type == "queue" && json["what"].as_string() == "dropped")
    return Dropped{static_cast<uint64_t>(json["item"].as_int()), json["because"].as_string()};
  return fail("an event of the unknown type " + std::string(type),
              "a newer pawl wrote this journal: use that one");
}

}  // namespace pawl::model
