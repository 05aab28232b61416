#pragma once
// A git worktree for one task, so that it is in nobody's way. Kept as long as there is anything in it that is nowhere else.

#include <string>

#include "base/result.h"

namespace pawl::cli {

// A new one of the repository `dir` is in, on a branch pawl/NAME. Gives the place in it that `dir` is in the repository.
struct Worktree {
  std::string root;
  std::string dir;
};
Result<Worktree> make_worktree(const std::string& home, const std::string& dir,
                               const std::string& name);
// False, with the reason: it has changes or commits that are nowhere else, and stays.
Done remove_worktree(const std::string& root);

}  // namespace pawl::cli
