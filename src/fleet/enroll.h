#pragma once
// Who is in a fleet: a key for each node, and what the server lets it do. The server's configuration is made from the roll, a file
// without secrets; whoever is not in it any more cannot come in any more, from the moment the server reads it again.
//
// A node can speak for itself only (the table of doc/fleet.md): its own keys, events, inbox and questions. It can make a stream that is
// not there yet and no other; pawl-bus looks at each that is there before it uses it.

#include <string>
#include <vector>

#include "fleet/nkey.h"

namespace pawl::fleet {

inline constexpr size_t kMaxNodes = 1000;

struct EnrolledNode {
  std::string name, key;  // its public key
  bool operator==(const EnrolledNode&) const = default;
};

struct Roll {
  std::string fleet;
  std::vector<EnrolledNode> nodes;
  bool operator==(const Roll&) const = default;
};

// What a node may do: the subjects of the bus.
std::vector<std::string> may_publish(const std::string& fleet, const std::string& node);
std::vector<std::string> may_hear(const std::string& fleet, const std::string& node);
// `nobody`: a public key without an owner. A list of users that is empty would let everybody in.
std::string server_config(const Roll& roll, const std::string& nobody);

std::string roll_path(const std::string& dir, const std::string& fleet);
std::string server_config_path(const std::string& dir, const std::string& fleet);
// An empty one when there is none.
Result<Roll> read_roll(const std::string& dir, const std::string& fleet);

struct Enrolled {
  NKey key;
  std::string credentials;  // the text of its file
};
// Adds the node to the roll and writes the server's configuration. The secret is in what comes back and nowhere else.
Result<Enrolled> enroll(const std::string& dir, const std::string& fleet, const std::string& node);
// Takes it out of both.
Done revoke(const std::string& dir, const std::string& fleet, const std::string& node);
// What a person has to do then, with the words of nats-server.
std::string after_enrolling(const std::string& dir, const std::string& fleet);

}  // namespace pawl::fleet
