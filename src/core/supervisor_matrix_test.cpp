// Every condition of an agent × every input: each cell says what follows, also when that is nothing.

#include <gtest/gtest.h>

#include <functional>

#include "core/supervisor_world.h"

namespace pawl::core {
namespace {

const RequestId kAsk{7};

struct MatrixRow {
  const char* input;
  std::function<Input(World&)> make;
  std::vector<std::string> cells;  // in the order of kConditions
};

constexpr const char* kStopEnded = "D:stop F:stop:confirmed | sweep | ok";

// Cells: events | effects | answers, as supervisor_world.h tells them; "-" is nothing.
std::vector<MatrixRow> wishes() {
  return {
      {"run",
       [](World&) { return Input(World::run(7)); },
       {"registered D:start S:starting | env open | wait",
        "registered D:start S:starting | env open | wait",
        "| | no: an agent named 'a' is running already",
        "| | no: an agent named 'a' is running already",
        "| | no: an agent named 'a' is running already",
        "| | no: an agent named 'a' is running already",
        "| | no: an agent named 'a' is running already",
        "| | no: an agent named 'a' is running already",
        "registered D:start S:starting | env sweep open | wait",
        "registered D:start S:starting | env sweep open | wait"}},
      {"register",
       [](World&) {
         return Input(RegisterAsked{kAsk, World::run().spec, {}});
       },
       {"registered | env | ok", "registered | env | ok",
        "| | no: an agent named 'a' is running already",
        "| | no: an agent named 'a' is running already",
        "| | no: an agent named 'a' is running already",
        "| | no: an agent named 'a' is running already",
        "| | no: an agent named 'a' is running already",
        "| | no: an agent named 'a' is running already", "registered | env | ok",
        "registered | env | ok"}},
      {"start",
       [](World&) {
         return Input(StartAsked{kAsk, "a", "x"});
       },
       {"| | no: no agent named 'a'", "D:start S:starting | open | wait",
        "| | no: 'a' is in the middle of a start", "| | ok",
        "| | no: 'a' is in the middle of a stop", "| | no: 'a' is in the middle of a restart",
        "| | no: 'a' is in the middle of a restart", "| | no: 'a' is in the middle of a remove",
        "D:start S:starting | sweep open | wait", "D:start S:starting | sweep open | wait"}},
  };
}

std::vector<MatrixRow> orders() {
  return {
      {"stop",
       [](World&) {
         return Input(StopAsked{kAsk, "a", "x"});
       },
       {"| | no: no agent named 'a'", "| | ok", "F:start:unverified D:stop | TERM CONT | ok wait",
        "D:stop | TERM CONT | wait", "| | wait",
        "F:restart:failed D:stop | TERM CONT | no: 'a' was stopped before it was started again "
        "wait",
        "F:restart:unverified D:stop | TERM CONT | ok wait", "| | wait", kStopEnded, kStopEnded}},
      {"restart",
       [](World&) {
         return Input(RestartAsked{kAsk, "a", "x"});
       },
       {"| | no: no agent named 'a'", "D:restart S:starting | open | wait",
        "| | no: 'a' is in the middle of a start", "D:restart | TERM CONT | wait",
        "| | no: 'a' is in the middle of a stop", "| | no: 'a' is in the middle of a restart",
        "| | no: 'a' is in the middle of a restart", "| | no: 'a' is in the middle of a remove",
        "D:restart S:starting | sweep open | wait", "D:restart S:starting | sweep open | wait"}},
      {"rm",
       [](World&) {
         return Input(RemoveAsked{kAsk, "a", false});
       },
       {"| | no: no agent named 'a'", "removed | rm | ok",
        "| | no: 'a' is in the middle of a start", "| | no: 'a' is running",
        "| | no: 'a' is in the middle of a stop", "| | no: 'a' is in the middle of a restart",
        "| | no: 'a' is in the middle of a restart", "| | no: 'a' is in the middle of a remove",
        "removed | rm | ok", "removed | rm | ok"}},
      {"rm -f",
       [](World&) {
         return Input(RemoveAsked{kAsk, "a", true});
       },
       {"| | no: no agent named 'a'", "removed | rm | ok",
        "| | no: 'a' is in the middle of a start", "D:remove | TERM CONT | wait",
        "| | no: 'a' is in the middle of a stop", "| | no: 'a' is in the middle of a restart",
        "| | no: 'a' is in the middle of a restart", "| | no: 'a' is in the middle of a remove",
        "removed | rm | ok", "removed | rm | ok"}},
      {"send",
       [](World&) {
         return Input(WriteAsked{kAsk, "a", model::Action::send, "x", "w"});
       },
       {"| | no: no agent named 'a'", "| | no: 'a' is not running",
        "| | no: 'a' is in the middle of a start", "D:send F:send:unverified | write | ok",
        "| | no: 'a' is in the middle of a stop", "| | no: 'a' is in the middle of a restart",
        "| | no: 'a' is in the middle of a restart", "| | no: 'a' is in the middle of a remove",
        "| | no: 'a' is not running", "| | no: 'a' is not running"}},
  };
}

std::vector<MatrixRow> happenings() {
  return {
      {"opened",
       [](World& w) { return Input(w.opened()); },
       {"-", "-", "F:start:confirmed S:unknown | | ok", "-", "-", "-",
        "F:restart:confirmed S:unknown | | ok", "-", "-", "-"}},
      {"failed",
       [](World& w) {
         return Input(TerminalFailed{w.session(), {"no", "", 1}});
       },
       {"-", "-", "F:start:failed S:crashed removed | rm | no: no", "S:crashed | |",
        "S:crashed F:stop:confirmed | | ok", "S:crashed S:starting | open |",
        "F:restart:failed S:crashed | | no: no", "S:crashed F:remove:confirmed removed | rm | ok",
        "-", "-"}},
      {"ended well",
       [](World& w) { return Input(w.ended(0)); },
       {"-", "-", "S:exited F:start:confirmed | close | ok", "S:exited | close |",
        "S:exited F:stop:confirmed | close+sweep | ok", "S:exited S:starting | close+sweep open |",
        "S:exited F:restart:confirmed | close | ok",
        "S:exited F:remove:confirmed removed | close+sweep rm | ok", "-", "-"}},
      {"ended badly",
       [](World& w) { return Input(w.ended(3)); },
       {"-", "-", "S:crashed F:start:confirmed | close | ok", "S:crashed | close |",
        "S:exited F:stop:confirmed | close+sweep | ok", "S:exited S:starting | close+sweep open |",
        "S:crashed F:restart:confirmed | close | ok",
        "S:exited F:remove:confirmed removed | close+sweep rm | ok", "-", "-"}},
      {"write lost",
       [](World& w) {
         return Input(WriteLost{w.session(), "full"});
       },
       {"-", "-", "alert | |", "alert | |", "alert | |", "alert | |", "alert | |", "alert | |",
        "alert | |", "alert | |"}},
      {"found",
       [](World& w) {
         return Input(Recovered{{{w.session(), {42, 4242}}}});
       },
       {"-", "-", "F:start:confirmed S:unknown | | ok", "-", "| TERM CONT |", "| TERM CONT |",
        "F:restart:confirmed S:unknown | | ok", "| TERM CONT |", "-", "-"}},
      {"not found",
       [](World&) { return Input(Recovered{}); },
       {"-", "-", "F:start:failed S:crashed | | ok", "S:crashed | |",
        "F:stop:confirmed S:crashed | | ok", "F:restart:failed S:crashed | | ok",
        "F:restart:failed S:crashed | | ok", "F:remove:confirmed S:crashed removed | rm | ok", "-",
        "-"}},
      {"tick early",
       [](World& w) {
         w.pass(kGrace - Duration{1});
         return Input(Tick{});
       },
       {"-", "-", "-", "-", "-", "-", "-", "-", "-", "-"}},
      {"tick",
       [](World& w) {
         w.pass(kGrace);
         return Input(Tick{});
       },
       {"-", "-", "-", "-", "| KILL | escalated", "| KILL | escalated", "-", "| KILL | escalated",
        "-", "-"}},
  };
}

// What is seen and told.
std::vector<MatrixRow> observations() {
  return {
      {"perceived",
       [](World& w) {
         return Input(Perceived{
             w.session(), model::State::busy, "", model::Tier::screen, "b", 0.9, {}, "claude"});
       },
       {"-", "-", "-", "recognised S:busy | |", "recognised S:busy | |", "recognised S:busy | |",
        "-", "recognised S:busy | |", "-", "-"}},
      {"perceived drift",
       [](World& w) {
         return Input(Perceived{w.session(),
                                model::State::unknown,
                                "",
                                model::Tier::screen,
                                "b",
                                0.9,
                                {},
                                "",
                                {},
                                "a rule broke"});
       },
       {"-", "-", "-", "alert | |", "alert | |", "alert | |", "-", "alert | |", "-", "-"}},
      {"perceived again",
       [](World& w) {
         return Input(Perceived{
             w.session(), model::State::unknown, "", model::Tier::screen, "b", 0.9, {}, ""});
       },
       {"-", "-", "-", "-", "-", "-", "-", "-", "-", "-"}},
      {"perceived starting",
       [](World& w) {
         return Input(Perceived{
             w.session(), model::State::starting, "", model::Tier::screen, "b", 0.9, {}, ""});
       },
       {"-", "-", "-", "S:starting | |", "-", "-", "-", "-", "-", "-"}},
      {"human",
       [](World&) {
         return Input(HumanTyped{"a", "attach"});
       },
       {"-", "human | |", "human | |", "human | |", "human | |", "human | |", "human | |",
        "human | |", "human | |", "human | |"}},
      {"request",
       [](World&) {
         return Input(RequestSeen{"a", "pause", {model::kPerson, "", 1}});
       },
       {"request | |", "request | |", "request | |", "request | |", "request | |", "request | |",
        "request | |", "request | |", "request | |", "request | |"}},
      {"conversation told",
       [](World& w) {
         return Input(ConversationTold{w.session(), "facc", "/t"});
       },
       {"-", "-", "learned | |", "learned | |", "learned | |", "learned | |", "learned | |",
        "learned | |", "learned | |", "learned | |"}},
      {"journal refused",
       [](World&) { return Input(JournalRefused{"full"}); },
       {"alert | |", "alert | |", "alert | |", "alert | |", "alert | |", "alert | |", "alert | |",
        "alert | |", "alert | |", "alert | |"}},
  };
}

// What concerns the rules.
std::vector<MatrixRow> ruling() {
  const auto each = [](const char* none, const char* some) {
    std::vector<std::string> cells(std::size(kConditions), some);
    cells[0] = none;
    return cells;
  };
  return {
      {"pause",
       [](World&) {
         return Input(PauseAsked{kAsk, "a", true, "x"});
       },
       each("| | no: no agent named 'a'", "paused | | ok")},
      {"resume what is not paused",
       [](World&) {
         return Input(PauseAsked{kAsk, "a", false, "x"});
       },
       each("| | no: no agent named 'a'", "| | ok")},
      {"reconfigure",
       [](World&) {
         model::AgentSpec spec = World::run().spec;
         spec.mode = "active";
         return Input(Reconfigure{kAsk, spec});
       },
       each("| | no: no agent named 'a'", "registered | | ok")},
      {"work",
       [](World&) {
         return Input(WorkFound{"a", {"t1", "alice", "1:1"}});
       },
       each("-", "work | |")},
      {"slept",
       [](World&) {
         return Input(Slept{std::chrono::hours{1}, "x"});
       },
       each("gap | |", "gap | |")},
      {"a command nobody asked for",
       [](World&) {
         return Input(CommandEnded{Seq{999}, true, "x"});
       },
       each("-", "-")},
      {"rules", [](World&) { return Input(RulesDue{"a"}); }, each("-", "-")},
      {"rules that bring it back",
       [](World& w) {
         w.pass(std::chrono::seconds{4});
         RulesDue due{"a"};
         due.auto_continue = true;
         return Input(due);
       },
       {"-", "-", "-", "-", "-", "-", "-", "-", "D:restart S:starting alert | sweep open |",
        "D:restart S:starting alert | sweep open |"}},
  };
}

void check(const std::vector<MatrixRow>& rows) {
  for (const auto& row : rows) {
    ASSERT_EQ(row.cells.size(), std::size(kConditions)) << row.input;
    for (size_t i = 0; i < row.cells.size(); ++i) {
      World world;
      world.bring(kConditions[i]);
      EXPECT_EQ(Told::of(world.feed(row.make(world))), row.cells[i])
          << row.input << ", condition " << i;
      EXPECT_EQ(world.folded(), world.supervisor.fleet()) << row.input << ", condition " << i;
    }
  }
}

TEST(SupervisorMatrix, Wishes) {
  check(wishes());
  check(orders());
}

TEST(SupervisorMatrix, Happenings) {
  check(happenings());
}

TEST(SupervisorMatrix, Observations) {
  check(observations());
}

TEST(SupervisorMatrix, Ruling) {
  check(ruling());
}

TEST(SupervisorMatrix, ConditionsAreWhatTheyAreCalled) {
  using model::State;
  const std::vector<std::tuple<Condition, State, bool, bool>> expected{
      {Condition::never, State::unknown, false, false},
      {Condition::starting, State::starting, true, true},
      {Condition::running, State::unknown, true, false},
      {Condition::stopping, State::unknown, true, true},
      {Condition::restarting, State::unknown, true, true},
      {Condition::reopening, State::starting, true, true},
      {Condition::removing, State::unknown, true, true},
      {Condition::exited, State::exited, false, false},
      {Condition::crashed, State::crashed, false, false}};
  for (const auto& [condition, state, running, intent] : expected) {
    World world;
    world.bring(condition);
    ASSERT_TRUE(world.agent());
    EXPECT_EQ(world.agent()->state, state);
    EXPECT_EQ(world.agent()->running(), running);
    EXPECT_EQ(world.agent()->intent.has_value(), intent);
  }
}

}  // namespace
}  // namespace pawl::core
