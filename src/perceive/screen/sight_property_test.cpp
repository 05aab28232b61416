// The Eye reads again only what changed; that must never make a difference.

#include <gtest/gtest.h>

#include "perceive/test_screen.h"

namespace pawl::perceive {
namespace {

using test::load_tape;
using test::Tape;

std::string described(const Sight& sight) {
  const Box& box = sight.box;
  std::string out =
      box.there ? "box " + std::to_string(box.first) + "-" + std::to_string(box.last) + " col " +
                      std::to_string(box.column) + (box.draft ? " draft '" + box.text + "'" : "")
                : "no box";
  for (const auto& [name, seen] :
       {std::pair{"busy", &sight.busy}, std::pair{"background", &sight.background},
        std::pair{"start", &sight.start}})
    if (*seen)
      out += std::string("\n") + name + " " + std::to_string((*seen)->row) + " " + (*seen)->text;
  if (sight.menu)
    out += "\nmenu " + sight.menu->kind + " " + sight.menu->question + " " +
           join(sight.menu->rows, ";");
  for (const auto& notice : sight.notices)
    out += "\nnotice " + std::to_string(static_cast<int>(notice.kind)) + " " + notice.text;
  return out + "\nshell '" + sight.shell + "'" + (sight.blank ? " blank" : "");
}

void expect_the_same_as_a_fresh_look(const Profile& profile, const Tape& tape) {
  term::Terminal terminal(tape.size, {.answers = false, .scrollback_lines = 0});
  Eye eye(profile);
  for (const auto& piece : tape.pieces) {
    terminal.feed(piece.bytes);
    eye.look(terminal.screen());
    Eye fresh(profile);
    fresh.look(terminal.screen());
    ASSERT_EQ(described(eye.sight()), described(fresh.sight()))
        << tape.name << " at " << piece.t << " s\n"
        << terminal.screen().text();
  }
}

TEST(SightProperty, LookingAgainSeesWhatAFreshLookSees) {
  const Catalog catalog = Catalog::built_in();
  for (const char* name :
       {"claude/perm_bash", "claude/typing_multiline", "codex/trust", "codex/typing",
        "gemini/trust", "pi/tool5", "opencode/bash_exit", "copilot/perm_bash", "controls/vim"}) {
    const std::string runtime = std::string(name).substr(0, std::string(name).find('/'));
    const Profile* profile = catalog.find(runtime);
    expect_the_same_as_a_fresh_look(profile ? *profile : catalog.generic(), load_tape(name));
  }
}

}  // namespace
}  // namespace pawl::perceive
