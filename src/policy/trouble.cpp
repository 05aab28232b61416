#include <fmt/core.h>

#include <cmath>

#include "policy/rules.h"

namespace pawl::policy {
namespace {

using model::Topic;

constexpr int kRefreshes = 3;
constexpr double kLaterS = 900;  // doubled with each try
constexpr int kLaterTries = 6;
constexpr double kTroubleStepS = 30;  // for the program to say how it went

const model::Notice* notice(const Agent& agent, const char* kind) {
  for (const auto& one : agent.notices)
    if (one.kind == kind) return &one;
  return nullptr;
}

// The step before this one is given time to work.
std::optional<Choice> too_soon(const Situation& s, const std::string& matter) {
  const model::Matter& known = s.agent.memory.matter;
  if (known.id != matter || !known.last || s.now - *known.last >= seconds(kTroubleStepS))
    return std::nullopt;
  return wait(*known.last + seconds(kTroubleStepS), "the last step is given time to work");
}

Choice step(const Situation& s, const std::string& matter, Action action, std::string because,
            std::string_view how) {
  Choice choice = act(action, std::move(because));
  choice.matter = matter;
  choice.attempt = tries_at(s, matter) + 1;
  choice.how = how;
  return choice;
}

// Nobody can renew it but a person, who may do so elsewhere: now and then it is tried whether it works again.
Choice try_later(const Situation& s, const std::string& text, const std::string& todo) {
  const std::string because = "its login does not work: " + text;
  const model::Matter& matter = s.agent.memory.matter;
  if (matter.id != "auth" || !matter.told) return tell(s, "auth", because, todo);
  const bool at_prompt = s.agent.state == State::ready || s.agent.state == State::typing;
  if (!at_prompt || matter.tries >= kLaterTries) return nothing(because + "; a person was told");
  const WallTime due = *matter.last + seconds(kLaterS * std::pow(2, matter.tries));
  if (s.now < due) return wait(due, because + "; a person was told, and it is tried again");
  return step(s, "auth", Action::wake, "its login may work again", word(Topic::auth));
}

// Renew, then go on, and again, a few times: a loop of its own that ends.
Choice renew(const Situation& s, const std::string& text) {
  const int tries = tries_at(s, "auth");
  const std::string todo = "log in again: pawl attach " + s.agent.spec.name;
  if (s.agent.spec.recovery.auth_refresh.empty()) return try_later(s, text, todo);
  if (tries % 2 == 1)
    return step(s, "auth", Action::wake, "its login was renewed", word(Topic::auth));
  if (auto soon = too_soon(s, "auth")) return *soon;
  if (tries >= 2 * kRefreshes)
    return tell(s, "auth", fmt::format("{} renewals of its login did not help", kRefreshes), todo);
  return step(s, "auth", Action::refresh_auth, "its login does not work: " + text, "");
}

Choice make_room(const Situation& s, const std::string& text) {
  const int tries = tries_at(s, "context");
  if (auto soon = too_soon(s, "context")) return *soon;
  if (tries == 0 && !s.compact.empty())
    return step(s, "context", Action::wake, "its context is full: " + text, word(Topic::compact));
  if (tries <= 1 && replaceable(s)) {
    if (auto enough = enough_restarts(s, "filled its context and was restarted")) return *enough;
    return step(s, "context", Action::restart, "its context is full: " + text, word(Launch::fresh));
  }
  return tell(s, "context", "its context is full: " + text,
              "start it afresh: pawl restart --fresh " + s.agent.spec.name);
}

}  // namespace

Claim trouble(const Situation& s) {
  const bool at_rest = s.agent.state == State::ready || s.agent.state == State::typing;
  const bool login = s.agent.state == State::waiting && s.agent.kind == "login" && !s.agent.dialog;
  if (login && !notice(s.agent, "auth")) return renew(s, s.agent.because);
  if (!at_rest && !login) return std::nullopt;
  if (const auto* credit = notice(s.agent, "credit"))
    return tell(s, "credit", "it cannot be paid for: " + credit->text, "pay, or stop it",
                Action::park);
  if (const auto* auth = notice(s.agent, "auth")) return renew(s, auth->text);
  if (const auto* context = notice(s.agent, "context")) return make_room(s, context->text);
  return std::nullopt;
}

}  // namespace pawl::policy
