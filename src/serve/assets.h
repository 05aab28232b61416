#pragma once
// The dashboard's files, inside the program: web/dist, as it was built (web/README.md), plain and compressed.

#include <string>
#include <string_view>

namespace pawl::serve {

struct Asset {
  std::string_view path;  // "app.js"
  std::string_view type;
  std::string_view etag;  // with its quotes
  std::string_view bytes, gzip;
};

const Asset* find_asset(std::string_view path);  // null when there is none

}  // namespace pawl::serve
