// What a text that was typed becomes, by pictures of Claude Code 2.1.325: where it reports by OSC 7501, its title never changes.

#include <gtest/gtest.h>

#include "core/engine_world.h"
#include "perceive/profile/catalog.h"

namespace pawl::core {
namespace {

using namespace std::chrono_literals;
using model::State;
using model::Verdict;

const perceive::Catalog& profiles() {
  static const perceive::Catalog catalog = perceive::Catalog::built_in();
  return catalog;
}

class Pictures : public EngineWorld {
 public:
  Pictures() : EngineWorld(&profiles(), TestDir::memory()) {
    RunAsked ask;
    ask.spec.name = "a";
    ask.spec.runtime = "claude";
    ask.spec.command = {"claude"};
    ask.spec.dir = "/";
    ask.spec.human_quiet_s = 0;
    engine->submit(ask);
    turn();
    host.runs(session());
    report("idle");
    draw("");
    pass(3s);
  }
  void report(const std::string& state) {
    host.prints(session(), "\x1b]0;Claude Code\a\x1b[?2004h\x1b]7501;state=" + state +
                               ":app=claude-code\x1b\\");
  }
  // `above` its box, which holds `text`.
  void draw(const std::string& text, const std::string& above = "", bool works = false) {
    std::string rule;
    for (int i = 0; i < 60; ++i) rule += "─";
    host.prints(session(), "\x1b[2J\x1b[H" + above + "\r\n" + rule + "\r\n❯ " + text + "\r\n" +
                               rule + "\r\n  ⏸ manual mode on" +
                               (works ? " · esc to interrupt" : ""));
  }
  void pass(Duration time) {
    for (const MonoTime end = now.mono + time; now.mono < end;) turn(10ms);
  }
  // Typed and sent: its Enter is out, and nothing was drawn since.
  void send(const std::string& text) {
    SendAsked ask;
    ask.agent = "a";
    ASSERT_TRUE(engine->send(now, ask, text));
    pass(200ms);
    ASSERT_EQ(std::exchange(written(), {}), "\x1b[200~" + text + "\x1b[201~");
    draw(text);
    for (int i = 0; i < 50 && written().empty(); ++i) turn(10ms);
    ASSERT_EQ(written(), "\r");
    written().clear();
  }
  void prompt_hook(const std::string& text) {
    turn(10ms);
    engine->hook(now, "a", session(), "claude",
                 R"({"hook_event_name":"UserPromptSubmit","prompt":")" + text + "\"}");
  }
  std::string& written() { return host.sessions.at(session()).written; }
  const model::Finished* outcome() const {
    for (const auto& event : journal.events)
      if (const auto* end = std::get_if<model::Finished>(&event.fact);
          end && end->action == model::Action::send)
        return end;
    return nullptr;
  }
  // Sent, and its own hooks look at it.
  void submit(const std::string& text, const std::string& row, Duration time) {
    send(text);
    report("working");
    draw("", row, true);
    prompt_hook(text);
    pass(time);
    EXPECT_EQ(verdict(), "-");
  }
  std::string verdict() const { return outcome() ? std::string(word(outcome()->verdict)) : "-"; }
};

TEST(DeliverPicture, WhileItsHooksLookAtAPromptNothingIsConfirmed) {
  for (const char* row : {"✶ Garnishing… (running UserPromptSubmit hooks… 0/2 · 0s)",
                          "✢ Nucleating… (running UserPromptSubmit hook · 0s)"}) {
    Pictures world;
    world.submit("this is forbidden", row, 2s);
    world.report("idle");
    world.draw("this is forbidden", "● UserPromptSubmit operation blocked by hook");
    world.pass(300ms);
    EXPECT_NE(world.written().find('\x15'), std::string::npos) << "it is taken out";
    world.draw("", "● UserPromptSubmit operation blocked by hook");
    world.pass(1s);
    EXPECT_EQ(world.verdict(), "refused");
  }
}

TEST(DeliverPicture, ARefusalIsToldInItsOwnWords) {
  Pictures world;
  world.submit("this is forbidden", "✶ Garnishing… (running UserPromptSubmit hooks… 0/2 · 0s)", 1s);
  world.report("idle");
  const std::string said =
      "● UserPromptSubmit operation blocked by hook:\r\n  [check.sh]: not on a Sunday\r\n";
  world.draw("", said);
  world.pass(2s);
  EXPECT_EQ(world.verdict(), "refused");
  EXPECT_NE(world.outcome()->witness.find("[check.sh]: not on a Sunday"), std::string::npos)
      << world.outcome()->witness;
}

TEST(DeliverPicture, ATurnIsConfirmedWhenItsHooksAreDone) {
  Pictures world;
  world.submit("this is fine", "✢ Nucleating… (running UserPromptSubmit hook · 0s)", 300ms);
  world.draw("", "✢ Ideating… (0s · ↓ 1 tokens)", true);
  world.pass(100ms);
  ASSERT_EQ(world.verdict(), "confirmed");
  EXPECT_EQ(world.outcome()->witness, "its hook told of the prompt");
}

// For 46 ms it looked like a turn.
TEST(DeliverPicture, ACommandThatItDoesNotKnowIsNotConfirmed) {
  Pictures world;
  world.send("/unheardof of it");
  world.report("working");
  world.draw("", "❯ /unheardof of it\r\n✽ Ionizing…", true);
  world.pass(50ms);
  world.report("done");
  world.draw("", "● Unknown command: /unheardof\r\n● Args from unknown skill: of it");
  world.pass(1s);
  ASSERT_EQ(world.verdict(), "failed");
  EXPECT_NE(world.outcome()->witness.find("Unknown command: /unheardof"), std::string::npos);
  EXPECT_EQ(world.written(), "") << "nothing is pressed in a box that is empty";
}

TEST(DeliverPicture, AMarkThatIsShownAsASignIsNoReasonToDoubt) {
  Pictures world;
  SendAsked ask;
  ask.agent = "a";
  ASSERT_TRUE(world.engine->send(world.now, ask, "\u202eturned round"));
  world.pass(200ms);
  world.written().clear();
  world.draw("\uFFFDturned round");
  world.pass(500ms);
  EXPECT_EQ(world.written(), "\r");
}

}  // namespace
}  // namespace pawl::core
