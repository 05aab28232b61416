// Every dialog of the recordings: what each of its rows costs is in its profile's table.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "perceive/test_dialog.h"

namespace pawl::perceive {
namespace {

using test::all_profiles;

constexpr double kStill = 0.15;  // seconds without output: the screen is drawn

// Rows nobody described, with the reason why that is right.
const std::map<std::string, std::string> kQuestions{};

struct Found {
  std::set<std::string> kinds;          // "claude trust"
  std::map<std::string, size_t> costs;  // "claude  trust  allow  Yes, …" -> looks
  std::set<std::string> omitted;        // rows no table has
};

void add(const Profile& profile, const Menu& menu, Found& found) {
  found.kinds.insert(profile.name + " " + menu.kind);
  for (const auto& row : dialog_of(profile, menu).rows) {
    ++found.costs[fmt::format("{:9} {:14} {:11} {}", profile.name, menu.kind, model::word(row.cost),
                              row.text)];
    if (row.key.empty() && !table_row(profile, *menu.rule, row.text))
      found.omitted.insert(profile.name + ": " + row.text);
  }
}

void walk(const std::string& name, Found& found) {
  const auto tape = test::load_tape(name);
  const Profile* profile = all_profiles().find(name.substr(0, name.find_first_of("-/")));
  ASSERT_NE(profile, nullptr) << name;
  term::Terminal terminal(tape.size, {.answers = false, .scrollback_lines = 0});
  Eye eye(*profile);
  for (size_t i = 0; i < tape.pieces.size(); ++i) {
    terminal.feed(tape.pieces[i].bytes);
    if (i + 1 < tape.pieces.size() && tape.pieces[i + 1].t - tape.pieces[i].t < kStill) continue;
    eye.look(terminal.screen());
    const auto& menu = eye.sight().menu;
    if (menu && menu->known) add(*profile, *menu, found);
  }
}

TEST(DialogCorpus, EveryRowOfAKnownDialogIsInTheTable) {
  Found found;
  for (const auto& name : test::tape_names())
    if (!name.starts_with("controls/")) walk(name, found);
  fmt::print("runtime   kind           cost        row\n");
  for (const auto& [row, looks] : found.costs) fmt::print("{}\n", row);
  for (const auto& row : found.omitted)
    EXPECT_TRUE(kQuestions.count(row)) << row << " is in no table";
  for (const auto& [row, why] : kQuestions)
    EXPECT_TRUE(found.omitted.count(row)) << row << " (" << why << ") is not seen any more";
  for (const char* kind :
       {"claude trust", "claude permission", "claude other", "codex trust", "codex permission",
        "codex login", "gemini trust", "gemini permission", "gemini login", "gemini limit",
        "opencode permission", "copilot permission"})
    EXPECT_TRUE(found.kinds.count(kind)) << kind << " is in the recordings and was not seen";
}

}  // namespace
}  // namespace pawl::perceive
