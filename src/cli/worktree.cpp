#include "cli/worktree.h"

#include "cli/said.h"
#include "os/file.h"

namespace pawl::cli {
namespace {

Said git(std::vector<std::string> words) {
  words.insert(words.begin(), "git");
  return said_by(words);
}

}  // namespace

Result<Worktree> make_worktree(const std::string& home, const std::string& dir,
                               const std::string& name) {
  const Said top = git({"-C", dir, "rev-parse", "--show-toplevel"});
  if (!top.fine)
    return fail(dir + " is not in a git repository", "leave --worktree out, or say git init");
  const Said inside = git({"-C", dir, "rev-parse", "--show-prefix"});
  const std::string parent = home + "/worktrees";
  if (auto made = os::make_private_dir(parent); !made) return tl::unexpected(made.error());
  std::string root = parent + "/" + name;
  if (os::exists(root))
    return fail(root + " is there already, from an earlier task",
                "save what is in it, then: git worktree remove " + root);
  const Said added = git({"-C", dir, "worktree", "add", "-b", "pawl/" + name, root});
  if (!added.fine) return fail("git worktree add: " + added.text, "see: git worktree list");
  return Worktree{root, inside.text.empty() ? root : root + "/" + inside.text};
}

Done remove_worktree(const std::string& root) {
  if (!os::is_dir(root)) return {};
  const Said changes = git({"-C", root, "status", "--porcelain"});
  if (!changes.fine || !changes.text.empty())
    return fail(root + " has changes that are not committed", "it stays where it is");
  const Said branch = git({"-C", root, "rev-parse", "--abbrev-ref", "HEAD"});
  // Commits that only this branch has are kept: the branch stays, its folder may go.
  const Said removed = git({"-C", root, "worktree", "remove", root});
  if (!removed.fine) return fail("git worktree remove: " + removed.text, "it stays where it is");
  return {};
}

}  // namespace pawl::cli
