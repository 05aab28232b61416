#include "api/calls.h"

#include <fmt/core.h>

#include <algorithm>

namespace pawl::api {
namespace {

std::string said(const term::Notification& call) {
  const std::string between = call.title.empty() || call.body.empty() ? "" : ": ";
  const std::string text = call.title + between + call.body;
  if (text.empty()) return {};
  // What begins with a number and a semicolon is a command of ConEmu's to some terminals.
  const bool number = text[0] >= '0' && text[0] <= '9';
  return std::string("\x1b]9;") + (number ? " " : "") + text + "\x1b\\";
}

std::string progress_report(const term::Progress& progress) {
  return fmt::format("\x1b]9;4;{};{}\x1b\\", static_cast<int>(progress.state), progress.percent);
}

}  // namespace

std::string Calls::since(SessionId session, const term::Screen& screen, bool progress) {
  const term::Notifications& all = screen.notifications();
  const bool known = session == session_;
  std::string out;
  if (known && screen.bells() > bells_) out += '\a';
  if (known && all.total > notifications_) {
    const size_t fresh =
        std::min({static_cast<size_t>(all.total - notifications_), all.last.size(), kMaxCalls});
    for (size_t i = all.last.size() - fresh; i < all.last.size(); ++i) out += said(all.last[i]);
  }
  session_ = session;
  bells_ = screen.bells();
  notifications_ = all.total;
  const term::Progress& now = screen.progress();
  if (progress && (now.state != shown_.state || now.percent != shown_.percent)) {
    out += progress_report(now);
    shown_ = now;
  }
  return out;
}

std::string Calls::leave() {
  if (shown_.state == term::Progress::State::none) return {};
  shown_ = {};
  return progress_report(shown_);
}

}  // namespace pawl::api
