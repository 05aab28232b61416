// What a program says about its account and its service, among all that is on its screen.

#include "base/text.h"
#include "perceive/screen/sight.h"

namespace pawl::perceive {
namespace {

// "❯ /usage": a word to the program itself. No turn of the model follows it.
bool command(std::string_view prompt) {
  prompt = trim(prompt);
  size_t sign = prompt.empty() ? 0 : 1;
  while (sign < prompt.size() && (static_cast<unsigned char>(prompt[sign]) & 0xc0) == 0x80) ++sign;
  return trim(prompt.substr(sign)).starts_with('/');
}

}  // namespace

// A limit ends with the next turn: one that it stopped would say so again, below its prompt.
bool Eye::turn_since(int row) const {
  if (!sight_.box.there) return false;
  for (int next = row + 1; next < sight_.box.first; ++next)
    for (const BoxShape& shape : profile_->boxes)
      if (shape.prompt >= 0 && marks(next).test(static_cast<size_t>(shape.prompt)) &&
          !command(text(next)))
        return true;
  return false;
}

void Eye::read_notices() {
  sight_.notices.clear();
  for (const NoticeRule& rule : profile_->notices)
    for (int row = static_cast<int>(rows_.size()) - 1; row >= 0; --row) {
      if (!marks(row).test(static_cast<size_t>(rule.pattern)) || !in(rule.where, row)) continue;
      if (rule.kind == NoticeKind::limit && turn_since(row)) break;
      std::string all = text(row);
      for (int next = row + 1; next < row + 3 && next < static_cast<int>(rows_.size()); ++next)
        all += " " + text(next);
      sight_.notices.push_back({rule.kind, text(row), all, row});
      break;
    }
}

}  // namespace pawl::perceive
