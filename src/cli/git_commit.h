#pragma once
// `task start --git REMOTE#BRANCH`: which commit that is now, so that every machine and every try has the same one. Asked of the remote by
// git itself, with this user's credentials, once, and without questions to anybody.

#include <string>
#include <string_view>

#include "base/result.h"

namespace pawl::cli {

// "REMOTE#COMMIT", with all of the commit's name.
Result<std::string> with_whole_commit(const std::string& text);
// The commit of a branch, a tag or HEAD (empty) in what `git ls-remote` printed.
Result<std::string> commit_in(std::string_view listed, const std::string& ref);

}  // namespace pawl::cli
