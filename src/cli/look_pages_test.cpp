// What a person sees of `timeline`, `alerts` and `report`.

#include <gtest/gtest.h>

#include "base/text.h"
#include "cli/report.h"
#include "cli/timeline.h"

namespace pawl::cli {
namespace {

const Look kPlainPage{false, 100, 24};

Json json(const std::string& text) {
  const auto parsed = Json::parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed ? *parsed : Json();
}

const char* kTimeline = R"({"version":1,"since":"2026-11-16T00:00:00.000Z",
  "until":"2026-11-16T01:00:00.000Z","agents":{
  "docs":[["2026-11-16T00:00:00.000Z","ready"],["2026-11-16T00:30:00.000Z","busy"]],
  "new":[["2026-11-16T00:00:00.000Z",null],["2026-11-16T00:45:00.000Z","crashed"]]},"thinned":["docs"]})";

TEST(Timeline, IsAStripPerAgent) {
  const Look narrow{false, 27, 24};  // 20 signs
  const auto lines = split(timeline_text(json(kTimeline), narrow), '\n');
  ASSERT_GE(lines.size(), 5u);
  EXPECT_EQ(lines[1], "docs  rrrrrrrrrrbbbbbbbbbb");
  EXPECT_EQ(lines[2], "new                  CCCCC");
  EXPECT_EQ(lines[3], "b busy  r ready  C crashed");
  EXPECT_EQ(lines[4], "docs changed so often that its shortest older states are left out");
}

TEST(Timeline, HasColouredBlocksOnATerminal) {
  const std::string text = timeline_text(json(kTimeline), {true, 27, 24});
  EXPECT_NE(text.find("\x1b[36m█\x1b[0m"), std::string::npos);
  EXPECT_NE(text.find("\x1b[31m█\x1b[0m"), std::string::npos);
  EXPECT_EQ(text.find("rrr"), std::string::npos);
}

TEST(Timeline, NarrowTerminalsAndFilesGetStrips) {
  for (const int width : {1, 20, 10'000}) {
    const auto lines = split(timeline_text(json(kTimeline), {false, width, 24}), '\n');
    ASSERT_GE(lines.size(), 3u);
    EXPECT_GE(lines[1].size(), 16u) << width;
    EXPECT_LE(lines[1].size(), 130u) << width;
  }
}

TEST(Timeline, OfOneAgentIsItsEvents) {
  const std::string text = timeline_text(json(R"({"name":"docs","since":"x","cut":true,"events":[
        {"seq":7,"at":"2026-11-16T00:00:00.000Z","agent":"docs","type":"human","where":"attach"}]})"),
                                         kPlainPage);
  EXPECT_NE(text.find("the newest 1 events"), std::string::npos);
  EXPECT_NE(text.find("a person typed (attach)"), std::string::npos);
  EXPECT_EQ(timeline_text(json(R"({"name":"a","since":"S","events":[]})"), kPlainPage),
            "nothing happened to a since S\n");
}

const char* kReport = R"({"version":1,"since":"S","until":"U","agents":[
  {"name":"docs","state":"waiting","time":{"busy":7200.0},"lost":{"limited":0.0,"crashed":60.0,
   "waiting":600.0,"stuck":0.0,"idle":0.0},"turns":3,"work_done":1,"restarts":2,"nudges":0,
   "tokens":12300,"cost_usd":null}],
  "totals":{"time":{"busy":7200.0,"ready":9000.0},"lost":{"waiting":600.0,"crashed":60.0},"turns":3,
   "work_done":1,"restarts":2,"nudges":0,"interventions":{"confirmed":5,"failed":1,"unverified":0},
   "tokens":12300,"cost_usd":1.5},
  "interventions":[{"seq":9,"at":"T","agent":"docs","action":"restart","because":"it crashed",
   "rule":"restart","result":"failed","witness":"no \u001b[31mprogram","took_ms":5}],
  "questions":[{"agent":"docs","since":"2026-11-16T00:00:00Z","kind":"permission","text":"May I?",
   "rows":[{"text":"Yes"},{"text":"No"}]}],
  "alerts":[{"at":"T","agent":"docs","severity":"error","text":"it is parked","todo":"look at it"}]})";

TEST(Report, IsAPageWithTotalsFirst) {
  WallTime now;
  ASSERT_TRUE(parse_rfc3339("2026-11-16T00:05:00Z", now));
  const std::string text = report_page(json(kReport), now, kPlainPage);
  const std::vector<std::string> in_order{
      "From S to U",
      "time    ready 2h30m, busy 2h00m",
      "lost    waiting 10m00s, crashed 1m00s",
      "3 turns, 1 piece of work, 12.3k tokens, $1.50",
      "2 restarts, 0 nudges; decisions of rules: 5 confirmed, 1 failed, 0 unverified",
      "NAME  STATE      BUSY",
      "docs  waiting    2h00m    -        1m00s    10m00s",
      "What Pawl did",
      "restart (restart: it crashed), failed: no  [31mprogram",
      "What people were told",
      "→ look at it",
      "Waiting for you",
      "docs (permission), for 5m00s: May I?",
      "2. No",
      "pawl answer docs 1"};
  size_t at = 0;
  for (const auto& part : in_order) {
    const size_t found = text.find(part, at);
    ASSERT_NE(found, std::string::npos) << part << "\n" << text;
    at = found;
  }
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << "an agent's text is made harmless";
}

TEST(Report, OfNobodyIsShort) {
  const std::string text = report_page(
      json(R"({"since":"S","until":"U","agents":[],"totals":{},"questions":[],"alerts":[]})"),
      WallTime{}, kPlainPage);
  EXPECT_NE(text.find("no agents were there"), std::string::npos);
}

TEST(Alerts, AreLinesWithWhatToDo) {
  EXPECT_EQ(alerts_page(json(R"({"since":"S","alerts":[]})"), kPlainPage), "no alerts since S\n");
  const std::string text = alerts_page(
      json(R"({"since":"S","cut":true,"alerts":[{"at":"T","agent":null,"severity":"warning",
               "text":"two\nlines","todo":"do it"}]})"),
      kPlainPage);
  EXPECT_EQ(text,
            "  T  warning  -             two lines\n      → do it\n  (the newest 1; ask for less "
            "with --since)\n");
}

}  // namespace
}  // namespace pawl::cli
