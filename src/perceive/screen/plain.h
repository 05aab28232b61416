#pragma once
// The terminal of a program without an interface, a task after `--`: whether the text at its cursor reads like a question, and
// what else is worth a word in its manifest. By the patterns of [plain] in the generic profile.
//
// What reads like a question is none as long as nobody waits for the answer: that the kernel has to say (model::Effort), and the
// caller has to ask. A log has question marks, too.

#include <string>
#include <vector>

#include "model/notice.h"
#include "perceive/profile/profile.h"
#include "term/screen.h"

namespace pawl::perceive {

inline constexpr int kLastRows = 12;                // with text: what is further up is history
inline constexpr size_t kQuestionBytes = 200;       // of one that is told
inline constexpr const char* kCrashText = "crash";  // kinds of notices
inline constexpr const char* kUpgradeNag = "update";

struct PlainSight {
  std::string question;  // empty: none
  std::vector<model::Notice> notices;
};
PlainSight plain_sight(const Profile& generic, const term::Screen& screen);

}  // namespace pawl::perceive
