#pragma once
// The certificate of a server that was given none: signed by a CA of this machine, so that a person who installs that CA once has
// a page that browsers trust. All of it is in HOME/tls (0700, files 0600):
//
//   ca.key           the CA: its key and its certificate in one file, so that it is never half there
//   ca.crt           its certificate alone, for curl, Prometheus and the like; made again when it is not there
//   certificate.pem  what the server shows, for 90 days
//   key.pem          … and its key
//
// WebServer opens it and lets it follow. At two thirds of its life, when the clock was set before its beginning, or when the machine
// has another address, the certificate is made anew; connections keep the one they began with. A disk that is full keeps nobody from
// that: the new one is used from memory, kept when that is possible, and somebody is told.
// A CA is never replaced unless a person asks for it: it may be installed on their devices. What is wrong with its file is an error
// that says what to do, and nothing is changed.

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "os/certificate.h"

namespace pawl::serve {

inline constexpr Duration kLookAtCertificate = std::chrono::minutes{1};
inline constexpr Duration kKeepAgain = std::chrono::hours{1};  // after a disk that was full
inline constexpr Duration kAuthorityEndsSoon = std::chrono::hours{24 * 60};

struct CertificateNames {
  std::vector<std::string> asked;  // by a person, who is told when the CA may not sign for one
  std::vector<std::string> found;  // this machine's own; left out without a word
};

// Two thirds of its life are over, or it has not begun by this clock.
bool renewal_due(const os::CertificateFacts& certificate, WallTime now);

class OwnCertificate {
 public:
  // `fresh`: another CA. The one before is kept as ca.key.old.
  static Result<OwnCertificate> open(const std::string& dir, const CertificateNames& names,
                                     bool fresh, WallTime now);

  // Whether open() would get past the CA; changes nothing. For a server that runs and is asked to change.
  static Done check(const std::string& dir, WallTime now);

  const os::CertificatePair& pair() const { return pair_; }
  const os::CertificateFacts& facts() const { return facts_; }
  const std::string& authority() const { return authority_.certificate; }  // PEM
  const os::CertificateFacts& authority_facts() const { return authority_facts_; }

  // After turns; looks once a minute. True: pair() is another one.
  bool follow(const Clock& now, const std::function<CertificateNames()>& names);
  // What a person should know, each once.
  std::vector<std::string> take_news();

 private:
  Result<bool> load_authority(WallTime now);  // false: there is none yet
  Done keep_copy() const;
  Done make_authority(const CertificateNames& names, bool fresh, WallTime now);
  bool load_pair(const std::vector<std::string>& names, WallTime now);
  Done renew(const std::vector<std::string>& names, const Clock& now);
  Done keep_pair() const;
  std::vector<std::string> signable(const CertificateNames& names);
  bool covers(const std::vector<std::string>& names) const;
  void look_at_end(WallTime now);
  void tell(const std::string& news);
  std::string file(const char* name) const { return dir_ + "/" + name; }

  std::string dir_;
  os::CertificatePair authority_, pair_;
  os::CertificateFacts authority_facts_, facts_;
  std::vector<std::string>
      issued_for_;  // pair_, in this life: nothing is made twice for the same names
  std::vector<std::string> news_;
  std::set<std::string> told_;
  MonoTime next_look_{};
  bool unkept_ = false;  // pair_ is in memory only
  MonoTime keep_at_{};   // … and tried again then
};

}  // namespace pawl::serve
