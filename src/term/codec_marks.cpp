// The part of the codec for modes, titles and marks.
#include "term/codec.h"
#include "term/utf8.h"

namespace pawl::term {
namespace {

std::string clean(ByteReader& r, size_t limit) {
  const std::string_view text = r.view(limit);
  std::string out = clean_text(text, limit);
  r.expect(out == text);
  return out;
}

// Every flag of the modes, once, for both directions.
template <class Modes, class Visit>
void each_flag(Modes& m, Visit visit) {
  for (auto* flag : {&m.autowrap, &m.origin, &m.insert, &m.newline, &m.app_cursor_keys,
                     &m.app_keypad, &m.reverse_video, &m.cursor_blink, &m.bracketed_paste,
                     &m.focus_events, &m.synchronized, &m.alternate_scroll, &m.colour_scheme})
    visit(*flag);
}

// How columns are counted. Bit 0 is of older versions, which told of a joiner there: it is in the text now.
uint64_t counting_bits(Counting counting, bool clusters) {
  return static_cast<uint64_t>(counting) << 1 | (clusters ? 8u : 0u);
}

}  // namespace

void ScreenCodec::write_modes(const Screen& s, ByteWriter& w) {
  w.number(s.top_), w.number(s.bottom_);
  for (bool tab : s.tabs_) w.flag(tab);
  w.flag(s.cursor_visible_), w.number(static_cast<uint8_t>(s.cursor_style_));
  each_flag(s.modes_, [&](bool flag) { w.flag(flag); });
  w.number(static_cast<uint8_t>(s.modes_.mouse));
  w.number(static_cast<uint8_t>(s.modes_.mouse_encoding));
  w.number(s.modes_.modify_other_keys);
  for (const auto& stack : s.kitty_)
    w.text({reinterpret_cast<const char*>(stack.data()), stack.size()});
  for (uint8_t flags : s.kitty_flags_) w.number(flags);
  w.number(s.last_printed_), w.number(counting_bits(s.counting_, s.modes_.clusters));
}

void ScreenCodec::read_modes(Screen& s, ByteReader& r) {
  s.top_ = static_cast<uint16_t>(r.number(s.size_.rows - 1u));
  s.bottom_ = static_cast<uint16_t>(r.number(s.size_.rows - 1u));
  r.expect(s.top_ < s.bottom_ || (s.top_ == 0 && s.bottom_ == s.size_.rows - 1));
  for (size_t i = 0; i < s.tabs_.size(); ++i) s.tabs_[i] = r.flag();
  s.cursor_visible_ = r.flag(), s.cursor_style_ = static_cast<CursorStyle>(r.tiny(6));
  each_flag(s.modes_, [&](bool& flag) { flag = r.flag(); });
  s.modes_.mouse = static_cast<MouseTracking>(r.tiny(4));
  s.modes_.mouse_encoding = static_cast<MouseEncoding>(r.tiny(4));
  s.modes_.modify_other_keys = r.tiny(2);
  for (auto& stack : s.kitty_) {
    const std::string_view bytes = r.view(kMaxKittyStack);
    stack.assign(bytes.begin(), bytes.end());
    for (uint8_t flags : stack) r.expect(flags <= 31);
  }
  for (uint8_t& flags : s.kitty_flags_) flags = r.tiny(31);
  s.modes_.kitty_keyboard = s.kitty_flags_[s.alternate_];
  const auto c = static_cast<char32_t>(r.number(0x10ffff));
  r.expect(c == 0 || (c >= 0x20 && c < 0x7f) || (c >= 0xa0 && (c < 0xd800 || c > 0xdfff)));
  s.last_printed_ = c;
  const uint8_t bits = r.tiny(13);
  s.counting_ = static_cast<Counting>(bits >> 1 & 3);
  r.expect((bits >> 1 & 3) <= static_cast<uint8_t>(Counting::clusters));
  s.modes_.clusters = bits >> 3;
}

void ScreenCodec::write_marks(const Screen& s, ByteWriter& w) {
  w.text(s.title_), w.text(s.icon_title_), w.text(s.cwd_);
  w.number(s.title_stack_.size());
  for (const Screen::Titles& titles : s.title_stack_) w.text(titles.title);
  w.number(static_cast<uint8_t>(s.progress_.state)), w.number(s.progress_.percent);
  w.number(s.progress_.reports);
  const ShellMark& m = s.shell_mark_;
  w.number(static_cast<uint8_t>(m.kind)), w.text(m.options);
  w.number(m.exit_status ? static_cast<uint64_t>(*m.exit_status) + 1 : 0);
  w.number(m.prompts), w.number(m.commands), w.number(m.row), w.number(m.col);
  w.number(s.notifications_.total), w.number(s.notifications_.last.size());
  for (const Notification& n : s.notifications_.last) w.text(n.title), w.text(n.body);
  w.text(s.clipboard_.target), w.text(s.clipboard_.base64);
  w.number(s.clipboard_.writes), w.number(s.clipboard_.queries);
  w.number(s.ignored_.sequences), w.number(s.ignored_.strings), w.number(s.ignored_.too_long);
  w.number(s.bells_), w.number(s.palette_queries_);
}

void ScreenCodec::read_marks(Screen& s, ByteReader& r) {
  s.title_ = clean(r, kMaxTitleBytes), s.icon_title_ = clean(r, kMaxTitleBytes);
  s.cwd_ = clean(r, kMaxCwdBytes);
  s.title_stack_.resize(r.number(kMaxTitleStack));
  for (Screen::Titles& titles : s.title_stack_) titles.title = clean(r, kMaxTitleBytes);
  s.progress_.state = static_cast<Progress::State>(r.tiny(4)), s.progress_.percent = r.tiny(100);
  s.progress_.reports = r.number();
  ShellMark& m = s.shell_mark_;
  m.kind = static_cast<char>(r.tiny(127)), m.options = clean(r, kMaxShellMarkBytes);
  if (const uint64_t status = r.number(uint64_t{INT32_MAX} + 1))
    m.exit_status = static_cast<int>(status - 1);
  m.prompts = r.number(), m.commands = r.number();
  m.row = static_cast<uint16_t>(r.number(kMaxRows)),
  m.col = static_cast<uint16_t>(r.number(kMaxCols));
  s.notifications_.total = r.number();
  s.notifications_.last.resize(r.number(kMaxNotifications));
  for (Notification& n : s.notifications_.last)
    n.title = clean(r, kMaxNotificationBytes), n.body = clean(r, kMaxNotificationBytes);
  s.clipboard_.target = clean(r, 16), s.clipboard_.base64 = clean(r, kMaxClipboardBytes);
  s.clipboard_.writes = r.number(), s.clipboard_.queries = r.number();
  s.ignored_.sequences = r.number(), s.ignored_.strings = r.number(),
  s.ignored_.too_long = r.number();
  s.bells_ = r.number(), s.palette_queries_ = r.number();
}

}  // namespace pawl::term
