#include "term/colours.h"

#include <algorithm>
#include <charconv>

namespace pawl::term {
namespace {

constexpr uint32_t kBasic[16] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
                                 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
                                 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};

uint32_t cube_level(uint32_t i) {
  return i == 0 ? 0 : 55 + 40 * i;
}

// The usual 256 colours: 16 basic ones, a 6x6x6 cube, 24 greys.
uint32_t palette(uint32_t i) {
  if (i < 16) return kBasic[i];
  if (i >= 232) return (8 + 10 * (i - 232)) * 0x010101;
  i -= 16;
  return cube_level(i / 36) << 16 | cube_level(i / 6 % 6) << 8 | cube_level(i % 6);
}

std::optional<uint32_t> hex(std::string_view digits) {
  uint32_t value = 0;
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (digits.empty() || end.ec != std::errc{} || end.ptr != digits.data() + digits.size())
    return {};
  return value;
}

// "rgb:" scales each channel: f is ff, ffff is ff.
std::optional<uint32_t> scaled(std::string_view text) {
  uint32_t rgb = 0;
  for (int channel = 0; channel < 3; ++channel) {
    const size_t end = channel < 2 ? text.find('/') : text.size();
    if (end == std::string_view::npos || end == 0 || end > 4) return {};
    const auto value = hex(text.substr(0, end));
    if (!value) return {};
    const uint32_t most = (1u << (4 * end)) - 1;
    rgb = rgb << 8 | (end == 4 ? *value >> 8 : *value * 255 / most);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return rgb;
}

// "#" gives the highest bits of each channel: #f is f0.
std::optional<uint32_t> highest_bits(std::string_view text) {
  const size_t each = text.size() / 3;
  if (text.size() % 3 != 0 || each < 1 || each > 4) return {};
  uint32_t rgb = 0;
  for (size_t at = 0; at < text.size(); at += each) {
    const auto value = hex(text.substr(at, each));
    if (!value) return {};
    rgb = rgb << 8 | (each == 1 ? *value << 4 : *value >> (4 * (each - 2)));
  }
  return rgb;
}

bool comes_before(const Colours::Entry& entry, unsigned number) {
  return entry.number < number;
}

}  // namespace

std::optional<uint32_t> parse_colour(std::string_view text) {
  if (text.starts_with("rgb:")) return scaled(text.substr(4));
  if (text.starts_with("#")) return highest_bits(text.substr(1));
  return {};
}

uint32_t Colours::at(unsigned number) const {
  const auto it = std::lower_bound(set_.begin(), set_.end(), number, comes_before);
  if (it != set_.end() && it->number == number) return it->rgb;
  if (number < kSpecialColours) return palette(number);
  return number == kDynamicColours + 1 ? background_ : text_;
}

void Colours::set(unsigned number, uint32_t rgb) {
  if (number >= kColours) return;
  const auto it = std::lower_bound(set_.begin(), set_.end(), number, comes_before);
  if (it != set_.end() && it->number == number)
    it->rgb = rgb & 0xffffff;
  else
    set_.insert(it, {static_cast<uint16_t>(number), rgb & 0xffffff});
}

void Colours::reset(unsigned number) {
  reset(number, number + 1);
}

void Colours::reset(unsigned first, unsigned end) {
  std::erase_if(set_, [&](const Entry& e) { return e.number >= first && e.number < end; });
}

bool Colours::dark() const {
  const uint32_t rgb = at(kDynamicColours + 1);
  return 299 * (rgb >> 16) + 587 * (rgb >> 8 & 0xff) + 114 * (rgb & 0xff) < 128000;
}

}  // namespace pawl::term
