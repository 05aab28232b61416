#pragma once
// Starts holder processes from the program carried inside our own binary. Used by PtyHost when all
// shards are full.

#include <string>

#include "base/result.h"
#include "os/fd.h"

namespace pawl::host {

class HolderStart {
 public:
  explicit HolderStart(std::string dir) : dir_(std::move(dir)) {}

  // A new holder listening at DIR/NUMBER.sock and a connection to it. The connection is there
  // before the process is: when the program could not be executed it ends without a hello, then
  // call use_file() and try again.
  Result<os::Fd> start(unsigned number);

  // From now on execute a copy in DIR, for kernels that do not execute memory files. False when
  // that is so already.
  bool use_file();

 private:
  Result<int> memory_file();
  Result<std::string> file();

  std::string dir_;
  os::Fd memory_;
  bool from_file_ = false;
};

std::string socket_name(unsigned number);

}  // namespace pawl::host
