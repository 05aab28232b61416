#include "fleet/machine_place.h"

#include "os/tcp.h"

namespace pawl::fleet {
namespace {

constexpr size_t kMaxUnheard = 1u << 20;  // bytes that nobody has taken; then the link rests

class LinkTalk : public api::Talk {
 public:
  LinkTalk(const Around& around, const Machine& machine, const SshCall& call,
           const std::string& dir)
      : wake_(around.wake),
        link_(around.loop, around.parting, machine, call, dir, [this] { arrived(); }) {}

  void say(std::string_view frames) override { link_.send(frames); }
  std::string hear() override {
    std::string out = std::exchange(unheard_, {}) + link_.take();
    link_.rest(false);
    return out;
  }
  std::optional<Error> over() const override { return link_.end(); }

 private:
  void arrived() {
    unheard_ += link_.take();
    if (unheard_.size() >= kMaxUnheard) link_.rest(true);
    wake_();
  }

  std::function<void()> wake_;
  std::string unheard_;
  Link link_;
};

}  // namespace

MachinePlace::MachinePlace(const Around& around, const Machine& machine, const std::string& dir,
                           Door::Who who, os::Fd listener,
                           std::function<void(const MachinePlace&)> changed)
    : around_(around),
      machine_(machine),
      dir_(dir),
      changed_(std::move(changed)),
      lookout_(around.loop, around.parting, machine, os::host_name() + "/daemon", dir,
               [this] { changed_(*this); }),
      door_(around.loop, around.parting, machine, dir, lookout_, std::move(who),
            std::move(listener)) {}

api::Standing MachinePlace::standing() const {
  const Outlook& known = lookout_.outlook();
  return {known.online(), known.since(), known.because(), known.version(), known.first_try()};
}

std::unique_ptr<api::Talk> MachinePlace::talk(const std::string& from) {
  return std::make_unique<LinkTalk>(around_, machine_,
                                    SshCall{Which::other, lookout_.master(), from}, dir_);
}

std::string MachinePlace::update() const {
  return api::update_of(machine_.name, machine_.url);
}

}  // namespace pawl::fleet
