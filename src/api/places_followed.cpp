#include "api/places_followed.h"

#include <algorithm>
#include <charconv>

#include "api/conversation.h"
#include "api/window.h"
#include "store/journal.h"

namespace pawl::api {
namespace {

constexpr size_t kAhead = 256;  // events of one machine that wait for their turn

}  // namespace

Result<std::string> since_abroad(core::Engine& engine, const Clock& now, const std::string& since) {
  if (since.empty()) return since;
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(since.data(), since.data() + since.size(), number);
  if (error != std::errc{} || end != since.data() + since.size()) {
    const auto at = instant(since, now.wall);
    if (!at) return tl::unexpected(at.error());
    return rfc3339(*at);
  }
  if (number == 0) return std::string();
  const auto event = engine.journal().read(Seq{number - 1}, 1);
  if (!event) return tl::unexpected(event.error());
  return rfc3339(event->empty() ? now.wall : event->front().at);
}

PlacesFollowed::PlacesFollowed(core::Engine& engine, Server& server, Caller caller, EventsAsk ask,
                               const Clock& now)
    : ask_(std::move(ask)), own_(engine, server, std::move(caller)) {
  own_.say(now, ask_.request);
  parties_.emplace_back();
  for (const auto& [name, place] : server.places()) {
    Party& party = parties_.emplace_back();
    party.heard = now.mono;
    party.kept.emplace(name, ask_.from, &server.places, now.mono);
  }
}

// Where its journal ends is asked first: one that ends before the last event we had is another one.
std::vector<Json> PlacesFollowed::opening(const Party& party) const {
  const std::string since = party.last > 0 ? std::to_string(party.last) : ask_.since;
  Json args = Json::object({{"follow", ask_.follow}});
  if (!since.empty()) args.set("since", since);
  return {greeting(), abroad(ask_.request, args)};
}

void PlacesFollowed::hear_own(const Clock& now, size_t room) {
  Party& own = parties_.front();
  bool gone_on = false;
  while (!own.over && own.heads.size() < kAhead) {
    const auto frame = own_.next();
    if (!frame || (!*frame && gone_on)) return;
    if (!*frame) {  // all of what it said was taken
      own_.go_on(now, room);
      gone_on = true;
      continue;
    }
    const auto json = Json::parse((*frame)->payload);
    if (!json) continue;
    if ((*json)["event"].is_object()) {
      own.heads.push_back((*json)["event"]);
      continue;
    }
    own.over = true;
    if (const auto result = result_of(*json); !result) wrong_ = result.error();
  }
}

void PlacesFollowed::hear(Party& party, const Clock& now) {
  while (!party.over && party.heads.size() < kAhead) {
    const auto frame = party.kept->next(now, [&] { return opening(party); });
    while (auto news = party.kept->take_news())
      if (ask_.follow) party.heads.push_back(std::move(*news));
    if (!frame) break;
    party.heard = now.mono;
    if (const auto json = Json::parse(frame->payload)) take(party, now, *json);
  }
  look_at(party, now);
}

void PlacesFollowed::take(Party& party, const Clock& now, const Json& said) {
  const Json& event = said["event"];
  if (!event.is_object()) return told(party, said, now);
  const int64_t seq = event["seq"].as_int();
  if (seq != 0 && seq <= party.last) return;  // known
  party.last = std::max(party.last, seq);
  Json marked = event;
  party.heads.push_back(marked.set("machine", party.kept->machine()));
}

// An answer: the first one of each line says where its journal ends.
void PlacesFollowed::told(Party& party, const Json& reply, const Clock& now) {
  const auto result = result_of(reply);
  if (!result) return party.kept->lose(now, text_of(result.error()));
  const int line = party.kept->number();
  if (std::exchange(party.greeted, line) != line) return greet(party, *result);
  party.over = !ask_.follow;
  if (ask_.follow) party.kept->lose(now, "it has ended the stream");
}

void PlacesFollowed::greet(Party& party, const Json& status) {
  if (status["last_event"].as_int() >= party.last) return;
  party.last = 0;
  party.kept->begin_again();
}

// Without `follow` nobody is waited for who is not there, or says nothing.
void PlacesFollowed::look_at(Party& party, const Clock& now) {
  if (ask_.follow || party.over) return;
  const bool silent = party.heads.empty() && now.mono - party.heard >= kPlacesWithin;
  if (!party.kept->away() && !silent) return;
  party.over = true;
  party.because = party.kept->away() ? party.kept->because() : "it did not answer within 2 s";
}

// The one whose turn it is; null: somebody has to be heard first, or nobody has anything.
PlacesFollowed::Party* PlacesFollowed::next_of_all() {
  Party* first = nullptr;
  for (auto& party : parties_) {
    if (party.heads.empty()) {
      if (!ask_.follow && !party.over) return nullptr;
      continue;
    }
    if (!first || party.heads.front()["at"].as_string() < first->heads.front()["at"].as_string())
      first = &party;
  }
  return first;
}

// True: there was room for all there is.
bool PlacesFollowed::pass_on(StreamContext& context, size_t limit) {
  while (Party* party = next_of_all()) {
    if (context.out.size() >= limit) return false;
    Json& event = party->heads.front();
    if (!event.has("machine")) event.set("machine", Json());
    context.out += encode(Json::object({{"event", std::move(event)}}));
    party->heads.pop_front();
  }
  return true;
}

StreamEnd PlacesFollowed::pump(StreamContext& context) {
  const size_t limit = context.out.size() + context.room;
  for (bool more = true; more;) {
    const size_t before = context.out.size();
    if (before < limit) hear_own(context.now, limit - before);
    for (auto& party : parties_)
      if (party.kept) hear(party, context.now);
    if (wrong_) return Result<Json>(tl::unexpected(*wrong_));
    more = pass_on(context, limit) && context.out.size() > before;
  }
  const bool over = std::all_of(parties_.begin(), parties_.end(), [](const Party& party) {
    return party.over && party.heads.empty();
  });
  if (!over) return std::nullopt;
  return Result<Json>(Json::object({{"machines", rows()}}));
}

Json PlacesFollowed::rows() const {
  Json out = Json::array();
  for (const auto& party : parties_)
    if (party.kept)
      out.push(Json::object({{"name", party.kept->machine()},
                             {"answered", party.because.empty()},
                             {"because", party.because.empty() ? Json() : Json(party.because)}}));
  return out;
}

std::optional<MonoTime> PlacesFollowed::wake_at() const {
  auto wake = own_.wake_at();
  for (const auto& party : parties_) {
    if (!party.kept || party.over) continue;
    wake = earlier(wake, party.kept->wake_at());
    if (!ask_.follow && party.heads.empty()) wake = earlier(wake, party.heard + kPlacesWithin);
  }
  return wake;
}

}  // namespace pawl::api
