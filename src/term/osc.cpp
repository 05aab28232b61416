// Operating system commands: titles, links, marks, notifications, status. Kept, never acted on.
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "base/text.h"
#include "term/interpreter.h"
#include "term/utf8.h"

namespace pawl::term {
namespace {

// "12;rest" -> 12 and "rest". -1 when it starts with no number.
int take_number(std::string_view& text) {
  int value = -1;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc{} || value < 0) return -1;
  text.remove_prefix(static_cast<size_t>(end.ptr - text.data()));
  if (!text.empty() && text[0] != ';') return -1;
  if (!text.empty()) text.remove_prefix(1);
  return value;
}

std::string_view take_field(std::string_view& text) {
  const size_t end = std::min(text.find(';'), text.size());
  const std::string_view field = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return field;
}

std::optional<std::string> from_hex(std::string_view digits) {
  if (digits.size() % 2 != 0) return {};
  std::string out;
  for (size_t at = 0; at < digits.size(); at += 2) {
    unsigned byte = 0;
    const char* begin = digits.data() + at;
    if (std::from_chars(begin, begin + 2, byte, 16).ptr != begin + 2) return {};
    out.push_back(static_cast<char>(byte));
  }
  return out;
}

}  // namespace

void Interpreter::operating_system_command(std::string_view text, bool bell) {
  const int command = take_number(text);
  bool known = false;
  switch (command) {
    case 0:
    case 1:
    case 2:
      known = title(command, text);
      break;
    case 7:
      known = text.size() <= kMaxCwdBytes;
      if (known) s_.cwd_ = clean_text(text, kMaxCwdBytes);
      break;
    case 8:
      known = hyperlink(text);
      break;
    case 9:
      known = nine(text);
      break;
    case 52:
      known = clipboard(text);
      break;
    case 133:
      known = shell_mark(text);
      break;
    case 777:
      known = urxvt_notification(text);
      break;
    case 7501:
      known = program_status(text);
      break;
    default:
      known = colour_command(command, text, bell);
  }
  if (!known) ++s_.ignored_.strings;
}

bool Interpreter::title(int command, std::string_view text) {
  std::string clean = clean_text(text, kMaxTitleBytes);
  if (s_.modes_.hex_titles) {
    const auto bytes = from_hex(text);
    if (!bytes) return false;
    clean = clean_text(*bytes, kMaxTitleBytes);
  }
  if (command != 2) s_.icon_title_ = clean;
  if (command != 1) s_.title_ = std::move(clean);
  return true;
}

// Both titles are kept at every push; what a pop takes back is its own choice, as in xterm.
bool Interpreter::title_stack(const Sequence& q) {
  const int what = q.at(0, 0), which = q.at(1, 0);
  if (what != 22 && what != 23) return false;
  if (which > 2) return true;
  auto& stack = s_.title_stack_;
  if (what == 22) {
    if (stack.size() < kMaxTitleStack) stack.push_back({s_.title_, s_.icon_title_});
  } else if (!stack.empty()) {
    if (which != 1) s_.title_ = stack.back().title;
    if (which != 2) s_.icon_title_ = stack.back().icon;
    stack.pop_back();
  }
  return true;
}

// CSI > 0 t: titles come in hexadecimal. How they would be reported (1, 3) does not matter: they never are.
bool Interpreter::title_modes(const Sequence& q) {
  if (q.count == 0 && q.final == 'T') s_.modes_.hex_titles = false;
  for (size_t i = 0; i < q.count; ++i)
    if (q.values[i] == 0) s_.modes_.hex_titles = q.final == 't';
  return true;
}

// 8 ; key=value:key=value ; address
bool Interpreter::hyperlink(std::string_view text) {
  std::string_view params = take_field(text);
  Extra extra{s_.at_.pen.extra.underline_colour, {}, {}};
  if (!text.empty() && text.size() <= kMaxLinkBytes) {
    extra.uri = clean_text(text, kMaxLinkBytes);
    for (const std::string& pair : split(params, ':'))
      if (pair.starts_with("id="))
        extra.id = clean_text(std::string_view(pair).substr(3), kMaxLinkIdBytes);
  }
  set_extra(std::move(extra));
  return text.size() <= kMaxLinkBytes;
}

// 9;4;state;percent is progress, 9;N other ConEmu commands, everything else a notification.
bool Interpreter::nine(std::string_view text) {
  std::string_view rest = text;
  const int sub = take_number(rest);
  if (sub == 4) return progress(rest);
  if (sub >= 1 && sub <= 12) return false;
  notify({}, text);
  return true;
}

bool Interpreter::progress(std::string_view text) {
  const int state = take_number(text);
  if (state < 0 || state > 4) return false;
  const int percent = take_number(text);
  Progress& p = s_.progress_;
  p.state = static_cast<Progress::State>(state);
  if (state == 0 || state == 3)
    p.percent = 0;
  else if (percent >= 0)
    p.percent = static_cast<uint8_t>(std::min(percent, 100));
  ++p.reports;
  return true;
}

bool Interpreter::clipboard(std::string_view text) {
  const std::string_view target = take_field(text);
  Clipboard& c = s_.clipboard_;
  if (text == "?") {
    ++c.queries;
    return true;
  }
  ++c.writes;
  if (text.size() > kMaxClipboardBytes) return true;
  c.target = clean_text(target, 16);
  c.base64 = clean_text(text, kMaxClipboardBytes);
  return true;
}

bool Interpreter::shell_mark(std::string_view text) {
  if (text.empty() || std::string_view("ABCDLPNI").find(text[0]) == std::string_view::npos)
    return false;
  ShellMark& mark = s_.shell_mark_;
  mark.kind = text[0];
  text.remove_prefix(1);
  if (!text.empty() && text[0] == ';') text.remove_prefix(1);
  mark.options = clean_text(text, kMaxShellMarkBytes);
  mark.row = s_.at_.row;
  mark.col = s_.at_.col;
  if (mark.kind == 'A') {
    ++mark.prompts;
    s_.status_.drop_active();
  }
  if (mark.kind == 'C') ++mark.commands;
  if (mark.kind == 'D') {
    const int status = take_number(text);
    mark.exit_status = status >= 0 ? std::optional<int>(status) : std::nullopt;
  }
  return true;
}

// 777 ; notify ; title ; body
bool Interpreter::urxvt_notification(std::string_view text) {
  if (take_field(text) != "notify") return false;
  const std::string_view title = take_field(text);
  notify(title, text);
  return true;
}

void Interpreter::notify(std::string_view title, std::string_view body) {
  Notifications& n = s_.notifications_;
  ++n.total;
  if (n.last.size() >= kMaxNotifications) n.last.pop_front();
  n.last.push_back(
      {clean_text(title, kMaxNotificationBytes), clean_text(body, kMaxNotificationBytes)});
}

bool Interpreter::program_status(std::string_view text) {
  if (text != "?") return s_.status_.report(text);
  answer("\x1b]7501;?\x1b\\");
  return true;
}

}  // namespace pawl::term
