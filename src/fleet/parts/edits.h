#pragma once
// Changes to units that this node does not run: new ones, cancelled ones, and those that an earlier life of ours left claimed. Each is
// written by compare-and-set, and read again after an answer that did not come, for kEditsWithin; then whoever asked is told that nobody
// knows.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fleet/parts/units.h"

namespace pawl::fleet {

inline constexpr Duration kEditsWithin = std::chrono::seconds{60};
inline constexpr Duration kEditAgain = std::chrono::seconds{1};
inline constexpr size_t kMostEdits = 512;

// What became of one that came from a work queue.
struct IntakeEnd {
  uint64_t number = 0;  // the caller's
  bool done = false;
};

class Edits {
 public:
  Edits(Desk& desk, Units& units) : desk_(desk), units_(units) {}

  void submit(uint64_t ticket, const UnitOrder& order);
  void cancel(uint64_t ticket, const std::string& unit, const std::string& by);
  // One that is over is begun from the beginning.
  void again(uint64_t ticket, const std::string& unit, const std::string& by);
  // `source`: the same message gives the same unit, however often it comes. False: there are too many.
  bool intake(uint64_t number, const std::string& unit, const std::string& source, Json value);
  void give_back(const std::string& unit);  // an orphan
  void look_up(const std::string& unit);    // it may be another than we think

  void link_changed();
  void reply(const Question& question, const BusReply& reply);
  void step();
  std::optional<MonoTime> wake_at() const;
  std::vector<IntakeEnd> take_ended() { return std::exchange(intake_ends_, {}); }
  // Units that were written: their jobs have to look.
  std::vector<std::string> take_written() { return std::exchange(written_, {}); }
  // The values of those that were to be created and are not, for certain.
  std::vector<Json> take_refused() { return std::exchange(refused_, {}); }

 private:
  enum class What { create, cancel, again, give_back, look_up };
  struct Edit {
    What what = What::create;
    uint64_t ticket = 0;  // 0: nobody waits
    uint64_t number = 0;  // of a message from a work queue; 0: of none
    std::string unit = {}, by = {};
    std::string source = {};  // of what is created: it is this one, and not another of its name
    Json value = {};
    bool asking = false, read = false;  // read: it is read before it is written
    bool tried = false;                 // it may be there already
    MonoTime until{}, again{};
  };
  void begin(Edit edit);
  void drive(uint64_t id, Edit& edit);
  void found(uint64_t id, Edit& edit, const BusReply& reply);
  void change(uint64_t id, Edit& edit, const Unit& unit);
  void write(uint64_t id, Edit& edit, const Json& value, uint64_t revision);
  void change_again(uint64_t id, Edit& edit, const Unit& unit);
  void over(uint64_t id, bool done, std::string because = {}, std::string todo = {});

  Desk& desk_;
  Units& units_;
  uint64_t next_ = 0;
  std::map<uint64_t, Edit> edits_;
  std::vector<IntakeEnd> intake_ends_;
  std::vector<std::string> written_;
  std::vector<Json> refused_;
};

// What a new unit says.
Json new_unit(const UnitOrder& order, WallTime now, const std::string& source);

}  // namespace pawl::fleet
