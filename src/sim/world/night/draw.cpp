#include "sim/world/night/draw.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/text.h"
#include "sim/world/chance.h"
#include "sim/world/night/draw_actor.h"
#include "sim/world/night/draw_meetings.h"
#include "sim/world/night/draw_tasks.h"
#include "sim/world/night/marks.h"

namespace pawl::sim {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr double kCalmPart = 1.0 / 3;      // of a night, at its end …
constexpr Duration kCalmLeast = hours{4};  // … but not less, so that every patience runs out in it
// What stops everybody comes as often in a night with a thousand agents as in one with a few: nothing would ever last.
constexpr int kKillsMost = 24, kLidsMost = 8;
// Things that a user's program does or shows.
constexpr std::array kBefalls{"ask command rm -rf build",
                              "ask edit src/main.py // + one line",
                              "ask question Which database? // SQLite\nPostgres",
                              "ask trust",
                              "ask survey",
                              "ask strange",
                              "fail overload",
                              "fail auth",
                              "fail context",
                              "fail limit 45m",
                              "oom",
                              "crash",
                              "leave",
                              "hang",
                              "hang 10m",
                              "job 30m",
                              "compact",
                              "update",
                              "garble",
                              "open view",
                              "open agents",
                              "work 10m",
                              "tool 8m make",
                              "expect lose_enter",
                              "expect eat_paste",
                              "expect die_at_enter",
                              "expect dialog_at_enter",
                              "expect refuse"};
constexpr std::array kKeys{"!", "#", "C-o", "Escape", "C-r", "x", "Up", "C-c"};
constexpr std::array kPipes{".env", "wakeup_pending", "PAUSE", "prompt.md"};

class Drawing {
 public:
  explicit Drawing(const NightOrder& order) : order_(order), chance_(order.seed) {}

  NightStory make() {
    story_.seed = order_.seed;
    story_.length = std::chrono::duration_cast<Duration>(
        std::chrono::duration<double, std::ratio<3600>>(order_.hours));
    const Duration calm =
        std::max(std::chrono::duration_cast<Duration>(story_.length * kCalmPart), kCalmLeast);
    wild_ = story_.length > calm * 2 ? story_.length - calm : story_.length / 2;
    for (size_t i = 1; i <= order_.agents; ++i) {
      Chance its = chance_.another();
      story_.actors.push_back(draw_actor(its, order_, i));
    }
    share_folders(story_.actors);
    if (!story_.actors.empty() && chance_.happens(0.3))
      story_.actors[chance_.below(story_.actors.size())].stays = true;
    meetings_ = chance_.happens(0.5) ? 1 : 0;
    const double sends = some(3), types = some(2), befalls = some(2), asks = some(1),
                 works = some(2);
    for (const auto& one : story_.actors) {
      Chance its = chance_.another();
      people(its, one, sends, types, asks, works);
      often(its, befalls,
            [&] { add(its, Does::befalls, one.spec.name, kBefalls[its.below(kBefalls.size())]); });
    }
    for (const Fault fault : order_.faults) draw_fault(fault);
    draw_meetings(story_, order_, wild_);
    draw_tasks(order_, wild_, story_);
    story_.doings.push_back({wild_, Does::calms});
    std::stable_sort(story_.doings.begin(), story_.doings.end(),
                     [](const Doing& a, const Doing& b) { return a.at < b.at; });
    return std::move(story_);
  }

 private:
  // How often in a night something is done to each agent: not at all, or about so often.
  double some(double times) { return chance_.happens(0.3) ? 0 : times * order_.hours / 12; }
  template <class Then>
  void often(Chance& chance, double times, Then&& then) {
    for (double left = times; left > 0; left -= 1)
      if (chance.happens(std::min(left, 1.0))) then();
  }
  Duration moment(Chance& chance) { return chance.between(seconds{20}, wild_); }
  Doing& add(Chance& chance, Does does, const std::string& agent = {}, std::string text = {}) {
    Doing one;
    one.at = moment(chance);
    one.does = does;
    one.agent = agent;
    one.text = std::move(text);
    return story_.doings.emplace_back(std::move(one));
  }
  std::string text(const char* what) {
    const uint64_t number = ++marks_;
    return fmt::format("{} {} and say so", what, mark_of(number));
  }
  void people(Chance& chance, const Actor& actor, double sends, double types, double asks,
              double works) {
    const std::string& name = actor.spec.name;
    often(chance, sends, [&] {
      // Some begin like a command of a shell.
      const char* begins = chance.happens(0.06) ? "!please look at" : "please look at";
      const Doing first = add(chance, Does::sends, name, text(begins));
      // Sometimes several at once.
      for (size_t more = chance.happens(0.2) ? chance.below(4) : 0; more > 0; --more) {
        Doing next = first;
        next.text = text("and then");
        next.at += chance.between(Duration{0}, seconds{5});
        story_.doings.push_back(std::move(next));
      }
    });
    // And some would end it.
    often(chance, sends * 0.05, [&] { add(chance, Does::sends, name, "exit"); });
    often(chance, sends * meetings_, [&] { meet(chance, name); });
    often(chance, asks * 0.1, [&] { crash_loop(chance, name); });
    often(chance, asks, [&] { asked_and_answered(chance, name); });
    often(chance, types, [&] { at_the_keyboard(chance, name); });
    if (order_.faults.contains(Fault::suspend))
      often(chance, types * 0.1, [&] { closes_the_lid(chance, name); });
    often(chance, asks, [&] { through_pawl(chance, name); });
    often(chance, works, [&] {
      const std::string item = fmt::format("work-{}.md", ++items_);
      const Duration at = add(chance, Does::gives_work, name, item).at;
      if (chance.happens(0.2)) later(chance, at, Does::rewrites, name, item);
      if (chance.happens(0.1)) later(chance, at, Does::takes_back, name, item);
    });
  }
  // Two things within a moment, where each of them is right alone: something is decided about an agent, and before it is done
  // somebody or something else comes.
  void meet(Chance& chance, const std::string& name) {
    using enum model::Action;
    constexpr std::array kUpon{send, send, wake, nudge, nudge, restart, answer};
    Doing& one = add(chance, Does::types, name);
    one.upon = kUpon[chance.below(kUpon.size())];
    one.after = chance.happens(0.7) ? chance.between(Duration{0}, std::chrono::milliseconds{600})
                                    : chance.between(Duration{0}, seconds{20});
    comes_between(chance, one);
    if (one.upon != send && one.upon != wake) return;
    Doing sent = one;
    sent.upon.reset();
    sent.does = one.upon == send ? Does::sends : Does::wakes;
    sent.at += seconds{1};
    sent.text = text("meanwhile");
    story_.doings.push_back(std::move(sent));
  }
  // A person answers what it asks, and perhaps something else stands there by then.
  void asked_and_answered(Chance& chance, const std::string& name) {
    const Duration at = add(chance, Does::befalls, name, "ask command rm -rf build").at;
    if (chance.happens(0.5)) {
      Doing& other = add(chance, Does::befalls, name, "instead command rm -rf data");
      other.at = at;
      other.upon = model::Action::answer;
      other.after = chance.between(Duration{0}, std::chrono::milliseconds{600});
    }
    Doing& answer = add(chance, Does::answers, name);
    answer.at = at + chance.between(seconds{4}, minutes{2});
    answer.number = chance.below(4);
  }
  // It dies again each time it was started, for a while.
  void crash_loop(Chance& chance, const std::string& name) {
    const Duration at = add(chance, Does::befalls, name, "crash").at;
    for (size_t again = 1 + chance.below(12); again > 0; --again) {
      Doing& one = add(chance, Does::befalls, name, "crash");
      one.at = at;
      one.upon = model::Action::restart;
      one.after = chance.between(seconds{1}, chance.happens(0.8) ? seconds{20} : seconds{400});
    }
  }
  void comes_between(Chance& chance, Doing& one) {
    if (order_.faults.contains(Fault::kill) && chance.happens(0.15) && kills_++ < kKillsMost) {
      one.does = Does::kills_daemon;
      one.number = chance.below(6);
      one.length = chance.between(seconds{1}, seconds{20});
      return;
    }
    switch (chance.below(8)) {
      case 0:
      case 1:
        one.does = Does::types;
        one.text = text("a draft");
        return;
      case 2:
        one.does = Does::presses;
        one.text = kKeys[chance.below(kKeys.size())];
        return;
      case 3:
      case 4:
        one.does = Does::befalls;
        one.text = kBefalls[chance.below(kBefalls.size())];
        return;
      case 5:
        one.does = Does::pauses;
        return;
      case 6:
        one.does = Does::stops;
        return;
      default:
        one.does = Does::submits;
        one.text = text("a person says");
        return;
    }
  }
  Doing& later(Chance& chance, Duration after, Does does, const std::string& agent,
               std::string text = {}) {
    Doing& one = add(chance, does, agent, std::move(text));
    one.at = std::min(after + chance.between(seconds{1}, minutes{20}), wild_);
    return one;
  }
  void at_the_keyboard(Chance& chance, const std::string& name) {
    switch (chance.below(4)) {
      case 0: {
        const Duration at = add(chance, Does::types, name, text("a draft")).at;
        if (chance.happens(0.7)) later(chance, at, Does::clears, name);
        return;
      }
      case 1:
        add(chance, Does::submits, name, text("a person says"));
        return;
      default: {
        const Duration at = add(chance, Does::presses, name, kKeys[chance.below(kKeys.size())]).at;
        if (chance.happens(0.7)) later(chance, at, Does::presses, name, "Escape");
        return;
      }
    }
  }
  // A person presses something, a text comes, and the machine sleeps: it is nobody's quiet time that passes there.
  void closes_the_lid(Chance& chance, const std::string& name) {
    if (lids_++ >= kLidsMost) return;
    const Duration at = add(chance, Does::presses, name, "Escape").at;
    add(chance, Does::sends, name, text("before the lid")).at = at + seconds{1};
    Doing& sleep = add(chance, Does::suspends);
    sleep.at = at + chance.between(seconds{2}, seconds{100});
    sleep.length = chance.between(minutes{1}, hours{2});
  }
  void through_pawl(Chance& chance, const std::string& name) {
    switch (chance.below(6)) {
      case 0: {
        const Duration at = add(chance, Does::pauses, name).at;
        later(chance, at, Does::resumes, name);
        return;
      }
      case 1: {
        const Duration at = add(chance, Does::stops, name).at;
        if (chance.happens(0.7)) later(chance, at, Does::starts, name);
        return;
      }
      case 2:
        add(chance, Does::restarts, name);
        return;
      case 3:
        add(chance, Does::wakes, name, text("wake up"));
        return;
      default:
        add(chance, Does::answers, name).number = chance.below(3);
        return;
    }
  }

  // A fault of the night, about so often; what begins ends.
  void draw_fault(Fault fault) {
    Chance its = chance_.another();
    const double times =
        its.happens(0.3) ? 0 : 1 + static_cast<double>(its.below(5)) * order_.hours / 12;
    often(its, times, [&] { one_fault(its, fault); });
  }
  void spell(Chance& chance, Does begins, Does ends, Duration longest,
             const std::string& agent = {}) {
    const Doing first = add(chance, begins, agent);
    Doing last = first;
    last.does = ends;
    last.at = std::min(first.at + chance.between(seconds{5}, longest), wild_);
    story_.doings.push_back(last);
  }
  const std::string& anybody(Chance& chance) {
    return story_.actors[chance.below(story_.actors.size())].spec.name;
  }
  void one_fault(Chance& chance, Fault fault) {
    switch (fault) {
      case Fault::kill: {
        Doing& one = add(chance, Does::kills_daemon);
        one.number = chance.happens(0.3) ? 0 : 1 + chance.below(40);
        one.length = chance.between(
            seconds{1}, chance.happens(0.2) ? Duration(hours{1}) : Duration(minutes{1}));
        return;
      }
      case Fault::holder:
        add(chance, Does::kills_holder).number = 1 + chance.below(8);
        return;
      case Fault::suspend:
        add(chance, Does::suspends).length = chance.between(seconds{10}, hours{6});
        return;
      case Fault::clock: {
        Doing& one = add(chance, Does::sets_clock);
        one.length = chance.between(seconds{3}, hours{26});
        if (chance.happens(0.5)) one.length = -one.length;
        return;
      }
      case Fault::disk:
        return spell(chance, Does::fills_disk, Does::frees_disk, minutes{30});
      case Fault::read:
        return spell(chance, Does::breaks_reading, Does::mends_reading, hours{1}, anybody(chance));
      case Fault::fifo:
        add(chance, Does::puts_pipe, anybody(chance), kPipes[chance.below(kPipes.size())]);
        return;
      case Fault::bus:
        add(chance, Does::cuts_bus).length = chance.between(seconds{5}, minutes{5});
        return;
      case Fault::slow: {
        const size_t at = story_.doings.size();
        spell(chance, Does::slows_host, Does::quickens_host, hours{1});
        story_.doings[at].length = chance.between(seconds{1}, minutes{2});
        return;
      }
      case Fault::kernel:
        return spell(chance, Does::hangs_kernel, Does::wakes_kernel, minutes{30});
      case Fault::hook:
        return;  // of each program: behaviour()
      case Fault::home:
        add(chance, Does::deletes_home);
        return;
      case Fault::limit: {
        Doing& one = add(chance, Does::limits_account, {}, kWho[chance.below(kWho.size())]);
        one.length = chance.between(minutes{1}, hours{5});
        return;
      }
      case Fault::outage:
        return spell(chance, Does::service_fails, Does::service_works, hours{2});
      case Fault::reboot:
        add(chance, Does::reboots).length = chance.between(seconds{30}, hours{1});
        return;
      case Fault::mount:
        return spell(chance, Does::hangs_mount, Does::mends_mount, hours{2}, anybody(chance));
    }
  }

  const NightOrder& order_;
  Chance chance_;
  NightStory story_;
  Duration wild_{};  // until then
  double meetings_ = 0;
  uint64_t marks_ = 0, items_ = 0;
  int kills_ = 0, lids_ = 0;
};

}  // namespace

NightStory draw(const NightOrder& order) {
  return Drawing(order).make();
}

std::vector<std::string> drawn(const NightStory& story) {
  std::map<std::string, size_t> models, tasks, doings;
  for (const auto& actor : story.actors) ++models[actor.model];
  for (const auto& task : story.tasks) ++tasks[task.program];
  for (const auto& doing : story.doings) ++doings[std::string(word(doing.does))];
  const auto line = [](const char* title, const std::map<std::string, size_t>& counts) {
    std::vector<std::string> parts;
    for (const auto& [name, count] : counts) parts.push_back(fmt::format("{} {}", count, name));
    return fmt::format("{}: {}", title, join(parts, ", "));
  };
  std::vector<std::string> out{line("agents", models)};
  if (!tasks.empty()) out.push_back(line("tasks", tasks));
  out.push_back(line("what happens to them", doings));
  return out;
}

}  // namespace pawl::sim
