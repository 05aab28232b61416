// Zone::parse: the bytes of a time zone file. A header, a block with 32-bit times, and since version 2 the same again
// with 64-bit times and the rule for all times after. RFC 9636 describes the bytes.
#include <algorithm>
#include <string>

#include "base/zone.h"

namespace pawl {
namespace {

constexpr size_t kHeaderSize = 44;
// Beyond the age of the universe either way, and far from what could overflow.
constexpr int64_t kInstantLimit = int64_t{1} << 60;

tl::unexpected<Error> broken(const std::string& why) {
  return fail("not a time zone file: " + why, "install tzdata again");
}

int64_t big_endian(std::string_view bytes) {
  uint64_t value = !bytes.empty() && (bytes[0] & 0x80) != 0 ? ~uint64_t{0} : 0;
  for (const char c : bytes) value = value << 8 | static_cast<uint8_t>(c);
  return static_cast<int64_t>(value);
}

struct Header {
  bool has_64_bits = false;
  uint64_t utc_marks = 0, standard_marks = 0, leaps = 0, times = 0, types = 0, chars = 0;

  uint64_t block_size(uint64_t time_size) const {
    return times * time_size + times + types * 6 + chars + leaps * (time_size + 4) +
           standard_marks + utc_marks;
  }
};

bool read_header(std::string_view bytes, Header& out) {
  if (bytes.size() < kHeaderSize || !bytes.starts_with("TZif")) return false;
  out.has_64_bits = static_cast<uint8_t>(bytes[4]) >= '2';
  uint64_t* const counts[] = {&out.utc_marks, &out.standard_marks, &out.leaps,
                              &out.times,     &out.types,          &out.chars};
  for (size_t i = 0; i < 6; ++i)
    *counts[i] = static_cast<uint32_t>(big_endian(bytes.substr(20 + 4 * i, 4)));
  return true;
}

// A block whose size has been checked: all of it is there.
class Block {
 public:
  Block(const Header& header, std::string_view bytes, size_t time_size)
      : header_(header), time_size_(time_size) {
    times_ = cut(bytes, header.times * time_size);
    indices_ = cut(bytes, header.times);
    types_ = cut(bytes, header.types * 6);
    cut(bytes, header.chars);
    leaps_ = cut(bytes, header.leaps * (time_size + 4));
  }

  int64_t time(size_t i) const { return big_endian(times_.substr(i * time_size_, time_size_)); }
  size_t type_of(size_t i) const { return static_cast<uint8_t>(indices_[i]); }
  int64_t offset(size_t type) const { return big_endian(types_.substr(type * 6, 4)); }

  // Files of the kind "right/" count leap seconds; our time does not.
  int64_t without_leaps(int64_t time) const {
    int64_t extra = 0;
    for (size_t i = 0; i < header_.leaps; ++i) {
      const auto leap = leaps_.substr(i * (time_size_ + 4), time_size_ + 4);
      if (big_endian(leap.substr(0, time_size_)) > time) break;
      extra = big_endian(leap.substr(time_size_));
    }
    return std::clamp(time, -kInstantLimit, kInstantLimit) - extra;
  }

  // What is wrong with it; empty when nothing is.
  std::string fault() const {
    if (header_.types == 0 || header_.types > 256) return "it has no local times, or too many";
    if (header_.chars == 0) return "it has no names";
    for (size_t i = 0; i < header_.types; ++i)
      if (offset(i) < -kZoneOffsetLimit || offset(i) > kZoneOffsetLimit)
        return "an offset of more than a day";
    for (size_t i = 0; i < header_.times; ++i) {
      if (type_of(i) >= header_.types) return "a change to a local time that is not there";
      if (i > 0 && time(i) <= time(i - 1)) return "changes out of order";
    }
    return {};
  }

 private:
  static std::string_view cut(std::string_view& bytes, uint64_t size) {
    const auto part = bytes.substr(0, size);
    bytes.remove_prefix(part.size());
    return part;
  }

  Header header_;
  size_t time_size_;
  std::string_view times_, indices_, types_, leaps_;
};

// "\nRULE\n" at the end; an empty rule says nothing about the future.
Result<std::optional<PosixZone>> read_footer(std::string_view bytes) {
  const size_t end = bytes.find('\n', 1);
  if (!bytes.starts_with('\n') || end == std::string_view::npos)
    return broken("the end is missing");
  if (end == 1) return std::optional<PosixZone>{};
  auto rule = parse_posix_zone(bytes.substr(1, end - 1));
  if (!rule) return broken(rule.error().what);
  return std::optional<PosixZone>{*rule};
}

}  // namespace

Result<Zone> Zone::parse(std::string_view bytes) {
  Header header;
  if (bytes.size() > kZoneFileLimit) return broken("it is too large");
  if (!read_header(bytes, header)) return broken("it does not begin like one");
  size_t time_size = 4;
  bytes.remove_prefix(kHeaderSize);
  if (header.has_64_bits) {
    if (header.block_size(4) > bytes.size()) return broken("it is cut short");
    bytes.remove_prefix(header.block_size(4));
    if (!read_header(bytes, header)) return broken("the second part is missing");
    bytes.remove_prefix(kHeaderSize);
    time_size = 8;
  }
  if (header.block_size(time_size) > bytes.size()) return broken("it is cut short");
  const Block block(header, bytes, time_size);
  if (const auto fault = block.fault(); !fault.empty()) return broken(fault);

  Zone zone;
  zone.first_offset_ = block.offset(0);
  zone.changes_.reserve(header.times);
  for (size_t i = 0; i < header.times; ++i)
    zone.changes_.push_back({block.without_leaps(block.time(i)), block.offset(block.type_of(i))});
  if (!std::is_sorted(zone.changes_.begin(), zone.changes_.end(),
                      [](const Change& a, const Change& b) { return a.at < b.at; }))
    return broken("leap seconds that go back");
  if (time_size == 8) {
    auto rule = read_footer(bytes.substr(header.block_size(8)));
    if (!rule) return tl::unexpected(rule.error());
    zone.rule_ = *rule;
  }
  return zone;
}

}  // namespace pawl
