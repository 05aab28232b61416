#include "perceive/profile/catalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "perceive/player.h"
#include "perceive/test_screen.h"

namespace pawl::perceive {
namespace {

using test::load_tape;
using test::options_of;

const Catalog& built_in() {
  static const Catalog all = Catalog::built_in();
  return all;
}

std::string name_of(const Profile* profile) {
  return profile ? profile->name : "";
}

Facts front(const std::string& name, const std::string& busiest = "",
            std::vector<std::string> argv = {}) {
  Facts facts;
  facts.front = name;
  facts.busiest = busiest;
  facts.front_count = 1;
  facts.argv = std::move(argv);
  return facts;
}

TEST(Catalog, HasTheBuiltInProfiles) {
  for (const char* name :
       {"claude", "codex", "copilot", "gemini", "generic", "opencode", "pi", "shell"})
    EXPECT_NE(built_in().find(name), nullptr) << name;
  EXPECT_EQ(built_in().generic().name, "generic");
  EXPECT_EQ(built_in().find("nobody"), nullptr);
  for (const auto& name : built_in().names()) {
    const Profile& profile = *built_in().find(name);
    EXPECT_FALSE(profile.about.empty()) << name;
    EXPECT_FALSE(profile.shells.empty()) << name << " has the shared patterns";
    if (name == "generic" || name == "shell") continue;
    EXPECT_FALSE(profile.boxes.empty()) << name;
    EXPECT_FALSE(profile.launch.start.empty()) << name;
  }
}

TEST(Catalog, EveryDialogSaysWhatItsRowsCost) {
  for (const auto& name : built_in().names())
    for (const DialogRule& rule : built_in().find(name)->dialogs) {
      const auto has = [&](Cost cost) {
        return std::any_of(rule.rows.begin(), rule.rows.end(),
                           [&](const DialogRow& row) { return row.cost == cost; });
      };
      const std::string which = name + " " + rule.kind;
      EXPECT_FALSE(rule.rows.empty()) << which;
      for (const DialogRow& row : rule.rows)
        EXPECT_EQ(row.keys.empty(), row.means.empty()) << which << ": a key needs a name";
      if (rule.kind != "limit") continue;
      EXPECT_TRUE(has(Cost::free)) << which;
      EXPECT_TRUE(has(Cost::money)) << which;
      EXPECT_EQ(rule.rows.front().cost, Cost::money) << which << ": it is looked for first";
    }
}

// By itself a rule presses what is free only: never an answer to a request.
TEST(Catalog, NoRequestHasAFreeAnswer) {
  const std::set<std::string> requests{"permission", "trust", "login", "question"};
  for (const auto& name : built_in().names())
    for (const DialogRule& rule : built_in().find(name)->dialogs)
      for (const DialogRow& row : rule.rows)
        EXPECT_FALSE(requests.count(rule.kind) && row.cost == Cost::free)
            << name << " " << rule.kind;
}

TEST(Catalog, AProfileReplacesTheOneOfItsName) {
  Catalog catalog = Catalog::built_in();
  const Profile* before = catalog.find("claude");
  EXPECT_EQ(*catalog.add("name = 'claude'\nabout = 'mine'", "claude.toml"), "claude");
  EXPECT_EQ(catalog.find("claude")->about, "mine");
  EXPECT_EQ(before->about, "Claude Code") << "who looks by the old one still can";
  EXPECT_EQ(*catalog.add("name = 'new'", "n.toml"), "new");
  EXPECT_NE(catalog.find("new"), nullptr);
}

TEST(Catalog, ABadProfileChangesNothing) {
  Catalog catalog = Catalog::built_in();
  const Profile* before = catalog.find("claude");
  const auto added = catalog.add("name = 'claude'\n[[busy]]\npattern = '('", "claude.toml");
  ASSERT_FALSE(added);
  EXPECT_NE(added.error().what.find("claude.toml:3:"), std::string::npos) << added.error().what;
  EXPECT_EQ(catalog.find("claude"), before);
  EXPECT_EQ(catalog.names(), built_in().names());
}

TEST(Catalog, KnowsProgramsByTheirProcess) {
  for (const char* name : {"claude", "codex", "copilot", "gemini", "opencode", "pi"}) {
    EXPECT_EQ(name_of(built_in().by_process(front(name))), name);
    EXPECT_EQ(name_of(built_in().by_process(front("sh", name))), name) << "under a wrapper";
    EXPECT_EQ(name_of(built_in().by_command({std::string("/usr/local/bin/") + name, "--x"})), name);
  }
  EXPECT_EQ(
      name_of(built_in().by_process(front("node", "node", {"node", "/x/@google/gemini-cli/i.js"}))),
      "gemini");
  EXPECT_EQ(name_of(built_in().by_process(
                front("node", "node", {"node", "/x/@anthropic-ai/claude-code/cli.js"}))),
            "claude");
  EXPECT_EQ(name_of(built_in().by_command({"npx", "@openai/codex"})), "codex");
  EXPECT_EQ(name_of(built_in().by_command({"node", "/x/node_modules/.bin/pi", "--x"})), "pi");
  for (const char* name : {"node", "bash", "vim", "pip", "pico", "claudette", ""}) {
    EXPECT_EQ(name_of(built_in().by_process(front(name, name))), "") << name;
    EXPECT_EQ(name_of(built_in().by_command({name})), "") << name;
  }
  EXPECT_EQ(built_in().by_command({}), nullptr);
}

TEST(Catalog, KnowsProgramsByTheirTitle) {
  EXPECT_EQ(name_of(built_in().by_title("✳ Claude Code")), "claude");
  EXPECT_EQ(name_of(built_in().by_title("◇  Ready (proj)")), "gemini");
  EXPECT_EQ(name_of(built_in().by_title("OpenCode")), "opencode");
  EXPECT_EQ(name_of(built_in().by_title("π - proj")), "pi");
  EXPECT_EQ(name_of(built_in().by_title("GitHub Copilot")), "copilot");
  for (const char* title : {"", "vim", "me@host: ~/claude", "bash", "htop"})
    EXPECT_EQ(name_of(built_in().by_title(title)), "") << title;
}

TEST(Catalog, KnowsProgramsByTheirScreen) {
  EXPECT_EQ(name_of(built_in().by_row(" ▐▛███▛█   Claude Code v2.1.325")), "claude");
  EXPECT_EQ(name_of(built_in().by_row("  >_ OpenAI Codex (v0.166.0)")), "codex");
  EXPECT_EQ(name_of(built_in().by_row(" ▝▜▄     Gemini CLI v0.61.0")), "gemini");
  for (const char* row : {"", "$ claude", "I like Claude Code", "Gemini CLI", "me@host:~$ "})
    EXPECT_EQ(name_of(built_in().by_row(row)), "") << row;
}

// From the stream alone, at the end of a recording: no process facts, no command line.
void expect_recognised(const char* tape_name, const char* runtime, bool osc) {
  const auto tape = load_tape(tape_name);
  Player player(built_in(), tape.size, options_of("auto", {.process = false, .osc = osc}));
  for (const auto& piece : tape.pieces) player.output(piece.t, piece.bytes);
  player.finish();
  EXPECT_EQ(player.tracker().profile().name, runtime) << tape_name << (osc ? "" : ", screen alone");
}

TEST(Catalog, KnowsTheProgramsOfTheCorpus) {
  for (const auto& [tape, runtime] :
       {std::pair{"claude/idle", "claude"}, std::pair{"claude-ps/idle", "claude"},
        std::pair{"codex/idle", "codex"}, std::pair{"gemini/idle", "gemini"},
        std::pair{"pi/idle", "pi"}, std::pair{"copilot/idle", "copilot"}}) {
    expect_recognised(tape, runtime, true);
    expect_recognised(tape, runtime, false);
  }
  expect_recognised("opencode/idle", "opencode", true);
  for (const char* tape :
       {"controls/vim", "controls/htop", "controls/bash_plain", "controls/less"}) {
    expect_recognised(tape, "generic", true);
    expect_recognised(tape, "generic", false);
  }
}

}  // namespace
}  // namespace pawl::perceive
