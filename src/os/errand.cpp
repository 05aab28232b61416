#include "os/errand.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "os/clock.h"
#include "os/fd.h"

namespace pawl::os {
namespace {

constexpr Duration kGrace =
    std::chrono::milliseconds{50};  // the whole process may have been stopped meanwhile

// True: it can be read. Counts only time in which this machine is awake.
bool readable(int fd, Duration limit) {
  const MonoTime until = read_clock().mono + limit;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - read_clock().mono);
    pollfd waiting{fd, POLLIN, 0};
    const int found = ::poll(&waiting, 1, std::max<int>(0, static_cast<int>(left.count())));
    if (found > 0) return true;
    if (found == 0 || errno != EINTR) return false;
  }
}

void signal_number(int fd) {
  const uint64_t one = 1;
  while (::write(fd, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

void take_number(int fd) {
  uint64_t number = 0;
  while (::read(fd, &number, sizeof number) < 0 && errno == EINTR) {
  }
}

struct NeverBegun : Late {
  bool back() const override { return false; }
};

}  // namespace

// A thread that does one thing after the other, until nobody wants it.
class Errands::Runner : public Late {
 public:
  Runner() : todo_(::eventfd(0, EFD_CLOEXEC)), done_(::eventfd(0, EFD_CLOEXEC)) {}

  bool ready() const { return todo_ && done_; }  // false: no more descriptors
  void begin(std::function<void()> errand) {
    const std::lock_guard lock(mutex_);
    errand_ = std::move(errand);
    over_ = false;
    signal_number(todo_.get());
  }
  bool wait(Duration limit) {
    if (!readable(done_.get(), limit)) return false;
    take_number(done_.get());
    return true;
  }
  void leave() {
    {
      const std::lock_guard lock(mutex_);
      leave_ = true;
    }
    signal_number(todo_.get());
  }
  bool back() const override {
    const std::lock_guard lock(mutex_);
    return over_;
  }

  static void live(const std::shared_ptr<Runner>& self) {
    for (;;) {
      take_number(self->todo_.get());
      auto errand = self->taken();
      if (errand) errand();
      errand = nullptr;
      if (self->finished()) return;
    }
  }

 private:
  std::function<void()> taken() {
    const std::lock_guard lock(mutex_);
    return std::exchange(errand_, nullptr);
  }
  bool finished() {
    const std::lock_guard lock(mutex_);
    if (!over_) signal_number(done_.get());
    over_ = true;
    return leave_ && !errand_;
  }

  mutable std::mutex mutex_;
  std::function<void()> errand_;
  bool over_ = true, leave_ = false;
  Fd todo_, done_;
};

Errands::Errands(Duration limit) : limit_(limit) {}

Errands::~Errands() {
  if (idle_) idle_->leave();
}

std::shared_ptr<Errands::Runner> Errands::runner() {
  if (idle_) return std::exchange(idle_, nullptr);
  if (away() >= kMostAway) return nullptr;
  auto fresh = std::make_shared<Runner>();
  if (!fresh->ready()) return nullptr;
  sigset_t all, before;  // signals are the loop's
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread([fresh] { Runner::live(fresh); }).detach();
  } catch (const std::system_error&) {  // no more threads
    fresh = nullptr;
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return fresh;
}

std::shared_ptr<const Late> Errands::run(std::function<void()> errand) {
  const auto sent = runner();
  if (!sent) return std::make_shared<NeverBegun>();
  sent->begin(std::move(errand));
  if (sent->wait(limit_) || sent->wait(kGrace)) return idle_ = sent, nullptr;
  sent->leave();
  away_.push_back(sent);
  return sent;
}

std::shared_ptr<const Late> Errands::send(std::function<void()> errand) {
  const auto sent = runner();
  if (!sent) return nullptr;
  sent->begin(std::move(errand));
  sent->leave();
  away_.push_back(sent);
  return sent;
}

size_t Errands::away() {
  std::erase_if(away_, [](const auto& runner) { return runner->back(); });
  return away_.size();
}

}  // namespace pawl::os
