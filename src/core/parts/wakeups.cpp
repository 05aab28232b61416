#include "core/parts/wakeups.h"

#include "base/text.h"
#include "store/agent_files.h"
#include "term/utf8.h"

namespace pawl::core {
namespace {

constexpr std::string_view kFrom = "from:";
constexpr size_t kWhoBytes = 64;

}  // namespace

Wakeup wakeup_in(std::string_view file) {
  Wakeup wakeup{store::kWakeupName, {}};
  if (file.starts_with(kFrom)) {
    const size_t end = std::min(file.find('\n'), file.size());
    const std::string_view line = file.substr(0, end);
    const std::string who = term::clean_text(trim(line.substr(kFrom.size())), kWhoBytes);
    if (!who.empty()) wakeup.from = who;
    file.remove_prefix(std::min(end + 1, file.size()));
  }
  wakeup.text = trim(file);
  return wakeup;
}

std::string words_of(const Wakeup& wakeup) {
  return "Wake-up from " + wakeup.from + ": " +
         (wakeup.text.empty() ? "look at your work and go on." : wakeup.text);
}

}  // namespace pawl::core
