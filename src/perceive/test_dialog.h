#pragma once
// For tests of dialogs: what the rows of a still screen cost.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "perceive/profile/catalog.h"
#include "perceive/screen/sight.h"
#include "perceive/test_screen.h"

namespace pawl::perceive::test {

inline const Catalog& all_profiles() {
  static const Catalog all = Catalog::built_in();
  return all;
}

struct SeenDialog {
  std::string kind;
  model::Dialog dialog;
};

// One look at a screen; the cursor is hidden, as in every dialog.
inline SeenDialog dialog_on(const std::string& runtime, const std::string& text,
                            Size size = {120, 30}) {
  const Profile& profile = *all_profiles().find(runtime);
  Eye eye(profile);
  const auto terminal = screen_of(text + "\x1b[?25l", size);
  eye.look(terminal.screen());
  const auto& menu = eye.sight().menu;
  if (!menu) return {};
  return {menu->kind, dialog_of(profile, *menu)};
}

// "free: Stop".
inline std::vector<std::string> costs_on(const std::string& runtime, const std::string& text,
                                         Size size = {120, 30}) {
  std::vector<std::string> out;
  const SeenDialog seen = dialog_on(runtime, text, size);
  EXPECT_TRUE(seen.dialog.known) << runtime << ": " << text;
  for (const auto& row : seen.dialog.rows)
    out.push_back(std::string(model::word(row.cost)) + ": " + row.text);
  return out;
}

// A numbered menu, the first row chosen.
inline std::string menu_of(const std::vector<std::string>& rows, const std::string& pointer = "❯") {
  std::string out;
  for (size_t i = 0; i < rows.size(); ++i)
    out += (i == 0 ? " " + pointer + " " : "   ") + std::to_string(i + 1) + ". " + rows[i] + "\n";
  return out;
}

// … and in a frame.
inline std::string framed(const std::string& text) {
  std::string out = "╭──────────────────────────────╮\n";
  for (const auto& row : split(text, '\n')) out += "│" + row + "          │\n";
  return out + "╰──────────────────────────────╯\n";
}

}  // namespace pawl::perceive::test
