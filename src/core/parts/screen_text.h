#pragma once
// A terminal as text a person would read in a log: the lines that left its top, each once, and the picture at the end. For tasks with
// an interface, whose bytes are cells that are drawn again and again. A program on the alternate screen has no lines that leave it.

#include <cstdint>
#include <string>

#include "term/screen.h"

namespace pawl::core {

// Lines of the scrollback from this one on, counted from its first ever. Those that are gone are told of as a number.
std::string scrolled_off(const term::Screen& screen, uint64_t from);
// The rows up to the last one with text.
std::string picture_of(const term::Screen& screen);

}  // namespace pawl::core
