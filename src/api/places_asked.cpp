#include "api/places_asked.h"

#include "api/conversation.h"

namespace pawl::api {

PlacesAsked::PlacesAsked(core::Engine& engine, Server& server, const Caller& caller, PlacesAsk ask,
                         const Clock& now)
    : server_(&server),
      ask_(std::move(ask)),
      verb_(ask_.request["verb"].as_string()),
      until_(now.mono + kPlacesWithin) {
  for (const auto& [machine, args] : ask_.at) {
    Party party{machine, args};
    if (machine.empty()) {
      party.line.emplace(engine, server, caller);
      Json request = ask_.request;
      party.line->say(now, request.set("args", args));
    }
    parties_.push_back(std::move(party));
    if (!machine.empty()) open(parties_.back(), now);
  }
}

// Who is not reached has answered with that; who is tried for the first time may still be.
void PlacesAsked::open(Party& party, const Clock& now) {
  Place* place = place_named(server_->places, party.machine);
  if (!place) {
    party.answer = tl::unexpected(no_such_place(party.machine));
    return;
  }
  const Standing standing = place->standing();
  if (!standing.online && standing.first_try && ask_.list && now.mono < until_) return;
  if (!standing.online) {
    party.answer = tl::unexpected(not_reached(party.machine, standing));
    return;
  }
  party.line.emplace(party.machine, place->talk(ask_.from));
  party.line->say(now, abroad(ask_.request, party.args));
}

void PlacesAsked::listen(Party& party, const Clock& now, size_t room) {
  party.line->go_on(now, room);
  const auto frame = party.line->next();
  if (!frame) {
    Error error = frame.error();
    if (!ask_.list) error.fix = "what was asked may still be done: look before you try again";
    party.answer = tl::unexpected(std::move(error));
  } else if (*frame) {
    const auto json = Json::parse((*frame)->payload);
    party.answer = json ? result_of(*json) : json;
  }
  if (!party.answer) return;
  party.line.reset();
  const Place* place =
      party.machine.empty() ? nullptr : place_named(server_->places, party.machine);
  if (*party.answer || !place) return;
  party.answer = tl::unexpected(said_by(party.machine, place->standing().version, place->update(),
                                        verb_, party.answer->error()));
}

void PlacesAsked::give_up(Party& party) const {
  const Place* place = place_named(server_->places, party.machine);
  const bool asked = party.line.has_value();
  party.line.reset();
  party.answer = tl::unexpected(asked || !place ? Error{"it did not answer within 2 s"}
                                                : not_reached(party.machine, place->standing()));
}

StreamEnd PlacesAsked::pump(StreamContext& context) {
  bool waits = false;
  for (auto& party : parties_) {
    if (!party.line && !party.answer) open(party, context.now);
    if (party.line && !party.answer) listen(party, context.now, context.room);
    // This machine's own answer is waited for: a search through its journal goes on in every turn.
    if (!party.answer && ask_.list && !party.machine.empty() && context.now.mono >= until_)
      give_up(party);
    waits = waits || !party.answer;
  }
  if (waits) return std::nullopt;
  return whole();
}

void PlacesAsked::answered(const Clock& now, const core::Answer& answer) {
  for (auto& party : parties_)
    if (party.line) party.line->answered(now, answer);
}

std::optional<MonoTime> PlacesAsked::wake_at() const {
  std::optional<MonoTime> wake;
  for (const auto& party : parties_) {
    if (party.answer) continue;
    if (party.line) wake = earlier(wake, party.line->wake_at());
    if (ask_.list && !party.machine.empty()) wake = earlier(wake, until_);
  }
  return wake;
}

Json PlacesAsked::row(const Party& party) const {
  const Place* place = place_named(server_->places, party.machine);
  Json out = row_of(party.machine, place ? place->standing() : Standing{});
  out.set("answered", party.answer->has_value());
  if (!*party.answer && out["online"].as_bool())
    return out.set("because", party.answer->error().what);
  if (!*party.answer) return out;
  return out.set("next", (**party.answer)["next"]);  // of a list in pages
}

// An act that could not be asked for has failed for each of its agents.
Part PlacesAsked::part_of(const Party& party) const {
  if (*party.answer) return {party.machine, **party.answer};
  Json results = Json::array();
  for (const auto& name : party.args["names"].as_strings())
    results.push(Json::object({{"name", name},
                               {"ok", false},
                               {"state", Json()},
                               {"error", text_of(party.answer->error())}}));
  return {party.machine, Json::object({{"version", 1}, {"results", std::move(results)}})};
}

Result<Json> PlacesAsked::whole() const {
  std::vector<Part> parts;
  Json machines = Json::array();
  for (const auto& party : parties_) {
    const bool own = party.machine.empty();
    if (own && ask_.list && !*party.answer) return *party.answer;
    if (*party.answer || !ask_.list) parts.push_back(part_of(party));
    if (!own) machines.push(row(party));
  }
  Json out = merged(verb_, parts);
  return out.set("machines", std::move(machines));
}

}  // namespace pawl::api
