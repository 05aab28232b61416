// A person types at random moments while texts are delivered: nothing of theirs is lost, moved or joined with ours (issue 4).
// In virtual time, against a small program with a box, a delay before it reads and another before it draws.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <random>

#include "core/engine_world.h"
#include "perceive/profile/catalog.h"

namespace pawl::core {
namespace {

using namespace std::chrono_literals;

constexpr int kPersonDeliveries = 250;  // for each seed
constexpr double kQuiet_s = 2;

class PersonDice {
 public:
  explicit PersonDice(unsigned seed) : random_(seed) {}
  int upto(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool chance(int percent) { return upto(100) < percent; }
  Duration between(Duration low, Duration high) {
    return low + Duration{static_cast<int64_t>(random_() %
                                               static_cast<uint64_t>((high - low).count() + 1))};
  }

 private:
  std::mt19937 random_;
};

std::optional<MonoTime> earliest(std::initializer_list<std::optional<MonoTime>> times) {
  std::optional<MonoTime> out;
  for (const auto& time : times)
    if (time && (!out || *time < *out)) out = time;
  return out;
}

// A prompt box between two rules, as the demo agent has it (profiles/demo.toml).
class BoxProgram {
 public:
  explicit BoxProgram(PersonDice& dice) : dice_(dice) {}

  std::vector<std::string> submitted;
  const std::string& box() const { return box_; }

  void hear(MonoTime now, const std::string& bytes) {
    if (bytes.empty()) return;
    inbox_ += bytes;
    if (!read_at_) read_at_ = now + dice_.between(0ms, 30ms);
  }
  std::optional<MonoTime> wake_at() const {
    return earliest({read_at_, draw_at_, turn_over_, spin_at_});
  }

  // What it prints now.
  std::string go_on(MonoTime now) {
    if (read_at_ && *read_at_ <= now) {
      read_at_.reset();
      read(now);
    }
    if (turn_over_ && *turn_over_ <= now) {
      turn_over_.reset();
      spin_at_.reset();
      draw_soon(now);
    }
    if (spin_at_ && *spin_at_ <= now) {
      spin_at_ = now + 200ms;
      ++frame_;
      draw_soon(now);
    }
    if (!draw_at_ || *draw_at_ > now) return "";
    draw_at_.reset();
    return picture();
  }
  void draw_soon(MonoTime now) {
    if (!draw_at_) draw_at_ = now + dice_.between(1ms, 40ms);
  }

 private:
  void read(MonoTime now) {
    draw_soon(now);
    const std::string open = "\x1b[200~", close = "\x1b[201~";
    while (!inbox_.empty()) {
      if (inbox_.starts_with(open)) {
        const size_t end = inbox_.find(close);
        if (end == std::string::npos) return;
        box_ += inbox_.substr(open.size(), end - open.size());
        inbox_.erase(0, end + close.size());
        continue;
      }
      const char key = inbox_[0];
      inbox_.erase(0, 1);
      if (key == '\r') submit(now);
      if (key == '\x15') box_.clear();
      if (static_cast<unsigned char>(key) >= 0x20) box_ += key;
    }
  }
  void submit(MonoTime now) {
    if (box_.empty()) return;
    submitted.push_back(std::exchange(box_, {}));
    if (turn_over_) return;  // read after this turn
    turn_over_ = now + dice_.between(200ms, 3s);
    began_ = now;
    spin_at_ = now;
  }
  std::string picture() const {
    std::string rule;
    for (int i = 0; i < 60; ++i) rule += "─";
    std::string out = turn_over_ ? "\x1b]2;demo · working\x1b\\" : "\x1b]2;demo · ready\x1b\\";
    out += "\x1b[?2026h\x1b[?2004h\x1b[2J\x1b[HPawl demo agent · scene idle\r\n";
    int row = 3;
    if (turn_over_) {
      constexpr const char* kFrames[] = {"◜", "◝", "◞", "◟"};
      out += fmt::format("{} Working (1s · esc to interrupt)\r\n", kFrames[frame_ % 4]);
      ++row;
    }
    out += rule + "\r\n❯ " + (box_.empty() ? "\x1b[2mask for something\x1b[22m" : box_) + "\r\n" +
           rule + "\r\n\x1b[2m  enter sends\x1b[22m";
    return out + fmt::format("\x1b[{};{}H\x1b[?2026l", row, 3 + box_.size());
  }

  PersonDice& dice_;
  std::string inbox_, box_;
  std::optional<MonoTime> read_at_, draw_at_, turn_over_, spin_at_;
  MonoTime began_{};
  size_t frame_ = 0;
};

// Types words letter by letter, mostly ends them with Enter, sometimes walks away from a draft and comes back to it.
class Person {
 public:
  explicit Person(PersonDice& dice) : dice_(dice) {}

  std::vector<std::string> entered;  // each ended with Enter
  std::string draft;                 // since the last one
  bool leaves = false;               // nothing more after the word that is being typed
  std::optional<MonoTime> next;

  std::string press(MonoTime now) {
    if (word_.empty()) word_ = plan();
    const std::string key = word_.substr(0, 1);
    word_.erase(0, 1);
    if (key == "\r")
      entered.push_back(std::exchange(draft, {}));
    else
      draft += key;
    next = now + (word_.empty() ? dice_.between(200ms, 20s) : dice_.between(0ms, 250ms));
    if (word_.empty() && leaves) next.reset();
    return key;
  }

 private:
  std::string plan() {
    std::string word;
    for (int i = 1 + dice_.upto(8); i > 0; --i) word += static_cast<char>('A' + dice_.upto(26));
    if (dice_.chance(20)) word += dice_.chance(50) ? " |" : " | ";
    if (dice_.chance(40)) word += " ";
    if (dice_.chance(60) || draft.size() > 40) word += "Z\r";
    return word;
  }

  PersonDice& dice_;
  std::string word_;
};

class Room : public EngineWorld {
 public:
  explicit Room(unsigned seed) : dice(seed), program(dice), person(dice) {
    engine = std::make_unique<Engine>(
        host, journal,
        EngineOptions{
            home.path(), {}, &catalog, [](std::string_view) { return Result<Zone>(Zone::utc()); }},
        *journal.recover());
    engine->recover(now);
    RunAsked ask;
    ask.request = engine->next_request();
    ask.spec.name = "a";
    ask.spec.runtime = "demo";
    ask.spec.command = {"prog"};
    ask.spec.dir = "/";
    ask.spec.human_quiet_s = kQuiet_s;
    engine->submit(ask);
    turn();
    host.runs(session());
    program.draw_soon(now.mono);
    send_at = now.mono + 3s;
    person.next = now.mono + 5s;
  }

  ~Room() { engine.reset(); }  // before its profiles

  // To the next thing that happens. False: nothing does, ever.
  bool step() {
    const auto next = earliest({engine->wake_at(), program.wake_at(), person.next, send_at});
    if (!next) return false;
    const Duration passed = std::max<Duration>(*next - now.mono, 0us);
    now = {now.mono + passed, now.wall + passed};
    if (person.next && *person.next <= now.mono) {
      EXPECT_TRUE(engine->type(now, "a", person.press(now.mono), "attach"));
    }
    if (send_at && *send_at <= now.mono) send();
    host.prints(session(), program.go_on(now.mono));
    engine->turn(now);
    program.hear(now.mono, std::exchange(host.sessions.at(session()).written, {}));
    return true;
  }
  void send() {
    const std::string text = fmt::format("text {} of ours", sent.size());
    SendAsked ask;
    ask.agent = "a";
    const int kind = dice.upto(100);
    ask.item.now = kind < 25;
    if (kind >= 75) ask.item.action = model::Action::wake;
    ASSERT_TRUE(engine->send(now, ask, text));
    sent.push_back(text);
    const bool enough = sent.size() == kPersonDeliveries;
    send_at = now.mono + (agent()->outbox.size() > 20 ? 60s : dice.between(10ms, 8s));
    if (enough) send_at.reset();
    person.leaves = enough;
  }
  std::map<std::string, int> outcomes() const {
    std::map<std::string, int> out;
    for (const auto& event : journal.events)
      if (const auto* fact = std::get_if<model::Finished>(&event.fact);
          fact && fact->action != model::Action::start)
        ++out[fact->witness];
    return out;
  }

  const perceive::Catalog catalog = perceive::Catalog::built_in();
  PersonDice dice;
  BoxProgram program;
  Person person;
  std::vector<std::string> sent;
  std::optional<MonoTime> send_at;
};

class APerson : public testing::TestWithParam<unsigned> {};

TEST_P(APerson, LosesNothingWhileTextsAreDelivered) {
  Room room(GetParam());
  const MonoTime limit = room.now.mono + 20h;
  const auto done = [&] {
    return room.sent.size() == kPersonDeliveries && !room.person.next &&
           (room.agent()->outbox.empty() || !room.person.draft.empty());
  };
  while (!done() && room.now.mono < limit) ASSERT_TRUE(room.step());
  for (const MonoTime end = room.now.mono + 60s; room.now.mono < end && room.step();) {
  }
  ASSERT_LT(room.now.mono, limit);
  std::map<std::string, int> ours;
  std::vector<std::string> theirs;
  for (const auto& text : room.program.submitted) {
    if (text.starts_with("text "))
      ++ours[text];
    else
      theirs.push_back(text);
  }
  EXPECT_EQ(theirs, room.person.entered);
  EXPECT_EQ(room.program.box(), room.person.draft);
  // A draft that nobody comes back to keeps what can wait waiting; all the rest arrived, whole and once.
  EXPECT_EQ(ours.size() + room.agent()->outbox.size(), room.sent.size());
  for (const auto& [text, count] : ours) {
    EXPECT_EQ(count, 1) << text;
    EXPECT_TRUE(std::find(room.sent.begin(), room.sent.end(), text) != room.sent.end()) << text;
  }
  if (HasFailure())
    for (const auto& [witness, count] : room.outcomes())
      std::cerr << count << "  " << witness << "\n";
}

INSTANTIATE_TEST_SUITE_P(Seeds, APerson, testing::Values(1u, 2u, 3u, 4u));

}  // namespace
}  // namespace pawl::core
