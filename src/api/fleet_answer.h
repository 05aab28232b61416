#pragma once
// What the fleet's bus says to something that was asked of it, in its time. It never comes: whoever asked is told that nobody knows.

#include "api/stream.h"

namespace pawl::api {

struct Server;

inline constexpr Duration kFleetAnswers = std::chrono::seconds{8};

class FleetAnswer {
 public:
  // `ticket`: as Server::fleet gave it. `what`: for people, "whether fix was given to the fleet".
  FleetAnswer(Server& server, int64_t ticket, std::string what, MonoTime now)
      : server_(&server), ticket_(ticket), what_(std::move(what)), until_(now + kFleetAnswers) {}
  StreamEnd pump(const StreamContext& context) const;
  std::optional<MonoTime> wake_at() const { return until_; }

 private:
  Server* server_;
  int64_t ticket_;
  std::string what_;
  MonoTime until_;
};

}  // namespace pawl::api
