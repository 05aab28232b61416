// gtest's main, which tmux also runs as the two helpers of a TmuxHost (relay_point.h).

#include <gtest/gtest.h>

#include <string_view>

#include "host/tmux/relay_point.h"

int main(int argc, char** argv) {
  const std::string_view verb = argc > 1 ? argv[1] : "";
  if (verb == "__relay") return pawl::host::relay_main(argc - 1, argv + 1);
  if (verb == "__gate") return pawl::host::gate_main(argc - 1, argv + 1);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
