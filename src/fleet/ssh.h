#pragma once
// Machines that are reached by the user's own ssh: where one is, and how ssh is called for it. Whom ssh finds there, with which keys,
// through which hosts, is the business of the user's ~/.ssh/config. Pure.

#include <string>
#include <vector>

#include "base/json.h"

namespace pawl::fleet {

struct SshPlace {
  std::string user = {};  // empty: as ssh's configuration says
  std::string host;
  int port = 0;  // 0: as ssh's configuration says
  bool operator==(const SshPlace&) const = default;
};

// "ssh://me@gpu:2222", "ssh://gpu", or as ssh itself takes it: "me@gpu".
Result<SshPlace> place_of(const std::string& url);

struct Machine {
  std::string name;
  std::string url;
  SshPlace place = {};
  std::string agent = {};  // SSH_AUTH_SOCK of whoever added it; empty: none
  bool operator==(const Machine&) const = default;
};
Json to_json(const Machine& machine);
Result<Machine> machine_from(const Json& json);

// The first connection is the one that the others go through, and they end with it; ssh calls it the master.
enum class Which { first, other };
struct SshCall {
  Which which = Which::other;
  std::string master;  // its socket's name in the folder that ssh is run in: that machine's own
  std::string from;    // who the far side is told asks
};
std::vector<std::string> ssh_line(const Machine& machine, const SshCall& call);

// What ssh said on its way out, as a reason and what to do.
Error ssh_trouble(const Machine& machine, int exit_code, const std::string& said);

}  // namespace pawl::fleet
