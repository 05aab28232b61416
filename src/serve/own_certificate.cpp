#include "serve/own_certificate.h"

#include <algorithm>
#include <utility>

#include "os/digest.h"
#include "os/file.h"
#include "os/private_file.h"
#include "os/tcp.h"

namespace pawl::serve {
namespace {

constexpr const char *kCaKey = "ca.key", *kCaCertificate = "ca.crt", *kCaBefore = "ca.key.old";
constexpr const char *kCertificate = "certificate.pem", *kKey = "key.pem";
constexpr size_t kMaxPem = 64u << 10;
constexpr size_t kMaxTold = 64;       // different news of one life
constexpr size_t kMaxHostShown = 40;  // in the CA's name
constexpr const char* kAnother =
    "make another CA: pawl serve --new-ca, then install it again on your devices";

std::string date(WallTime time) {
  return rfc3339(time).substr(0, 10);
}

bool there(const std::string& path) {
  return os::look(path, false).has_value();
}

Error or_another(const Error& error) {
  return {error.what, (error.fix.empty() ? "" : error.fix + ", or ") + kAnother, error.exit_code};
}

}  // namespace

bool renewal_due(const os::CertificateFacts& certificate, WallTime now) {
  const Duration life = certificate.ends - certificate.begins;
  return now < certificate.begins || now >= certificate.begins + life / 3 * 2;
}

Done OwnCertificate::check(const std::string& dir, WallTime now) {
  if (!there(dir)) return {};
  if (auto ours = os::hold_private_dir(dir); !ours) return ours;
  OwnCertificate it;
  it.dir_ = dir;
  if (const auto found = it.load_authority(now); !found) return tl::unexpected(found.error());
  return {};
}

Result<OwnCertificate> OwnCertificate::open(const std::string& dir, const CertificateNames& names,
                                            bool fresh, WallTime now) {
  if (auto ours = os::hold_private_dir(dir); !ours) return tl::unexpected(ours.error());
  OwnCertificate out;
  out.dir_ = dir;
  const auto found = fresh ? Result<bool>(false) : out.load_authority(now);
  if (!found) return tl::unexpected(found.error());
  if (auto ready = *found ? out.keep_copy() : out.make_authority(names, fresh, now); !ready)
    return tl::unexpected(ready.error());
  const auto wanted = out.signable(names);
  if (!out.load_pair(wanted, now)) {
    if (!*found && !fresh && there(out.file(kCertificate)))
      out.tell(
          "the certificate that signed itself is replaced by one of a CA of this machine, which "
          "browsers can trust: pawl serve --ca");
    if (auto made = out.renew(wanted, {{}, now}); !made) return tl::unexpected(made.error());
  }
  out.look_at_end(now);
  return out;
}

Result<bool> OwnCertificate::load_authority(WallTime now) {
  const std::string path = file(kCaKey);
  if (!there(path)) {
    if (!there(file(kCaCertificate))) return false;
    return fail(path + " is gone, though " + kCaCertificate + " is there",
                std::string("put it back from a backup, or ") + kAnother);
  }
  const auto text = os::read_private(path, kMaxPem);
  if (!text) return tl::unexpected(or_another(text.error()));
  const auto facts = os::read_certificate(*text);
  if (!facts) return fail(path + " holds no certificate", kAnother);
  if (!facts->authority) return fail("the certificate in " + path + " is no CA", kAnother);
  authority_ = {os::certificate_in(*text), *text};
  authority_facts_ = *facts;
  if (!os::fits(authority_))
    return fail("the key in " + path + " is missing, or not that of its certificate", kAnother);
  if (now >= facts->ends)
    return fail("the CA in " + path + " ended on " + date(facts->ends), kAnother);
  return true;
}

Done OwnCertificate::keep_copy() const {
  const auto copy = os::read_file(file(kCaCertificate), kMaxPem);
  if (copy && *copy == authority_.certificate) return {};
  return os::write_atomically(file(kCaCertificate), authority_.certificate);
}

Done OwnCertificate::make_authority(const CertificateNames& names, bool fresh, WallTime now) {
  std::vector<std::string> all{"localhost"};
  all.insert(all.end(), names.asked.begin(), names.asked.end());
  for (const auto& name : names.found)  // addresses of the machine may be others tomorrow
    if (!os::is_address(name) && !os::is_address("[" + name + "]")) all.push_back(name);
  const std::string mark = os::hex(os::sha256(os::random_secret())).substr(0, 6);
  auto made = os::make_authority("Pawl on " + os::host_name().substr(0, kMaxHostShown) + " " + mark,
                                 all, now);
  if (!made) return tl::unexpected(made.error());
  const std::string path = file(kCaKey), before = file(kCaBefore);
  const bool moved = fresh && there(path);
  if (moved && !os::move_file(path, before))
    return fail("cannot move " + path + " away", "look at " + before);
  if (auto kept = os::write_atomically(path, made->key + made->certificate); !kept) {
    if (moved) os::move_file(before, path);
    return kept;
  }
  authority_ = std::move(*made);
  authority_facts_ = *os::read_certificate(authority_.certificate);
  if (moved)
    tell(
        "this machine has another CA: install it again on your devices: pawl serve --ca. The old "
        "one is kept: " +
        before);
  return keep_copy();
}

// From the last life, if it is still good.
bool OwnCertificate::load_pair(const std::vector<std::string>& names, WallTime now) {
  auto certificate = os::read_private(file(kCertificate), kMaxPem);
  auto key = os::read_private(file(kKey), kMaxPem);
  if (!certificate || !key) return false;
  const auto facts = os::read_certificate(*certificate);
  if (!facts || !os::signed_by(*certificate, authority_.certificate)) return false;
  pair_ = {std::move(*certificate), std::move(*key)};
  facts_ = *facts;
  const bool last = facts->ends >= authority_facts_.ends;  // another would end as soon
  return os::fits(pair_) && (!renewal_due(*facts, now) || last) && covers(names);
}

Done OwnCertificate::keep_pair() const {
  if (auto kept = os::write_atomically(file(kKey), pair_.key); !kept) return kept;
  return os::write_atomically(file(kCertificate), pair_.certificate);
}

Done OwnCertificate::renew(const std::vector<std::string>& names, const Clock& now) {
  auto made = os::issue(authority_, names, now.wall);
  if (!made) return tl::unexpected(made.error());
  pair_ = std::move(*made);
  facts_ = *os::read_certificate(pair_.certificate);
  issued_for_ = names;
  const auto kept = keep_pair();
  unkept_ = !kept;
  keep_at_ = now.mono + kKeepAgain;
  if (unkept_)
    tell("the dashboard's certificate was renewed on " + date(now.wall) +
         " and cannot be saved: it is used from memory, and the next daemon makes another: " +
         text_of(kept.error()));
  return {};
}

std::vector<std::string> OwnCertificate::signable(const CertificateNames& names) {
  std::vector<std::string> out{"localhost", "127.0.0.1", "::1"};
  for (const auto& name : names.asked) {
    if (os::may_sign(authority_.certificate, name))
      out.push_back(name);
    else
      tell("the CA of this machine may not sign for " + name +
           ", so browsers will not trust that name. If it is not a proxy's with a certificate of "
           "its own, " +
           kAnother);
  }
  for (const auto& name : names.found)
    if (os::may_sign(authority_.certificate, name)) out.push_back(name);
  if (out.size() > os::kMaxCertificateNames) out.resize(os::kMaxCertificateNames);
  return out;
}

bool OwnCertificate::covers(const std::vector<std::string>& names) const {
  return std::all_of(names.begin(), names.end(), [this](const auto& name) {
    return os::covers(pair_.certificate, name) ||
           std::find(issued_for_.begin(), issued_for_.end(), name) != issued_for_.end();
  });
}

bool OwnCertificate::follow(const Clock& now, const std::function<CertificateNames()>& names) {
  if (now.mono < next_look_) return false;
  next_look_ = now.mono + kLookAtCertificate;
  look_at_end(now.wall);
  if (unkept_ && now.mono >= keep_at_) {
    unkept_ = !keep_pair();
    keep_at_ = now.mono + kKeepAgain;
  }
  // By such a clock no certificate of this CA is good: the one there is stays.
  if (now.wall < authority_facts_.begins || now.wall >= authority_facts_.ends) return false;
  const auto wanted = signable(names());
  const bool last = facts_.ends >= authority_facts_.ends;
  const bool due = renewal_due(facts_, now.wall) && (!last || now.wall < facts_.begins);
  if (!due && covers(wanted)) return false;
  if (auto renewed = renew(wanted, now); !renewed) {
    tell("the dashboard's certificate cannot be renewed; it ends on " + date(facts_.ends) + ": " +
         text_of(renewed.error()));
    return false;
  }
  return true;
}

void OwnCertificate::look_at_end(WallTime now) {
  const WallTime ends = authority_facts_.ends;
  if (now >= ends)
    tell("the CA of this machine ended on " + date(ends) +
         ", and no browser trusts the dashboard "
         "any more: " +
         kAnother);
  else if (now >= ends - kAuthorityEndsSoon)
    tell("the CA of this machine ends on " + date(ends) + ": " + kAnother);
}

void OwnCertificate::tell(const std::string& news) {
  if (told_.size() >= kMaxTold || !told_.insert(news).second) return;
  news_.push_back(news);
}

std::vector<std::string> OwnCertificate::take_news() {
  return std::exchange(news_, {});
}

}  // namespace pawl::serve
