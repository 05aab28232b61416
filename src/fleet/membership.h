#pragma once
// Which fleet this machine is in, kept in HOME/fleet.json: written by `pawl fleet join`, read by every daemon of this home, removed by
// `pawl fleet leave`. A container says the same with its environment. Pure, but for load(), save() and forget().

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"

namespace pawl::fleet {

struct Membership {
  std::string urls;            // "nats://a:4222,nats://b:4222"
  std::string fleet = "home";  // everything of it is under pawl.<fleet>
  std::string node;            // this machine's name in it
  std::string id;              // made once: two machines of one name are told apart by it
  std::string creds = {};      // file with the node's key; empty: none
  std::string ca = {};         // file; empty: the system's
  bool operator==(const Membership&) const = default;
};

Json to_json(const Membership& membership);
Result<Membership> membership_from(const Json& json);

// An error says which part is wrong and what to write.
Done check(const Membership& membership);

// As the environment says: PAWL_FLEET_URL, and PAWL_FLEET_NAME, PAWL_FLEET_NODE, PAWL_FLEET_CREDS, PAWL_FLEET_CA beside it; none without
// a URL. `host`: what the node is called when nothing says.
std::optional<Membership> membership_of(const std::vector<std::string>& environment,
                                        const std::string& host);

// Nothing: it is in no fleet.
Result<std::optional<Membership>> load_membership(const std::string& home);
Done save_membership(const std::string& home, const Membership& membership);
Done forget_membership(const std::string& home);

// Letters, digits and - that a subject and a key can carry; a host's name without its domain.
std::string node_name(const std::string& host);

}  // namespace pawl::fleet
