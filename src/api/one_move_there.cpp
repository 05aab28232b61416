// What a move has to do with the other machine: words and answers, until it is known what became of it there.

#include <fmt/core.h>

#include "api/conversation.h"
#include "api/one_move.h"
#include "os/tcp.h"

namespace pawl::api {
namespace {

using model::MoveStep;

bool asks_before_it_goes_on(const Json& agent) {
  const std::string kind = agent["kind"].as_string();
  return agent["state"].as_string() == "waiting" &&
         (kind == "trust" || kind == "login" || kind == "resume-picker");
}

}  // namespace

// Who moves it may do so here; an agent that was allowed to do so acts for the person who allowed it.
std::string OneMove::from() const {
  if (!order_.by.inside()) return from_of(order_.by);
  return os::host_name() + "/person by " + text_of(order_.by);
}

Done OneMove::open(const Clock&) {
  if (line_) return {};
  Place* place = place_named(around_.server.places, order_.machine);
  if (!place) return tl::unexpected(no_such_place(order_.machine));
  const Standing standing = place->standing();
  if (!standing.online) return tl::unexpected(not_reached(order_.machine, standing));
  line_.emplace(order_.machine, place->talk(from()));
  return {};
}

Done OneMove::say(const Clock& now, const char* verb, const char* what, Json args) {
  if (auto reached = open(now); !reached) return reached;
  args.set("what", what).set("move", id_);
  line_->say(now, Json::object({{"version", 1}, {"verb", verb}, {"args", args}}));
  asked_ = true;
  answer_by_ = now.mono + kMoveAnswers;
  return {};
}

Result<std::optional<Result<Json>>> OneMove::hear(const Clock& now) {
  const auto lost = [&](const Error& error) {
    line_.reset();
    asked_ = false;
    return tl::unexpected(
        Error{"machine " + order_.machine + ": " + error.what, error.fix, error.exit_code});
  };
  if (!line_) return lost({"the connection to it has ended"});
  for (;;) {
    auto frame = line_->next();
    if (!frame) return lost(frame.error());
    if (!*frame) {
      if (now.mono < answer_by_) return std::optional<Result<Json>>();
      return lost({"it did not answer within 30 s"});
    }
    const auto json = Json::parse((*frame)->payload);
    if (!json || !json->has("ok")) continue;
    asked_ = false;
    lost_since_.reset();
    return std::optional(result_of(*json));
  }
}

Error OneMove::said(const Error& error, const char* verb) const {
  const Place* place = place_named(around_.server.places, order_.machine);
  return said_by(order_.machine, place ? place->standing().version : "",
                 place ? place->update() : "", verb, error);
}

// Nothing is known before it answers: it is called again, for ever, and somebody is told.
void OneMove::unreached(const Clock& now, const std::string& because) {
  line_.reset();
  asked_ = false;
  next_ = now.mono + kMoveCalls;
  if (!lost_since_) lost_since_ = now.mono;
  if (now.mono - *lost_since_ < kMovePatient || std::exchange(trouble_told_, true)) return;
  tell(because + "; it is asked again until it answers");
  core::Noted noted;
  noted.agent = order_.agent;
  noted.alert = {model::Severity::warning,
                 fmt::format("it was given to {}, and it is not known whether it runs there: {}. "
                             "It is not started here before that is known",
                             order_.machine, because),
                 "move",
                 "see to it that " + order_.machine +
                     " is reached; if you know that it does not run there: pawl move " +
                     order_.agent + " --here",
                 {}};
  around_.engine.submit(std::move(noted));
  around_.wake();
}

void OneMove::start(const Clock& now) {
  if (!asked_) {
    Json files = Json::array();
    for (const auto& file : files_)
      files.push(Json::object({{"name", file.name}, {"sha256", file.digest}}));
    const Done done = start_asked_ ? say(now, kArriveLook, "status")
                                   : say(now, kArrive, "start", Json::object({{"files", files}}));
    if (!done) return unreached(now, text_of(done.error()));
    start_asked_ = true;
  }
  const auto heard = hear(now);
  if (!heard) return unreached(now, text_of(heard.error()));
  if (!*heard) return;
  if (!**heard) return wrong(now, said((*heard)->error(), kArrive));
  const Json& told = ***heard;
  const std::string state = told["state"].as_string();
  if (state == "here") return seen_there(now, told["agent"]);
  if (state == "failed") return wrong(now, order_.machine + ": " + told["because"].as_string());
  if (state == "staged" && !files_.empty()) {
    start_asked_ = false;  // its daemon was started again meanwhile
    return;
  }
  if (state != "placing") return wrong(now, order_.machine + " does not know of it any more");
  if (now.mono >= limit_) return wrong(now, "it was not put in place there in time");
}

void OneMove::seen_there(const Clock& now, const Json& agent) {
  const auto state = model::state_from(agent["state"].as_string());
  const std::string because = agent["because"].as_string();
  if (!there_since_) there_since_ = now.mono;
  if (!state || model::ended(*state) || *state == model::State::shell)
    return wrong(now, "it did not stay on " + order_.machine + ": " + because);
  if (agent["session_id"].as_string() != session_id_)
    return wrong(now, "it began another conversation on " + order_.machine);
  const bool asks = asks_before_it_goes_on(agent);
  const bool well = *state != model::State::starting && *state != model::State::unknown && !asks;
  if (asks && told_there_.empty()) {
    told_there_ = agent["kind"].as_string();
    tell(fmt::format("{0}/{1} asks a person ({2}): pawl attach {0}/{1}", order_.machine,
                     order_.there, told_there_));
  }
  if (!well) well_since_.reset();
  if (well && !well_since_) well_since_ = now.mono;
  state_there_ = agent["state"].as_string();
  if (well && now.mono - *well_since_ >= kMoveStays)
    return journal(now, MoveStep::gone, Step::keeps);
  if (!well && now.mono - *there_since_ >= (asks ? kMovePerson : kMoveAlive))
    wrong(now,
          fmt::format("it did not come up on {}: {} ({})", order_.machine, state_there_, because));
}

// It runs there. What waited to be put in place goes; without that it goes by itself later.
void OneMove::close(const Clock& now) {
  if (!asked_ && !say(now, kArrive, "done")) return end(outcome());
  const auto heard = hear(now);
  if (!heard || *heard || now.mono >= limit_) end(outcome());
}

Json OneMove::outcome() const {
  return Json::object({{"version", 1},
                       {"name", order_.agent},
                       {"machine", order_.machine},
                       {"there", order_.there},
                       {"state", state_there_},
                       {"session_id", session_id_},
                       {"bytes", sent_}});
}

void OneMove::undo(const Clock& now) {
  const auto trouble = [&](const std::string& why) {
    if (given_) return unreached(now, why);
    line_.reset();
    asked_ = false;
    next_ = now.mono + std::chrono::milliseconds{500};
    if (now.mono < limit_) return;
    tell(
        fmt::format("what was sent to {} could not be removed ({}): it does so itself within an "
                    "hour, when something else is moved to it",
                    order_.machine, why));
    undone(now);
  };
  if (!asked_)
    if (auto done = say(now, kArrive, "drop"); !done) return trouble(text_of(done.error()));
  const auto heard = hear(now);
  if (!heard) return trouble(text_of(heard.error()));
  if (!*heard) {
    if (!given_ && now.mono >= limit_) trouble("it does not answer");
    return;
  }
  if (!**heard) return trouble(text_of((*heard)->error()));
  if ((***heard)["gone"].as_bool()) undone(now);
}

}  // namespace pawl::api
