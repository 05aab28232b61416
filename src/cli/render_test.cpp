// What a person sees: widths, tables, event lines, help and completions.

#include <gtest/gtest.h>

#include <map>

#include "api/verb.h"
#include "api/view.h"
#include "base/text.h"
#include "cli/events.h"
#include "cli/help.h"
#include "cli/table.h"
#include "model/everything.h"

namespace pawl::cli {
namespace {

const Look kPlain{false, 100, 24};
const Look kColour{true, 100, 24};

std::string without_colours(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\x1b')
      at = text.find('m', at);
    else
      out += text[at];
  }
  return out;
}

TEST(Style, ColumnsAreThoseOfTheTerminal) {
  const std::vector<std::pair<std::string, int>> rows{{"", 0},     {"abc", 3}, {"äöü", 3},
                                                      {"日本", 4}, {"😀", 2},   {"e\xcc\x81", 1},
                                                      {"a日b", 4}, {"…→", 2}};
  for (const auto& [text, columns] : rows) EXPECT_EQ(columns_of(text), columns) << text;
}

TEST(Style, FitIsExact) {
  for (const std::string text :
       {"", "abc", "日本語日本語", "a日本", "ääääääääää", "😀😀😀", "plain text here"})
    for (int width = 1; width < 14; ++width) {
      const std::string fitted = fit(text, width);
      EXPECT_EQ(columns_of(fitted), width) << text;
      EXPECT_EQ(fitted.find("…") != std::string::npos, columns_of(text) > width) << text << width;
    }
  EXPECT_EQ(fit("ab", 4), "ab  ");
  EXPECT_EQ(fit("abcde", 4), "abc…");
  EXPECT_EQ(fit("日本語", 4), "日… ") << "half a character is none";
}

TEST(Style, PaintOnlyWithColour) {
  EXPECT_EQ(paint(kPlain, "31", "x"), "x");
  EXPECT_EQ(paint(kColour, "31", "x"), "\x1b[31mx\x1b[0m");
  EXPECT_EQ(paint(kColour, "", "x"), "x");
}

Json list_of(std::vector<model::Agent> agents) {
  model::Fleet fleet;
  for (auto& agent : agents) fleet.agents[agent.spec.name] = agent;
  return api::list_view(fleet, {MonoTime{}, model::wall(0)});
}

model::Agent agent(const std::string& name, model::State state, const std::string& because) {
  model::Agent it;
  it.spec.name = name;
  it.state = state;
  it.because = because;
  it.since = it.changed = model::wall(1'000'000'000'000'000);
  it.restarts = 2;
  return it;
}

const WallTime kLater = model::wall(1'000'000'000'000'000 + 65'000'000);

TEST(Table, SaysWhatIsWaitedFor) {
  auto asker = agent("asker", model::State::waiting, "a dialog");
  asker.kind = "permission";
  EXPECT_NE(agent_table(list_of({asker}), kLater, kPlain).find("asker  waiting:permission  "),
            std::string::npos);
  asker.kind = "resume-picker-of-some-kind";
  const std::string narrow = agent_table(list_of({asker}), kLater, {false, 40, 24});
  EXPECT_NE(narrow.find("waiting:resume-pi…"), std::string::npos) << narrow;
}

TEST(Table, ShowsEveryAgentOnALine) {
  const Json list = list_of({agent("docs", model::State::busy, "a turn is running"),
                             agent("日本", model::State::crashed, "exit code 3")});
  const auto lines = split(agent_table(list, kLater, kPlain), '\n');
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0], "NAME  STATE      FOR      RUNTIME  RESTARTS  WHY");
  EXPECT_EQ(lines[1], "docs  busy       1m05s    generic  2         a turn is running");
  EXPECT_EQ(lines[2], "日本  crashed    1m05s    generic  2         exit code 3");
  EXPECT_EQ(lines[3], "");
}

TEST(Table, ShowsWhatWasUsedTodayWhenAnybodyTold) {
  auto docs = agent("docs", model::State::busy, "a turn is running");
  docs.spec.budget.tokens_per_day = 1'000'000;
  model::spend(docs.memory.spending, {"1970-01-01", 1'234'567}, model::wall(0));
  auto other = agent("other", model::State::ready, "");
  auto lines = split(agent_table(list_of({docs, other}), kLater, kPlain), '\n');
  EXPECT_EQ(lines[0], "NAME   STATE      FOR      RUNTIME  RESTARTS  TOKENS  WHY");
  EXPECT_EQ(
      lines[1],
      "docs   busy       1m05s    generic  2         1.2M    (budget used up) a turn is running");
  EXPECT_EQ(lines[2], "other  ready      1m05s    generic  2         -");
  model::spend(other.memory.spending, {"1970-01-01", 999, 0.126}, model::wall(0));
  lines = split(agent_table(list_of({docs, other}), kLater, {false, 120, 24}), '\n');
  EXPECT_EQ(lines[0], "NAME   STATE      FOR      RUNTIME  RESTARTS  TOKENS  COST     WHY");
  EXPECT_EQ(lines[2], "other  ready      1m05s    generic  2         999     $0.13");
}

// One agent for each thing that a table says.
std::map<std::string, model::Agent> one_of_each() {
  std::map<std::string, model::Agent> all;
  for (const char* name :
       {"asks", "parked", "paused", "odd", "queue", "desk", "spent", "mended", "shells"})
    all[name] = agent(name, model::State::busy, "a turn is running");
  all["asks"].kind = "permission";
  all["parked"].parked = true;
  all["parked"].parked_because = "it ended 5 times";
  all["paused"].paused = true;
  all["odd"].quarantined = "it never rests";
  all["queue"].outbox.emplace_back();
  all["desk"].memory.desk.waiting.emplace_back();
  model::spend(all["spent"].memory.spending, {"1970-01-01", 999, 0.126}, model::wall(0));
  all["mended"].spec.repairs = {"mode: 'x' is no mode"};
  all["mended"].spec.runtime = "claude";
  all["shells"].state = model::State::ready;
  all["shells"].background = 2;
  return all;
}

std::string table_with(const model::Fleet& fleet, const std::vector<std::string>& keys) {
  const Json list = api::list_view(fleet, {MonoTime{}, model::wall(0)}, {}, keys);
  return agent_table(list, kLater, {false, 160, 24}) + summary(list);
}

TEST(Table, AsksForWhatItShowsAndForNothingElse) {
  model::Fleet fleet;
  for (auto& [name, agent] : one_of_each()) fleet.agents[name] = agent;
  const auto keys = table_request()["fields"].as_strings();
  const std::string table = table_with(fleet, keys);
  EXPECT_EQ(table, table_with(fleet, {})) << "made of everything";
  for (const auto& key : keys) {
    auto others = keys;
    std::erase(others, key);
    EXPECT_NE(table, table_with(fleet, others)) << key << " is asked for and not shown";
  }
}

TEST(Table, ColoursChangeNothingElse) {
  const Json list = list_of({agent("docs", model::State::crashed, "exit code 3")});
  const std::string coloured = agent_table(list, kLater, kColour);
  EXPECT_NE(coloured.find("\x1b[31mcrashed"), std::string::npos);
  EXPECT_EQ(without_colours(coloured), agent_table(list, kLater, kPlain));
}

TEST(Table, FitsTheWidth) {
  const Json list = list_of(
      {agent("docs", model::State::busy, std::string(200, 'w')),
       agent(std::string(64, 'n'), model::State::unknown, "日本語日本語日本語日本語日本語日本語")});
  for (int width = 20; width <= 130; ++width)
    for (const auto& line : split(agent_table(list, kLater, {false, width, 24}), '\n'))
      ASSERT_LE(columns_of(line), width) << "width " << width << ": " << line;
}

TEST(Table, UntrustedTextCannotMoveTheCursor) {
  const Json list = list_of({agent("docs", model::State::busy,
                                   "x\x1b[2J\x07\r\n\x7f\xc2\x9b"
                                   "2Jy")});
  const std::string table = agent_table(list, kLater, kPlain);
  EXPECT_EQ(split(table, '\n').size(), 3u);
  for (const char* bad : {"\x1b", "\x07", "\r", "\x7f", "\xc2\x9b"})
    EXPECT_EQ(table.find(bad), std::string::npos);
}

TEST(Table, AnEmptyFleetSaysHowToBegin) {
  EXPECT_EQ(agent_table(list_of({}), kLater, kPlain),
            "no agents yet: start one with  pawl run -d NAME -- COMMAND\n");
  EXPECT_EQ(summary(list_of({})), "0 agents");
  EXPECT_EQ(summary(list_of({agent("a", model::State::busy, "")})), "1 agent: 1 busy");
  EXPECT_EQ(summary(list_of({agent("a", model::State::busy, ""), agent("b", model::State::busy, ""),
                             agent("c", model::State::crashed, "")})),
            "3 agents: 2 busy, 1 crashed");
}

TEST(EventLine, Rows) {
  using namespace model;
  const std::vector<std::pair<Fact, std::string>> rows{
      {StateChanged{State::busy, State::ready, "", {}, "a box", 1, {}}, "busy → ready  a box"},
      {Decided{Action::restart, "asked", 1}, "will restart  asked"},
      {Finished{Action::stop, Seq{1}, Verdict::confirmed, "exit code 0", 12, {}},
       "stop confirmed  exit code 0 (12 ms)"},
      {Alerted{model::Severity::error, "disk full"}, "error: disk full"},
      {HumanSeen{"attach"}, "a person typed (attach)"},
      {Requested{"stop", {kWeb, "operator", 0}}, "stop was asked for by operator"},
      {Requested{"stop", {kPerson, "", 12}}, "stop was asked for by a person (pid 12)"},
      {Requested{"answer", {kAgent, "docs", 12}, true},
       "answer was refused to agent docs (pid 12)"},
      {Decided{Action::stop, "asked by pawl stop", 1, 0, "", "", "", {}, false, {kPerson, "", 12}},
       "will stop  asked by pawl stop (a person (pid 12))"},
      {Registered{}, "registered"},
      {Removed{}, "removed"},
      {Learned{"0f7c", ""}, "learned  0f7c"},
      {Queued{7, Action::wake, 12, "ci", false}, "wake of 12 bytes waits, from ci"},
      {Queued{7, Action::send, 12, "", false}, "send of 12 bytes waits"},
      {Dropped{7, "removed"}, "dropped  removed"}};
  for (const auto& [fact, told] : rows) {
    const Json event = to_json(Event{Seq{7}, wall(1'763'172'331'123'000), "docs", fact});
    EXPECT_EQ(event_line(event, kPlain), "     7 2025-11-15T02:05:31.123Z  docs          " + told);
    EXPECT_EQ(without_colours(event_line(event, kColour)), event_line(event, kPlain));
  }
}

TEST(EventLine, UntrustedTextCannotMoveTheCursor) {
  const Json event = to_json(
      model::Event{Seq{7}, {}, "docs", model::Alerted{model::Severity::error, "x\x1b[2J\ny"}});
  EXPECT_EQ(event_line(event, kPlain).find_first_of("\x1b\n"), std::string::npos);
}

TEST(Help, ListsEveryVerbForPeople) {
  const std::string overview = help_overview(kPlain);
  for (const auto& verb : api::verbs()) {
    const bool shown = overview.find("\n  " + verb.name + std::string(17 - verb.name.size(), ' ') +
                                     verb.summary + "\n") != std::string::npos;
    EXPECT_EQ(shown, !verb.group.empty()) << verb.name;
  }
}

TEST(Help, ExplainsEveryArgument) {
  for (const auto& verb : api::verbs()) {
    const std::string help = help_on(verb, kPlain);
    EXPECT_NE(help.find(usage_line(verb)), std::string::npos);
    for (const auto& arg : verb.args) {
      EXPECT_NE(help.find(arg.help), std::string::npos) << verb.name << " " << arg.name;
      const std::string spelled = std::string("-") + arg.letter + ", --" + arg.name;
      EXPECT_TRUE(!arg.letter || help.find(spelled) != std::string::npos) << spelled;
    }
    EXPECT_EQ(without_colours(help_on(verb, kColour)), help);
  }
  EXPECT_EQ(usage_line(*api::find_verb("wait")),
            "pawl wait NAME… --until STATE[,STATE…] [--timeout T] [--json]");
  EXPECT_EQ(usage_line(*api::find_verb("stop")), "pawl stop [NAME…] [--all] [--json]");
}

TEST(Help, NamesTheVerbsOfAFamily) {
  const std::string help = help_on_family("task", kPlain);
  for (const auto& verb : api::verbs())
    EXPECT_TRUE(!verb.name.starts_with("task ") || help.find(verb.name + " ") != std::string::npos)
        << verb.name;
  EXPECT_EQ(help.find("inbox"), std::string::npos);
  EXPECT_EQ(help_on_family("run", kPlain), "");
}

TEST(Completion, EveryShellKnowsEveryVerbAndOption) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const auto script = completion_script(shell);
    ASSERT_TRUE(script);
    for (const auto& verb : api::verbs()) {
      if (verb.group.empty()) {
        if (api::find_verb("task " + verb.name)) continue;  // there it is no secret
        EXPECT_EQ(script->find(" " + verb.name + " "), std::string::npos)
            << shell << " " << verb.name;
        continue;
      }
      const std::string last_word = verb.name.substr(verb.name.rfind(' ') + 1);
      EXPECT_NE(script->find(last_word), std::string::npos) << shell << " " << verb.name;
      for (const auto& arg : verb.args) {
        if (arg.form != api::Arg::Form::flag && arg.form != api::Arg::Form::option) continue;
        const std::string option = (std::string(shell) == "fish" ? "-l " : "--") + arg.name;
        EXPECT_NE(script->find(option), std::string::npos)
            << shell << " " << verb.name << " " << option;
      }
    }
  }
  const auto refused = completion_script("tcsh");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().exit_code, 2);
}

TEST(Table, SaysWhatIsParkedAndPaused) {
  model::Agent parked, paused;
  parked.spec.name = "a";
  parked.parked = true;
  parked.parked_because = "it ended 5 times";
  paused.spec.name = "b";
  paused.paused = true;
  paused.because = "its box is empty";
  const std::string table = agent_table(list_of({parked, paused}), kLater, kPlain);
  EXPECT_NE(table.find("parked: it ended 5 times"), std::string::npos) << table;
  EXPECT_NE(table.find("(paused) its box is empty"), std::string::npos) << table;
}

}  // namespace
}  // namespace pawl::cli
