#include "store/patient_disk.h"

#include <utility>

#include "os/clock.h"
#include "os/mount.h"
#include "store/real_disk.h"

namespace pawl::store {
namespace {

constexpr size_t kMostLooked = 20'000;  // then all of them are forgotten
constexpr Duration kProbeFirst = std::chrono::minutes{1}, kProbeLast = std::chrono::hours{1};
constexpr size_t kMostProbing = os::Errands::kMostAway / 2;  // the others are for what is asked for

std::string parent(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

// One who is away, and others who are sent after him: he may never come back although the place does, when it was mounted anew.
class Probed : public os::Late {
 public:
  Probed(std::shared_ptr<os::Errands> errands, std::shared_ptr<const os::Late> first,
         std::string path)
      : errands_(std::move(errands)), last_(std::move(first)), path_(std::move(path)) {}

  bool back() const override {
    if (last_ && last_->back()) return true;
    const MonoTime now = os::read_clock().mono;
    if (now - sent_ < pause_ || errands_->away() >= kMostProbing) return false;
    sent_ = now;
    pause_ = std::min(pause_ * 2, kProbeLast);
    if (auto probe = errands_->send([path = path_] { (void)RealDisk().look(path, true); }))
      last_ = std::move(probe);
    return false;
  }

 private:
  const std::shared_ptr<os::Errands> errands_;
  mutable std::shared_ptr<const os::Late> last_;
  const std::string path_;
  mutable MonoTime sent_ = os::read_clock().mono;
  mutable Duration pause_ = kProbeFirst;
};

class MachineMessengers : public Messengers {
 public:
  MachineMessengers(const std::string& home, Duration limit)
      : home_mount_(os::mount_of(home)), errands_(std::make_shared<os::Errands>(limit)) {}

  std::shared_ptr<const os::Late> run(const std::string& path,
                                      std::function<void()> errand) override {
    auto late = errands_->run(std::move(errand));
    if (!late) return nullptr;
    return std::make_shared<Probed>(errands_, std::move(late), path);
  }
  // The mount that hangs may be behind a link: what all the rest is on is not given up for it.
  std::string place_of(const std::string& path) override {
    std::string mount = os::mount_of(path);
    return mount == "/" || mount == home_mount_ ? parent(path) : mount;
  }

 private:
  const std::string home_mount_;
  const std::shared_ptr<os::Errands> errands_;
};

}  // namespace

Error no_answer(const std::string& path) {
  return {path + " does not answer: the disk or server it is on hangs",
          "look at that mount; Pawl reads it again when it answers"};
}

std::unique_ptr<Messengers> machine_messengers(const std::string& home, Duration limit) {
  return std::make_unique<MachineMessengers>(home, limit);
}

PatientDisk::PatientDisk(std::shared_ptr<Disk> below, std::string home,
                         std::unique_ptr<Messengers> messengers)
    : below_(std::move(below)), home_(std::move(home)), messengers_(std::move(messengers)) {}

PatientDisk::~PatientDisk() = default;

std::unique_ptr<Disk> machine_disk(const std::string& home) {
  return std::make_unique<PatientDisk>(std::make_shared<RealDisk>(), home,
                                       machine_messengers(home));
}

bool PatientDisk::own(const std::string& path) const {
  return os::below(path, home_);
}

bool PatientDisk::answers(const std::string& path) {
  for (auto it = silent_.begin(); it != silent_.end(); ++it) {
    if (!os::below(path, it->first)) continue;
    if (!it->second->back()) return false;
    silent_.erase(it);
    return answers(path);
  }
  return true;
}

template <class Answer>
Answer PatientDisk::ask(const std::string& path, Answer otherwise, Question<Answer> question) {
  if (own(path)) return question(*below_);
  if (!answers(path)) return otherwise;
  auto answer = std::make_shared<std::optional<Answer>>();
  auto late = messengers_->run(path, [answer, disk = below_, question = std::move(question)] {
    answer->emplace(question(*disk));
  });
  if (!late) return std::move(**answer);
  silent_[messengers_->place_of(path)] = std::move(late);
  return otherwise;
}

// Of two places the one outside counts.
template <class Answer>
Answer PatientDisk::ask(const std::string& path, const std::string& other, Answer otherwise,
                        Question<Answer> question) {
  if (!own(path) && !answers(path)) return otherwise;
  return ask<Answer>(own(other) ? path : other, std::move(otherwise), std::move(question));
}

std::optional<Entry> PatientDisk::look(const std::string& path, bool follow) {
  if (own(path)) return below_->look(path, follow);
  if (looked_.size() >= kMostLooked) looked_.clear();
  auto& known = looked_[{path, follow}];
  return known = ask<std::optional<Entry>>(path, known,
                                           [=](Disk& disk) { return disk.look(path, follow); });
}

std::vector<std::string> PatientDisk::list_dir(const std::string& path) {
  return ask<std::vector<std::string>>(path, {}, [=](Disk& disk) { return disk.list_dir(path); });
}

Result<std::string> PatientDisk::read(const std::string& path, size_t limit) {
  return ask<Result<std::string>>(path, tl::unexpected(no_answer(path)),
                                  [=](Disk& disk) { return disk.read(path, limit); });
}

std::string PatientDisk::read_slice(const std::string& path, uint64_t offset, size_t limit) {
  return ask<std::string>(path, {},
                          [=](Disk& disk) { return disk.read_slice(path, offset, limit); });
}

Done PatientDisk::write_atomically(const std::string& path, std::string_view text) {
  return ask<Done>(
      path, tl::unexpected(no_answer(path)),
      [path, text = std::string(text)](Disk& disk) { return disk.write_atomically(path, text); });
}

Done PatientDisk::write_in_place(const std::string& path, std::string_view text) {
  return ask<Done>(
      path, tl::unexpected(no_answer(path)),
      [path, text = std::string(text)](Disk& disk) { return disk.write_in_place(path, text); });
}

// What is appended to is Pawl's own, or a task's folder: opened with patience, and then written as it comes.
Result<std::unique_ptr<Appender>> PatientDisk::open_append(const std::string& path) {
  return ask<Result<std::unique_ptr<Appender>>>(path, tl::unexpected(no_answer(path)),
                                                [=](Disk& disk) { return disk.open_append(path); });
}

bool PatientDisk::touch(const std::string& path) {
  return ask<bool>(path, false, [=](Disk& disk) { return disk.touch(path); });
}

void PatientDisk::set_modified(const std::string& path, WallTime time) {
  ask<bool>(path, false, [=](Disk& disk) { return disk.set_modified(path, time), true; });
}

Done PatientDisk::make_private_dir(const std::string& path) {
  return ask<Done>(path, tl::unexpected(no_answer(path)),
                   [=](Disk& disk) { return disk.make_private_dir(path); });
}

Result<std::string> PatientDisk::make_unique_dir(const std::string& prefix) {
  return ask<Result<std::string>>(prefix, tl::unexpected(no_answer(prefix)),
                                  [=](Disk& disk) { return disk.make_unique_dir(prefix); });
}

bool PatientDisk::move_file(const std::string& from, const std::string& to) {
  return ask<bool>(from, to, false, [=](Disk& disk) { return disk.move_file(from, to); });
}

Done PatientDisk::move_anywhere(const std::string& from, const std::string& to) {
  return ask<Done>(from, to, tl::unexpected(no_answer(own(to) ? from : to)),
                   [=](Disk& disk) { return disk.move_anywhere(from, to); });
}

bool PatientDisk::remove_file(const std::string& path) {
  return ask<bool>(path, false, [=](Disk& disk) { return disk.remove_file(path); });
}

Done PatientDisk::remove_tree(const std::string& path) {
  return ask<Done>(path, tl::unexpected(no_answer(path)),
                   [=](Disk& disk) { return disk.remove_tree(path); });
}

Result<Space> PatientDisk::space(const std::string& path) {
  return ask<Result<Space>>(path, tl::unexpected(no_answer(path)),
                            [=](Disk& disk) { return disk.space(path); });
}

}  // namespace pawl::store
