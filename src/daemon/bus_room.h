#pragma once
// This machine in a fleet (doc/fleet.md): keeps `pawl-bus` and the member together, tells the member what happens here, carries out its
// orders, and is what the verbs of `pawl fleet` and units of work ask. It decides nothing.

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "api/conversation.h"
#include "core/face.h"
#include "daemon/bus_units.h"
#include "fleet/bus_process.h"
#include "fleet/far_desk.h"
#include "fleet/member.h"
#include "fleet/membership.h"
#include "fleet/node_place.h"
#include "model/config.h"

namespace pawl::daemon {

class BusRoom {
 public:
  // `wake` asks for a turn soon.
  BusRoom(os::Loop& loop, core::Engine& engine, api::Server& server, std::string home,
          model::FleetShare share, std::function<void()> wake);
  ~BusRoom();

  // As the last daemon had it, or as the environment says. What keeps it from that is said in an alert: agents come first.
  void begin_again();
  // After every turn.
  void publish(const Clock& now, const std::vector<core::Answer>& answers);
  std::optional<MonoTime> wake_at() const;
  // Nothing new is claimed. Then what runs here under a lease is ended and given back, and the others hear that we go.
  void drain();
  void give_back();
  bool gave_back() const;  // or it cannot be said
  void say_farewell();

 private:
  struct Joined;
  Result<Json> asked(const std::string& verb, const Json& request);
  Result<Json> join(const Json& args);
  Result<Json> leave();
  Json list() const;
  void begin(const fleet::Membership& membership);
  void end();
  void add_places(api::Places& places);
  void tell(model::Severity severity, const std::string& text);

  os::Loop& loop_;
  core::Engine& engine_;
  api::Server& server_;
  std::string home_;
  model::FleetShare share_;
  std::function<void()> wake_;
  fleet::Parting parting_;
  std::optional<fleet::Membership> membership_;
  fleet::NodeTalks talks_;  // whoever holds one may hold it for longer than we are in a fleet
  std::unique_ptr<Joined> joined_;
};

}  // namespace pawl::daemon
