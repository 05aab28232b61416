#pragma once
// Keys and pasted text -> the bytes a program expects, by the modes it asked for. Names are those
// of tmux. Called by `pawl keys`, `pawl send` and actuation. Never writes anything itself.

#include <string>
#include <string_view>

#include "base/result.h"
#include "term/modes.h"

namespace pawl::term {

// Enter Tab BTab Escape Space BSpace Up Down Left Right Home End PPage (PageUp) NPage (PageDown)
// Insert (IC) DC (Delete) F1..F12, any single character, and the prefixes C- M- S- in any order. An
// unknown name is an error that suggests the nearest known one.
Result<std::string> key_bytes(std::string_view name, const Modes& modes);

// The text as the program should see a paste: marked when it asked for that (mode 2004), line ends
// as carriage returns, every other control character except tab removed: a pasted text cannot end
// its own marks or press keys.
std::string paste_bytes(std::string_view text, const Modes& modes);

}  // namespace pawl::term
