#include "api/talk_handlers.h"

#include <fmt/core.h>

#include "act/gate.h"
#include "act/typable.h"
#include "api/handlers.h"
#include "api/look_handlers.h"
#include "core/parts/live_terminal.h"
#include "core/parts/showings.h"
#include "core/parts/wakeups.h"
#include "store/agent_files.h"
#include "store/inbox.h"
#include "term/keys.h"
#include "term/utf8.h"

namespace pawl::api {
namespace {

Outcome write(const Call& call, model::Action action, std::string bytes, std::string what) {
  const auto agent = agent_of(call);
  if (!agent) return Result<Json>(tl::unexpected(agent.error()));
  RequestId request;
  Gathering gathering = for_one(call, (*agent)->spec.name, request);
  call.engine.submit(
      core::WriteAsked{request, (*agent)->spec.name, action, std::move(bytes), std::move(what)});
  return gathering;
}

term::Modes modes_of(const Call& call) {
  const auto* live = call.engine.terminal(call.args["name"].as_string());
  return live ? live->terminal().screen().modes() : term::Modes{};
}

// The ends of lines at its end are not meant: a file or an echo has them.
std::string trimmed_end(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

Result<std::string> typable(std::string text) {
  if (text.size() > act::kTextBytes)
    return fail("the text is larger than 256 KiB", "put it into a file and send its name");
  if (const auto control = act::control_character(text))
    return fail(
        fmt::format("the text has a control character ({}), which cannot be typed", *control),
        "take it out; to press a key: pawl keys", 2);
  return text;
}

Result<std::string> text_of(const Call& call) {
  std::string text = trimmed_end(call.args["text"].as_string());
  if (text.empty())
    return fail("there is no text to send", "give one, or press keys: pawl keys", 2);
  return typable(std::move(text));
}

Outcome queue(const Call& call, core::SendAsked ask, const std::string& text) {
  const auto agent = agent_of(call);
  if (!agent) return Result<Json>(tl::unexpected(agent.error()));
  ask.agent = (*agent)->spec.name;
  const auto deadline = deadline_of(call);
  if (!deadline) return Result<Json>(tl::unexpected(deadline.error()));
  Gathering gathering = for_one(call, ask.agent, ask.request);
  if (ask.wait) gathering.deadline = *deadline;
  if (auto kept = call.engine.send(call.now, std::move(ask), text); !kept)
    return Result<Json>(tl::unexpected(kept.error()));
  return gathering;
}

Outcome type_only(const Call& call, const std::string& text) {
  return write(call, model::Action::send, term::paste_bytes(text, modes_of(call)),
               fmt::format("asked to type {} bytes without Enter", text.size()));
}

Outcome drop(const Call& call) {
  const auto agent = agent_of(call);
  if (!agent) return Result<Json>(tl::unexpected(agent.error()));
  core::DropAsked ask;
  ask.agent = (*agent)->spec.name;
  ask.because = "asked by pawl send --drop";
  Gathering gathering = for_one(call, ask.agent, ask.request);
  call.engine.submit(std::move(ask));
  return gathering;
}

}  // namespace

Outcome send(const Call& call) {
  if (call.args["drop"].as_bool()) return drop(call);
  if (const auto agent = agent_of(call); !agent) return Result<Json>(tl::unexpected(agent.error()));
  const auto text = text_of(call);
  if (!text) return Result<Json>(tl::unexpected(text.error()));
  if (call.args["no-enter"].as_bool()) return type_only(call, *text);
  core::SendAsked ask;
  ask.item.now = call.args["now"].as_bool();
  ask.wait = call.args["outcome"].as_bool();
  return queue(call, std::move(ask), *text);
}

// One that sleeps between two sessions is started for it.
static Outcome wake_sleeper(const Call& call, const model::Agent& agent, const std::string& from) {
  const std::string text = trimmed_end(call.args["text"].as_string());
  const auto added =
      store::Inbox(call.engine.files().disk(), call.engine.files().inbox(agent.spec.name))
          .add(text.empty() ? "Look at your work and go on." : text, from, 1, call.now.wall);
  if (!added) return Result<Json>(tl::unexpected(added.error()));
  call.engine.look_for_wakeup(agent.spec.name);
  return Result<Json>(Json::object({{"version", 1},
                                    {"name", agent.spec.name},
                                    {"verdict", "queued"},
                                    {"witness", "it sleeps, and is started for it"},
                                    {"position", 1},
                                    {"until", Json()},
                                    {"person", false}}));
}

Outcome wake(const Call& call) {
  const bool agent_asks = call.asker.inside() && !call.asker.name.empty();
  const std::string from = term::clean_text(
      call.args["from"].as_string(agent_asks ? call.asker.name : "an operator"), 64);
  const auto agent = agent_of(call);
  if (agent && !(*agent)->running() && !(*agent)->never_started() && (*agent)->spec.loops())
    return wake_sleeper(call, **agent, from);
  core::SendAsked ask;
  ask.item.action = model::Action::wake;
  ask.item.from = from;
  ask.wait = call.args["outcome"].as_bool();
  const auto text = typable(core::words_of({from, trimmed_end(call.args["text"].as_string())}));
  if (!text) return Result<Json>(tl::unexpected(text.error()));
  return queue(call, std::move(ask), *text);
}

// The dialog an answer is for: the one it names, else the one that whoever asks was told of last. Not another one: they have not seen
// that. The refusal shows it. Empty: they were told nothing yet.
static Result<std::string> dialog_meant(const Call& call, const model::Agent& agent) {
  const std::string& name = agent.spec.name;
  std::string meant = call.args["dialog"].as_string();
  if (meant.empty() && call.request["browser"].as_bool())
    return fail("the answer does not say which dialog it is for", "send its \"dialog\" id");
  const auto last = call.engine.showings().last(world_of(call.asker), name);
  const bool told = !meant.empty() || last;
  if (meant.empty()) meant = last.value_or("");
  const bool there = agent.dialog && agent.dialog->id == meant;
  if (!told || there || !agent.running() || agent.state != model::State::waiting) return meant;
  if (meant.empty() && !agent.dialog) return meant;  // it is not drawn yet
  note_shown(call, agent);
  const std::string id = agent.dialog ? agent.dialog->id : std::string();
  return fail(model::asks_else(agent),
              id.empty()
                  ? "look at it: pawl show " + name
                  : fmt::format("answer that one: pawl answer {} ROW --dialog {}", name, id));
}

Outcome answer(const Call& call) {
  const auto agent = agent_of(call);
  if (!agent) return Result<Json>(tl::unexpected(agent.error()));
  const std::string& name = (*agent)->spec.name;
  const bool keep = call.args["keep"].as_bool();
  if (keep || call.args["forget"].as_bool()) {
    core::KeepAnswer change{{}, name, keep, call.args["about"].as_string()};
    Gathering gathering = for_one(call, name, change.request);
    call.engine.submit(std::move(change));
    return gathering;
  }
  if (call.args["row"].as_string().empty())
    return Result<Json>(fail("answer: no ROW", "give its number, or how it begins", 2));
  core::AnswerAsked ask;
  ask.row = term::clean_text(call.args["row"].as_string(), 200);
  ask.agent = name;
  const auto meant = dialog_meant(call, **agent);
  if (!meant) return Result<Json>(tl::unexpected(meant.error()));
  ask.dialog = *meant;
  call.engine.showings().answers(world_of(call.asker), name);
  Gathering gathering = for_one(call, name, ask.request);
  call.engine.submit(std::move(ask));
  return gathering;
}

Outcome keys(const Call& call) {
  std::string bytes;
  const auto names = call.args["keys"].as_strings();
  for (const auto& name : names) {
    const auto key = term::key_bytes(name, modes_of(call));
    if (!key) return Result<Json>(tl::unexpected(key.error()));
    bytes += *key;
  }
  return write(call, model::Action::keys, std::move(bytes),
               fmt::format("asked to press {} keys", names.size()));
}

}  // namespace pawl::api
