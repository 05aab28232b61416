#include <fmt/core.h>

#include "cli/ask.h"
#include "cli/fleet.h"
#include "fleet/enroll.h"
#include "os/file.h"

namespace pawl::cli {
namespace {

// Where the list of nodes is kept, of which fleet, and whom it is about.
struct Kept {
  std::string dir, fleet, node;
};

Kept kept_of(const Command& command) {
  const std::string dir = command.args()["dir"].as_string();
  return {dir.empty() ? command.home + "/fleet" : os::absolute(dir, os::current_dir()),
          command.args()["fleet"].as_string("home"), command.args()["node"].as_string()};
}

std::string told(const Kept& kept, const std::string& file) {
  return fmt::format(
      "{}: the key of {} in the fleet {}. Bring it there: it is not kept here.\n{}\n"
      "On {}:  pawl fleet join tls://HOST:4222 --name {} --creds {}.creds\n",
      file, kept.node, kept.fleet, fleet::after_enrolling(kept.dir, kept.fleet), kept.node,
      kept.node, kept.node);
}

}  // namespace

int fleet_enroll(const Command& command) {
  const Kept kept = kept_of(command);
  const std::string file =
      os::absolute(command.args()["out"].as_string(kept.node + ".creds"), os::current_dir());
  if (os::exists(file))
    return complain({file + " is there already", "name another file with --out", 2});
  if (auto made = os::make_private_dir(kept.dir); !made) return complain(made.error());
  const auto enrolled = fleet::enroll(kept.dir, kept.fleet, kept.node);
  if (!enrolled) return complain(enrolled.error());
  if (auto written = os::write_atomically(file, enrolled->credentials); !written) {
    (void)fleet::revoke(kept.dir, kept.fleet, kept.node);  // nobody has its key
    return complain(written.error());
  }
  if (command.json())
    print_json(Json::object({{"version", 1},
                             {"node", kept.node},
                             {"key", enrolled->key.key},
                             {"credentials", file},
                             {"server", fleet::server_config_path(kept.dir, kept.fleet)}}));
  else
    print(told(kept, file));
  return 0;
}

int fleet_revoke(const Command& command) {
  const Kept kept = kept_of(command);
  if (auto gone = fleet::revoke(kept.dir, kept.fleet, kept.node); !gone)
    return complain(gone.error());
  if (command.json())
    print_json(Json::object({{"version", 1}, {"node", kept.node}}));
  else
    print(
        fmt::format("{} cannot come in any more once the server has read its configuration.\n{}\n",
                    kept.node, fleet::after_enrolling(kept.dir, kept.fleet)));
  return 0;
}

}  // namespace pawl::cli
