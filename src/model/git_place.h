#pragma once
// The folder of a task that any machine may run: a git remote and a commit, as people write it: REMOTE[#COMMIT|#BRANCH|#TAG]. Said by
// whoever gives the task (`--git`), read again by every machine that gets it: what goes to git's command line is only what passes here.

#include <string>
#include <string_view>

#include "base/result.h"

namespace pawl::model {

inline constexpr size_t kMostRemote = 1000, kMostRef = 250;  // bytes

struct GitPlace {
  std::string remote;
  std::string ref;  // a commit, a branch or a tag; empty: where the remote's HEAD is
  bool operator==(const GitPlace&) const = default;
};

// Refused: what is an option to git, names a program (ext::), has a password in it, or is a path of no machine but this.
Result<GitPlace> git_place_from(std::string_view text);
// All of a commit's name: the same for every machine, today and tomorrow.
bool whole_commit(std::string_view ref);
std::string word(const GitPlace& place);

}  // namespace pawl::model
