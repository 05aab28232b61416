#include "api/conversation.h"

#include <algorithm>

#include "api/act_handlers.h"
#include "api/any_task.h"
#include "api/elsewhere.h"
#include "api/handlers.h"
#include "api/hook_handlers.h"
#include "api/machine_handlers.h"
#include "api/noted.h"
#include "api/roles.h"
#include "api/task_view.h"
#include "api/verb.h"
#include "api/view.h"
#include "base/text.h"

namespace pawl::api {
namespace {

constexpr size_t kNamesNoted = 256;  // of one request

Json receipt_json(const std::string& name, const core::Receipt& receipt) {
  Json out = Json::object({{"version", 1},
                           {"name", name},
                           {"verdict", receipt.verdict},
                           {"witness", receipt.witness},
                           {"took_ms", receipt.took_ms}});
  if (receipt.plain) out.set("plain", true);
  if (receipt.keepable) out.set("keepable", true);
  if (receipt.verdict != "queued") return out;
  return out.set("position", receipt.position)
      .set("until", receipt.until ? Json(rfc3339(*receipt.until)) : Json())
      .set("person", receipt.person);
}

Result<Json> gathered(const Gathering& gathering, const core::Engine& engine, const Clock& now) {
  if (gathering.bare) {
    const auto& [name, done] = gathering.results.front();
    if (!done) return tl::unexpected(done.error());
    if (gathering.receipt) return receipt_json(name, *gathering.receipt);
    const model::Agent* agent = engine.fleet().find(name);
    if (gathering.task && agent && agent->task) return task_view(*agent);
    return agent ? view_of(*agent, now) : Json::object({{"name", name}});
  }
  Json list = Json::array();
  for (const auto& [name, done] : gathering.results) {
    const model::Agent* agent = engine.fleet().find(name);
    list.push(Json::object({{"name", name},
                            {"ok", done.has_value()},
                            {"state", agent ? Json(word(agent->state)) : Json()},
                            {"error", done ? Json() : Json(text_of(done.error()))}}));
  }
  Json out = Json::object({{"version", 1}, {"results", list}});
  if (!gathering.complaints.empty()) out.set("complaints", gathering.complaints);
  return out;
}

// A hook is no wish, and there is one a second. Who looks on in a browser is noted when it takes control.
bool noted(const Verb& row, const model::Asker& asker) {
  if (row.use.access != Access::act || row.name == "hook") return false;
  return row.name != "attach" || asker.kind != model::kWeb;
}

}  // namespace

StreamEnd Gathering::pump(const StreamContext& context) const {
  if (!deadline || context.now.mono < *deadline) return std::nullopt;
  return Result<Json>(
      fail("it is not known yet what became of it", "it goes on; wait longer with --timeout", 124));
}

void Conversation::reply(const Result<Json>& result) {
  out_ += encode(Kind::json, reply_of(result));
}

void Conversation::refuse(const Error& error) {
  reply(tl::unexpected(error));
  leaving_ = true;
}

void Conversation::receive(const Clock& now, const Frame& frame) {
  auto* attached = std::get_if<AttachStream>(&doing_);
  if (auto* passed = std::get_if<PassedOn>(&doing_); passed && frame.kind != Kind::output)
    return passed->say(now, frame);
  if (frame.kind == Kind::input) {
    if (attached) attached->input(engine_, now, frame.payload);
    return;
  }
  if (frame.kind == Kind::output) return refuse({"a client does not send output", "", 1});
  const auto request = Json::parse(frame.payload);
  if (!request || !request->is_object())
    return refuse(
        {"the request is not a JSON object", "talk to the socket with the pawl command", 1});
  if (attached && (*request)["resize"].is_object()) {
    const Json& size = (*request)["resize"];
    return attached->resize(engine_, now, size_from(size["cols"].as_int(), size["rows"].as_int()));
  }
  if (attached && (*request)["control"].is_bool()) {
    const bool taken = (*request)["control"].as_bool();
    note(asker_of(*request), attached->agent(), "control", false,
         Json::object({{"taken", taken}}).dump());
    return attached->control(taken);
  }
  if (!idle()) return refuse({"a request is being answered already", "wait for its reply", 1});
  if (auto fine = speak_for(*request); !fine) return refuse(fine.error());
  ask(now, relay_.is_null() ? *request : at_home(*request));
}

// A relay that a person's ssh has started is that person's, or of less: whom it names. Nobody inside an agent becomes somebody else
// by it, and it is said once.
Done Conversation::speak_for(const Json& request) {
  if (request["verb"].as_string() != kRelayVerb) return {};
  const std::string from = request["args"]["from"].as_string();
  if (!asker_ || !relay_.is_null() || !valid_from(from))
    return fail("a relay says once for whom it speaks", "use pawl machine add");
  const bool person = asker_->kind == model::kPerson;
  if (!person)
    return fail("this runs inside an agent or task, which may not relay", "", kNotAllowed);
  asker_ = model::Asker{model::kMachine, from, asker_->pid};
  relay_ = request;
  return {};
}

// Folders, environments and configurations of another machine mean nothing here.
Json Conversation::at_home(const Json& request) const {
  Json out = request;
  for (const char* key : {"cwd", "environment", "config", "session"})
    if (request.has(key) || relay_.has(key)) out.set(key, relay_[key]);
  return out;
}

void Conversation::ask(const Clock& now, const Json& request) {
  const std::string verb = request["verb"].as_string();
  const model::Asker asker = asker_of(request);
  const Call call{engine_, server_, now, request["args"], request, asker};
  const Done fine = allowed(engine_.fleet(), asker, verb, call.args);
  const Verb* row = find_verb(verb);
  const Aim aim = row ? aim_of(*row, call.args) : Aim{};
  if (row && noted(*row, asker)) note_all(call, *row, aim, !fine);
  if (!fine) return reply(tl::unexpected(fine.error()));
  if (row)
    if (auto outcome = elsewhere(call, *row, aim, asker_)) return begin(now, std::move(*outcome));
  engine_.asked_by(asker);
  begin(now, handle(call, verb));
  engine_.asked_by({});
}

// The name in its arguments is no agent's.
static bool names_machines(const Verb& row) {
  return row.name.starts_with("machine ") || row.name.starts_with("fleet ");
}

// What goes to several machines is noted here for the others; for our own part, by the conversation that it becomes.
void Conversation::note_all(const Call& call, const Verb& row, const Aim& aim, bool refused) {
  auto names = call.args["names"].as_strings();
  if (names.empty()) names.push_back(call.args["name"].as_string());
  names.resize(std::min(names.size(), kNamesNoted));
  const std::string what = call.args["all"].as_bool() ? row.name + " --all" : row.name;
  const std::string how = noted_arguments(call.args);
  if (names_machines(row))
    return note(call.asker, "", names[0].empty() ? what : what + " " + names[0], refused, how);
  const bool several = !refused && !aim.here_only();
  for (const auto& name : names)
    if (!several || !split_name(name).first.empty()) note(call.asker, name, what, refused, how);
}

// What a process was seen to be counts. Where nothing was seen, its cookie is believed against it, and never for it; nor that of a
// server which several agents share: that one is of whoever started it.
model::Asker Conversation::asker_of(const Json& request) const {
  if (!asker_) {
    const std::string by = request["by"].as_string();
    return by.empty() ? model::Asker{} : model::Asker{model::kWeb, by, 0};
  }
  const std::string cookie = request["session"].as_string();
  const bool open =
      asker_->kind == model::kPerson || (asker_->inside() && asker_->name.empty() && asker_->sure);
  if (!open || server_.cookie.empty() || !cookie.starts_with(server_.cookie)) return *asker_;
  model::Asker said{model::kAgent, "", asker_->pid, false};
  if (const model::Agent* agent = engine_.fleet().by_session(session_of(cookie))) {
    said.kind = agent->task ? model::kTask : model::kAgent;
    said.name = agent->task ? agent->task->order.name : agent->spec.name;
  }
  return said;
}

// Of an agent that is not there yet strangers tell the name with the verb: nothing is known of it before it is registered. At the
// local socket it is that agent's first event.
void Conversation::note(const model::Asker& asker, const std::string& name, const std::string& verb,
                        bool refused, const std::string& args) {
  if (!asker.known()) return;
  const bool tasks = verb.starts_with("task ");
  const std::string task = tasks ? agent_of_task(engine_, name) : "";
  const std::string agent = tasks ? task : name;
  const bool there = !task.empty() || engine_.fleet().find(agent) != nullptr ||
                     (asker.kind != model::kWeb && valid_name(agent));
  const bool far = !split_name(name).first.empty();
  const std::string what = there || (!far && !valid_name(name)) ? verb : verb + " " + name;
  engine_.submit(core::RequestSeen{there ? agent : "", what, asker, refused, args});
}

void Conversation::begin(const Clock& now, Outcome outcome) {
  std::visit(
      [&](auto&& it) {
        using T = std::decay_t<decltype(it)>;
        if constexpr (std::is_same_v<T, Result<Json>>)
          reply(it);
        else
          doing_ = std::move(it);
      },
      std::move(outcome));
  const auto* gathering = std::get_if<Gathering>(&doing_);
  if (gathering && gathering->waiting.empty()) {
    reply(gathered(*gathering, engine_, now));
    doing_ = std::monostate{};
  }
}

void Conversation::answered(const Clock& now, const core::Answer& answer) {
  std::visit(
      [&](auto& it) {
        if constexpr (requires { it.answered(now, answer); }) it.answered(now, answer);
      },
      doing_);
  auto* gathering = std::get_if<Gathering>(&doing_);
  if (!gathering) return;
  const auto it = gathering->waiting.find(answer.request);
  if (it == gathering->waiting.end()) return;
  gathering->results.emplace_back(it->second, answer.done);
  gathering->receipt = answer.receipt;
  gathering->waiting.erase(it);
  if (!gathering->waiting.empty()) return;
  reply(gathered(*gathering, engine_, now));
  doing_ = std::monostate{};
}

void Conversation::pump(const Clock& now, size_t room) {
  StreamContext context{engine_, now, out_, room, server_.leaving};
  StreamEnd end;
  std::visit(
      [&](auto& it) {
        if constexpr (requires { it.pump(context); }) end = it.pump(context);
      },
      doing_);
  if (!end) return;
  reply(*end);
  doing_ = std::monostate{};
}

bool Conversation::hears() const {
  const auto* attached = std::get_if<AttachStream>(&doing_);
  return !attached || attached->hears(engine_);
}

std::optional<MonoTime> Conversation::wake_at() const {
  return std::visit(
      [](const auto& it) -> std::optional<MonoTime> {
        if constexpr (requires { it.wake_at(); })
          return it.wake_at();
        else
          return std::nullopt;
      },
      doing_);
}

}  // namespace pawl::api
