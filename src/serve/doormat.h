#pragma once
// What happened at the door, for the audit alone (`pawl audit`): links used, credentials that were wrong, addresses that were locked out, who signed out.
// Strangers cannot fill the journal with it: so many an hour are written down, and that there were more.

#include <string>

#include "api/conversation.h"
#include "serve/message.h"

namespace pawl::serve {

inline constexpr int kDoorNotes = 100;  // of strangers, an hour

class Doormat {
 public:
  explicit Doormat(core::Engine& engine) : engine_(engine) {}

  // Somebody whose credential was right: `by` as by_of() says it.
  void came(const Clock& now, const std::string& by, const std::string& what);
  // A stranger, who did not get in.
  void refused(const Clock& now, const Request& request, const std::string& what);

 private:
  core::Engine& engine_;
  MonoTime hour_{};
  int notes_ = 0;
};

}  // namespace pawl::serve
