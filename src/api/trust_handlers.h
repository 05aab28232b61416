#pragma once
// First use: `pawl up` runs what a configuration file says only after a person approved that file, by its place and its content, as
// direnv does. The check is here and not in the command line, because others speak to the socket, too. Needs no approval:
//   - the person's own configuration (PAWL_CONFIG, else ~/.config/pawl/pawl.toml); an agent's word for it does not count
//   - a file all of whose agents are known already, with these very settings: it brings nothing new

#include "api/conversation.h"

namespace pawl::api {

Outcome up(const Call& call);       // exit code 6: not approved
Outcome trust(const Call& call);    // approves, lists, forgets
Outcome preview(const Call& call);  // what `up` would run, and whether that is approved

}  // namespace pawl::api
