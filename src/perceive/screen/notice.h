#pragma once
// A notice on the screen as a value: what it is about, what it says, which attempt it counts, when it says it will be over.

#include <optional>
#include <string_view>

#include "model/notice.h"
#include "perceive/screen/reset_time.h"
#include "perceive/screen/sight.h"

namespace pawl::perceive {

std::string_view word(NoticeKind kind);
// Without `until`: that needs a clock and a zone (reset_in, resolve).
model::Notice notice_of(const NoticeSeen& seen);
std::optional<ResetTime> reset_in(const NoticeSeen& seen);

}  // namespace pawl::perceive
