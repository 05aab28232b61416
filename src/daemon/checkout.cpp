#include "daemon/checkout.h"

#include <fmt/core.h>

#include <algorithm>

#include "os/file.h"
#include "os/process.h"
#include "os/random.h"

namespace pawl::daemon {
namespace {

constexpr int kNoGit = 10, kNoRemote = 11, kNoCommit = 12;
constexpr size_t kNameMark = 6;

// $1: where it is made, $2: the remote, $3: the commit, $4: where it is to be. Nothing of the user's or the remote's is run: no hooks, no
// templates, no file-system monitor. A commit that is on no branch is asked for by its name, where the remote gives such.
constexpr const char* kClone = R"sh(
g() { git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c protocol.ext.allow=never \
  -c submodule.recurse=false -c gc.auto=0 -c maintenance.auto=false -c advice.detachedHead=false "$@"; }
away() { cd / && rm -rf -- "$made"; exit "$1"; }
made=$1
command -v git >/dev/null || { echo "there is no git"; exit 10; }
g init -q --template= "$1" && cd "$1" && g remote add origin "$2" || away 11
g fetch -q --no-recurse-submodules origin "+refs/heads/*:refs/remotes/origin/*" </dev/null || away 11
g cat-file -e "$3^{commit}" 2>/dev/null || g fetch -q --no-recurse-submodules origin "$3" </dev/null || away 12
g checkout -q --detach "$3" && g update-ref refs/pawl/given "$3" || away 12
cd / && mv -- "$1" "$4" || away 11
)sh";

// $1: a clone. Its own configuration is not read, because whoever worked there may have written it: its files are looked at from a
// repository of ours, which borrows its objects.
constexpr const char* kTidy = R"sh(
look=$1.look
cp_plain() { [ -f "$1/.git/$2" ] && [ ! -L "$1/.git/$2" ] && cp -- "$1/.git/$2" "$look/$2"; }
[ -d "$1/.git" ] && [ ! -L "$1/.git" ] && [ ! -e "$1/.git/refs/stash" ] || exit 0
[ ! -e "$1/.git/modules" ] && [ -z "$(find "$1" -mindepth 2 -name .git -print -quit)" ] || exit 0
rm -rf -- "$look"
git init -q --bare --template= "$look" || exit 1
trap 'rm -rf -- "$look"' EXIT
rm -rf -- "$look/refs" && cp -rP -- "$1/.git/refs" "$look/refs" || exit 1
cp_plain "$1" HEAD && cp_plain "$1" index || exit 1
cp_plain "$1" packed-refs
printf '%s\n' "$1/.git/objects" >"$look/objects/info/alternates"
g() { git --git-dir="$look" --work-tree="$1" -c core.bare=false -c core.fsmonitor=false -c core.hooksPath=/dev/null "$2" "$3" "$4"; }
grep -q refs/stash "$look/packed-refs" 2>/dev/null && exit 0
changes=$(cd "$1" && g "$1" status --porcelain --ignore-submodules=dirty) || exit 1
[ -z "$changes" ] || exit 0
commits=$(cd "$1" && git --git-dir="$look" rev-list -1 HEAD --branches --tags --not --remotes refs/pawl/given) || exit 1
[ -z "$commits" ] || exit 0
cd / && rm -rf -- "$1"
)sh";

// Ours, without what would make git work in another repository, ask somebody, or speak to programs.
std::vector<std::string> git_environment() {
  std::vector<std::string> out = os::own_environment();
  std::erase_if(out, [](const std::string& one) {
    const bool kept = one.starts_with("GIT_SSH") || one.starts_with("GIT_SSL") ||
                      one.starts_with("GIT_CONFIG_") || one.starts_with("GIT_PROXY");
    return (one.starts_with("GIT_") && !kept) || one.starts_with("SSH_ASKPASS") ||
           one.starts_with("LC_ALL=");
  });
  for (const char* one :
       {"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=true", "SSH_ASKPASS_REQUIRE=never",
        "GIT_ALLOW_PROTOCOL=https:http:ssh:git:file", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C"})
    out.emplace_back(one);
  return out;
}

// What git or ssh said first is the cause; what follows it is advice.
std::string first_line(os::ChildEnd end) {
  const size_t begin = end.output.find_first_not_of("\r\n ");
  if (begin == std::string::npos) return "it did not say why";
  end.output = end.output.substr(begin, end.output.find('\n', begin) - begin);
  return last_line(end);
}

std::string clones_of(const std::string& home) {
  return home + "/checkouts";
}

}  // namespace

Result<std::unique_ptr<Checkout>> Checkout::begin(os::Loop& loop, const std::string& home,
                                                  const std::string& unit,
                                                  const model::GitPlace& place,
                                                  std::function<void()> soon) {
  const std::string all = clones_of(home);
  if (auto made = os::make_private_dir(all); !made) return tl::unexpected(made.error());
  if (os::list_dir(all).size() >= kMostClones)
    return fail(fmt::format("{} clones are in {}, with work that was not pushed", kMostClones, all),
                "push it or remove them");
  const std::string name = unit + "." + os::random_uuid().substr(0, kNameMark);
  std::unique_ptr<Checkout> it(new Checkout(all + "/" + name, all + "/.making." + name, place));
  os::ChildOrder order{{"sh", "-c", kClone, "sh", it->making_, place.remote, place.ref, it->dir_},
                       git_environment(),
                       all};
  order.limit = kCloneWithin;
  auto child = os::Child::start(loop, order, [raw = it.get(), soon](const os::ChildEnd& end) {
    raw->ended(end);
    soon();
  });
  if (!child) return tl::unexpected(child.error());
  it->child_ = std::move(*child);
  return it;
}

void Checkout::ended(const os::ChildEnd& end) {
  const std::string said = first_line(end);
  if (end.fine())
    folder_ = dir_;
  else if (end.late)
    folder_ = fail("git did not fetch " + place_.remote + " in time");
  else if (end.exit_code == kNoGit)
    folder_ = fail("there is no git", "install it");
  else if (end.exit_code == kNoCommit)
    folder_ = fail(place_.remote + " has no commit " + place_.ref + ": " + said, "push it");
  else
    folder_ = fail("git cannot fetch " + place_.remote + ": " + said,
                   "see that this machine may read it");
}

void Tidying::start(const os::ChildOrder& order) {
  auto& place = children_.emplace_back();
  auto child = os::Child::start(loop_, order, [this, raw = &place](const os::ChildEnd&) {
    children_.remove_if([raw](const auto& one) { return &one == raw; });
  });
  if (child)
    place = std::move(*child);
  else
    children_.pop_back();
}

void Tidying::remove(const std::string& dir) {
  if (!dir.starts_with(clones_of(home_) + "/")) return;
  os::ChildOrder order{{"rm", "-rf", "--", dir}};
  order.limit = kTidyWithin;
  start(order);
}

void Tidying::begin() {
  const std::string all = clones_of(home_);
  const auto there = os::list_dir(all);
  const bool half = std::any_of(there.begin(), there.end(), [](const std::string& name) {
    return name.starts_with(".making.") || name.ends_with(".look");
  });
  if (!half) return;
  os::ChildOrder order{{"sh", "-c", "rm -rf -- .making.* *.look"}, {}, all};
  order.limit = kTidyWithin;
  start(order);
}

void Tidying::look(const std::string& dir) {
  const std::string before = clones_of(home_) + "/";
  if (!dir.starts_with(before) || dir.find('/', before.size()) != std::string::npos) return;
  os::ChildOrder order{{"sh", "-c", kTidy, "sh", dir}, git_environment(), "/"};
  order.limit = kTidyWithin;
  start(order);
}

}  // namespace pawl::daemon
