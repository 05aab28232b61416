#include "cli/qr.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

namespace pawl::cli {
namespace {

using Bytes = std::vector<uint8_t>;

struct Version {
  size_t data;    // code words of data, all blocks together
  size_t parity;  // code words of error correction, each block
  size_t blocks;
};
// Level L, versions 1 to 6.
constexpr std::array<Version, 6> kVersions{
    {{19, 7, 1}, {34, 10, 1}, {55, 15, 1}, {80, 20, 1}, {108, 26, 1}, {136, 18, 2}}};
constexpr int kMasks = 8;
constexpr int kQuiet = 4;

// A product in GF(256) with the polynomial of QR codes.
uint8_t times(uint8_t a, uint8_t b) {
  unsigned out = 0;
  for (int bit = 7; bit >= 0; --bit) {
    out = (out << 1) ^ ((out >> 7) * 0x11d);
    out ^= ((b >> bit) & 1u) * a;
  }
  return static_cast<uint8_t>(out);
}

Bytes parity_of(const Bytes& data, size_t length) {
  Bytes divisor(length, 0);  // Reed-Solomon, highest first, without its leading 1
  divisor.back() = 1;
  uint8_t root = 1;
  for (size_t i = 0; i < length; ++i, root = times(root, 2))
    for (size_t j = 0; j < length; ++j) {
      divisor[j] = times(divisor[j], root);
      if (j + 1 < length) divisor[j] ^= divisor[j + 1];
    }
  Bytes rest(length, 0);
  for (const uint8_t byte : data) {
    const auto factor = static_cast<uint8_t>(byte ^ rest.front());
    rest.erase(rest.begin());
    rest.push_back(0);
    for (size_t j = 0; j < length; ++j) rest[j] ^= times(divisor[j], factor);
  }
  return rest;
}

// Mode, length, the bytes, the end, and padding.
Bytes data_of(std::string_view text, const Version& version) {
  Bytes out;
  unsigned held = 4;  // four bits of byte mode wait for the next four
  const auto put = [&](uint8_t byte) {
    out.push_back(static_cast<uint8_t>((held << 4) | (byte >> 4)));
    held = byte & 15u;
  };
  put(static_cast<uint8_t>(text.size()));
  for (const char c : text) put(static_cast<uint8_t>(c));
  put(0);
  for (uint8_t pad = 0xec; out.size() < version.data; pad ^= 0xec ^ 0x11) out.push_back(pad);
  return out;
}

// The blocks' code words in turn, then those of their error correction.
Bytes code_words(std::string_view text, const Version& version) {
  const Bytes data = data_of(text, version);
  const size_t each = version.data / version.blocks;
  std::vector<Bytes> blocks, parities;
  for (size_t i = 0; i < version.blocks; ++i) {
    const auto begin = data.begin() + static_cast<ptrdiff_t>(i * each);
    blocks.emplace_back(begin, begin + static_cast<ptrdiff_t>(each));
    parities.push_back(parity_of(blocks.back(), version.parity));
  }
  Bytes out;
  for (size_t i = 0; i < each; ++i)
    for (const auto& block : blocks) out.push_back(block[i]);
  for (size_t i = 0; i < version.parity; ++i)
    for (const auto& parity : parities) out.push_back(parity[i]);
  return out;
}

class Drawing {
 public:
  explicit Drawing(int version)
      : size_(version * 4 + 17),
        code_(static_cast<size_t>(size_), std::vector<bool>(static_cast<size_t>(size_))),
        fixed_(code_) {
    for (int i = 0; i < size_; ++i) {
      set(6, i, i % 2 == 0);
      set(i, 6, i % 2 == 0);
    }
    finder(3, 3);
    finder(3, size_ - 4);
    finder(size_ - 4, 3);
    if (version > 1) square(size_ - 7, size_ - 7, 2);
    format(0);
  }

  void fill(const Bytes& words) {
    size_t bit = 0;
    bool up = true;
    for (int right = size_ - 1; right > 0; right -= 2, up = !up) {
      if (right == 6) right = 5;
      for (int i = 0; i < size_ * 2; ++i) {
        const int row = up ? size_ - 1 - i / 2 : i / 2, column = right - i % 2;
        if (fixed_[at(row)][at(column)] || bit >= words.size() * 8) continue;
        code_[at(row)][at(column)] = (words[bit / 8] >> (7 - bit % 8)) & 1;
        ++bit;
      }
    }
  }

  QrCode masked(int mask) {
    format(mask);
    QrCode out = code_;
    for (int row = 0; row < size_; ++row)
      for (int column = 0; column < size_; ++column)
        if (!fixed_[at(row)][at(column)] && turned(mask, row, column))
          out[at(row)][at(column)] = !out[at(row)][at(column)];
    return out;
  }

 private:
  static size_t at(int n) { return static_cast<size_t>(n); }
  static bool turned(int mask, int y, int x) {
    switch (mask) {
      case 0:
        return (y + x) % 2 == 0;
      case 1:
        return y % 2 == 0;
      case 2:
        return x % 3 == 0;
      case 3:
        return (y + x) % 3 == 0;
      case 4:
        return (y / 2 + x / 3) % 2 == 0;
      case 5:
        return y * x % 2 + y * x % 3 == 0;
      case 6:
        return (y * x % 2 + y * x % 3) % 2 == 0;
      default:
        return ((y + x) % 2 + y * x % 3) % 2 == 0;
    }
  }
  void set(int row, int column, bool dark) {
    if (row < 0 || column < 0 || row >= size_ || column >= size_) return;
    code_[at(row)][at(column)] = dark;
    fixed_[at(row)][at(column)] = true;
  }
  // Rings around a point, dark and light in turn: the outermost of `radius` 2 and 3 is dark.
  void square(int row, int column, int radius) {
    for (int y = -radius; y <= radius; ++y)
      for (int x = -radius; x <= radius; ++x) {
        const int ring = std::max(std::abs(y), std::abs(x));
        set(row + y, column + x, radius == 2 ? ring != 1 : ring != 2 && ring != 4);
      }
  }
  void finder(int row, int column) { square(row, column, 4); }

  // Level and mask, with their own error correction, twice.
  void format(int mask) {
    const unsigned data = (1u << 3) | static_cast<unsigned>(mask);  // 01: level L
    unsigned rest = data;
    for (int i = 0; i < 10; ++i) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
    const unsigned bits = ((data << 10) | rest) ^ 0x5412;
    const auto bit = [&](int n) { return ((bits >> n) & 1u) != 0; };
    for (int i = 0; i < 6; ++i) set(i, 8, bit(i));
    set(7, 8, bit(6));
    set(8, 8, bit(7));
    set(8, 7, bit(8));
    for (int i = 9; i < 15; ++i) set(8, 14 - i, bit(i));
    for (int i = 0; i < 8; ++i) set(8, size_ - 1 - i, bit(i));
    for (int i = 8; i < 15; ++i) set(size_ - 15 + i, 8, bit(i));
    set(size_ - 8, 8, true);
  }

  int size_;
  QrCode code_, fixed_;
};

// How hard it is to read: long runs, blocks, what looks like a finder, too much of one colour.
int penalty(const QrCode& code) {
  const size_t size = code.size();
  int out = 0, dark = 0;
  const auto line = [&](const auto& at) {
    int run = 0;
    unsigned last = 0;  // eleven modules
    for (size_t i = 0; i < size; ++i) {
      run = i > 0 && at(i) == at(i - 1) ? run + 1 : 1;
      out += run == 5 ? 3 : run > 5 ? 1 : 0;
      last = ((last << 1) | (at(i) ? 1u : 0u)) & 0x7ff;
      if (i >= 10 && (last == 0x5d0 || last == 0x05d)) out += 40;
    }
  };
  for (size_t i = 0; i < size; ++i) {
    line([&](size_t n) { return bool(code[i][n]); });
    line([&](size_t n) { return bool(code[n][i]); });
    for (size_t n = 0; n < size; ++n) {
      dark += code[i][n] ? 1 : 0;
      if (i > 0 && n > 0 && code[i][n] == code[i - 1][n] && code[i][n] == code[i][n - 1] &&
          code[i][n] == code[i - 1][n - 1])
        out += 3;
    }
  }
  const int percent = dark * 100 / static_cast<int>(size * size);
  return out + std::abs(percent - 50) / 5 * 10;
}

}  // namespace

std::optional<QrCode> qr_code(std::string_view text) {
  int number = 1;
  for (const auto& version : kVersions) {
    if (text.size() + 2 <= version.data) {
      Drawing drawing(number);
      drawing.fill(code_words(text, version));
      QrCode best = drawing.masked(0);
      for (int mask = 1; mask < kMasks; ++mask)
        if (QrCode other = drawing.masked(mask); penalty(other) < penalty(best)) best = other;
      return best;
    }
    ++number;
  }
  return std::nullopt;
}

std::string qr_drawn(const QrCode& code) {
  const int size = static_cast<int>(code.size());
  const auto dark = [&](int row, int column) {
    return row >= 0 && column >= 0 && row < size && column < size &&
           code[static_cast<size_t>(row)][static_cast<size_t>(column)];
  };
  std::string out;
  for (int row = -kQuiet; row < size + kQuiet; row += 2) {
    out += "\x1b[38;5;16;48;5;231m";
    for (int column = -kQuiet; column < size + kQuiet; ++column) {
      const bool upper = dark(row, column), lower = dark(row + 1, column);
      out += upper ? (lower ? "█" : "▀") : (lower ? "▄" : " ");
    }
    out += "\x1b[0m\n";
  }
  return out;
}

}  // namespace pawl::cli
