#pragma once
// Whether a machine can be reached, since when, why not, and what its agents do: looked at over the first connection, which the
// others go through. Who asks is told what is known, and waits for nobody. When is what, outlook.h says.

#include <memory>
#include <optional>
#include <string>

#include "api/frame.h"
#include "fleet/link.h"
#include "fleet/outlook.h"

namespace pawl::fleet {

class Lookout {
 public:
  // `dir`: that machine's folder. `changed`: it is reached, or is not any more, or the first try has failed.
  Lookout(os::Loop& loop, Parting& parting, Machine machine, std::string from, std::string dir,
          std::function<void()> changed);

  const Outlook& outlook() const { return outlook_; }
  const std::string& master() const { return master_; }  // of the others' connections
  void wanted(MonoTime now);                             // somebody asks

 private:
  void act(Outlook::Do what);
  void call();
  void ask();
  void heard();
  bool take(const Json& reply);
  void lose(Error why);
  void wait();

  os::Loop& loop_;
  Parting& parting_;
  Machine machine_;
  std::string from_, dir_, master_;
  std::function<void()> changed_;
  Outlook outlook_;
  std::unique_ptr<Link> link_;
  std::optional<api::FrameReader> reader_;
  os::Timer timer_;
};

}  // namespace pawl::fleet
