#pragma once
// The machines this one knows, kept in HOME/machines.json: for each a lookout and a door. The daemon has one of these; the command line
// speaks through the doors, and lists show what the lookouts know.

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "fleet/machine_place.h"

namespace pawl::fleet {

inline constexpr size_t kMaxMachines = 64;
inline constexpr const char* kMachinesFolder = "machines";

class Machines {
 public:
  // `wake` asks for a turn. `alert`: a machine is not reached any more, or is again; for people.
  Machines(os::Loop& loop, std::string home, Door::Who who, std::function<void()> wake,
           std::function<void(const std::string& text)> alert);
  ~Machines();

  // Those of the last daemon. An error: they are there, and cannot be read.
  Done load();
  Done add(const Machine& machine);
  Done remove(const std::string& name);
  // {"name", "url", "online", "since", "because", "pawl", "skew", "agents"}
  Json list();
  api::Places places() const;

 private:
  Done open(const Machine& machine);
  Done save() const;
  void tell(const MachinePlace& place) const;
  std::string folder(const std::string& name) const;

  std::string home_;
  Door::Who who_;
  std::function<void(const std::string&)> alert_;
  Parting parting_;
  Around around_;
  std::map<std::string, std::unique_ptr<MachinePlace>> machines_;
};

}  // namespace pawl::fleet
