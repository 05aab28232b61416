// 10,000 texts for programs that do wrong what programs can do wrong. The program's own log is the judge: what is reported
// confirmed arrived once and whole, nothing arrives twice, and nothing is lost without a word.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "core/rough_world.h"

namespace pawl::core {
namespace {

using namespace std::chrono_literals;
using model::State;
using model::Verdict;

constexpr size_t kDeliveries = kSanitized ? 1000 : 10000;
constexpr size_t kPerWorld = 25;

struct RoughRow {
  const char* name;
  Faults faults;
};

std::vector<RoughRow> matrix() {
  std::vector<RoughRow> rows;
  const auto add = [&](const char* name, auto change) {
    RoughRow row{name, {}};
    change(row.faults);
    rows.push_back(row);
  };
  add("nothing wrong", [](Faults&) {});
  add("eats the paste", [](Faults& f) { f.eats_paste = 0.5; });
  add("eats a part of it", [](Faults& f) { f.eats_part = 0.5; });
  add("deaf for 120 ms", [](Faults& f) { f.early_enter = 1, f.late = 0.1; });
  add("deaf for 400 ms", [](Faults& f) { f.early_enter = 1, f.deaf = 400ms; });
  add("Enter is a newline", [](Faults& f) { f.early_newline = 1, f.deaf = 400ms; });
  add("loses an Enter", [](Faults& f) { f.lost_enter = 0.7; });
  add("dialog in the paste", [](Faults& f) { f.dialog_in_paste = 0.5; });
  add("dialog at Enter", [](Faults& f) { f.dialog_at_enter = 0.5; });
  add("a turn of its own", [](Faults& f) { f.own_turn = 0.5; });
  add("own turn, halves", [](Faults& f) { f.own_turn = 0.5, f.halves = 0.7; });
  add("asks in its turn", [](Faults& f) { f.asks = 0.7; });
  add("asks in its own", [](Faults& f) { f.asks = 0.7, f.own_turn = 0.7; });
  add("redraws late", [](Faults& f) { f.late = 0.3; });
  add("redraws in halves", [](Faults& f) { f.halves = 0.8; });
  add("clears the screen", [](Faults& f) { f.clears = 0.4; });
  add("never echoes", [](Faults& f) { f.mute = 0.5; });
  add("done in 100 ms", [](Faults& f) { f.quick = 0.7; });
  add("starts after 2 s", [](Faults& f) { f.slow = 0.7; });
  add("dies", [](Faults& f) { f.dies = 0.2; });
  add("a box that scrolls", [](Faults& f) { f.notes = false, f.eats_part = 0.3; });
  add("everything", [](Faults& f) {
    f = {0.05, 0.05, 0.5,  0.2,  0.1, 0.05, 0.05, 0.05, 0.1,
         0.1,  0.1,  0.05, 0.05, 0.2, 0.2,  0.02, 350ms};
  });
  return rows;
}

// Each with its own first and last word, so that a part of it is known for what it is.
std::string text_of(size_t number, std::mt19937& chance) {
  const auto below = [&](size_t limit) {
    return std::uniform_int_distribution<size_t>(0, limit - 1)(chance);
  };
  std::string body;
  switch (below(8)) {
    case 0:
      break;
    case 1:
      for (size_t i = 0, count = 1 + below(60); i < count; ++i)
        body += fmt::format("line {} of it\n", i);
      break;
    case 2:
      for (size_t i = 0, count = 1 + below(30); i < count; ++i) body += "端末🦀";
      break;
    case 3:
      body = "-> (?!) ... ;;; \"\" '' ~ & $()";
      break;
    case 4:
      for (size_t i = 0, count = below(400); i < count; ++i) body += "words ";
      break;
    case 5:
      body = "two\n\nthree [Pasted text #1 +1 lines]\n";
      break;
    default:
      body = "an ordinary request, as people send them most of the time";
  }
  return fmt::format("<{}> {} </{}>", number, body, number);
}

struct Count {
  size_t sent = 0, confirmed = 0, stuck = 0, unverified = 0, arrived = 0, put_off = 0;
};

// Somebody looks after what Pawl leaves to people: text in the box, and programs that died.
void person(RoughWorld& world) {
  world.revive();
  const model::Agent* agent = world.agent();
  if (!agent->intent && agent->state == State::typing) world.tui().person_clears(world.now.mono);
}

void judge(const RoughWorld& world, const RoughTui& tui, Count& count) {
  std::vector<size_t> order;
  const auto fates = world.fates();
  for (size_t i = 0; i < fates.size(); ++i) {
    const auto& fate = fates[i];
    SCOPED_TRACE(
        fmt::format("{} bytes: {}… ({})", fate.text.size(), fate.text.substr(0, 50), fate.witness));
    size_t whole = 0, any = 0;
    const std::string begin = fmt::format("<{}>", i), end = fmt::format("</{}>", i);
    const std::string taken = as_taken(fate.text);
    for (const auto& one : tui.log) {
      whole += one.text == taken;
      any += one.text.find(begin) != std::string::npos || one.text.find(end) != std::string::npos;
      if (one.text == taken) order.push_back(i);
    }
    EXPECT_LE(any, 1u) << "submitted twice";
    EXPECT_LE(std::count(tui.pastes.begin(), tui.pastes.end(), taken), 1) << "pasted twice";
    EXPECT_EQ(fate.ends, 1u);
    if (fate.verdict == Verdict::confirmed) {
      EXPECT_EQ(whole, 1u) << "confirmed, and it did not arrive";
    } else {
      EXPECT_TRUE(fate.alerted) << "nobody was told";
    }
    ++count.sent;
    count.arrived += whole;
    count.put_off += fate.put_off;
    ++(fate.verdict == Verdict::confirmed ? count.confirmed
       : fate.verdict == Verdict::failed  ? count.stuck
                                          : count.unverified);
  }
  EXPECT_EQ(tui.seen_answers, 0u) << "Enter was pressed into a dialog that could be seen";
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end())) << "out of order";
}

void one_world(const RoughRow& row, uint32_t seed, Count& count) {
  SCOPED_TRACE(fmt::format("{}, seed {}", row.name, seed));
  RoughWorld world;
  RoughTui& tui = world.start("a", row.faults, seed);
  std::mt19937 chance(seed + 1);
  for (size_t number = 0; number < kPerWorld;) {
    for (size_t batch = 1 + number % 3; batch > 0 && number < kPerWorld; --batch)
      world.send("a", text_of(number++, chance));
    const MonoTime end = world.now.mono + 300s;
    while (!world.idle() && world.now.mono < end) {
      world.step();
      person(world);
    }
    ASSERT_TRUE(world.idle()) << world.screen();
    if (number % 2 == 0) tui.person_clears(world.now.mono);  // also what nobody sees
    world.revive();
  }
  judge(world, tui, count);
  EXPECT_TRUE(world.engine->files().texts("a").empty());
  world.check_outcomes();
}

TEST(DeliverRough, WhatIsConfirmedArrivedOnceAndTheRestIsTold) {
  const auto rows = matrix();
  const size_t worlds = kDeliveries / kPerWorld;
  std::string table = fmt::format("{:22}{:>8}{:>11}{:>8}{:>12}{:>9}{:>9}\n", "fault", "sent",
                                  "confirmed", "stuck", "unverified", "arrived", "put off");
  Count all;
  for (size_t i = 0; i < rows.size(); ++i) {
    Count count;
    for (size_t n = i; n < worlds && !HasFatalFailure(); n += rows.size())
      one_world(rows[i], static_cast<uint32_t>(n), count);
    table +=
        fmt::format("{:22}{:>8}{:>11}{:>8}{:>12}{:>9}{:>9}\n", rows[i].name, count.sent,
                    count.confirmed, count.stuck, count.unverified, count.arrived, count.put_off);
    all.sent += count.sent;
    all.confirmed += count.confirmed;
  }
  std::fputs(table.c_str(), stdout);
  EXPECT_EQ(all.sent, kDeliveries);
  EXPECT_GT(2 * all.confirmed, all.sent) << "one that never confirms anything is no help";
}

}  // namespace
}  // namespace pawl::core
