#pragma once
// A machine by ssh, as a place that can be asked (api/place.h): its lookout says whether it is there, its door is for the command line,
// and every talk is a connection of its own through the first one.

#include "api/place.h"
#include "fleet/door.h"
#include "fleet/lookout.h"

namespace pawl::fleet {

// What a machine's place needs of the daemon.
struct Around {
  os::Loop& loop;
  Parting& parting;
  // Something arrived, or a machine is reached or not any more: a turn is due.
  std::function<void()> wake;
};

class MachinePlace : public api::Place {
 public:
  MachinePlace(const Around& around, const Machine& machine, const std::string& dir, Door::Who who,
               os::Fd listener, std::function<void(const MachinePlace&)> changed);

  api::Standing standing() const override;
  const std::vector<Json>& agents() const override { return lookout_.outlook().agents(); }
  uint64_t told() const override { return lookout_.outlook().answers(); }
  std::unique_ptr<api::Talk> talk(const std::string& from) override;
  std::string update() const override;

  const Machine& machine() const { return machine_; }
  const Outlook& outlook() const { return lookout_.outlook(); }
  void wanted(MonoTime now) { lookout_.wanted(now); }

 private:
  Around around_;
  Machine machine_;
  std::string dir_;
  std::function<void(const MachinePlace&)> changed_;
  Lookout lookout_;
  Door door_;
};

}  // namespace pawl::fleet
