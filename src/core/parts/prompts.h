#pragma once
// The words that rules send to an agent. Free functions: they read its files and what the journal knows of it.

#include <optional>
#include <string>

#include "core/effect.h"
#include "core/parts/ground.h"

namespace pawl::core {

// A rule's text; none of the topics: its own prompt. `compact`: what makes its program shorten its context.
std::string prompt_text(const store::AgentFiles& files, const model::Agent& agent,
                        std::optional<model::Topic> topic, const std::string& compact);

// A14: what a new session has to know. `with_prompt`: the standing prompt as well.
std::string where_it_stands(const store::AgentFiles& files, WallTime now, const model::Agent& agent,
                            bool with_prompt);

// The command line that was seen in its terminal, for the shell that is there now. Empty: it is not known.
std::string command_again(const perceive::Catalog* catalog, const model::Agent& agent, bool resume);

// O6: everything that may tell why it ended, while it can still be had. `cause`: beyond its signal; `screen`: the end of what it showed.
std::string diagnosis(store::Disk& disk, WallTime now, const model::Agent& agent,
                      const model::Ending& ending, const std::string& cause,
                      const std::string& screen);

}  // namespace pawl::core
