#pragma once
// What all parts of a member write on: the questions to the bus, and who of us waits for which answer; the orders to the daemon.
// A question is answered once: by the bus, by the link going down, or by time (its own limit and kAnswerGrace), the last two as unknown.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/agenda.h"
#include "fleet/bus.h"
#include "fleet/member_values.h"

namespace pawl::fleet {

// An answer that pawl-bus owes us, and that does not come: it hangs.
inline constexpr Duration kAnswerGrace = std::chrono::seconds{5};
inline constexpr Duration kTellsAgain = std::chrono::hours{1};
inline constexpr size_t kMostMatters = 1000;  // told within that time

enum class Part {
  presence,
  mirror,
  outbox,
  reader,
  jobs,
  edits,
  commands,
  intake,
  accounts,
  blobs,
  items
};

// Whose question it is, and what that part meant by it.
struct Question {
  Part part = Part::presence;
  int what = 0;
  std::string key = {};
  uint64_t number = 0;
};

class Desk {
 public:
  explicit Desk(MemberOptions with) : options(std::move(with)) {}

  const MemberOptions options;
  Now now;
  bool up = false;       // the link
  bool cluster = false;  // … is to several servers: what they acknowledge is believed later

  MonoTime mono() const { return now.clock.mono; }
  WallTime wall() const { return now.clock.wall; }
  // When that time since boot will be, if the machine does not sleep until then.
  MonoTime at_boot(Duration boot) const { return mono() + std::max(boot - now.boot, Duration{0}); }
  MonoTime at_wall(WallTime wall) const {
    return mono() + std::max(wall - now.clock.wall, Duration{0});
  }

  uint64_t ask(BusAsk what, Question question);
  void tell(BusAsk what);  // nobody waits for an answer
  void order(Order what) { orders_.push_back(std::move(what)); }
  // Once an hour for each matter, however often it is said.
  void people(model::Severity severity, std::string matter, std::string text,
              std::string todo = {});

  // Whose it is. None: it was answered before, or nobody waits.
  std::optional<Question> take(uint64_t id);
  std::optional<Question> find(uint64_t id) const;
  // Those that nobody will answer any more: all of them, or those whose time is over.
  std::vector<std::pair<uint64_t, Question>> give_up_all();
  std::vector<std::pair<uint64_t, Question>> give_up_late();
  std::optional<MonoTime> wake_at() const { return late_.first(); }

  std::vector<BusAsk> asks() { return std::exchange(asks_, {}); }
  std::vector<Order> orders() { return std::exchange(orders_, {}); }

 private:
  uint64_t next_ = 0;
  std::map<uint64_t, Question> open_;
  Agenda<uint64_t, MonoTime> late_;
  std::vector<BusAsk> asks_;
  std::vector<Order> orders_;
  std::map<std::string, MonoTime> told_;  // matter: not again before
};

// A number that differs between nodes and names, and is the same on every machine.
uint64_t digest_of(std::string_view a, std::string_view b, uint64_t salt);

}  // namespace pawl::fleet
