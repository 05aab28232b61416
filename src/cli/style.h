#pragma once
// How text looks on a person's terminal: colours only there and never with NO_COLOR; widths that fit.

#include <string>
#include <string_view>

namespace pawl::cli {

struct Look {
  bool colour = false;
  int width = 80;  // columns; very wide when the output is no terminal
  int height = 24;
};
Look look_of(int fd);

std::string paint(const Look& look, std::string_view sgr, std::string_view text);
// Agent text is untrusted: control characters (C0, DEL, C1) have no business on a person's terminal. They become spaces.
std::string safe(std::string text);
// The colour of a state word.
std::string_view state_colour(std::string_view state);

// Padded or cut (with an ellipsis) to exactly this many columns.
std::string fit(std::string_view text, int columns);
int columns_of(std::string_view text);

}  // namespace pawl::cli
