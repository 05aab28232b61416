#pragma once
// `ls` while a machine is tried for the first time, as after a start: it has kPlacesWithin to say what it has, counted from the first
// try. Later the list shows what was told last, and waits for nobody.

#include "api/place.h"
#include "api/stream.h"

namespace pawl::api {

struct Server;

class PlacesTold {
 public:
  PlacesTold(Server& server, Json request, model::Asker asker)
      : server_(&server), request_(std::move(request)), asker_(std::move(asker)) {}
  StreamEnd pump(StreamContext& context);
  std::optional<MonoTime> wake_at() const { return until_; }

 private:
  Server* server_;
  Json request_;
  model::Asker asker_;
  std::optional<MonoTime> until_;
};

// When the last of those that are tried for the first time has had its time; nothing: nobody is to be waited for.
std::optional<MonoTime> told_by(const Server& server, MonoTime now);

}  // namespace pawl::api
