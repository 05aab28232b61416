// The rows of machines over ssh.

#include "api/arrivals.h"
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
      {"move",
       "an agent goes to another machine with its conversation; what goes wrong leaves it here",
       acts<move_agent>(),
       {name_of_agent(),
        positional("machine", "MACHINE", "where to; MACHINE/NAME gives it another name there"),
        option("dir", "D", "its folder there (default: the same as here)"),
        flag("now", "do not wait until its turn has ended and nobody is at its keyboard"),
        option("timeout", "T", "wait so long for that (default 10m): exit code 124"),
        flag("here",
             "it was given to a machine that does not answer, and you know that it does not run "
             "there: it goes on here"),
        json()},
       "pawl move docs gpu",
       "control"},
      {"arrive", "what comes from another machine with pawl move", acts<arrive>(), {}, "", ""},
      {"arrive look",
       "… its pieces, and how far it is",
       Use{Access::look, May::named, kHandler<arrive_look>},
       {},
       "",
       ""},
      {kRelayVerb, "what comes from another machine", looks<relay>(), {}, "", ""},
  };
}

}  // namespace pawl::api
