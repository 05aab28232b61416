// How long a hook's word counts: no hook tells of Esc or of a refused permission.

#include <gtest/gtest.h>

#include "perceive/records/hook.h"
#include "perceive/tracker.h"
#include "term/terminal.h"

namespace pawl::perceive {
namespace {

using model::State;
using namespace std::chrono_literals;

const char* const kRule = "────────────────────\r\n";

// A Claude Code that is drawn by hand, with the real tracker.
class HookWorld {
 public:
  HookWorld() {
    idle();
    pass(2s);
    EXPECT_EQ(state(), State::ready);
  }
  void draw(const std::string& above, const std::string& box, const std::string& footer) {
    terminal_.feed("\x1b[2J\x1b[H" + above + "\r\n\r\n" + kRule + "❯ " + box + "\x1b[K\x1b[s\r\n" +
                   kRule + footer + "\x1b[u");
    tracker_.screen(now_, terminal_.screen());
    tracker_.read(now_);
  }
  void idle(const std::string& box = "") { draw("● Done.", box, "  ? for shortcuts"); }
  void works(int frame) {
    draw("· Thinking… (" + std::to_string(frame) + "s)", "", "  esc to interrupt");
  }
  void prints(const std::string& bytes) { terminal_.feed(bytes); }
  void asks() {
    terminal_.feed(
        "\x1b[2J\x1b[H● Bash(rm x)\r\n\r\n Do you want to proceed?\r\n ❯ 1. Yes\r\n   2. No\r\n");
    tracker_.screen(now_, terminal_.screen());
    tracker_.read(now_);
  }
  void told(const char* json) {
    const auto hook = read_hook(tracker_.profile(), json);
    ASSERT_TRUE(hook && hook->word);
    tracker_.told(now_, true, *hook->word);
    tracker_.read(now_);
  }
  // Time alone: looks only when the tracker asked for it.
  void pass(Duration time) {
    const MonoTime end = now_ + time;
    while (tracker_.wake_at() && *tracker_.wake_at() <= end && now_ < end) {
      now_ = std::max(*tracker_.wake_at(), now_ + 1ms);
      tracker_.read(now_);
    }
    now_ = end;
  }
  State state() const { return tracker_.verdict().state; }
  Tier tier() const { return tracker_.verdict().tier; }

 private:
  static TrackerOptions options() {
    TrackerOptions options;
    options.runtime = "claude";
    return options;
  }
  MonoTime now_{100s};
  term::Terminal terminal_{Size{60, 20}};
  Catalog catalog_ = Catalog::built_in();
  Tracker tracker_{catalog_, options(), now_};
};

constexpr const char* kPrompt = R"({"hook_event_name":"UserPromptSubmit"})";
constexpr const char* kTool = R"({"hook_event_name":"PreToolUse","tool_name":"Bash"})";
constexpr const char* kAsks = R"({"hook_event_name":"PermissionRequest","tool_name":"Bash"})";
constexpr const char* kStop = R"({"hook_event_name":"Stop"})";

TEST(HookRules, AHookIsHeardBeforeTheScreenShowsAnything) {
  HookWorld world;
  world.told(kPrompt);
  EXPECT_EQ(world.state(), State::busy);
  EXPECT_EQ(world.tier(), Tier::hook);
  world.pass(2900ms);
  EXPECT_EQ(world.state(), State::busy);
}

TEST(HookRules, ABusyWordIsVoidWhenTheScreenDeniesItForThreeSeconds) {
  HookWorld world;
  world.told(kPrompt);
  world.works(1);
  world.pass(1s);
  world.idle();  // Esc
  world.pass(2900ms);
  EXPECT_EQ(world.state(), State::busy);
  world.pass(200ms);
  EXPECT_EQ(world.state(), State::ready) << "nobody but the tracker's own alarm said so";
}

// Its end was not heard of. Whatever moved in the box later made it work again: a text was called taken for that.
TEST(HookRules, AWordThatWasVoidIsNotBelievedAgainForWhatMovesLater) {
  HookWorld world;
  world.told(kPrompt);
  world.works(1);
  world.pass(1s);
  world.idle();
  world.pass(40min);
  ASSERT_EQ(world.state(), State::ready);
  world.idle("a text");
  EXPECT_EQ(world.state(), State::typing);
  world.pass(1s);
  world.idle();
  EXPECT_NE(world.tier(), Tier::hook);
  world.told(kPrompt);
  EXPECT_EQ(world.tier(), Tier::hook) << "the next one is believed";
}

TEST(HookRules, ItsOwnReportAfterTheHookIsBelievedAtOnce) {
  for (const char* report : {"\x1b]9;4;0;\x1b\\", "\x1b]7501;state=idle:app=claude-code\x1b\\"}) {
    HookWorld world;
    world.prints("\x1b]9;4;3;\x1b\\");
    world.told(kPrompt);
    world.works(1);
    world.pass(1s);
    world.prints(report);
    if (report[2] == '7') world.prints("\x1b]9;4;0;\x1b\\");
    world.idle();  // Esc
    world.pass(700ms);
    EXPECT_EQ(world.state(), State::ready) << report + 2;
  }
}

TEST(HookRules, EscThatPutsTheTextBackIsTyping) {
  HookWorld world;
  world.told(kPrompt);
  world.idle("write a poem");
  world.pass(3100ms);
  EXPECT_EQ(world.state(), State::typing);
}

TEST(HookRules, EveryHookRenewsTheWord) {
  HookWorld world;
  for (int i = 0; i < 5; ++i) {
    world.told(kTool);
    world.pass(2s);
    EXPECT_EQ(world.state(), State::busy) << i;
  }
  world.pass(1100ms);
  EXPECT_EQ(world.state(), State::ready);
}

TEST(HookRules, ABusyWordHoldsWhileTheScreenShowsWork) {
  HookWorld world;
  world.told(kPrompt);
  world.works(1);
  world.pass(20s);
  EXPECT_EQ(world.state(), State::busy);
  world.pass(60s);
  EXPECT_EQ(world.state(), State::stuck) << "nothing happens on any channel";
}

TEST(HookRules, ARefusedPermissionDoesNotAskForEver) {
  HookWorld world;
  world.told(kTool);
  world.told(kAsks);
  EXPECT_EQ(world.state(), State::waiting);
  world.asks();
  world.pass(60s);
  EXPECT_EQ(world.state(), State::waiting) << "the dialog is there";
  world.idle();  // refused
  world.pass(3100ms);
  EXPECT_EQ(world.state(), State::ready);
}

TEST(HookRules, AGrantedPermissionIsWorkBeforeTheToolHasEnded) {
  HookWorld world;
  world.told(kAsks);
  world.asks();
  world.pass(10s);
  world.works(1);
  world.pass(100ms);
  EXPECT_EQ(world.state(), State::busy);
}

TEST(HookRules, TheEndOfATurnIsBelievedAtOnce) {
  HookWorld world;
  world.told(kPrompt);
  world.idle();
  world.told(kStop);
  world.pass(1s);
  EXPECT_EQ(world.state(), State::ready);
}

TEST(HookRules, WithoutAnyHookTheScreenStands) {
  HookWorld world;
  world.works(1);
  EXPECT_EQ(world.state(), State::busy);
  world.asks();
  EXPECT_EQ(world.state(), State::waiting);
  world.idle();
  world.pass(2s);
  EXPECT_EQ(world.state(), State::ready);
}

TEST(HookRules, AHookThatLiesAboutTheEndDoesNotHideWork) {
  HookWorld world;
  world.works(1);
  world.told(kStop);
  EXPECT_EQ(world.state(), State::busy);
  world.asks();
  world.told(kStop);
  EXPECT_EQ(world.state(), State::waiting);
}

}  // namespace
}  // namespace pawl::perceive
