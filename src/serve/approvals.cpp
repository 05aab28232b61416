#include "serve/approvals.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "base/text.h"
#include "os/digest.h"
#include "os/file.h"

namespace pawl::serve {
namespace {

constexpr size_t kSignatureBytes = 18;
constexpr size_t kCodeDigits = 8;
constexpr size_t kFileBytes = 4u << 20;
constexpr std::array<std::pair<Approve, std::string_view>, 4> kWords{{{Approve::off, "off"},
                                                                      {Approve::refuse, "refuse"},
                                                                      {Approve::login, "login"},
                                                                      {Approve::code, "code"}}};

template <class T>
bool number(std::string_view text, T& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && end == text.data() + text.size();
}

// UNTIL.PLACE.VIA.DIALOG.AGENT: only the last may have dots.
std::string text_of(const Approval& approval) {
  return fmt::format("{}.{}.{}.{}.{}", approval.until, approval.place, approval.via,
                     approval.dialog, approval.agent);
}

std::string line_of(const std::string& key, int64_t until, bool used, int wrong) {
  return fmt::format("{} {} {} {}\n", key, until, used ? 1 : 0, wrong);
}

}  // namespace

std::string_view word(Approve approve) {
  for (const auto& [value, text] : kWords)
    if (value == approve) return text;
  return "off";
}

std::optional<Approve> approve_from(std::string_view text) {
  for (const auto& [value, name] : kWords)
    if (name == text) return value;
  return std::nullopt;
}

Approvals::Approvals(const std::string& home, const Credentials& credentials, WallTime now)
    : path_(home + "/approvals.used"), credentials_(credentials) {
  if (!os::exists(path_)) return;
  const auto text = os::read_file(path_, kFileBytes);
  if (!text) {
    broken_ = text.error();
    return;
  }
  for (const auto& line : split(*text, '\n')) {
    const auto words = split(line, ' ');
    Known known;
    int used = 0;
    if (words.size() != 4 || !number(words[1], known.until) || !number(words[2], used) ||
        !number(words[3], known.wrong))
      continue;
    known.used = used != 0;
    known_[words[0]] = known;
  }
  forget_old(now);
  std::string whole;
  for (const auto& [key, known] : known_)
    whole += line_of(key, known.until, known.used, known.wrong);
  if (auto kept = os::write_atomically(path_, whole); !kept) broken_ = kept.error();
}

std::string Approvals::key(const Approval& approval) {
  return os::hex(
             os::sha256(fmt::format("{} {} {}", approval.until, approval.dialog, approval.agent)))
      .substr(0, 32);
}

std::string Approvals::link(const Approval& approval) const {
  const std::string text = text_of(approval);
  return os::base64url(credentials_.sign("approval " + text).substr(0, kSignatureBytes)) + "." +
         text;
}

std::optional<Approval> Approvals::read(const std::string& link) const {
  if (link.size() > 256) return std::nullopt;
  std::array<std::string, 5> first;
  size_t from = 0;
  for (auto& part : first) {
    const size_t dot = link.find('.', from);
    if (dot == link.npos) return std::nullopt;
    part = link.substr(from, dot - from);
    from = dot + 1;
  }
  Approval out{link.substr(from), first[4], 0, 0, first[3]};
  if (!number(first[1], out.until) || !number(first[2], out.place)) return std::nullopt;
  if (!os::same_secret(link, this->link(out))) return std::nullopt;
  return out;
}

std::string Approvals::code(const Approval& approval) const {
  const std::string bytes = credentials_.sign("code " + text_of(approval));
  std::string digits;
  // Of a byte below 250, so that each digit is as likely as the others.
  for (const char c : bytes)
    if (const auto byte = static_cast<unsigned char>(c); byte < 250 && digits.size() < kCodeDigits)
      digits += static_cast<char>('0' + byte % 10);
  digits.resize(kCodeDigits, '0');
  return digits.substr(0, kCodeDigits / 2) + "-" + digits.substr(kCodeDigits / 2);
}

bool Approvals::takes_codes(const Approval& approval) const {
  const auto it = known_.find(key(approval));
  return it == known_.end() || it->second.wrong < kWrongCodes;
}

bool Approvals::fits(const Approval& approval, std::string_view said) {
  const auto digits = [](std::string_view text) {
    std::string out;
    for (const char c : text)
      if (c != '-' && std::isspace(static_cast<unsigned char>(c)) == 0) out += c;
    return out;
  };
  if (!takes_codes(approval)) return false;
  if (os::same_secret(digits(said), digits(code(approval)))) return true;
  if (known_.size() >= kMaxUsedLinks && !known_.contains(key(approval))) return false;
  Known& known = known_[key(approval)];
  known.until = approval.until;
  ++known.wrong;
  (void)write(key(approval), known);  // until the daemon ends it counts in any case
  return false;
}

bool Approvals::over(const Approval& approval, WallTime now) const {
  return unix_seconds(now) >= approval.until;
}

bool Approvals::used(const Approval& approval) const {
  const auto it = known_.find(key(approval));
  return it != known_.end() && it->second.used;
}

Done Approvals::take(const Approval& approval, WallTime now) {
  if (broken_) return tl::unexpected(*broken_);
  if (used(approval)) return fail("this link was used", "use the page");
  if (over(approval, now)) return fail("this link has ended", "use the page");
  forget_old(now);
  if (known_.size() >= kMaxUsedLinks && !known_.contains(key(approval)))
    return fail("too many links were used in a short time", "use the page");
  Known& known = known_[key(approval)];
  known.until = approval.until;
  known.used = true;
  auto kept = write(key(approval), known);
  if (!kept) known.used = false;
  return kept;
}

void Approvals::give_back(const Approval& approval) {
  Known& known = known_[key(approval)];
  known.used = false;
  (void)write(key(approval), known);  // not written: it stays used after a restart
}

std::string Approvals::outcome(const Approval& approval) const {
  const auto it = known_.find(key(approval));
  return it == known_.end() ? "" : it->second.outcome;
}

void Approvals::came_of_it(const Approval& approval, std::string what) {
  if (const auto it = known_.find(key(approval)); it != known_.end())
    it->second.outcome = std::move(what);
}

// The last line of a key counts. One that a crash tore is none: the next one begins anew (the constructor writes all of it).
Done Approvals::write(const std::string& key, const Known& known) {
  const auto file = os::open_append(path_);
  if (!file) return tl::unexpected(file.error());
  return os::write_all(file->get(), line_of(key, known.until, known.used, known.wrong), path_);
}

void Approvals::forget_old(WallTime now) {
  std::erase_if(known_, [&](const auto& it) { return it.second.until <= unix_seconds(now); });
}

}  // namespace pawl::serve
