#pragma once
// A machine's daemon, as a local socket of this one: HOME/machines/NAME/pawl.sock. Whatever speaks with a daemon speaks with that one
// through it; each conversation has a connection of its own. The far side is told who is at the socket: seen, not said.

#include <functional>
#include <list>
#include <memory>
#include <string>

#include "api/frame.h"
#include "fleet/lookout.h"
#include "os/socket.h"

namespace pawl::fleet {

inline constexpr size_t kMaxGuests = 64;      // of one machine
inline constexpr size_t kMaxOwed = 1u << 20;  // bytes a guest has not read; then the link rests

class Door {
 public:
  // Who is there, as the far side is told: "laptop/person".
  using Who = std::function<std::string(const os::Peer&)>;
  Door(os::Loop& loop, Parting& parting, Machine machine, std::string dir, const Lookout& lookout,
       Who who, os::Fd listener);
  ~Door();

  size_t guests() const { return guests_.size(); }

 private:
  struct Guest;
  void accept_all();
  void read(Guest& guest);
  bool answer_pulse(Guest& guest);
  void pass_on(Guest& guest);
  void news(Guest& guest);
  void write(Guest& guest);
  void refuse(Guest& guest, const Error& error);
  void drop_gone();

  os::Loop& loop_;
  Parting& parting_;
  Machine machine_;
  std::string dir_;
  const Lookout& lookout_;
  Who who_;
  os::Fd listener_;
  std::list<std::unique_ptr<Guest>> guests_;
  os::Soon sweep_;
  os::FdWatch watch_;
};

}  // namespace pawl::fleet
