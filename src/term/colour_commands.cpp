// OSC 4, 5, 10 to 19 and their resets: colours set, asked for and given back.
#include <fmt/core.h>

#include <charconv>

#include "base/text.h"
#include "term/interpreter.h"

namespace pawl::term {
namespace {

constexpr int kDynamicFirst = 10, kDynamicLast = 19;

// All of it a number, at most 999.
std::optional<unsigned> colour_number(std::string_view text) {
  unsigned value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc{} || end.ptr != text.data() + text.size() || value > 999) return {};
  return value;
}

}  // namespace

bool Interpreter::colour_command(int command, std::string_view text, bool bell) {
  if (command == 4 || command == 5) return indexed_colours(command, text, bell);
  if (command >= kDynamicFirst && command <= kDynamicLast)
    return dynamic_colours(command, text, bell);
  return reset_colours(command, text);
}

// number ; colour in any number of pairs; "?" asks. OSC 5 counts the special ones from 0.
bool Interpreter::indexed_colours(int command, std::string_view text, bool bell) {
  const std::vector<std::string> fields = split(text, ';');
  const unsigned first = command == 5 ? kSpecialColours : 0;
  for (size_t i = 0; i + 1 < fields.size(); i += 2) {
    const auto number = colour_number(fields[i]);
    if (!number || first + *number >= kDynamicColours) return false;
    if (fields[i + 1] == "?") {
      ++s_.palette_queries_;
      answer_colour(fmt::format("{};{}", command, *number), s_.colours_.at(first + *number), bell);
    } else if (const auto rgb = parse_colour(fields[i + 1])) {
      s_.colours_.set(first + *number, *rgb);
    }
  }
  return true;
}

// Text, background, cursor, …; several at once count upwards.
bool Interpreter::dynamic_colours(int command, std::string_view text, bool bell) {
  for (const std::string& field : split(text, ';')) {
    if (command > kDynamicLast) break;
    const unsigned number = kDynamicColours + static_cast<unsigned>(command - kDynamicFirst);
    if (field == "?") {
      ++s_.palette_queries_;
      answer_colour(std::to_string(command), s_.colours_.at(number), bell);
    } else if (const auto rgb = parse_colour(field)) {
      s_.colours_.set(number, *rgb);
    }
    ++command;
  }
  return true;
}

// 104, 105: those that are named, or all; 110 to 119.
bool Interpreter::reset_colours(int command, std::string_view text) {
  if (command >= kDynamicFirst + 100 && command <= kDynamicLast + 100) {
    s_.colours_.reset(kDynamicColours + static_cast<unsigned>(command - 100 - kDynamicFirst));
    return true;
  }
  if (command != 104 && command != 105) return false;
  const unsigned first = command == 105 ? kSpecialColours : 0;
  if (text.empty()) {
    s_.colours_.reset(first, first == 0 ? kSpecialColours : kDynamicColours);
    return true;
  }
  for (const std::string& field : split(text, ';')) {
    const auto number = colour_number(field);
    if (!number || first + *number >= kDynamicColours) return false;
    s_.colours_.reset(first + *number);
  }
  return true;
}

}  // namespace pawl::term
