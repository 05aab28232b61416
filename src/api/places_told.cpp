#include "api/places_told.h"

#include <algorithm>

#include "api/look_handlers.h"

namespace pawl::api {

std::optional<MonoTime> told_by(const Server& server, MonoTime now) {
  std::optional<MonoTime> last;
  if (!server.places) return last;
  for (const auto& [name, place] : server.places()) {
    const Standing standing = place->standing();
    if (standing.online || !standing.first_try) continue;
    const MonoTime until = *standing.first_try + kPlacesWithin;
    if (now < until) last = std::max(last.value_or(until), until);
  }
  return last;
}

StreamEnd PlacesTold::pump(StreamContext& context) {
  until_ = told_by(*server_, context.now.mono);
  if (until_) return std::nullopt;
  return list_now({context.engine, *server_, context.now, request_["args"], request_, asker_});
}

}  // namespace pawl::api
