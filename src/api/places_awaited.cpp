#include "api/places_awaited.h"

#include <fmt/core.h>

#include <algorithm>

#include "api/conversation.h"
#include "api/merged.h"

namespace pawl::api {
namespace {

// The machines' own clocks come first: they know what an agent still is.
constexpr Duration kAfterTheirs = std::chrono::seconds{1};
constexpr int kTimedOut = 124;

}  // namespace

PlacesAwaited::PlacesAwaited(core::Engine& engine, Server& server, const Caller& caller,
                             WaitAsk ask, const Clock& now)
    : ask_(std::move(ask)),
      verb_(ask_.request["verb"].as_string()),
      places_(&server.places),
      any_(ask_.request["args"]["any"].as_bool()) {
  for (const auto& [machine, args] : ask_.at) {
    Party& party = parties_.emplace_back();
    party.machine = machine;
    party.args = args;
    if (!machine.empty()) {
      party.kept.emplace(machine, ask_.from, places_, now.mono);
      continue;
    }
    own_.emplace(engine, server, caller);
    Json request = ask_.request;
    own_->say(now, request.set("args", args));
  }
}

std::vector<Json> PlacesAwaited::opening(const Party& party, const Clock& now) const {
  Json args = party.args;
  if (ask_.deadline) {
    const std::chrono::duration<double> left = *ask_.deadline - now.mono;
    args.set("timeout", fmt::format("{:.3f}s", std::max(0.001, left.count())));
  }
  return {greeting(), abroad(ask_.request, args)};
}

std::optional<Frame> PlacesAwaited::next(Party& party, StreamContext& context) {
  if (party.kept) {
    auto frame = party.kept->next(context.now, [&] { return opening(party, context.now); });
    while (auto news = party.kept->take_news())
      context.out += encode(Json::object({{"event", std::move(*news)}}));
    return frame;
  }
  own_->go_on(context.now, context.room);
  auto frame = own_->next();
  return frame ? std::move(*frame) : std::nullopt;
}

StreamEnd PlacesAwaited::take(Party& party, const Frame& frame, StreamContext& context) {
  const auto json = Json::parse(frame.payload);
  if (!json || !json->has("ok")) return std::nullopt;
  if (party.kept && std::exchange(party.greeted, party.kept->number()) != party.kept->number())
    return std::nullopt;
  const auto result = result_of(*json);
  if (result) {
    party.answer = *result;
    return std::nullopt;
  }
  if (party.machine.empty()) return result;
  const Place* place = place_named(*places_, party.machine);
  if (!place) {
    party.kept->lose(context.now, text_of(result.error()));
    return std::nullopt;
  }
  return Result<Json>(tl::unexpected(
      said_by(party.machine, place->standing().version, place->update(), verb_, result.error())));
}

StreamEnd PlacesAwaited::pump(StreamContext& context) {
  bool all = true;
  for (auto& party : parties_) {
    while (!party.answer) {
      const auto frame = next(party, context);
      if (!frame) break;
      if (auto end = take(party, *frame, context)) return end;
    }
    if (party.answer && any_) return Result<Json>(whole());
    all = all && party.answer;
  }
  if (all) return Result<Json>(whole());
  if (ask_.deadline && context.now.mono >= *ask_.deadline + kAfterTheirs)
    return Result<Json>(tl::unexpected(late()));
  return std::nullopt;
}

void PlacesAwaited::answered(const Clock& now, const core::Answer& answer) {
  if (own_) own_->answered(now, answer);
}

std::optional<MonoTime> PlacesAwaited::wake_at() const {
  std::optional<MonoTime> wake = own_ ? own_->wake_at() : std::nullopt;
  if (ask_.deadline) wake = earlier(wake, *ask_.deadline + kAfterTheirs);
  for (const auto& party : parties_)
    if (party.kept && !party.answer) wake = earlier(wake, party.kept->wake_at());
  return wake;
}

// One agent alone is shown as it would be on its own machine.
Json PlacesAwaited::whole() const {
  std::vector<Part> parts;
  for (const auto& party : parties_) {
    if (!party.answer) continue;
    Json answer = *party.answer;
    if (verb_ == "wait" && !answer["agents"].is_array())
      answer = Json::object({{"version", 1}, {"agents", Json::Array{*party.answer}}});
    parts.push_back({party.machine, std::move(answer)});
  }
  const Json all = merged(verb_, parts);
  return verb_ == "wait" && all["agents"].items().size() == 1 ? all["agents"].items()[0] : all;
}

Error PlacesAwaited::late() const {
  for (const auto& party : parties_)
    if (!party.answer && party.kept && party.kept->away())
      return {"machine " + party.machine + " is not reached: " + party.kept->because(),
              "wait longer with --timeout", kTimedOut};
  return {"the time is over, and not all machines have answered", "wait longer with --timeout",
          kTimedOut};
}

}  // namespace pawl::api
