#include <cstdlib>
#include <iostream>
#include <string_view>

#include "os/process.h"
#include "survive.h"

int main(int argc, char** argv) {
  namespace survive = pawl::host::survive;
  const std::string program = pawl::os::own_executable();
  const std::string_view role = argc > 1 ? argv[1] : "driver";
  if (role == "daemon" && argc == 3) return survive::run_daemon(program, argv[2]);
  if (role == "print" && argc == 3)
    return survive::run_printer(std::strtoull(argv[2], nullptr, 10));
  if (role == "driver")
    return survive::run_driver(program, argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
  std::cerr << "usage: survive_test [driver SEED]\n";
  return 2;
}
