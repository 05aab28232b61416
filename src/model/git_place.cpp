#include "model/git_place.h"

#include <algorithm>

namespace pawl::model {
namespace {

constexpr std::string_view kSchemes[] = {"https://", "http://", "ssh://", "git://", "file:///"};

bool plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return c > ' ' && c != 0x7f; });
}

// "user@host:port/path": what is between the scheme and the first '/'.
std::string_view authority_of(std::string_view url) {
  const std::string_view rest = url.substr(url.find("//") + 2);
  return rest.substr(0, rest.find('/'));
}

bool host_is_option(std::string_view authority) {
  const size_t at = authority.rfind('@');
  const std::string_view host = at == std::string_view::npos ? authority : authority.substr(at + 1);
  return host.starts_with('-') || authority.starts_with('-');
}

// "git@host:path", as ssh takes it.
bool like_scp(std::string_view remote) {
  const size_t colon = remote.find(':'), slash = remote.find('/');
  return colon != std::string_view::npos && colon > 0 && colon + 1 < remote.size() &&
         colon < slash && remote.find("::") == std::string_view::npos;
}

Done check_remote(const std::string& remote) {
  const auto wrong = [&](const char* what, const char* fix) {
    return fail("--git " + remote + ": " + what, fix, 2);
  };
  const char* say = "say https://HOST/PATH, ssh://HOST/PATH, USER@HOST:PATH, or /PATH";
  if (remote.empty()) return fail("--git: no remote", say, 2);
  if (remote.size() > kMostRemote || !plain(remote))
    return fail("--git: that cannot be a git remote", say, 2);
  if (remote.starts_with('-')) return wrong("that is an option of git", say);
  for (const std::string_view scheme : kSchemes) {
    if (!remote.starts_with(scheme)) continue;
    const std::string_view authority = scheme == "file:///" ? "" : authority_of(remote);
    if (scheme != "file:///" && authority.empty()) return wrong("it names no host", say);
    if (host_is_option(authority)) return wrong("its host is an option of ssh", say);
    const bool secret = scheme.starts_with("http")
                            ? authority.find('@') != std::string_view::npos
                            : authority.find(':') < authority.find('@') &&
                                  authority.find('@') != std::string_view::npos;
    if (secret)
      return fail("--git: there is a password in the remote, which the whole fleet would read",
                  "leave it out; each machine uses its own credentials", 2);
    return {};
  }
  if (remote.starts_with('/')) return {};
  if (remote.find("://") == std::string::npos && like_scp(remote))
    return host_is_option(std::string_view(remote).substr(0, remote.find(':')))
               ? wrong("its host is an option of ssh", say)
               : Done{};
  return wrong("that is no place that other machines can reach", say);
}

Done check_ref(const std::string& ref) {
  const bool fine = ref.size() <= kMostRef && !ref.starts_with('-') && !ref.starts_with('/') &&
                    plain(ref) && ref.find("..") == std::string::npos &&
                    ref.find("@{") == std::string::npos &&
                    ref.find_first_of("~^:?*[\\") == std::string::npos;
  if (fine) return {};
  return fail("--git: '" + ref.substr(0, kMostRef) + "' is no commit, branch or tag",
              "write it behind a #: REMOTE#main", 2);
}

}  // namespace

Result<GitPlace> git_place_from(std::string_view text) {
  const size_t mark = text.rfind('#');
  GitPlace place{std::string(text.substr(0, mark)), ""};
  if (mark != std::string_view::npos) place.ref = text.substr(mark + 1);
  if (auto fine = check_remote(place.remote); !fine) return tl::unexpected(fine.error());
  if (auto fine = check_ref(place.ref); !fine) return tl::unexpected(fine.error());
  return place;
}

bool whole_commit(std::string_view ref) {
  return (ref.size() == 40 || ref.size() == 64) &&
         std::all_of(ref.begin(), ref.end(), [](unsigned char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

std::string word(const GitPlace& place) {
  return place.ref.empty() ? place.remote : place.remote + "#" + place.ref;
}

}  // namespace pawl::model
