#include "daemon/packer.h"

#include <algorithm>

#include "os/clock.h"
#include "store/agent_files.h"
#include "store/part_file.h"
#include "store/real_disk.h"

namespace pawl::daemon {

using os::Answer;

namespace {
constexpr size_t kTries = 3;  // one that cannot be read does not keep the others waiting
constexpr Duration kLookLimit = std::chrono::hours{1};
}  // namespace

// Whose recordings have a part that is not compressed.
struct Packer::Everybody {
  std::string agents;  // the folder
  std::vector<std::string> found = {};
  void run() {
    store::RealDisk disk;
    for (const auto& name : disk.list_dir(agents)) {
      const auto parts = store::parts_in(disk, agents + "/" + name + "/rec");
      if (std::any_of(parts.begin(), parts.end(),
                      [&](const auto& part) { return disk.exists(part.path); }))
        found.push_back(name);
    }
  }
};

struct Packer::OnePart {
  std::string dir;
  std::set<SessionId> open;
  WallTime now;
  store::ToPack parts = {};
  store::Part part = {};
  std::optional<store::Packed> packed = {};
  void run() {
    store::RealDisk disk;
    parts = store::parts_to_pack(disk, dir, open, now);
    for (size_t i = 0; i < parts.now.size() && i < kTries && !packed; ++i) {
      part = parts.now[i];
      if (auto made = store::pack_beside(disk, part.path)) packed = *made;
    }
  }
};

Packer::Packer(os::Loop& loop, core::Engine& engine)
    : engine_(engine), timer_(loop, [this] { go_on(); }), worker_(loop) {
  look_for_all();
}

void Packer::look_for_all() {
  busy_ = worker_.run<Everybody>({engine_.home() + "/agents"}, kLookLimit,
                                 [this](Answer answer, Everybody* all) {
                                   if (answer == Answer::late) return;
                                   busy_ = false;
                                   if (all)
                                     for (const auto& agent : all->found) later(agent, Duration{0});
                                   wait();
                                 });
}

void Packer::follow() {
  const auto fresh = engine_.take_recorded();
  for (const auto& agent : fresh)
    agents_.try_emplace(agent, os::read_clock().mono + store::kPackAfter);
  if (!fresh.empty()) wait();
}

void Packer::later(const std::string& agent, Duration pause) {
  agents_[agent] = os::read_clock().mono + pause;
}

void Packer::wait() {
  if (busy_ || agents_.empty()) return;
  const auto first =
      std::min_element(agents_.begin(), agents_.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  timer_.start(std::max(Duration{0}, std::max(first->second, next_) - os::read_clock().mono));
}

void Packer::go_on() {
  const MonoTime now = os::read_clock().mono;
  const auto due = std::find_if(agents_.begin(), agents_.end(),
                                [&](const auto& one) { return one.second <= now; });
  if (busy_ || due == agents_.end()) return wait();
  begin(due->first);
}

void Packer::begin(const std::string& agent) {
  busy_ = worker_.run<OnePart>(
      {engine_.files().recordings(agent), engine_.writing(agent), os::read_clock().wall},
      kPackLimit, [this, agent](Answer answer, OnePart* part) {
        if (answer == Answer::late) return;
        busy_ = false;
        next_ = os::read_clock().mono + kPackPause;
        if (part)
          done(agent, *part);
        else
          later(agent, kPackAgain);
        wait();
      });
}

void Packer::done(const std::string& agent, const OnePart& part) {
  agents_.erase(agent);
  if (part.parts.now.empty()) {
    if (part.parts.later) later(agent, std::max(*part.parts.later - part.now, kPackPause));
    return;
  }
  later(agent, kPackAgain);
  if (!part.packed) return;
  store::Disk& disk = engine_.files().disk();
  if (grows(agent, part.part)) return store::drop_packed(disk, *part.packed);
  if (store::put_packed(disk, *part.packed)) later(agent, Duration{0});
}

// A terminal of an agent that is running may have been found in between.
bool Packer::grows(const std::string& agent, const store::Part& part) const {
  const std::string next =
      store::part_path(engine_.files().recordings(agent), part.session, part.number + 1);
  return engine_.writing(agent).contains(part.session) &&
         !store::look_at_part(engine_.files().disk(), next);
}

}  // namespace pawl::daemon
