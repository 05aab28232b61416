#include "serve/credential.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/text.h"
#include "os/digest.h"
#include "os/file.h"
#include "os/kept_secret.h"
#include "serve/user_agent.h"

namespace pawl::serve {
namespace {

constexpr const char* kFix = "remove it, or let pawl make another: pawl serve --new-token";
constexpr const char* kSignedOut = "/signed-out";
constexpr size_t kSignedOutBytes = 1u << 20;

}  // namespace

std::string_view word(Role role) {
  return role == Role::operator_ ? "operator" : "reader";
}

Result<Credentials> Credentials::open(const std::string& home, bool renew) {
  Credentials out;
  auto first = os::kept_secret(home + "/token", renew, kFix);
  if (!first) return tl::unexpected(first.error());
  auto second = os::kept_secret(home + "/token.read", renew, kFix);
  if (!second) return tl::unexpected(second.error());
  if (*first == *second)
    return fail("both tokens are the same", "make others with: pawl serve --new-token");
  out.operator_token_ = std::move(*first);
  out.reader_token_ = std::move(*second);
  out.home_ = home;
  if (renew) {
    os::remove_file(home + kSignedOut);
    Browsers::remove(home);
  } else {
    out.read_signed_out();
  }
  out.browsers_ = Browsers::open(home);
  return out;
}

// DIGEST UNTIL, one a line.
void Credentials::read_signed_out() {
  const auto text = os::read_file(home_ + kSignedOut, kSignedOutBytes);
  if (!text) return;
  for (const auto& line : split(*text, '\n')) {
    const auto words = split(line, ' ');
    if (words.size() == 2) signed_out_[words[0]] = std::strtoll(words[1].c_str(), nullptr, 10);
  }
}

Done Credentials::sign_out(const Who& who, WallTime now) {
  if (who.session.empty()) return {};
  signed_out_[who.session] = who.until;
  (void)browsers_.forget(who.session);  // the list is for people
  return keep_signed_out(now);
}

Done Credentials::keep_signed_out(WallTime now) {
  std::erase_if(signed_out_, [&](const auto& it) { return it.second <= unix_seconds(now); });
  while (signed_out_.size() > kMaxSignedOut)
    signed_out_.erase(
        std::min_element(signed_out_.begin(), signed_out_.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; }));
  std::string text;
  for (const auto& [session, until] : signed_out_)
    text += session + " " + std::to_string(until) + "\n";
  return os::write_atomically(home_ + kSignedOut, text);
}

void Credentials::used(const Who& who, const std::string& address, const std::string& user_agent,
                       WallTime now) {
  if (who.session.empty()) return;
  browsers_.used(
      {who.session, who.credential.substr(who.credential.rfind(' ') + 1),
       std::string(word(who.role)), browser_name(user_agent), address, now, now, who.until},
      now);
}

std::vector<Browser> Credentials::browsers(WallTime now) const {
  std::vector<Browser> out;
  for (const auto& one : browsers_.all())
    if (one.until > unix_seconds(now) && !signed_out(one.session) &&
        !browsers_.idle(one.session, now))
      out.push_back(one);
  return out;
}

Result<size_t> Credentials::revoke(const std::string& id, const std::string& but, WallTime now) {
  size_t count = 0;
  for (const auto& one : browsers(now)) {
    if (id == kEveryBrowser ? one.session == but : one.id != id) continue;
    signed_out_[one.session] = one.until;
    (void)browsers_.forget(one.session);
    ++count;
  }
  if (count == 0 && id != kEveryBrowser)
    return fail("no browser '" + id + "' is signed in", "pawl serve --sessions lists them");
  if (auto kept = keep_signed_out(now); !kept) return tl::unexpected(kept.error());
  return count;
}

// Both are compared, whichever fits.
std::optional<Who> Credentials::by_token(const std::string& token) const {
  const bool operates = os::same_secret(token, operator_token_);
  const bool reads = os::same_secret(token, reader_token_);
  if (operates) return Who{Role::operator_, "token", false};
  if (reads) return Who{Role::reader, "token", false};
  return std::nullopt;
}

std::string Credentials::sign(const std::string& text) const {
  return os::hmac_sha256(operator_token_ + reader_token_, text);
}

std::string Credentials::signature(const std::string& text) const {
  return os::base64url(sign("cookie " + text));
}

// ROLE.UNTIL.NAME.SIGNATURE
std::optional<Who> Credentials::by_cookie(const std::string& value, WallTime now) const {
  const auto parts = split(value, '.');
  if (parts.size() != 4 || value.size() > 256) return std::nullopt;
  const std::string signed_part = value.substr(0, value.rfind('.'));
  if (!os::same_secret(parts[3], signature(signed_part))) return std::nullopt;
  int64_t until = 0;
  const auto& text = parts[1];
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), until);
  if (error != std::errc{} || end != text.data() + text.size() || unix_seconds(now) >= until)
    return std::nullopt;
  if (parts[0] != "operator" && parts[0] != "reader") return std::nullopt;
  const std::string session = os::hex(os::sha256(value));
  if (signed_out(session) || browsers_.idle(session, now)) return std::nullopt;
  return Who{parts[0] == "operator" ? Role::operator_ : Role::reader, "browser " + parts[2], true,
             session, until};
}

std::string Credentials::make_link(Role role, MonoTime now) {
  std::erase_if(links_, [&](const auto& it) { return it.second.until <= now; });
  if (links_.size() >= kMaxLinks)
    links_.erase(std::min_element(links_.begin(), links_.end(), [](const auto& a, const auto& b) {
      return a.second.until < b.second.until;
    }));
  const std::string code = os::random_secret(24);
  links_[os::sha256(code)] = {role, now + kLinkLasts};
  return code;
}

std::optional<std::string> Credentials::use_link(const std::string& code, const Clock& now) {
  const auto it = links_.find(os::sha256(code));
  if (it == links_.end()) return std::nullopt;
  const Link link = it->second;
  links_.erase(it);
  if (link.until <= now.mono) return std::nullopt;
  const std::string name = os::hex(os::sha256(os::random_secret())).substr(0, 6);
  const std::string text = std::string(word(link.role)) + "." +
                           std::to_string(unix_seconds(now.wall + kCookieLasts)) + "." + name;
  return text + "." + signature(text);
}

}  // namespace pawl::serve
