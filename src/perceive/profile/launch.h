#pragma once
// What a profile adds to a command line so that the program tells us of its turns (`pawl hook`). For one run only: nobody's
// files are touched, and the agent's own specification stays what the person wrote. Used by core when a terminal is opened.

#include <string>
#include <vector>

#include "base/units.h"
#include "perceive/profile/catalog.h"

namespace pawl::perceive {

// Who is to be told, and how.
struct Caller {
  std::string pawl;  // our executable, absolute
  std::string home;
  std::string agent;
  SessionId session;
};

// The profile of what is started: that of the given runtime when there is one, else recognised by the command; may be null.
const Profile* profile_of(const Catalog& catalog, const std::string& runtime,
                          const std::vector<std::string>& argv);

// The command line with the profile's hook arguments right after the program's name. Unchanged when it is not clear where
// that is (a shell, a wrapper that wrapper.h does not know), when the user's own arguments would collide, or when the profile has none.
//   {pawl} {home} {agent} {session}  texts of the Caller, escaped for the inside of a quoted TOML or JSON text
//   {hooks_json}                     {"hooks": …} with every event of the profile's rows, in Claude Code's form
std::vector<std::string> with_hooks(const Profile& profile, std::vector<std::string> argv,
                                    const Caller& caller);

// What a program calls a conversation, and where it keeps it.
struct Conversation {
  std::string id;
  std::string file = {};  // empty: not known, or no business of ours
};

// The command line that goes on with a conversation: the profile's way, with the user's own arguments. Unchanged when it is not
// clear where those begin, when they name a conversation themselves, or when the profile has no way.
std::vector<std::string> resuming(const Profile& profile, std::vector<std::string> argv,
                                  const Conversation& its);
// … and the one that begins a new conversation under a name of ours, so that it is known whatever becomes of the program.
std::vector<std::string> naming(const Profile& profile, std::vector<std::string> argv,
                                const Conversation& its);

// The command that tells whether its login works, with the program of this command line; empty when it cannot be asked.
std::vector<std::string> login_probe(const Profile& profile, const std::vector<std::string>& argv);

// What a person wants of the program beyond its command line; empty, or "default": nothing.
struct Wishes {
  std::string model, permission;
};
// The command line with the profile's arguments for them. Unchanged where the user's own arguments choose already, or where it
// is not clear where those begin.
std::vector<std::string> with_wishes(const Profile& profile, std::vector<std::string> argv,
                                     const Wishes& wishes);
// Why they cannot be had of this program; empty: they can.
std::string unfulfilled(const Profile& profile, const Wishes& wishes);

// The same for a line of a run without an interface, which says itself where they go: {model} and {permission} as items.
std::vector<std::string> task_line(const Profile& profile, const std::vector<std::string>& line,
                                   const Wishes& wishes);
std::string unfulfilled_task(const Profile& profile, const Wishes& wishes);

// NAME=value entries of the profile for a terminal of ours, each with the value the user gave that name instead, if any.
std::vector<std::string> terminal_wishes(const Profile& profile,
                                         const std::vector<std::string>& users);

}  // namespace pawl::perceive
