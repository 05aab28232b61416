#pragma once
// What a program says beside its state: a usage limit and when it ends, a failed login, a full context, a retry.

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"

namespace pawl::model {

struct Notice {
  std::string
      kind;  // limit, auth, context, overload, retry, credit; of a program without an interface: crash, update
  std::string text;  // as the program wrote it, cut
  std::optional<WallTime> until;
  int attempt = 0, of = 0;  // of a retry
  bool operator==(const Notice&) const = default;
};
inline constexpr size_t kMaxNoticeBytes = 200;
inline constexpr size_t kMaxNotices = 8;

Json to_json(const Notice& notice);
Notice notice_from(const Json& json);
Json to_json(const std::vector<Notice>& notices);
std::vector<Notice> notices_from(const Json& json);

}  // namespace pawl::model
