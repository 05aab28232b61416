#include "bus/talk.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace pawl::bus {
namespace {

constexpr size_t kReadOnce = 65536;
constexpr size_t kKeptBefore = 1u << 20;  // of what was written already

// One socket may be both: the loop watches a descriptor of each.
int own_copy(int fd) {
  const int copy = ::fcntl(fd, F_DUPFD_CLOEXEC, 3);
  ::fcntl(copy, F_SETFL, ::fcntl(copy, F_GETFL) | O_NONBLOCK);
  return copy;
}

}  // namespace

Talk::Talk(os::Loop& loop, Events events)
    : events_(std::move(events)),
      reader_(fleet::kMaxBusFrame),
      in_(own_copy(STDIN_FILENO)),
      out_fd_(own_copy(STDOUT_FILENO)),
      in_watch_(loop, in_.get(), [this](os::FdWatch::Ready) { read(); }),
      out_watch_(loop, out_fd_.get(), [this](os::FdWatch::Ready) { write(); }) {
  out_watch_.want({});
}

void Talk::say(const fleet::FromBus& news) {
  if (over_) return;
  out_ += fleet::bus_frame(news);
  write();
  if (out_.size() - written_ > kMostUnread) end("pawl does not read what it is told");
}

void Talk::write() {
  while (!over_ && written_ < out_.size()) {
    const ssize_t n = ::write(out_fd_.get(), out_.data() + written_, out_.size() - written_);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno != EAGAIN) return end("");
    if (n <= 0) break;
    written_ += static_cast<size_t>(n);
  }
  if (written_ == out_.size() || written_ > kKeptBefore) {
    out_.erase(0, written_);
    written_ = 0;
  }
  const size_t unread = out_.size() - written_;
  out_watch_.want({.read = false, .write = unread > 0});
  const bool much = much_ ? unread > 0 : unread > kMuchUnread;
  if (much != std::exchange(much_, much)) events_.unread(much);
}

void Talk::read() {
  char buffer[kReadOnce];
  const ssize_t n = ::read(in_.get(), buffer, sizeof buffer);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) return end("");
  reader_.feed({buffer, static_cast<size_t>(n)});
  while (!over_) {
    auto frame = reader_.next();
    if (frame && !*frame) return;
    auto said = frame ? fleet::read_to_bus((*frame)->payload) : tl::unexpected(frame.error());
    if (!said) return end(text_of(said.error()));
    events_.said(*said);
  }
}

void Talk::end(const std::string& because) {
  if (std::exchange(over_, true)) return;
  in_watch_.want({});
  events_.over(because);
}

}  // namespace pawl::bus
