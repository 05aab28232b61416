#include "daemon/user_config.h"

#include <fmt/core.h>

#include <cstdio>

#include "os/file.h"
#include "os/home.h"

namespace pawl::daemon {

model::Config user_config() {
  const std::string path = os::config_path();
  const auto text = os::read_file(path);
  if (!text && os::exists(path)) fmt::print(stderr, "pawl: {}\n", text_of(text.error()));
  if (!text) return {};
  auto read = model::read_config(*text, path);
  if (!read) fmt::print(stderr, "pawl: {}\n", text_of(read.error()));
  if (!read) return {};
  for (const auto& error : read->repairs) fmt::print(stderr, "pawl: {}\n", text_of(error));
  return std::move(read->config);
}

}  // namespace pawl::daemon
