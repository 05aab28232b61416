#include "host/holder_link.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

namespace pawl::host {
namespace {

constexpr size_t kReceiveAtOnce = 256u << 10;

// One for all links of a thread: it holds nothing between calls.
std::vector<char>& receive_space() {
  static thread_local std::vector<char> space(kReceiveAtOnce);
  return space;
}

std::string our_hello() {
  const wire::Hello hello{wire::kMagic, wire::kVersion, wire::kMinVersion,
                          static_cast<uint32_t>(::getpid()), 0};
  return encode(wire::kHello, SessionId{0}, hello);
}

}  // namespace

HolderLink::HolderLink(os::Loop& loop, unsigned number,
                       std::function<void(HolderLink&)> on_readable)
    : loop_(loop), number_(number), on_readable_(std::move(on_readable)) {}

void HolderLink::connect(os::Fd fd) {
  watch_.reset();
  fd_ = std::move(fd);
  reader_ = FrameReader();
  state_ = State::greeting;
  out_ = our_hello();
  out_at_ = 0;
  watch_.emplace(loop_, fd_.get(), [this](os::FdWatch::Ready ready) {
    if (ready.writable) flush();
    if (ready.readable && !paused_) on_readable_(*this);
  });
  flush();
}

bool HolderLink::send(std::string_view frame, size_t limit) {
  if (state_ == State::lost || queued() + frame.size() > limit) return false;
  if (state_ == State::greeting) {
    held_.append(frame);
    return true;
  }
  out_.append(frame);
  flush();
  return true;
}

bool HolderLink::receive(size_t limit) {
  auto& space = receive_space();
  for (size_t sum = 0; sum < limit;) {
    const ssize_t got = ::recv(fd_.get(), space.data(), space.size(), MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    if (got == 0) return false;
    reader_.add({space.data(), static_cast<size_t>(got)});
    sum += static_cast<size_t>(got);
    if (static_cast<size_t>(got) < space.size() / 2) break;
  }
  return true;
}

void HolderLink::greeted() {
  state_ = State::ready;
  ever_greeted = true;
  out_.append(held_);
  held_.clear();
  flush();
}

void HolderLink::lose() {
  watch_.reset();
  fd_.reset();
  out_.clear();
  out_at_ = 0;
  state_ = State::lost;
}

void HolderLink::pause(bool paused) {
  paused_ = paused;
  update_watch();
}

// An error here shows again as the end of the stream when reading: one place handles it.
void HolderLink::flush() {
  while (fd_ && out_at_ < out_.size()) {
    const ssize_t done = ::send(fd_.get(), out_.data() + out_at_, out_.size() - out_at_,
                                MSG_DONTWAIT | MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && errno != EAGAIN && errno != EWOULDBLOCK) out_at_ = out_.size();
    if (done <= 0) break;
    out_at_ += static_cast<size_t>(done);
  }
  if (out_at_ == out_.size()) {
    out_.clear();
    if (out_.capacity() > kReceiveAtOnce) out_.shrink_to_fit();
    out_at_ = 0;
  } else if (out_at_ > out_.size() / 2) {
    out_.erase(0, out_at_);
    out_at_ = 0;
  }
  update_watch();
}

void HolderLink::update_watch() {
  if (watch_) watch_->want({.read = !paused_, .write = !out_.empty()});
}

}  // namespace pawl::host
