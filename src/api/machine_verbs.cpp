// The rows of machines over ssh.

#include "api/machine_handlers.h"
#include "api/verb_parts.h"

namespace pawl::api {

std::vector<Verb> machine_verbs() {
  return {
      {"machine add",
       "watch over the agents of another machine, by your own ssh",
       acts<machine_add>(),
       {required(positional("name", "MACHINE", "what it is called here")),
        required(positional("url", "URL", "ssh://USER@HOST:PORT, or a host as ssh knows it")),
        flag("install", "copy this pawl to ~/.local/bin there first"), json()},
       "pawl machine add gpu ssh://me@gpu.example",
       "other"},
      {"machine ls",
       "the machines, since when they are reached or not, and why",
       looks<machine_ls>(),
       {json()},
       "pawl machine ls",
       "other"},
      {"machine rm",
       "forget a machine; its agents go on",
       acts<machine_rm>(),
       {required(positional("name", "MACHINE", "which one")), json()},
       "pawl machine rm gpu",
       "other"},
      {kRelayVerb, "what comes from another machine", looks<relay>(), {}, "", ""},
  };
}

}  // namespace pawl::api
