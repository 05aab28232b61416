// Whole lives of modelled programs in which everything happens that can: they end, repeat themselves with the same seed, never
// ask to be woken in the past, and their log agrees with itself.

#include <gtest/gtest.h>

#include "base/test_sanitized.h"
#include "sim/world/agents/test_agent.h"

namespace pawl::sim {
namespace {

using What = Entry::What;

constexpr uint64_t kLives = kSanitized ? 8 : 60;
constexpr int kSteps = 400;

Behaviour everything() {
  Behaviour b;
  b.turn_from = std::chrono::seconds{1};
  b.turn_to = std::chrono::seconds{90};
  b.limit_from = std::chrono::minutes{1};
  b.limit_to = std::chrono::minutes{20};
  b.job_to = std::chrono::minutes{3};
  for (double* rate :
       {&b.tool,          &b.asks,        &b.questions,   &b.limits,          &b.limit_menu,
        &b.continues,     &b.auth,        &b.overload,    &b.context_full,    &b.jobs,
        &b.own_turns,     &b.surveys,     &b.slow_turn,   &b.eats_paste,      &b.eats_part,
        &b.doubles,       &b.slow_echo,   &b.mute,        &b.lost_enter,      &b.early_enter,
        &b.early_newline, &b.refuses,     &b.forgets,     &b.dialog_at_enter, &b.halves,
        &b.clears,        &b.garbage,     &b.hook_lost,   &b.hook_doubled,    &b.hook_late,
        &b.status_absent, &b.status_late, &b.status_wrong})
    *rate = 0.1;
  b.crashes = b.hangs = b.dies_at_enter = 0.01;
  return b;
}

std::string some_input(Chance& chance) {
  static const std::vector<std::string> kInputs{"\r",
                                                "\r",
                                                "\r",
                                                "\x1b",
                                                "\x03",
                                                "\x1b[A",
                                                "\x1b[B",
                                                "\x1b[D",
                                                "\x7f",
                                                "\x15",
                                                "\x05",
                                                "\x0f",
                                                "\x12",
                                                "\x07",
                                                "1",
                                                "2",
                                                "y",
                                                "n",
                                                "!",
                                                "#",
                                                "/model",
                                                "/compact",
                                                "/clear",
                                                "x",
                                                "i",
                                                "grüße\n",
                                                "\x1b[200~go on, please\x1b[201~",
                                                "\x1b[200~go on\rand on\x1b[201~\r",
                                                "\x1b[200~!ls\x1b[201~",
                                                "\x1b]7501;?\x1b\\",
                                                "\x1b[?1;2c",
                                                "\x1b[200~cut",
                                                "off\x1b[201~"};
  return kInputs[chance.below(kInputs.size())];
}

std::string some_order(Chance& chance) {
  static const std::vector<std::string> kOrders{"work 30",
                                                "ask command rm -rf tmp",
                                                "ask write",
                                                "ask question",
                                                "ask plan",
                                                "ask limit",
                                                "ask survey",
                                                "ask login",
                                                "fail limit 5m",
                                                "fail auth",
                                                "fail overload",
                                                "fail context",
                                                "open view",
                                                "open agents",
                                                "open editor",
                                                "open picker",
                                                "open search",
                                                "vim",
                                                "draft words of somebody",
                                                "tool 20 make",
                                                "job 60",
                                                "compact",
                                                "update",
                                                "hang 40",
                                                "garble",
                                                "expect mute",
                                                "expect lose_enter",
                                                "leave",
                                                "oom"};
  return kOrders[chance.below(kOrders.size())];
}

// One life as text; the checks are on the way.
std::string live(const Model& model, uint64_t seed) {
  Chance chance(seed);
  Program program(model, everything(), chance.next());
  Launch launch;
  launch.hooks = true;
  launch.shell = chance.happens(0.5);
  launch.trusted = chance.happens(0.8);
  MonoTime now{};
  program.start(now, launch);
  std::string life;
  for (int i = 0; i < kSteps; ++i) {
    if (program.ended()) program.start(now, launch);
    if (chance.happens(0.6)) program.read(now, some_input(chance));
    if (chance.happens(0.1)) program.order(now, some_order(chance));
    if (chance.happens(0.02))
      program.resize(now, {static_cast<uint16_t>(20 + chance.below(150)),
                           static_cast<uint16_t>(3 + chance.below(50))});
    if (chance.happens(0.05)) program.signal(now, 18);  // SIGCONT
    now += chance.between(Duration{}, std::chrono::seconds{20});
    life += program.print(now);
    const auto wake = program.wake_at();
    for (const auto& hook : program.take_hooks(now)) life += hook;
    const auto after = program.wake_at();
    EXPECT_TRUE(!after || *after > now) << model.name << ", seed " << seed << ", step " << i;
    EXPECT_TRUE(!wake || !after || *wake <= *after) << model.name << ", seed " << seed;
    for (const auto& entry : program.take_log()) {
      EXPECT_LE(entry.at, now) << model.name << ", seed " << seed;
      life += entry.text + std::string(word(entry.what)) + std::string(word(entry.reached));
    }
    EXPECT_GE(program.facts(now).cpu_s, 0);
    program.files(now);
  }
  return life;
}

TEST(Lives, EverythingMayHappenAndTheSameSeedIsTheSameLife) {
  for (const Model* model : models())
    for (uint64_t seed = 1; seed <= kLives; ++seed) {
      const std::string life = live(*model, seed);
      EXPECT_FALSE(life.empty()) << model->name << ", seed " << seed;
      if (seed % 10 != 1) continue;
      EXPECT_EQ(live(*model, seed), life) << model->name << ", seed " << seed;
    }
}

// A dialog is answered or withdrawn once, and nothing is answered that was not asked.
TEST(Lives, TheLogOfDialogsAgreesWithItself) {
  for (const Model* model : {&kClaude, &kCodex, &kGemini, &kPlain})
    for (uint64_t seed = 1; seed <= kLives; ++seed) {
      Chance chance(seed);
      Program program(*model, everything(), seed);
      program.start(MonoTime{}, {});
      bool open = false;
      for (int i = 0; i < kSteps; ++i) {
        const MonoTime now = at_s(i * 3);
        if (chance.happens(0.7)) program.read(now, some_input(chance));
        program.print(now);
        if (program.ended()) break;
        for (const auto& entry : program.take_log()) {
          if (entry.what == What::asked) {
            EXPECT_FALSE(open) << model->name << ", seed " << seed;
            open = true;
          }
          if (entry.what == What::answered || entry.what == What::withdrawn) {
            EXPECT_TRUE(open) << model->name << ", seed " << seed;
            open = false;
          }
        }
        EXPECT_EQ(open, program.asked() != nullptr) << model->name << ", seed " << seed;
      }
    }
}

}  // namespace
}  // namespace pawl::sim
