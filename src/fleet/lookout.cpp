#include "fleet/lookout.h"

#include "os/clock.h"
#include "os/file.h"

namespace pawl::fleet {

Lookout::Lookout(os::Loop& loop, Parting& parting, Machine machine, std::string from,
                 std::string dir, std::function<void()> changed)
    : loop_(loop),
      parting_(parting),
      machine_(std::move(machine)),
      from_(std::move(from)),
      dir_(std::move(dir)),
      changed_(std::move(changed)),
      since_(os::read_clock().wall),
      timer_(loop, [this] { pass(); }) {
  begin();
}

// Each master has a name of its own: one that is about to end takes its socket away, and one that was killed leaves it behind.
void Lookout::begin() {
  constexpr std::string_view kMaster = "ssh.";
  for (const auto& name : os::list_dir(dir_))
    if (name.starts_with(kMaster)) os::remove_file(dir_ + "/" + name);
  master_ = std::string(kMaster) + std::to_string(os::read_clock().mono.time_since_epoch().count());
  tried_ = os::read_clock().mono;
  reader_.emplace(api::kMaxReply);
  asked_ = false;
  link_ = std::make_unique<Link>(loop_, parting_, machine_, SshCall{Which::first, master_, from_},
                                 dir_, [this] { heard(); });
}

void Lookout::wanted(MonoTime now) {
  wanted_ = now;
  if (link_ || now - tried_ < kTriesFirst) return;
  pause_ = kTriesFirst;
  begin();
}

// Time has passed: for the next look, the next try, or an answer.
void Lookout::pass() {
  if (!link_) return begin();
  if (asked_) return lose({"it does not answer", "pawl tries again by itself"});
  look();
}

void Lookout::look() {
  asked_ = true;
  const Json args = Json::object({{"here", true}});
  link_->send(api::encode(Json::object({{"version", 1}, {"verb", "ls"}, {"args", args}})));
  timer_.start(kAnswersWithin);
}

void Lookout::heard() {
  if (!link_) return;
  reader_->feed(link_->take());
  for (;;) {
    const auto frame = reader_->next();
    if (!frame) return lose(frame.error());
    if (!*frame) break;
    const auto json = Json::parse((*frame)->payload);
    if (!json || !take(*json)) return lose({"its answer makes no sense", "compare the versions"});
  }
  if (link_->end()) return lose(*link_->end());
  if (link_->open() && !asked_ && !timer_.armed()) look();
}

bool Lookout::take(const Json& reply) {
  const auto list = api::result_of(reply);
  if (!list || !(*list)["agents"].is_array()) return false;
  const Clock now = os::read_clock();
  asked_ = false;
  heard_ = now.mono;
  agents_ = (*list)["agents"].items();
  version_ = link_->version();
  pause_ = kTriesFirst;
  timer_.start(wanted_ && now.mono - *wanted_ < kAsksAgain ? kLooks : kLooksAtRest);
  if (online_) return true;
  online_ = true;
  since_ = now.wall;
  because_.clear();
  changed_();
  return true;
}

void Lookout::lose(Error why) {
  link_.reset();
  because_ = text_of(why);
  timer_.start(pause_);
  pause_ = std::min(2 * pause_, kTriesLast);
  if (!std::exchange(online_, false)) return;
  since_ = os::read_clock().wall;
  changed_();
}

}  // namespace pawl::fleet
