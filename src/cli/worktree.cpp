#include "cli/worktree.h"

#include <array>
#include <cstdio>

#include "base/text.h"
#include "os/file.h"

namespace pawl::cli {
namespace {

struct Said {
  bool fine = false;
  std::string text;
};

// Its words are quoted: names of folders may be anything.
Said git(const std::vector<std::string>& words) {
  std::string line = "git";
  for (const auto& word : words) line += " " + shell_quoted(word);
  FILE* pipe = ::popen((line + " 2>&1").c_str(), "re");
  if (!pipe) return {};
  std::string text;
  std::array<char, 4096> buffer{};
  for (size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    text.append(buffer.data(), n);
  return {::pclose(pipe) == 0, std::string(trim(text))};
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
