#include "api/passed_on.h"

namespace pawl::api {

PassedOn::PassedOn(const std::function<Places()>& places, PassAsk ask, const Clock& now)
    : places_(&places), ask_(std::move(ask)), patience_(now.mono + kPlacesWithin) {
  (void)open(now);  // told when it is asked for the first time: pump()
}

std::optional<Error> PassedOn::open(const Clock& now) {
  Place* place = place_named(*places_, ask_.machine);
  if (!place) return no_such_place(ask_.machine);
  const Standing standing = place->standing();
  if (!standing.online && standing.first_try && now.mono < patience_) return std::nullopt;
  if (!standing.online) return not_reached(ask_.machine, standing);
  line_.emplace(ask_.machine, place->talk(ask_.from));
  line_->say(now, abroad(ask_.request, ask_.request["args"]));
  return std::nullopt;
}

void PassedOn::say(const Clock& now, const Frame& frame) {
  if (line_) line_->say(now, frame);
}

StreamEnd PassedOn::pump(StreamContext& context) {
  if (!line_)
    if (auto error = open(context.now)) {
      const bool known = place_named(*places_, ask_.machine) != nullptr;
      if (ask_.keep && known) return ask_.keep(context.now, *error);
      return Result<Json>(tl::unexpected(std::move(*error)));
    }
  const size_t limit = context.out.size() + context.room;
  while (line_ && context.out.size() < limit) {
    const auto frame = line_->next();
    if (!frame)
      return Result<Json>(fail("machine " + ask_.machine + ": " + frame.error().what,
                               frame.error().fix, frame.error().exit_code));
    if (!*frame) break;
    const auto json =
        (*frame)->kind == Kind::json ? Json::parse((*frame)->payload) : Result<Json>(Json());
    if (!json || !json->has("ok")) {
      context.out += encode((*frame)->kind, (*frame)->payload);
      continue;
    }
    auto result = result_of(*json);
    const Place* place = place_named(*places_, ask_.machine);
    if (!result && place)
      return Result<Json>(
          tl::unexpected(said_by(ask_.machine, place->standing().version, place->update(),
                                 ask_.request["verb"].as_string(), result.error())));
    return result;
  }
  return std::nullopt;
}

std::optional<MonoTime> PassedOn::wake_at() const {
  return line_ ? std::nullopt : std::optional(patience_);
}

}  // namespace pawl::api
