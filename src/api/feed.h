#pragma once
// What happens, for many readers at once: every event is read and encoded once and shared by all of them. The ring is bounded:
// who falls behind reads on from the journal, batch by batch, until it has caught up. No reader has a queue of its own.
// Views are not in the journal: a reader of them that fell behind is lost, and has to begin again with `ls`.
//
// Views: with a reader that wants them, every agent is looked at once a second, a part of them in each step, and those that
// changed are in the ring as they are listed by `ls`. A view is made anew only when it can have changed: an event about the agent,
// another last line, another day.

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "api/place.h"
#include "base/clock.h"
#include "base/json.h"
#include "core/face.h"

namespace pawl::api {

inline constexpr size_t kFeedBytes = 4u << 20;  // of the ring
inline constexpr Duration kViewsEvery = std::chrono::seconds{1};
inline constexpr int kViewSteps = 10;    // in which all agents are looked at
inline constexpr size_t kCatchUp = 256;  // events at once from the journal

// Where one reader is.
struct FeedReader {
  uint64_t at = 0;    // the next item of the ring; 0: behind it
  uint64_t from = 0;  // … and where views begin for it
  Seq after;          // the last event it has had
  std::string agent;  // of one only; empty: of all
  bool views = false;
  bool lost = false;  // it missed views: nothing comes any more
};

class Feed {
 public:
  // `places`: whose agents' views are in it, too; null: no others.
  explicit Feed(core::Engine& engine, const std::function<Places()>* places = nullptr)
      : engine_(engine), places_(places) {}

  // From now on, or after an event.
  FeedReader reader(Seq after, bool from_now, std::string agent, bool views);

  // After a turn: what is new. Gives the new events to whoever counts.
  const std::vector<model::Event>& follow(const Clock& now);
  // When views are looked at again; nothing without a reader who wants them.
  std::optional<MonoTime> wake_at() const;
  void want_views(bool wanted);
  // Each reader is given something at most once in so much time: many readers are woken less often.
  void set_pace(Duration every) { pace_ = every; }
  Duration pace() const { return pace_; }

  // Adds what this reader has not had, at most about `room` bytes.
  Done read(FeedReader& reader, std::string& out, size_t room);
  bool has_more(const FeedReader& reader) const;
  Seq last() const { return engine_.fleet().last; }

 private:
  struct Item {
    Seq seq;  // 0: a view
    std::string agent;
    std::string bytes;  // as it is sent
  };
  struct Shown {
    bool stale = true;  // something happened to it since
    Json last_line;
    size_t digest = 0;  // of all that was shown
  };
  void add(Item item);
  void note(const model::Event& event);
  void all_stale();
  void tell_gone();
  void look(const Clock& now);
  void look_at(const model::Agent& agent, const Clock& now);
  void look_elsewhere();
  void look_at(const std::string& machine, const std::vector<Json>& agents);
  Done catch_up(FeedReader& reader, std::string& out, size_t room);
  uint64_t end() const { return first_ + ring_.size(); }

  core::Engine& engine_;
  std::deque<Item> ring_;
  uint64_t first_ = 1;  // the number of the ring's first item
  size_t bytes_ = 0;
  Seq last_;  // the last event in the ring
  bool following_ = false;
  std::vector<model::Event> fresh_;
  bool views_ = false;
  Duration pace_{};
  std::optional<MonoTime> look_at_;
  std::string looked_;                  // the agent looked at last
  bool removed_ = false;                // an agent was, since the last look
  std::string day_;                     // when it was looked at: what is spent is told by the day
  std::map<std::string, Shown> shown_;  // by agent
  const std::function<Places()>* places_;
  Json machines_ = Json::array();         // as they were shown
  std::map<std::string, uint64_t> told_;  // by machine: how often it had told its agents (place.h)
  std::map<std::string, std::map<std::string, size_t>> far_;  // by machine: its agents' digests
};

// One event as server-sent events have it.
std::string sse_of(const model::Event& event);

}  // namespace pawl::api
