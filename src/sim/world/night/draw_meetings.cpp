#include "sim/world/night/draw_meetings.h"

#include <fmt/core.h>

#include "sim/world/chance.h"
#include "sim/world/night/marks.h"

namespace pawl::sim {
namespace {

using model::Action;

constexpr uint64_t kMeetingsStream = 0x6d656574, kKeptStream = 0x6b657074;
constexpr uint64_t kFirstMark = 1'000'000;  // others count from 1
constexpr double kMeetingNights = 0.5, kKeptNights = 0.3;
constexpr Duration kBrings = std::chrono::seconds{10};
constexpr const char* kAsksAgain = "ask question Which database? // SQLite\nPostgres";

// What meets what: `comes` within a moment of `upon`, which `brings` brings about.
struct Meeting {
  std::optional<Fault> fault;  // part of it
  Does brings;
  Action upon;
  Does comes;
};
constexpr Meeting kMeetings[] = {
    {Fault::holder, Does::sends, Action::send, Does::kills_holder},
    {Fault::suspend, Does::sends, Action::send, Does::suspends},
    {Fault::disk, Does::sends, Action::send, Does::fills_disk},
    {Fault::clock, Does::submits, Action::nudge, Does::sets_clock},
    {Fault::kill, Does::stops, Action::stop, Does::kills_daemon},
    {Fault::kill, Does::restarts, Action::restart, Does::kills_daemon},
    {Fault::kill, Does::answers, Action::answer, Does::kills_daemon},
    {Fault::kill, Does::wakes, Action::wake, Does::kills_daemon},
    {{}, Does::restarts, Action::restart, Does::stops},
    {{}, Does::sends, Action::send, Does::types},
};

class Meetings {
 public:
  Meetings(NightStory& story, const NightOrder& order, Duration wild)
      : story_(story), order_(order), wild_(wild), chance_(order.seed ^ kMeetingsStream) {}

  void meet(const Meeting& one) {
    if (one.fault && !order_.faults.contains(*one.fault)) return;
    for (size_t times = chance_.below(3); times > 0; --times) {
      const std::string& name = story_.actors[chance_.below(story_.actors.size())].spec.name;
      const Duration at = chance_.between(std::chrono::minutes{2}, wild_);
      if (one.brings == Does::answers) add(at, Does::befalls, name, kAsksAgain);
      Doing& comes = add(at, one.comes, name, text("meanwhile"));
      comes.upon = one.upon;
      comes.after = chance_.between(Duration{0}, std::chrono::milliseconds{700});
      comes.length = chance_.between(std::chrono::seconds{1}, std::chrono::minutes{10});
      comes.number = chance_.below(4);
      if (one.comes == Does::kills_daemon && chance_.happens(0.5)) {  // by the next thing it does
        comes.upon.reset();
        comes.at = std::min(at + kBrings, wild_);
        comes.number += 1;
      }
      add(at + kBrings, one.brings, name, text("please look at"));
      if (one.comes == Does::fills_disk)
        add(at + chance_.between(std::chrono::minutes{1}, std::chrono::minutes{20}),
            Does::frees_disk, {}, {});
      if (one.comes == Does::stops || one.brings == Does::stops)
        add(at + std::chrono::minutes{5}, Does::starts, name, {});
    }
  }

 private:
  std::string text(const char* what) {
    return fmt::format("{} {} and say so", what, mark_of(kFirstMark + ++texts_));
  }
  Doing& add(Duration at, Does does, const std::string& agent, std::string text) {
    Doing one;
    one.at = std::min(at, wild_);
    one.does = does;
    one.agent = agent;
    one.text = std::move(text);
    if (does == Does::answers) one.text.clear();
    return story_.doings.emplace_back(std::move(one));
  }

  NightStory& story_;
  const NightOrder& order_;
  const Duration wild_;
  Chance chance_;
  uint64_t texts_ = 0;
};

// A person answers a question and keeps that; the same is asked again, and again.
void keep_an_answer(NightStory& story, Chance& chance, Duration wild) {
  const std::string& name = story.actors[chance.below(story.actors.size())].spec.name;
  Duration at = chance.between(std::chrono::minutes{2}, wild);
  const auto add = [&](Duration after, Does does, const char* text) {
    at = std::min(at + after, wild);
    Doing one{at, does, name};
    one.text = text;
    story.doings.push_back(std::move(one));
  };
  add({}, Does::befalls, kAsksAgain);
  add(std::chrono::seconds{20}, Does::answers, "");
  add(std::chrono::seconds{20}, Does::answers, kKeep.data());
  for (size_t again = 1 + chance.below(3); again > 0; --again)
    add(chance.between(std::chrono::minutes{1}, std::chrono::minutes{30}), Does::befalls,
        kAsksAgain);
}

}  // namespace

void draw_meetings(NightStory& story, const NightOrder& order, Duration wild) {
  if (story.actors.empty()) return;
  if (Chance(order.seed ^ kMeetingsStream).another().happens(kMeetingNights)) {
    Meetings all(story, order, wild);
    for (const Meeting& one : kMeetings) all.meet(one);
  }
  Chance kept(order.seed ^ kKeptStream);
  if (!kept.happens(kKeptNights)) return;
  for (size_t times = 1 + kept.below(4); times > 0; --times) keep_an_answer(story, kept, wild);
}

}  // namespace pawl::sim
