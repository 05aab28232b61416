// An inbox with thousands of files, in a real folder: what lies there wakes nobody twice, costs next to nothing to look at, and none
// of it is forgotten.

#include <gtest/gtest.h>

#include <fstream>

#include "core/engine_world.h"
#include "os/file.h"

namespace pawl::core {
namespace {

constexpr Duration kYear = std::chrono::hours{24 * 365};

class Office : public EngineWorld {
 public:
  Office() : EngineWorld(nullptr, TestDir::memory()) {
    RunAsked ask;
    ask.spec.name = "a";
    ask.spec.command = {"prog"};
    ask.spec.dir = "/";
    ask.spec.strategy = "task-driven";
    engine->submit(ask);
    turn();
    end_session();
  }

  std::string inbox() const { return engine->files().inbox("a"); }
  void put(const std::string& name, const std::string& text) {
    (void)os::make_private_dir(inbox());
    std::ofstream(inbox() + "/" + name) << text;
  }
  void put_many(int count) {
    for (int i = 0; i < count; ++i) put(item(i), "do it");
  }
  static std::string item(int number) { return "item" + std::to_string(100000 + number); }

  void look() {
    engine->look_for_wakeup("a");
    turn();
  }
  const model::Desk& desk() const { return agent()->memory.desk; }
  size_t starts() const { return host.opens.size(); }

  // Its program runs, does nothing, and ends well.
  void end_session() {
    host.runs(session());
    turn();
    host.ends(session(), 0);
    turn();
  }
  // A year in which every session ends at once, and somebody looks into the folder now and then.
  void a_year(int looks) {
    const MonoTime end = now.mono + kYear;
    MonoTime look_at = now.mono + kYear / looks;
    while (now.mono < end) {
      if (agent()->running()) end_session();
      const MonoTime next = std::min(engine->wake_at().value_or(end), look_at);
      if (now.mono >= look_at) {
        look_at += kYear / looks;
        engine->look_for_wakeup("a");
      }
      turn(std::max(next - now.mono, Duration{1000}));
    }
  }

  void see(model::State state) {
    Perceived seen;
    seen.session = session();
    seen.state = state;
    engine->submit(seen);
    turn(std::chrono::seconds{3});
  }
  // It is at its prompt, gets what waits first, and works on it.
  void take_one() {
    see(model::State::ready);
    if (!agent()->intent) return;
    engine->submit(Delivered{agent()->intent->seq, {act::Verdict::confirmed, "seen", false}});
    turn();
    see(model::State::busy);
  }
  std::map<std::string, int> wakes() const {
    std::map<std::string, int> out;
    for (const auto& event : journal.events)
      if (const auto* fact = std::get_if<model::Decided>(&event.fact);
          fact && fact->action == model::Action::wake)
        ++out[fact->how];
    return out;
  }
};

// How often this process asked the kernel for bytes of a file so far.
int64_t reads() {
  std::ifstream io("/proc/self/io");
  std::string word;
  int64_t value = 0;
  while (io >> word >> value)
    if (word == "syscr:") return value;
  return -1;
}

TEST(EngineWork, TenThousandStaleItemsStartNothingInAYear) {
  Office office;
  const size_t before = office.starts();
  office.put_many(10000);
  office.look();
  EXPECT_EQ(office.starts(), before + 1) << "they came";
  EXPECT_EQ(office.desk().waiting.size(), model::kWorkKept);
  office.a_year(24);
  EXPECT_EQ(office.starts(), before + 4) << "three more tries, and then a person is told";
  const size_t written = office.journal.events.size();
  EXPECT_LT(written, 1100u);

  office.live();  // nor does a new daemon
  office.a_year(12);
  EXPECT_EQ(office.starts(), before + 4);
  EXPECT_EQ(office.journal.events.size(), written);

  office.put(Office::item(7), "do it better");
  office.look();
  EXPECT_EQ(office.starts(), before + 5) << "it was rewritten";
  office.end_session();
  office.look();
  EXPECT_EQ(office.starts(), before + 5) << "not at once, the second time";
}

TEST(EngineWork, ALookAtWhatIsKnownOpensNoFile) {
  if (reads() < 0) GTEST_SKIP() << "this system does not count";
  Office office;
  office.put_many(10000);
  const int64_t first = reads();
  office.look();
  EXPECT_GE(reads() - first, 1000) << "the count counts";
  const int64_t second = reads();
  office.look();
  EXPECT_LT(reads() - second, 100);
}

TEST(EngineWork, MoreThanFitsIsGivenToo) {
  constexpr int kItems = 1150;
  Office office;
  office.put_many(kItems);
  office.look();
  office.host.runs(office.session());
  office.turn();
  ASSERT_EQ(office.desk().waiting.size(), model::kWorkKept);
  for (int i = 0; i < kItems; ++i) office.take_one();
  office.see(model::State::ready);
  const auto wakes = office.wakes();
  EXPECT_EQ(wakes.size(), static_cast<size_t>(kItems));
  for (const auto& [name, times] : wakes) EXPECT_EQ(times, 1) << name;
  EXPECT_TRUE(office.desk().waiting.empty());
  EXPECT_TRUE(office.desk().ledger.empty()) << "what is done is not kept";
}

TEST(EngineWork, WhatSomebodyClearsAwayMakesRoom) {
  Office office;
  office.put_many(1500);
  office.look();
  for (int i = 0; i < 1200; ++i) os::remove_file(office.inbox() + "/" + Office::item(i));
  office.look();
  ASSERT_EQ(office.desk().waiting.size(), 300u);
  EXPECT_EQ(office.desk().waiting.front().name, Office::item(1200));
  EXPECT_EQ(office.desk().ledger.size(), 300u);
}

TEST(EngineWork, AnItemThatIsTakenAwayBlocksNothing) {
  Office office;
  office.put("one", "do it");
  office.put("two", "do it");
  office.look();
  office.host.runs(office.session());
  office.turn();
  os::remove_file(office.inbox() + "/one");  // and nobody looks
  office.see(model::State::ready);
  ASSERT_TRUE(office.desk().given);
  EXPECT_EQ(office.desk().given->work.name, "two");
}

// It is done with by removing it, and then another one of its name comes.
TEST(EngineWork, ANewFileIsNotTakenForTheOneThatIsDone) {
  Office office;
  office.put("one", "do it");
  office.look();
  office.host.runs(office.session());
  office.turn();
  office.take_one();
  ASSERT_TRUE(office.desk().given);
  os::remove_file(office.inbox() + "/claimed/one");
  office.put("one", "do another thing");
  office.see(model::State::ready);
  EXPECT_TRUE(os::exists(office.inbox() + "/one") || os::exists(office.inbox() + "/claimed/one"));
  EXPECT_EQ(office.wakes()["one"], 2) << "it is given as well";
}

}  // namespace
}  // namespace pawl::core
