#pragma once
// The event loop (libuv) and the three things one can wait for. Constructing a watcher registers the interest,
// destroying it withdraws it; there is no remove(). One thread only.
//
// Callbacks may destroy the watcher they came from.

#include <functional>
#include <memory>

#include "base/clock.h"

struct uv_loop_s;

namespace pawl::os {

class Loop {
 public:
  Loop();
  ~Loop();  // waits for tasks that still run elsewhere (work.h), at most two seconds
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void run();   // until stop()
  void stop();  // from a callback
  uv_loop_s* raw() const { return loop_.get(); }

 private:
  std::unique_ptr<uv_loop_s> loop_;
};

class FdWatch {
 public:
  struct Ready {
    bool readable = false;
    bool writable = false;
  };
  using Callback = std::function<void(Ready)>;

  FdWatch() = default;
  // Watches for readability at once. The descriptor stays the caller's and must outlive the watcher.
  FdWatch(Loop& loop, int fd, Callback callback);
  FdWatch(FdWatch&&) noexcept = default;
  FdWatch& operator=(FdWatch&& other) noexcept;
  ~FdWatch();

  // What is waited for; of nothing: it rests.
  struct Wants {
    bool read = false, write = false;
    bool operator==(const Wants&) const = default;
  };
  void want(Wants wants);

 private:
  struct Handle;
  struct Release {
    void operator()(Handle* handle) const;
  };
  std::unique_ptr<Handle, Release> owned_;
  Wants wants_;
};

class Timer {
 public:
  Timer(Loop& loop, std::function<void()> callback);
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  void start(Duration from_now);  // once, at least a millisecond away; starting again moves it
  void cancel();
  bool armed() const;

 private:
  struct Handle;
  Handle* handle_;
};

// Once, soon: after everything that is ready now has been delivered. Descriptors get their turn between two calls, however
// often it is asked for: a timer of 0 ms that starts itself again would never let them.
class Soon {
 public:
  Soon(Loop& loop, std::function<void()> callback);
  ~Soon();
  Soon(const Soon&) = delete;
  Soon& operator=(const Soon&) = delete;

  void ask();

 private:
  struct Handle;
  Handle* handle_;
};

class SignalWatch {
 public:
  SignalWatch(Loop& loop, int signal_number, std::function<void()> callback);
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

 private:
  struct Handle;
  Handle* handle_;
};

}  // namespace pawl::os
