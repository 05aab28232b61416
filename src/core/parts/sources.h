#pragma once
// Work from elsewhere: any command that lists some, run again and again while its agent can use it.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/effect.h"
#include "core/parts/ground.h"

namespace pawl::core {

class Sources {
 public:
  explicit Sources(const Ground& ground) : ground_(ground) {}

  // Commands whose time has come; each has a limit, and its end is heard.
  std::vector<RunCommand> turn(const Clock& now);
  // True: it was one of these. One that fails says nothing about what there is to do.
  bool heard(const Clock& now, const CommandEnded& seen, Inputs& out);
  std::optional<MonoTime> wake_at() const;

 private:
  struct Source {
    std::optional<MonoTime> at;  // when it is run next; none: it runs
    Seq run;
    std::string trouble = {};  // told already
  };
  Ground ground_;
  std::map<std::string, Source> sources_;
  uint64_t last_ = 0;
};

}  // namespace pawl::core
