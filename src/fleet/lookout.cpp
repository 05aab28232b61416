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
      outlook_(os::read_clock()),
      timer_(loop, [this] { act(outlook_.pass(os::read_clock().mono)); }) {
  call();
}

void Lookout::act(Outlook::Do what) {
  switch (what) {
    case Outlook::Do::nothing:
      break;
    case Outlook::Do::call:
      call();
      break;
    case Outlook::Do::ask:
      ask();
      break;
    case Outlook::Do::give_up:
      return lose({"it does not answer", "pawl tries again by itself"});
  }
  wait();
}

// As long as the rules say; they are asked again when it is a little early.
void Lookout::wait() {
  if (const auto due = outlook_.wake_at())
    timer_.start(*due - os::read_clock().mono);
  else
    timer_.cancel();
}

// Each master has a name of its own: one that is about to end takes its socket away, and one that was killed leaves it behind.
void Lookout::call() {
  constexpr std::string_view kMaster = "ssh.";
  for (const auto& name : os::list_dir(dir_))
    if (name.starts_with(kMaster)) os::remove_file(dir_ + "/" + name);
  master_ = std::string(kMaster) + std::to_string(os::read_clock().mono.time_since_epoch().count());
  reader_.emplace(api::kMaxReply);
  link_ = std::make_unique<Link>(loop_, parting_, machine_, SshCall{Which::first, master_, from_},
                                 dir_, [this] { heard(); });
}

void Lookout::wanted(MonoTime now) {
  act(outlook_.wanted(now));
}

void Lookout::ask() {
  const Json args = Json::object({{"here", true}});
  link_->send(api::encode(Json::object({{"version", 1}, {"verb", "ls"}, {"args", args}})));
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
  act(link_->open() ? outlook_.opened(os::read_clock().mono) : Outlook::Do::nothing);
}

bool Lookout::take(const Json& reply) {
  const auto list = api::result_of(reply);
  if (!list || !(*list)["agents"].is_array()) return false;
  if (outlook_.told(os::read_clock(), (*list)["agents"].items(), link_->version())) changed_();
  return true;
}

// By value: it may be the link's own.
void Lookout::lose(Error why) {  // NOLINT(performance-unnecessary-value-param)
  link_.reset();
  const bool news = outlook_.lost(os::read_clock(), text_of(why));
  wait();
  if (news) changed_();
}

}  // namespace pawl::fleet
