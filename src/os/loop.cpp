#include "os/loop.h"

#include <unistd.h>
#include <uv.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/result.h"
#include "os/clock.h"

namespace pawl::os {

constexpr std::chrono::seconds kTaskPatience{2};

Loop::Loop() : loop_(std::make_unique<uv_loop_t>()) {
  CHECK(uv_loop_init(loop_.get()) == 0);
}

namespace {

// A task on libuv's threads (work.h) ends by writing into the loop. True when none is left.
bool wait_for_tasks(uv_loop_t* loop) {
  if (loop->active_reqs.count == 0) return true;
  uv_timer_t limit;
  bool over = false;
  limit.data = &over;
  uv_timer_init(loop, &limit);
  uv_timer_start(
      &limit, [](uv_timer_t* uv) { *static_cast<bool*>(uv->data) = true; },
      std::chrono::milliseconds(kTaskPatience).count(), 0);
  while (loop->active_reqs.count > 0 && !over) uv_run(loop, UV_RUN_ONCE);
  const bool none = loop->active_reqs.count == 0;
  bool closed = false;
  limit.data = &closed;
  uv_close(reinterpret_cast<uv_handle_t*>(&limit),
           [](uv_handle_t* uv) { *static_cast<bool*>(uv->data) = true; });
  while (!closed) uv_run(loop, UV_RUN_NOWAIT);
  return none;
}

// A task hangs for good, and its thread will write into the loop if it ever comes back. libuv waits for its threads when the
// process exits: we leave just before.
void leave_behind(uv_loop_t*) {
  ::on_exit(
      [](int status, void*) {
        std::fflush(nullptr);
        ::_exit(status);
      },
      nullptr);
}

}  // namespace

Loop::~Loop() {
  // Lets closed handles go. Twice: a stop() that nobody ran into makes the first one return at once.
  uv_run(loop_.get(), UV_RUN_NOWAIT);
  uv_run(loop_.get(), UV_RUN_NOWAIT);
  if (wait_for_tasks(loop_.get()))
    uv_loop_close(loop_.get());
  else
    leave_behind(loop_.release());
}

void Loop::run() {
  uv_run(loop_.get(), UV_RUN_DEFAULT);
}

void Loop::stop() {
  uv_stop(loop_.get());
}

namespace {

// libuv closes handles later, on the loop: the handle lives on the heap until then, its callback is cut at once.
template <class Handle>
void close_later(Handle* handle) {
  handle->callback = nullptr;
  uv_close(reinterpret_cast<uv_handle_t*>(&handle->uv),
           [](uv_handle_t* uv) { delete static_cast<Handle*>(uv->data); });
}

}  // namespace

struct FdWatch::Handle {
  uv_poll_t uv;
  Callback callback;
};

void FdWatch::Release::operator()(Handle* handle) const {
  uv_poll_stop(&handle->uv);
  close_later(handle);
}

FdWatch::FdWatch(Loop& loop, int fd, Callback callback) : owned_(new Handle{}) {
  owned_->callback = std::move(callback);
  CHECK(uv_poll_init(loop.raw(), &owned_->uv, fd) == 0);
  owned_->uv.data = owned_.get();
  want({.read = true});
}

FdWatch& FdWatch::operator=(FdWatch&& other) noexcept = default;
FdWatch::~FdWatch() = default;

void FdWatch::want(Wants wants) {
  if (wants == wants_) return;
  wants_ = wants;
  const int events = (wants.read ? UV_READABLE : 0) | (wants.write ? UV_WRITABLE : 0);
  if (events == 0) {
    uv_poll_stop(&owned_->uv);
    return;
  }
  uv_poll_start(&owned_->uv, events, [](uv_poll_t* uv, int status, int ready) {
    const auto callback = static_cast<Handle*>(uv->data)->callback;  // a copy: it may destroy us
    // An error (hang-up, bad descriptor) is delivered as readable: the read then says what it is.
    if (callback) callback({status < 0 || (ready & UV_READABLE), (ready & UV_WRITABLE) != 0});
  });
}

struct Timer::Handle {
  uv_timer_t uv;
  std::function<void()> callback;
  Duration due{};        // by the clock that no stop holds up
  bool put_off = false;  // once
  static void fire(uv_timer_t* uv);
};

Timer::Timer(Loop& loop, std::function<void()> callback) : handle_(new Handle{}) {
  handle_->callback = std::move(callback);
  CHECK(uv_timer_init(loop.raw(), &handle_->uv) == 0);
  handle_->uv.data = handle_;
}

Timer::~Timer() {
  uv_timer_stop(&handle_->uv);
  close_later(handle_);
}

// Timers come before descriptors. After a stop of this process what it waited for may long be there: that is looked at first.
void Timer::Handle::fire(uv_timer_t* uv) {
  auto* handle = static_cast<Handle*>(uv->data);
  if (read_pulse().boot > handle->due + kLate && !std::exchange(handle->put_off, true)) {
    uv_timer_start(uv, fire, 1, 0);
    return;
  }
  const auto callback = handle->callback;  // a copy: it may destroy us
  if (callback) callback();
}

void Timer::start(Duration from_now) {
  const auto ms = std::chrono::ceil<std::chrono::milliseconds>(from_now).count();
  uv_update_time(handle_->uv.loop);
  handle_->due = read_pulse().boot + std::max(from_now, Duration{0});
  handle_->put_off = false;
  uv_timer_start(&handle_->uv, Handle::fire, static_cast<uint64_t>(ms < 1 ? 1 : ms), 0);
}

void Timer::cancel() {
  uv_timer_stop(&handle_->uv);
}

bool Timer::armed() const {
  return uv_is_active(reinterpret_cast<uv_handle_t*>(&handle_->uv)) != 0;
}

struct Soon::Handle {
  uv_idle_t uv;
  std::function<void()> callback;
};

Soon::Soon(Loop& loop, std::function<void()> callback) : handle_(new Handle{}) {
  handle_->callback = std::move(callback);
  CHECK(uv_idle_init(loop.raw(), &handle_->uv) == 0);
  handle_->uv.data = handle_;
}

Soon::~Soon() {
  uv_idle_stop(&handle_->uv);
  close_later(handle_);
}

void Soon::ask() {
  uv_idle_start(&handle_->uv, [](uv_idle_t* uv) {
    uv_idle_stop(uv);
    const auto callback = static_cast<Handle*>(uv->data)->callback;
    if (callback) callback();
  });
}

struct SignalWatch::Handle {
  uv_signal_t uv;
  std::function<void()> callback;
};

SignalWatch::SignalWatch(Loop& loop, int signal_number, std::function<void()> callback)
    : handle_(new Handle{}) {
  handle_->callback = std::move(callback);
  CHECK(uv_signal_init(loop.raw(), &handle_->uv) == 0);
  handle_->uv.data = handle_;
  uv_signal_start(
      &handle_->uv,
      [](uv_signal_t* uv, int) {
        const auto watched = static_cast<Handle*>(uv->data)->callback;
        if (watched) watched();
      },
      signal_number);
}

SignalWatch::~SignalWatch() {
  uv_signal_stop(&handle_->uv);
  close_later(handle_);
}

}  // namespace pawl::os
