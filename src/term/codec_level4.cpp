// The part of the codec for what version 2 of a saved terminal added: margins at the sides, protection, colours, saved modes, the
// person's terminal. Older ones have none of it.
#include <algorithm>

#include "term/codec.h"
#include "term/utf8.h"

namespace pawl::term {
namespace {

template <class Modes, class Visit>
void each_newer_flag(Modes& m, Visit visit) {
  for (auto* flag :
       {&m.side_margins, &m.reverse_wrap, &m.reverse_wrap_always, &m.tab_wraps, &m.hex_titles})
    visit(*flag);
}

constexpr uint16_t kRememberedBits = 0x1ff;

}  // namespace

void ScreenCodec::person(Screen& s, const Person& person) {
  s.cell_ = {std::min(person.cell.width, kMaxCellPixels),
             std::min(person.cell.height, kMaxCellPixels)};
  s.colours_.person(person.text & 0xffffff, person.background & 0xffffff);
}

void ScreenCodec::write_level4(const Screen& s, ByteWriter& w) {
  w.number(s.left_), w.number(s.right_);
  w.number(s.level_), w.number(static_cast<uint8_t>(s.protection_));
  w.flag(s.rectangles_);
  each_newer_flag(s.modes_, [&](bool flag) { w.flag(flag); });
  w.number(s.modes_.remembered);
  for (const Screen::Titles& titles : s.title_stack_) w.text(titles.icon);
  w.number(s.cell_.width), w.number(s.cell_.height);
  w.number(s.colours_.text()), w.number(s.colours_.background());
  w.number(s.colours_.all().size());
  for (const Colours::Entry& one : s.colours_.all()) w.number(one.number), w.number(one.rgb);
  w.number(s.saved_modes_.size());
  for (const Screen::SavedMode& one : s.saved_modes_) w.number(one.mode), w.flag(one.on);
}

void ScreenCodec::read_level4(Screen& s, ByteReader& r) {
  s.left_ = static_cast<uint16_t>(r.number(s.size_.cols - 1u));
  s.right_ = static_cast<uint16_t>(r.number(s.size_.cols - 1u));
  r.expect(s.left_ < s.right_ || (s.left_ == 0 && s.right_ == s.size_.cols - 1));
  s.level_ = r.tiny(4);
  r.expect(s.level_ > 0);
  s.protection_ = static_cast<Screen::Protection>(r.tiny(2));
  s.rectangles_ = r.flag();
  each_newer_flag(s.modes_, [&](bool& flag) { flag = r.flag(); });
  r.expect(s.modes_.side_margins || (s.left_ == 0 && s.right_ == s.size_.cols - 1));
  s.modes_.remembered = static_cast<uint16_t>(r.number(kRememberedBits));
  for (Screen::Titles& titles : s.title_stack_) {
    const std::string_view text = r.view(kMaxTitleBytes);
    titles.icon = clean_text(text, kMaxTitleBytes);
    r.expect(titles.icon == text);
  }
  s.cell_.width = static_cast<uint16_t>(r.number(kMaxCellPixels));
  s.cell_.height = static_cast<uint16_t>(r.number(kMaxCellPixels));
  const auto text = static_cast<uint32_t>(r.number(0xffffff));
  s.colours_.person(text, static_cast<uint32_t>(r.number(0xffffff)));
  int last = -1;  // each number once, in order
  for (uint64_t left = r.number(kColours); left > 0 && r.ok(); --left) {
    const auto number = static_cast<int>(r.number(kColours - 1));
    r.expect(number > last);
    s.colours_.set(static_cast<unsigned>(number), static_cast<uint32_t>(r.number(0xffffff)));
    last = number;
  }
  s.saved_modes_.resize(r.number(kMaxSavedModes));
  for (Screen::SavedMode& one : s.saved_modes_) {
    one.mode = static_cast<uint16_t>(r.number(UINT16_MAX));
    one.on = r.flag();
  }
}

}  // namespace pawl::term
