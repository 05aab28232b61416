#pragma once
// "Firefox on Linux", for a person who looks at which browsers are signed in. A browser says what it likes; only known words come out.

#include <string>
#include <string_view>

namespace pawl::serve {

std::string browser_name(std::string_view user_agent);

}  // namespace pawl::serve
