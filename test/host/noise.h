#pragma once
// Bytes that look like an agent's output and are the same for the same seed: escape sequences,
// UTF-8, any byte at all.

#include <cstdint>
#include <string>

namespace pawl::host {

class Noise {
 public:
  explicit Noise(uint64_t seed) : state_(seed * 2654435761u + 88172645463325252ull) {}

  uint64_t number() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }
  uint64_t below(uint64_t limit) { return number() % limit; }

  std::string bytes(size_t count) {
    std::string text;
    while (text.size() < count) text += piece();
    text.resize(count);
    return text;
  }

 private:
  std::string piece() {
    switch (below(5)) {
      case 0:
        return "\x1b[38;2;" + std::to_string(below(256)) + ";7;9m\x1b[" +
               std::to_string(below(50)) + "H";
      case 1:
        return "\u2500\u256d\u4f60\u597d\U0001f680 \u00e9\r\n";
      case 2:
        return "plain text " + std::to_string(number()) + "\r\n";
      case 3:
        return std::string(1 + below(40), static_cast<char>(below(256)));
      default: {
        std::string any;
        for (uint64_t i = below(64); i > 0; --i) any += static_cast<char>(below(256));
        return any;
      }
    }
  }

  uint64_t state_;
};

}  // namespace pawl::host
