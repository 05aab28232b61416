#pragma once
// Text that is to stand in somebody's markup (HTML, Slack's, notify-send's) as text.

#include <string>
#include <string_view>

namespace pawl {

// & < and > as &amp; &lt; and &gt;
std::string escape_markup(std::string_view text);

}  // namespace pawl
