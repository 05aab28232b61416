// How a program ended, in words and in JSON.

#include <fmt/core.h>

#include <cstring>

#include "model/event.h"

namespace pawl::model {

std::string text_of(const Ending& ending) {
  if (!ending.known) return "its end was not seen";
  if (ending.signal != 0)
    return fmt::format("signal {} ({})", ending.signal, strsignal(ending.signal));
  return fmt::format("exit code {}", ending.exit_code);
}

Json to_json(const Ending& ending) {
  return Json::object({{"exit_code", ending.exit_code < 0 ? Json() : Json(ending.exit_code)},
                       {"signal", ending.signal == 0 ? Json() : Json(ending.signal)},
                       {"known", ending.known}});
}

Ending ending_from(const Json& json) {
  return {static_cast<int>(json["exit_code"].as_int(-1)),
          static_cast<int>(json["signal"].as_int(0)), json["known"].as_bool(true)};
}

}  // namespace pawl::model
