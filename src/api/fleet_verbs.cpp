// The rows of `pawl fleet …`: machines that meet on NATS (doc/fleet.md).

#include "api/fleet_handlers.h"
#include "api/verb_parts.h"

namespace pawl::api {

std::vector<Verb> fleet_verbs() {
  return {
      {"fleet join",
       "join the fleet that meets on a NATS server",
       acts<fleet_join>(),
       {required(
            positional("url", "URL", "nats://HOST:4222 or tls://HOST:4222; several with commas")),
        option("name", "NODE", "this machine's name there (default: its host name)"),
        option("fleet", "NAME", "which fleet of that server (default: home)"),
        option("creds", "F", "the node's credentials, made by pawl fleet enroll"),
        option("ca", "F", "trust servers that this CA signed"), json()},
       "pawl fleet join tls://bus.example:4222 --creds gpu.creds --ca ca.pem",
       "other"},
      {"fleet leave",
       "leave the fleet; agents go on, tasks of the fleet are given back",
       acts<fleet_leave>(),
       {json()},
       "pawl fleet leave",
       "other"},
      {"fleet enroll",
       "make a node's credentials, and what the server is to know of it",
       Use::local(),
       {required(positional("node", "NODE", "the node's name in the fleet")),
        option("fleet", "NAME", "which fleet (default: home)"),
        option("out", "F", "the credentials' file (default: NODE.creds here); it is written once"),
        option("dir", "D", "where the list of nodes is kept (default: PAWL_HOME/fleet)"), json()},
       "pawl fleet enroll gpu",
       "other"},
      {"fleet revoke",
       "take a node's credentials back",
       Use::local(),
       {required(positional("node", "NODE", "the node's name in the fleet")),
        option("fleet", "NAME", "which fleet (default: home)"),
        option("dir", "D", "where the list of nodes is kept (default: PAWL_HOME/fleet)"), json()},
       "pawl fleet revoke gpu",
       "other"},
      {"fleet ls",
       "the fleet's nodes, since when they are there or not, and why",
       looks<fleet_ls>(),
       {json()},
       "pawl fleet ls",
       "other"},
  };
}

}  // namespace pawl::api
