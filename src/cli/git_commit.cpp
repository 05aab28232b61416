#include "cli/git_commit.h"

#include <map>

#include "base/text.h"
#include "cli/said.h"
#include "model/git_place.h"

namespace pawl::cli {
namespace {

constexpr const char* kAsksFor = "60";  // seconds

std::string last_line_of(const std::string& text) {
  const size_t end = text.rfind('\n');
  return end == std::string::npos ? text : text.substr(end + 1);
}

}  // namespace

Result<std::string> commit_in(std::string_view listed, const std::string& ref) {
  std::map<std::string, std::string> found;
  for (const auto& line : split(listed, '\n')) {
    const size_t tab = line.find('\t');
    if (tab != std::string::npos && model::whole_commit(line.substr(0, tab)))
      found[std::string(trim(line.substr(tab + 1)))] = line.substr(0, tab);
  }
  if (ref.empty()) {
    if (found.contains("HEAD")) return found["HEAD"];
    return fail("the remote has no HEAD", "name a commit or a branch: REMOTE#main");
  }
  const std::string tag = "refs/tags/" + ref, branch = "refs/heads/" + ref;
  const std::string of_tag = found.contains(tag + "^{}") ? found[tag + "^{}"] : found[tag];
  const std::string of_branch = found[branch];
  if (!of_tag.empty() && !of_branch.empty() && of_tag != of_branch)
    return fail("the remote has a branch and a tag '" + ref + "'",
                "name the commit: one of " + of_branch + " and " + of_tag);
  if (!of_branch.empty()) return of_branch;
  if (!of_tag.empty()) return of_tag;
  return fail("the remote has no branch and no tag '" + ref + "'",
              "push it; of a commit give all 40 digits");
}

Result<std::string> with_whole_commit(const std::string& text) {
  auto place = model::git_place_from(text);
  if (!place) return tl::unexpected(place.error());
  if (model::whole_commit(place->ref)) return word(*place);
  std::vector<std::string> words = {"env",
                                    "GIT_TERMINAL_PROMPT=0",
                                    "GIT_ALLOW_PROTOCOL=https:http:ssh:git:file",
                                    "timeout",
                                    kAsksFor,
                                    "git",
                                    "ls-remote",
                                    "--",
                                    place->remote};
  if (place->ref.empty()) {
    words.push_back("HEAD");
  } else {
    for (const char* before : {"refs/heads/", "refs/tags/"}) words.push_back(before + place->ref);
    words.push_back("refs/tags/" + place->ref + "^{}");
  }
  const Said said = said_by(words);
  if (!said.fine)
    return fail("git cannot read " + place->remote + ": " + last_line_of(said.text),
                "see that  git ls-remote " + place->remote + "  works, or give the whole commit");
  auto commit = commit_in(said.text, place->ref);
  if (!commit) return commit;
  place->ref = *commit;
  return word(*place);
}

}  // namespace pawl::cli
