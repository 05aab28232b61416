#pragma once
// The machines this one knows, kept in HOME/machines.json: for each a lookout and a door. The daemon has one of these; the command line
// speaks through the doors, and lists show what the lookouts know.

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "fleet/door.h"
#include "fleet/lookout.h"

namespace pawl::fleet {

inline constexpr size_t kMaxMachines = 64;
inline constexpr const char* kMachinesFolder = "machines";

class Machines {
 public:
  // `alert`: a machine is not reached any more, or is again; for people.
  Machines(os::Loop& loop, std::string home, Door::Who who,
           std::function<void(const std::string& text)> alert);
  ~Machines();

  // Those of the last daemon. An error: they are there, and cannot be read.
  Done load();
  Done add(const Machine& machine);
  Done remove(const std::string& name);
  // {"name", "url", "online", "since", "because", "version", "agents"}, as interfaces say.
  Json list();
  // The agents of all of them, each with its "machine".
  std::vector<Json> agents() const;
  bool empty() const { return machines_.empty(); }

 private:
  struct Known;
  Done open(const Machine& machine);
  Done save() const;
  void tell(const Known& known) const;
  std::string folder(const std::string& name) const;

  os::Loop& loop_;
  std::string home_;
  Door::Who who_;
  std::function<void(const std::string&)> alert_;
  Parting parting_;
  std::map<std::string, std::unique_ptr<Known>> machines_;
};

}  // namespace pawl::fleet
