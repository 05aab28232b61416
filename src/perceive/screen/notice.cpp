#include "perceive/screen/notice.h"

#include "base/text.h"
#include "term/utf8.h"

namespace pawl::perceive {
namespace {

// "attempt 3/10", "Reconnecting... 2/5", "Retrying (1/3)": the first fraction that can be a count.
void read_attempt(std::string_view text, model::Notice& notice) {
  for (size_t slash = text.find('/'); slash != std::string_view::npos;
       slash = text.find('/', slash + 1)) {
    size_t begin = slash, end = slash + 1;
    const auto digit = [&](size_t at) { return text[at] >= '0' && text[at] <= '9'; };
    while (begin > 0 && slash - begin < 4 && digit(begin - 1)) --begin;
    while (end < text.size() && end - slash < 5 && digit(end)) ++end;
    if (begin == slash || end == slash + 1) continue;
    notice.attempt = std::stoi(std::string(text.substr(begin, slash - begin)));
    notice.of = std::stoi(std::string(text.substr(slash + 1, end - slash - 1)));
    return;
  }
}

}  // namespace

std::string_view word(NoticeKind kind) {
  switch (kind) {
    case NoticeKind::limit:
      return "limit";
    case NoticeKind::auth:
      return "auth";
    case NoticeKind::context:
      return "context";
    case NoticeKind::overload:
      return "overload";
    case NoticeKind::retry:
      return "retry";
    case NoticeKind::credit:
      return "credit";
  }
  return "";
}

model::Notice notice_of(const NoticeSeen& seen) {
  model::Notice notice;
  notice.kind = word(seen.kind);
  notice.text = term::clean_text(trim(seen.line), model::kMaxNoticeBytes);
  if (seen.kind == NoticeKind::retry) read_attempt(seen.text, notice);
  return notice;
}

std::optional<ResetTime> reset_in(const NoticeSeen& seen) {
  if (seen.kind != NoticeKind::limit && seen.kind != NoticeKind::credit) return std::nullopt;
  return find_reset_time(seen.text);
}

}  // namespace pawl::perceive
