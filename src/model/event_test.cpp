#include "model/event.h"

#include <gtest/gtest.h>

#include <csignal>
#include <set>

#include "model/everything.h"

namespace pawl::model {
namespace {

void add_decisions(std::vector<Fact>& all) {
  for (const auto action : {Action::start, Action::restart, Action::stop, Action::remove,
                            Action::send, Action::keys, Action::wake, Action::answer, Action::nudge,
                            Action::interrupt, Action::park, Action::escalate, Action::limit_wait,
                            Action::refresh_auth, Action::finish, Action::abandon})
    all.push_back(Decided{action, "because", 3, action == Action::send ? uint64_t{9} : 0});
}

void add_of_all(std::vector<Fact>& all) {
  all.push_back(
      Forgotten{Forget::tasks, Bound::count, {"task-a", "b"}, {"a.X1", "b.X2"}, 2, 70'000});
  all.push_back(
      Forgotten{Forget::tasks, Bound::age, {"task-a"}, {}, 3, 7, wall(1'700'000'000'500'001)});
  all.push_back(Forgotten{Forget::recordings, Bound::total, {"docs"}, {}, 1, uint64_t{1} << 50});
  all.push_back(Forgotten{Forget::archive, Bound::age, {}, {}, 0, 0});
  all.push_back(Forgotten{Forget::folders, Bound::age, {}, {"x.1"}, 1, 1});
  all.push_back(AccountSeen{"work", "gpu", wall(7'000), wall(8'000)});
  all.push_back(AccountSeen{"work"});
  for (const auto step :
       {MoveStep::leaving, MoveStep::given, MoveStep::gone, MoveStep::back, MoveStep::came})
    all.push_back(Moved{step, "gpu", "0f7c", "docs2", "it ended", {kPerson, "", 7}});
}

// At least one of every kind, with every field away from its default; then the odd corners.
std::vector<Fact> facts() {
  std::vector<Fact> all{
      StateChanged{State::busy,
                   State::crashed,
                   "login",
                   Tier::screen,
                   "why \"x\"\n",
                   0.5,
                   Ending{3, 0, true},
                   {{"limit", "resets 3am", wall(1'700'000'000'500'000), 2, 10}}},
      StateChanged{State::busy, State::crashed, "", {}, "", 1, Ending{-1, 9, true}},
      StateChanged{State::busy, State::exited, "", {}, "", 1, Ending{0, 0, true}},
      StateChanged{State::busy, State::crashed, "", {}, "", 1, Ending{-1, 0, false}},
      StateChanged{},
      Finished{Action::start, Seq{7}, Verdict::confirmed, "process 5 runs", 12,
               Process{5, 123456789012}},
      Finished{Action::send, Seq{uint64_t{1} << 50}, Verdict::unverified, "", 0, {}},
      Finished{Action::remove, Seq{1}, Verdict::failed, "no", 1, {}},
      Alerted{Severity::error, "disk full"},
      Requested{"answer", {kAgent, "docs", 12}, true},
      HumanSeen{"dashboard"},
      HumanSeen{"a file", WallTime{std::chrono::milliseconds{1'794'737'952'106}}},
      Registered{full_spec("docs")},
      Removed{},
      Recognised{"claude", {"claude", "-c"}},
      Learned{"0f7c", "/x/0f7c.jsonl"},
      Learned{"0f7c", ""},
      Learned{"0f7c", "", true},
      Queued{uint64_t{1} << 50, Action::wake, 262'144, "ci", true},
      Queued{1, Action::send, 1, "", false, {kAgent, "docs", 12}},
      Dropped{7, "removed"},
      Finished{Action::send, Seq{1}, Verdict::failed, "a dialog came up", 5, {}, true},
      Gap{std::chrono::milliseconds{90'500}, "the machine slept"},
      Paused{true, "an operator"},
      Paused{false, "the file PAUSE"},
      WorkSeen{"t1", "alice", "1:10", 1},
      WorkSettled{"t1", false, true, "it ended"},
      WorkGone{"t1"},
      Quarantined{"its rules did not come to an end"},
      Prepared{{{"disk", true, "9 MB"}, {"folder", false, "gone"}}, true},
      AnswerKept{true, {"question", "Which?", {"A", "B"}, "B", Cost::free}},
      AnswerKept{false, {}},
      TaskGiven{{"t", "/x/t", {"a", "{session_id}"}, {"b"}, "claude", true, "/w", 7, 1.5}},
      TaskTold{{true, true, true, true, "limit", "m", wall(9), 2, "Bash", 1, 100, 0.5}},
      TaskEnded{TaskStatus::completed_with_denials, "why", 3},
      TaskEnded{TaskStatus::abandoned, "deadline", {}, "its time is over"},
      TaskRead{},
      TaskFiled{},
      TaskRecalled{R"({"a":1})"},
      Alerted{Severity::error, "it asks", "dialog May I?", "answer it", "a\nb"},
  };
  StateChanged asks{State::busy, State::waiting, "permission", Tier::screen, "it asks", 1, {}};
  asks.dialog = Dialog{"May I?", {{"Yes", Cost::allow}, {"Buy", Cost::money}}, true};
  asks.tokens = 99;
  all.push_back(asks);
  all.push_back(
      Spent{"2026-11-16", 1009, 0.25, {"/t.jsonl", 4096, "m", {{"msg_1", {1, 2, 3, 4, 5}}}}});
  all.push_back(Spent{"2026-11-16", 7});
  Decided ruled{Action::limit_wait, "its limit ends at 3am", 2};
  ruled.rule = "limit";
  ruled.matter = "limit";
  ruled.how = "fresh";
  ruled.until = wall(1'700'000'000'000'000);
  ruled.dry = true;
  all.push_back(ruled);
  add_decisions(all), add_of_all(all);
  for (const auto& text : state_words())
    all.push_back(StateChanged{*state_from(text), *state_from(text), "", {}, "", 1, {}});
  return all;
}

TEST(Event, EveryFactSurvivesTheJournal) {
  std::set<size_t> kinds;
  for (const auto& fact : facts()) {
    kinds.insert(fact.index());
    const auto text = body_of(fact).dump();
    const auto json = Json::parse(text);
    ASSERT_TRUE(json) << text;
    const auto back = fact_from(type_of(fact), *json);
    ASSERT_TRUE(back) << text << ": " << text_of(back.error());
    EXPECT_EQ(*back, fact) << type_of(fact) << " " << text;
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<FactKinds>);
}

TEST(Event, TypesAreThoseOfTheContract) {
  const std::vector<std::pair<Fact, std::string>> rows{
      {StateChanged{}, "state"},  {Decided{}, "decision"},    {Finished{}, "outcome"},
      {Alerted{}, "alert"},       {HumanSeen{}, "human"},     {Registered{}, "config"},
      {Removed{}, "config"},      {Recognised{}, "config"},   {Learned{}, "config"},
      {Queued{}, "queue"},        {Dropped{}, "queue"},       {Gap{}, "config"},
      {Paused{}, "config"},       {WorkSeen{}, "work"},       {WorkSettled{}, "work"},
      {WorkGone{}, "work"},       {AnswerKept{}, "config"},   {Prepared{}, "preflight"},
      {TaskGiven{}, "task"},      {TaskTold{}, "task"},       {TaskEnded{}, "task"},
      {TaskRead{}, "task"},       {Spent{}, "usage"},         {Requested{}, "request"},
      {Quarantined{}, "config"},  {TaskFiled{}, "task"},      {TaskRecalled{}, "task"},
      {Forgotten{}, "retention"}, {AccountSeen{}, "account"}, {Moved{}, "move"}};
  ASSERT_EQ(rows.size(), std::variant_size_v<FactKinds>);
  for (const auto& [fact, type] : rows) EXPECT_EQ(type_of(fact), type);
}

std::vector<std::string> keys_of(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.members()) keys.push_back(key);
  return keys;
}

TEST(Event, LinesHaveThePromisedKeys) {
  const auto line = [](Fact fact) {
    return to_json(Event{Seq{5}, wall(1'763'172'331'123'000), "docs", std::move(fact)});
  };
  using Keys = std::vector<std::string>;
  const Json state =
      line(StateChanged{State::starting, State::ready, "", Tier::screen, "a box", 0.5, {}});
  EXPECT_EQ(keys_of(state), (Keys{"seq", "at", "agent", "type", "from", "to", "kind", "tier",
                                  "because", "confidence"}));
  EXPECT_EQ(state["at"].as_string(), "2025-11-15T02:05:31.123Z");
  EXPECT_EQ(state["seq"].as_int(), 5);
  EXPECT_EQ(state["agent"].as_string(), "docs");
  EXPECT_TRUE(state["kind"].is_null());
  EXPECT_EQ(keys_of(line(Decided{})),
            (Keys{"seq", "at", "agent", "type", "action", "because", "attempt"}));
  const Json outcome =
      line(Finished{Action::stop, Seq{4}, Verdict::confirmed, "exit code 0", 12, {}});
  EXPECT_EQ(keys_of(outcome), (Keys{"seq", "at", "agent", "type", "action", "decision", "result",
                                    "witness", "took_ms"}));
  EXPECT_EQ(outcome["result"].as_string(), "confirmed");
  EXPECT_EQ(outcome["decision"].as_int(), 4);
  EXPECT_EQ(keys_of(line(Alerted{})), (Keys{"seq", "at", "agent", "type", "severity", "text"}));
  EXPECT_TRUE(to_json(Event{Seq{1}, {}, "", Alerted{}})["agent"].is_null());
}

TEST(Event, ThoseOfATaskOfTheFleetNameItsUnitAndItsFence) {
  Event event{Seq{5}, {}, "task-t", TaskEnded{TaskStatus::abandoned, "lease_lost", {}}};
  event.unit = "u1";
  event.fence = 1ull << 40;
  EXPECT_EQ(to_json(event)["unit"].as_string(), "u1");
  EXPECT_EQ(to_json(event)["fence"].as_int(), int64_t{1} << 40);
  Event back{event.seq, event.at, event.agent, *fact_from("task", body_of(event))};
  read_fence(body_of(event), back);
  EXPECT_EQ(back, event);
  read_fence(body_of(event.fact), back);
  EXPECT_EQ(back.unit, "");
  EXPECT_EQ(back.fence, 0u);
}

TEST(Event, UnknownWordsAreRefused) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"state", R"({"from": "ready", "to": "dancing"})"},
      {"state", R"({"from": "", "to": "ready"})"},
      {"decision", R"({"action": "dance"})"},
      {"outcome", R"({"action": "start", "result": "maybe"})"},
      {"outcome", R"({"action": "dance", "result": "failed"})"},
      {"config", R"({"what": "danced"})"},
      {"dance", "{}"},
      {"state", "[]"},
  };
  for (const auto& [type, body] : rows)
    EXPECT_FALSE(fact_from(type, *Json::parse(body))) << type << body;
}

TEST(Event, AnUnknownTypeSaysWhatToDo) {
  const auto refused = fact_from("dance", Json::object());
  ASSERT_FALSE(refused);
  EXPECT_EQ(text_of(refused.error()),
            "an event of the unknown type dance: a newer pawl wrote this journal: use that one");
}

TEST(Ending, IsToldInWords) {
  EXPECT_EQ(text_of(Ending{0, 0, true}), "exit code 0");
  EXPECT_EQ(text_of(Ending{137, 0, true}), "exit code 137");
  EXPECT_EQ(text_of(Ending{-1, SIGKILL, true}), "signal 9 (Killed)");
  EXPECT_EQ(text_of(Ending{-1, SIGTERM, true}), "signal 15 (Terminated)");
  EXPECT_EQ(text_of(Ending{0, 0, false}), "its end was not seen");
}

TEST(Ending, OnlyASeenZeroIsClean) {
  EXPECT_TRUE((Ending{0, 0, true}).clean());
  EXPECT_FALSE((Ending{1, 0, true}).clean());
  EXPECT_FALSE((Ending{0, 9, true}).clean());
  EXPECT_FALSE((Ending{0, 0, false}).clean());
}

}  // namespace
}  // namespace pawl::model
