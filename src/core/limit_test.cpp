// Texts that wait for an agent at its usage limit, in virtual time.

#include <gtest/gtest.h>

#include "core/rough_world.h"

namespace pawl::core {
namespace {

using namespace std::chrono_literals;
using model::State;
using model::Verdict;

class LimitWorld : public RoughWorld {
 public:
  // Its program says so, and perception has worked out the time.
  void limited(Duration length) {
    ASSERT_TRUE(until([&] { return agent()->state == State::ready; }, 30s));
    const std::string row = "⎿  You've hit your session limit";
    tui().says(now.mono, "  " + row);
    ASSERT_TRUE(until([&] { return agent()->state == State::limited; }, 30s));
    until_ = now.wall + length;
    Perceived seen;
    seen.session = session();
    seen.state = State::limited;
    seen.because = "its limit is reached";
    model::Notice notice;
    notice.kind = "limit";
    notice.text = row;
    notice.until = until_;
    seen.notices = {notice};
    engine->submit(seen);
    turn();
    ASSERT_EQ(agent()->limited_until, until_);
  }
  std::vector<std::string> taken() {
    std::vector<std::string> out;
    for (const auto& one : tui().log) out.push_back(one.text);
    return out;
  }
  void later(Duration time) { now = {now.mono + time, now.wall + time}; }
  WallTime until_;
};

const std::vector<std::string> kLimitTexts{"first", "second", "third"};

TEST(Limit, AtItsEndTheTextsAreTypedOnceEachAndInOrder) {
  LimitWorld world;
  world.start("a");
  world.limited(1h);
  for (const auto& text : kLimitTexts) world.send("a", text);
  world.pass(world.until_ - world.now.wall + 59s);
  EXPECT_TRUE(world.taken().empty()) << "its margin is not over";
  ASSERT_TRUE(world.until([&] { return world.idle(); }, 60s));
  EXPECT_EQ(world.taken(), kLimitTexts) << "and nothing else: the first one is what wakes it";
  for (const auto& fate : world.fates()) EXPECT_EQ(fate.verdict, Verdict::confirmed);
  world.check_outcomes();
}

TEST(Limit, AJournalOfThatStateIsAnOrdinaryStart) {
  for (const Duration away : {Duration{10min}, Duration{1h + 30s}, Duration{5h}}) {
    LimitWorld world;
    world.start("a");
    world.limited(1h);
    for (const auto& text : kLimitTexts) world.send("a", text);
    world.later(away);
    world.live();
    world.turn();
    ASSERT_EQ(world.agent()->state, State::limited);
    ASSERT_EQ(world.agent()->outbox.size(), 3u);
    ASSERT_TRUE(world.until([&] { return world.idle(); }, 2h));
    EXPECT_EQ(world.taken(), kLimitTexts);
    world.check_outcomes();
  }
}

// Whatever says again and again that a text may be typed.
TEST(Limit, ATurnComesToItsEnd) {
  RoughWorld world;
  world.start("a");
  world.pass(5s);
  for (int i = 0; i < 100; ++i) {
    SendAsked ask;
    ask.agent = "a";
    ASSERT_TRUE(world.engine->send(world.now, ask, "text"));
  }
  ASSERT_TRUE(world.engine->files().disk().remove_tree(world.engine->files().outbox("a")));
  world.turn();
  const size_t left = world.agent()->outbox.size();
  EXPECT_GE(left, 100u - kBeginRounds) << "each of them is over at once, and the next one is due";
  EXPECT_GT(*world.engine->wake_at(), world.now.mono);
  ASSERT_TRUE(world.until([&] { return world.idle(); }, 30s));
}

}  // namespace
}  // namespace pawl::core
