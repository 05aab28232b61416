#pragma once
// One screen that a person named: "now it is idle". What profiles are learnt from (learn.h) and tested with afterwards. As a
// file: a header line, then the screen as `pawl screen --ansi` prints it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "perceive/profile/catalog.h"
#include "perceive/verdict.h"
#include "term/terminal.h"

namespace pawl::perceive {

enum class Shown { idle, typing, busy, dialog };
std::string_view word(Shown shown);
std::optional<Shown> shown_from(std::string_view word);

struct Still {
  Shown shown = Shown::idle;
  Size size{120, 40};
  int row = 0, col = 0;  // of the cursor, from 0
  bool visible = true;   // the cursor
  std::string title;
  std::string ansi;
  bool operator==(const Still&) const = default;
};
Still still_of(Shown shown, const term::Screen& screen);

std::string to_file(const Still& still);
Result<Still> parse_still(const std::string& text, const std::string& path);

// The bytes that bring an empty terminal of its size to this picture.
std::string bytes_of(const Still& still);
term::Terminal terminal_of(const Still& still);

// What it must be read as.
model::State state_of(Shown shown);
// What this profile says to it, as if it had stood there long enough.
Verdict read_still(const Catalog& catalog, const std::string& profile, const Still& still);

// How many of them the profile reads rightly.
size_t count_right(const Catalog& catalog, const std::string& profile,
                   const std::vector<Still>& stills);

}  // namespace pawl::perceive
