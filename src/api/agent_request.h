#pragma once
// What a client asked for, worked out into an agent as it would be configured: the client's own configuration below, the
// arguments above, everything checked. For the handlers that start something.

#include <set>
#include <string>
#include <vector>

#include "api/conversation.h"
#include "model/config.h"

namespace pawl::api {

// `wish` as a name nobody has yet.
std::string free_name(const model::Fleet& fleet, const std::string& wish,
                      const std::set<std::string>& taken = {});
// The caller's own configuration file, as the command line sends it along; for an agent the daemon's.
Result<model::Config> user_config(const Call& call);
// The agent that `run` and `register` describe.
Result<model::AgentSpec> spec_of(const Call& call);
// What a spec needs before it can be started, worked out: command, absolute folder, the full name of its model.
// What an agent starts may not do more than that agent, whatever a configuration says that it could have written.
void narrow_rights(const Call& call, model::AgentSpec& spec);
Result<model::AgentSpec> completed(const Call& call, model::AgentSpec spec,
                                   const std::string& base_dir, const model::Config& config);
// {model} and {permission} in a runtime's command line; an item whose value is empty is left out.
std::vector<std::string> filled(const std::vector<std::string>& items,
                                const model::AgentSpec& spec);
// Can its program be told its model, and what it may do? The configuration may say how. `asked`: somebody wants that of
// this one, and not of all.
Done check_wishes(const Call& call, const model::AgentSpec& spec, const model::Config& config,
                  bool asked = false);
// Does the caller want a model or permissions of this one?
bool has_wishes(const Json& args);
// Of the command that asked.
std::vector<std::string> environment_of(const Call& call);
// What is to be kept for its agent: of a caller without an environment (a browser) nothing, its agent has the daemon's.
std::vector<std::string> kept_environment(const Call& call);

}  // namespace pawl::api
