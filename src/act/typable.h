#pragma once
// Can this text be typed at all? Asked before it is queued, of texts whose sender is there to hear it.

#include <optional>
#include <string>
#include <string_view>

namespace pawl::act {

// The first control character that is neither the end of a line nor a tab: "ESC at byte 12". A paste without it would be another
// text than was sent.
std::optional<std::string> control_character(std::string_view text);

// The text as a paste leaves it: without what could press keys, and without the empty lines before it, which no program keeps in
// its box.
std::string as_pasted(const std::string& text);

}  // namespace pawl::act
