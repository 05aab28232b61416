#pragma once
// Numbers and texts as bytes: what serialise() writes and restore() reads back from hostile hands.
// The writer cannot fail. The reader never reads past its end; after the first bad value ok() stays
// false and every further value is zero or empty.

#include <cstdint>
#include <string>
#include <string_view>

namespace pawl::term {

class ByteWriter {
 public:
  void number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_.push_back(static_cast<char>(value | 0x80));
    out_.push_back(static_cast<char>(value));
  }
  void flag(bool value) { number(value ? 1 : 0); }
  void text(std::string_view value) {
    number(value.size());
    out_ += value;
  }
  std::string take() { return std::move(out_); }
  size_t size() const { return out_.size(); }

 private:
  std::string out_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  uint64_t number(uint64_t max = UINT64_MAX) {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at_ >= bytes_.size()) return bad();
      const auto byte = static_cast<uint8_t>(bytes_[at_++]);
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value <= max ? value : bad();
    }
    return bad();
  }
  uint8_t tiny(uint8_t max = 255) { return static_cast<uint8_t>(number(max)); }
  bool flag() { return number(1) != 0; }
  std::string_view view(size_t limit) {
    const uint64_t size = number(limit);
    if (!ok_ || size > bytes_.size() - at_) return bad(), std::string_view{};
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  std::string text(size_t limit) { return std::string(view(limit)); }
  void expect(bool condition) {
    if (!condition) bad();
  }
  bool ok() const { return ok_; }
  bool at_end() const { return at_ == bytes_.size(); }
  size_t left() const { return bytes_.size() - at_; }
  size_t at() const { return at_; }

 private:
  uint64_t bad() {
    ok_ = false;
    at_ = bytes_.size();
    return 0;
  }

  std::string_view bytes_;
  size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace pawl::term
