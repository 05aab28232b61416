#include "serve/doormat.h"

#include "api/audit.h"

namespace pawl::serve {

void Doormat::came(const Clock& now, const std::string& by, const std::string& what) {
  engine_.journal().note(now.wall, {what, {model::kWeb, by, 0}});
}

void Doormat::refused(const Clock& now, const Request& request, const std::string& what) {
  if (notes_ == 0 || now.mono - hour_ >= std::chrono::hours{1}) {
    hour_ = now.mono;
    notes_ = 0;
  }
  if (++notes_ > kDoorNotes + 1) return;
  const bool last = notes_ > kDoorNotes;
  const std::string by = last ? "strangers" : "stranger from " + request.peer.address;
  engine_.journal().note(
      now.wall,
      {last ? "more wrong credentials than are written down" : what, {model::kWeb, by, 0}, true});
}

}  // namespace pawl::serve
