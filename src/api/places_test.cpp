// Several machines asked at once: what is gathered, who is left out, and how long anybody waits. Machines are made up (fake_place.h).

#include <gtest/gtest.h>

#include "api/fake_place.h"
#include "api/feed.h"
#include "api/places_followed.h"
#include "base/text.h"

namespace pawl::api {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Json all() {
  return Json::object({{"machines", true}});
}
Json alert(const std::string& at, const std::string& text) {
  return Json::object({{"seq", 1}, {"at", at}, {"agent", "docs"}, {"text", text}});
}
void alerts_of(FakePlace& place, std::vector<Json> rows) {
  const Json answer = Json::object({{"version", 1}, {"cut", false}, {"alerts", std::move(rows)}});
  place.answers["alerts"] = [answer](const Json&) { return Result<Json>(answer); };
}
Json one(const std::string& name, bool ok = true) {
  return Json::object(
      {{"results", Json::Array{Json::object({{"name", name}, {"ok", ok}, {"state", "exited"}})}}});
}
std::vector<std::string> column(const Json& rows, const char* key) {
  std::vector<std::string> out;
  for (const auto& row : rows.items()) out.push_back(row[key].as_string("-"));
  return out;
}
using Words = std::vector<std::string>;

TEST(Places, AListOfAllIsOneListTheNewestFirst) {
  PlacesWorld world;
  alerts_of(world.place("gpu"),
            {alert("2026-01-01T00:00:03.000Z", "c"), alert("2026-01-01T00:00:01.000Z", "a")});
  alerts_of(world.place("lap"), {alert("2026-01-01T00:00:02.000Z", "b")});
  world.send("alerts", all());
  EXPECT_LT(world.until_answered(), milliseconds{100});
  const auto reply = world.reply();
  ASSERT_TRUE(reply) << text_of(reply.error());
  EXPECT_EQ(column((*reply)["alerts"], "text"), (Words{"c", "b", "a"}));
  EXPECT_EQ(column((*reply)["alerts"], "machine"), (Words{"gpu", "lap", "gpu"}));
  EXPECT_EQ(column((*reply)["machines"], "name"), (Words{"gpu", "lap"}));
  EXPECT_FALSE(world.place("gpu").asked[0].second.has("machines")) << "it answers for itself";
}

TEST(Places, WithoutOthersNothingChanges) {
  PlacesWorld world;
  EXPECT_FALSE((*world.ask("alerts", all())).has("machines"));
  alerts_of(world.place("gpu"), {alert("2026-01-01T00:00:03.000Z", "c")});
  EXPECT_EQ((*world.ask("alerts"))["alerts"].items().size(), 0u) << "nobody asked for all";
  EXPECT_EQ((*world.ask("alerts", all().set("here", true)))["alerts"].items().size(), 0u);
}

TEST(Places, WhoDoesNotAnswerIsLeftOutAfterTwoSeconds) {
  PlacesWorld world;
  alerts_of(world.place("fine"), {alert("2026-01-01T00:00:03.000Z", "c")});
  alerts_of(world.place("slow"), {alert("2026-01-01T00:00:03.000Z", "s")});
  world.place("slow").delay = milliseconds{300};
  world.place("mute").mute = true;
  world.place("gone").how = {.online = false, .since = world.now.wall, .because = "no route"};
  world.send("alerts", all());
  const Duration took = world.until_answered();
  EXPECT_GE(took, kPlacesWithin);
  EXPECT_LT(took, kPlacesWithin + milliseconds{50});
  const auto reply = world.reply();
  EXPECT_EQ(column((*reply)["alerts"], "text"), (Words{"c", "s"}));
  const Json& rows = (*reply)["machines"];
  EXPECT_EQ(column(rows, "name"), (Words{"fine", "gone", "mute", "slow"}));
  EXPECT_EQ(column(rows, "because"), (Words{"-", "no route", "it did not answer within 2 s", "-"}));
  EXPECT_TRUE(world.place("gone").asked.empty());
  EXPECT_EQ(world.place("mute").lines(), 0u) << "hung up";
}

TEST(Places, OneThatIsCutWhileItIsAskedIsNoErrorForTheOthers) {
  PlacesWorld world;
  alerts_of(world.place("fine"), {alert("2026-01-01T00:00:03.000Z", "c")});
  world.place("cut").delay = seconds{1};
  world.send("alerts", all());
  world.step();
  world.place("cut").cut();
  EXPECT_LT(world.until_answered(), milliseconds{50}) << "nobody waits for a line that is over";
  const auto reply = world.reply();
  EXPECT_EQ((*reply)["alerts"].items().size(), 1u);
  EXPECT_EQ(column((*reply)["machines"], "because"),
            (Words{"machine cut: the connection to it has ended", "-"}));
}

TEST(Places, OneThatIsTriedForTheFirstTimeHasItsTime) {
  PlacesWorld world;
  FakePlace& late = world.place("late");
  late.how = {.online = false, .first_try = world.now.mono};
  alerts_of(late, {alert("2026-01-01T00:00:03.000Z", "c")});
  late.rows = {Json::object({{"name", "docs"}})};
  world.send("alerts", all());
  world.pass(seconds{1});
  EXPECT_TRUE(world.replies.empty());
  late.how = {.online = true};
  EXPECT_LT(world.until_answered(), milliseconds{50});
  EXPECT_EQ((*world.reply())["alerts"].items().size(), 1u);
  late.how = {.online = false, .because = "not yet", .first_try = world.now.mono - seconds{1}};
  world.server.machines = [](const std::string&, const Json&) {
    return Result<Json>(
        Json::object({{"machines", Json::Array{Json::object({{"name", "late"}})}}}));
  };
  world.send("ls", all());
  const Duration took = world.until_answered();
  EXPECT_GE(took, seconds{1}) << "as for a list of agents";
  EXPECT_LT(took, seconds{1} + milliseconds{50});
  (void)world.reply();
  world.send("ls", all());
  EXPECT_LT(world.until_answered(), milliseconds{50}) << "and that is over";
}

TEST(Places, ReportsAreAddedUp) {
  PlacesWorld world;
  const Json totals = Json::object({{"turns", 3},
                                    {"tokens", 10},
                                    {"cost_usd", 0.5},
                                    {"lost", Json::object({{"limited", 1.5}})}});
  world.place("gpu").answers["report"] = [=](const Json&) {
    return Result<Json>(Json::object(
        {{"agents", Json::Array{Json::object({{"name", "docs"}})}}, {"totals", totals}}));
  };
  world.send("report", all());
  world.until_answered();
  const auto reply = world.reply();
  EXPECT_EQ(column((*reply)["agents"], "machine"), (Words{"gpu"}));
  EXPECT_EQ((*reply)["totals"]["turns"].as_int(), 3);
  EXPECT_EQ((*reply)["totals"]["tokens"].as_int(), 10) << "nobody here told, somebody there did";
  EXPECT_EQ((*reply)["totals"]["lost"]["limited"].as_double(), 1.5);
}

TEST(Places, AnActOnAgentsOfSeveralSaysForEachWhatBecameOfIt) {
  PlacesWorld world;
  world.place("gpu").answers["stop"] = [](const Json& args) {
    EXPECT_EQ(args["names"].as_strings(), (Words{"a"}));
    return Result<Json>(one("a"));
  };
  world.place("gpu").delay = seconds{3};
  world.place("gone").how = {.online = false, .because = "no route"};
  world.send("stop", Json::object({{"names", Words{"gpu/a", "b", "gone/c"}}}));
  EXPECT_GE(world.until_answered(), seconds{6}) << "an act is not given up";
  const auto reply = world.reply();
  ASSERT_TRUE(reply);
  const Json& rows = (*reply)["results"];
  EXPECT_EQ(column(rows, "name"), (Words{"b", "c", "a"}));
  EXPECT_EQ(column(rows, "machine"), (Words{"-", "gone", "gpu"}));
  EXPECT_NE(rows.items()[0]["error"].as_string().find("no agent named 'b'"), std::string::npos);
  EXPECT_NE(rows.items()[1]["error"].as_string().find("no route"), std::string::npos);
  EXPECT_TRUE(rows.items()[2]["ok"].as_bool());
}

TEST(Places, OneMachinesAgentIsItsOwnBusiness) {
  PlacesWorld world;
  FakePlace& gpu = world.place("gpu");
  gpu.answers["show"] = [](const Json& args) {
    return Result<Json>(Json::object({{"agent", args["name"]}}));
  };
  world.send("show", named("gpu/docs"));
  world.until_answered();
  EXPECT_EQ((*world.reply())["agent"].as_string(), "docs");
  world.send("why", named("gpu/docs"));
  world.until_answered();
  const auto old = world.reply();
  EXPECT_EQ(world.error_of(old),
            "machine gpu runs pawl 9.9, which does not know 'why': update it with  pawl machine "
            "add gpu URL --install");
  EXPECT_NE(world.error_of(world.ask("show", named("nobody/docs"))).find("no machine named"),
            std::string::npos);
  gpu.how = {.online = false, .since = world.now.wall, .because = "no route"};
  EXPECT_NE(world.error_of(world.ask("show", named("gpu/docs"))).find("no route"),
            std::string::npos);
  EXPECT_NE(world.error_of(world.ask("task clean", Json::object({{"names", Words{"gpu/a", "b"}}})))
                .find("one machine at a time"),
            std::string::npos);
}

TEST(Places, WhoComesFromAnotherMachineIsNotPassedOn) {
  PlacesWorld world;
  world.place("gpu");
  Conversation far{*world.engine, world.server, model::Asker{model::kMachine, "lap/person", 7}};
  far.receive(world.now,
              {Kind::json, Json::object({{"verb", "show"}, {"args", named("gpu/a")}}).dump()});
  EXPECT_NE(far.take_output().find("not over another one"), std::string::npos);
  far.receive(world.now, {Kind::json, Json::object({{"verb", "alerts"}, {"args", all()}}).dump()});
  far.pump(world.now, 1u << 20);
  EXPECT_EQ(far.take_output().find("machines"), std::string::npos) << "it answers for itself";
  EXPECT_TRUE(world.place("gpu").asked.empty());
}

TEST(Places, ATerminalThereIsLikeOneHere) {
  PlacesWorld world;
  FakePlace& gpu = world.place("gpu");
  gpu.answers["attach"] = [](const Json&) { return std::nullopt; };
  world.send("attach", named("gpu/docs"));
  world.pass(milliseconds{100});
  EXPECT_TRUE(world.conversation.at_terminal());
  EXPECT_TRUE(world.replies.empty());
  EXPECT_EQ(gpu.asked[0].second["name"].as_string(), "docs");
  gpu.cut();
  world.until_answered();
  EXPECT_NE(world.error_of(world.reply()).find("machine gpu: the connection"), std::string::npos);
  EXPECT_FALSE(world.conversation.at_terminal());
}

TEST(Places, WaitingForSeveralEndsWhenAllAreThere) {
  PlacesWorld world;
  bool ready = false;
  const auto answer = [&](const Json& args) -> std::optional<Result<Json>> {
    EXPECT_EQ(args["names"].as_strings(), (Words{"a"}));
    if (!ready) return std::nullopt;
    return Result<Json>(Json::object({{"name", "a"}, {"state", "ready"}}));
  };
  for (const char* name : {"gpu", "lap"}) world.place(name).answers["wait"] = answer;
  const Json args =
      Json::object({{"names", Words{"gpu/a", "lap/a"}}, {"until", "ready"}, {"timeout", "60"}});
  world.send("wait", args);
  world.pass(seconds{5});
  EXPECT_TRUE(world.replies.empty());
  world.place("gpu").cut();
  world.pass(milliseconds{100});
  ASSERT_EQ(world.events.size(), 1u);
  EXPECT_EQ(world.events[0]["what"].as_string(), "away");
  ready = true;
  world.pass(seconds{3});
  const auto reply = world.reply();
  ASSERT_TRUE(reply) << text_of(reply.error());
  EXPECT_EQ(column((*reply)["agents"], "machine"), (Words{"gpu", "lap"}));
  const double left =
      *parse_duration_s(world.place("gpu").asked.back().second["timeout"].as_string());
  EXPECT_LT(left, 56) << "asked again for the time that is left";
}

TEST(Places, AWaitHasItsOwnEnd) {
  PlacesWorld world;
  world.place("gpu").how = {.online = false, .because = "no route"};
  world.send("wait",
             Json::object({{"names", Words{"gpu/a"}}, {"until", "ready"}, {"timeout", "5"}}));
  const Duration took = world.until_answered();
  EXPECT_LT(took, seconds{7});
  const auto reply = world.reply();
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().exit_code, 124);
  EXPECT_NE(text_of(reply.error()).find("no route"), std::string::npos);
}

TEST(Places, AllEventsThereAreByTheirTimes) {
  PlacesWorld world;
  for (int i = 0; i < 3; ++i)
    for (const char* name : {"gpu", "lap"}) {
      world.step(milliseconds{10});
      world.place(name).happen(Json::object({{"type", "alert"}, {"agent", "a"}}));
    }
  world.place("mute").mute = true;
  world.send("events", all());
  const Duration took = world.until_answered();
  EXPECT_LT(took, kPlacesWithin + milliseconds{100});
  const auto reply = world.reply();
  ASSERT_TRUE(reply);
  EXPECT_EQ(column((*reply)["machines"], "because"),
            (Words{"-", "-", "it did not answer within 2 s"}));
  Words from;
  for (const auto& event : world.events)
    if (event["machine"].is_string()) from.push_back(event["machine"].as_string());
  EXPECT_EQ(from, (Words{"gpu", "lap", "gpu", "lap", "gpu", "lap"}));
}

TEST(Places, AnotherJournalIsReadFromItsBeginning) {
  PlacesWorld world;
  FakePlace& gpu = world.place("gpu");
  for (int i = 0; i < 3; ++i) gpu.happen(Json::object({{"type", "a"}}));
  world.send("events", all().set("follow", true));
  world.pass(seconds{1});
  gpu.events.clear();
  gpu.happen(Json::object({{"type", "new"}}));
  gpu.cut();
  world.pass(seconds{5});
  Words types;
  for (const auto& event : world.events)
    if (event["machine"].is_string()) types.push_back(event["type"].as_string());
  EXPECT_EQ(types, (Words{"a", "a", "a", "machine", "machine", "new"}));
}

TEST(Places, ANumberMeansItsTimeElsewhere) {
  PlacesWorld world;
  const auto at = [&](const std::string& since) {
    return *since_abroad(*world.engine, world.now, since);
  };
  EXPECT_EQ(at(""), "");
  EXPECT_EQ(at("0"), "");
  EXPECT_EQ(at("999"), rfc3339(world.now.wall));
  EXPECT_EQ(at("2h"), rfc3339(world.now.wall - std::chrono::hours{2}));
  EXPECT_FALSE(since_abroad(*world.engine, world.now, "yesterday"));
}

TEST(Places, VersionsMayDifferByOneMinor) {
  EXPECT_EQ(skew_of("0.4.1", "0.4.9"), "");
  EXPECT_EQ(skew_of("0.4.1", "0.5.0-dirty"), "");
  EXPECT_EQ(skew_of("0.4.1", "0.3.0"), "");
  EXPECT_NE(skew_of("0.4.1", "0.6.0"), "");
  EXPECT_NE(skew_of("1.4.1", "0.4.1"), "");
  EXPECT_EQ(skew_of("0.4.1", ""), "") << "never heard of";
}

TEST(Places, WhoReadsViewsHearsOfOtherMachinesAgents) {
  PlacesWorld world;
  FakePlace& gpu = world.place("gpu");
  gpu.rows = {Json::object({{"name", "docs"}, {"state", "busy"}, {"last_alive", "1"}})};
  Feed feed{*world.engine, &world.server.places};
  auto reader = feed.reader({}, true, "", true);
  feed.want_views(true);
  const auto pass = [&] {
    std::string out;
    for (int i = 0; i < 2 * kViewSteps; ++i) {
      world.step(kViewsEvery / kViewSteps);
      feed.follow(world.now);
      EXPECT_TRUE(feed.read(reader, out, 1u << 20));
    }
    return out;
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  const std::string first = pass();
  EXPECT_TRUE(has(first, "event: machines\ndata: [{\"name\":\"gpu\",\"online\":true")) << first;
  EXPECT_TRUE(has(first, "\"state\":\"busy\"") && has(first, "\"machine\":\"gpu\"")) << first;
  EXPECT_EQ(pass(), "") << "once";
  gpu.rows = {Json::object({{"name", "docs"}, {"state", "busy"}, {"last_alive", "2"}})};
  gpu.tellings += 1;
  EXPECT_EQ(pass(), "") << "time alone is no change";
  gpu.rows = {Json::object({{"name", "docs"}, {"state", "ready"}})};
  gpu.tellings += 1;
  EXPECT_TRUE(has(pass(), "\"state\":\"ready\""));
  gpu.how.online = false;
  const std::string gone = pass();
  EXPECT_TRUE(has(gone, "event: gone\ndata: {\"name\":\"docs\",\"machine\":\"gpu\"}")) << gone;
  EXPECT_TRUE(has(gone, "\"online\":false"));
  gpu.how.online = true;
  EXPECT_TRUE(has(pass(), "\"state\":\"ready\"")) << "and when it is back";
}

TEST(Places, TheFarSideIsToldWhoAsks) {
  PlacesWorld world;
  world.place("gpu").answers["stop"] = [](const Json&) { return Result<Json>(one("a")); };
  const auto asks = [&](const char* by) {
    world.send_raw(
        Json::object(
            {{"verb", "stop"}, {"by", by}, {"args", Json::object({{"names", Words{"gpu/a"}}})}})
            .dump());
    world.until_answered();
    (void)world.reply();
    const std::string from = world.place("gpu").from.back();
    return from.substr(from.find('/'));
  };
  EXPECT_EQ(asks("operator (token) from 127.0.0.1"), "/web operator (token) from 127.0.0.1");
  const model::Asker there{model::kMachine, "lap" + asks("operator (token) from 127.0.0.1"), 3};
  EXPECT_FALSE(there.inside()) << "this machine's door has let it in";
  EXPECT_TRUE((model::Asker{model::kMachine, "lap/agent web", 3}).inside());
}

}  // namespace
}  // namespace pawl::api
