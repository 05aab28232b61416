#include "fleet/bus_process.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "os/process.h"

namespace pawl::fleet {
namespace {

constexpr size_t kReadInOneTurn = 65536;
constexpr const char* kProgram = "pawl-bus";

bool runnable(const std::string& path) {
  return ::access(path.c_str(), X_OK) == 0;
}

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

BusReply not_sent(uint64_t id, std::string because) {
  return {id, BusEnd::unknown, 0, "", std::move(because)};
}

}  // namespace

Result<std::string> find_pawl_bus() {
  if (const char* named = std::getenv("PAWL_BUS"); named && *named) {
    if (runnable(named)) return std::string(named);
    return fail(std::string("PAWL_BUS is ") + named + ", which cannot be run", "correct it");
  }
  const std::string here = folder_of(os::own_executable());
  for (const std::string& path : {here + "/" + kProgram, here + "/../libexec/pawl/" + kProgram})
    if (runnable(path)) return path;
  return fail("this pawl has no pawl-bus",
              "install one that was built with libnats (pawl's package has it)");
}

BusProcess::BusProcess(os::Loop& loop, Parting& parting, BusJoin join, Heard heard,
                       std::vector<std::string> argv)
    : loop_(loop),
      parting_(parting),
      join_(std::move(join)),
      heard_(std::move(heard)),
      argv_(std::move(argv)),
      timer_(loop, [this] { fd_ ? pulse() : begin(); }),
      soon_(loop, [this] { tell_queued(); }) {
  timer_.start(Duration{0});
}

// Its standard input ends with us: it gives back what it holds and ends by itself.
BusProcess::~BusProcess() {
  if (gone_) *gone_ = true;
  watch_ = {};
  fd_.reset();
  if (child_) parting_.take(std::move(child_));
}

std::optional<pid_t> BusProcess::pid() const {
  if (!child_) return std::nullopt;
  return child_->pid();
}

void BusProcess::begin() {
  if (auto started = start(); !started) return over(text_of(started.error()));
  send(bus_frame(ToBus{join_}));
  if (fd_) timer_.start(kPulses);
}

Done BusProcess::start() {
  auto argv = argv_;
  if (argv.empty()) {
    auto program = find_pawl_bus();
    if (!program) return tl::unexpected(program.error());
    argv = {*program};
  }
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return fail_errno("no connection to pawl-bus can be made", errno);
  os::Fd ours(ends[0]);
  const os::Fd theirs(ends[1]);
  ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);
  os::ChildOrder order{argv};
  order.talks = theirs.get();
  order.limit = Duration{0};
  auto child = os::Child::start(loop_, order, [this](const os::ChildEnd& end) {
    const std::string last = os::last_line(end);
    child_.reset();
    read();  // its last words
    if (fd_) over("pawl-bus has ended" + (last.empty() ? "" : ": " + last));
  });
  if (!child) return tl::unexpected(child.error());
  child_ = std::move(*child);
  fd_ = std::move(ours);
  reader_.emplace(kMaxBusFrame);
  silent_ = steady_ = 0;
  watch_ = os::FdWatch(loop_, fd_.get(), [this](os::FdWatch::Ready what) { ready(what); });
  return {};
}

void BusProcess::ready(os::FdWatch::Ready what) {
  if (what.writable) write();
  if (what.readable) read();
  watch();
}

void BusProcess::read() {
  if (!fd_) return;
  char buffer[kReadInOneTurn];
  const ssize_t n = ::recv(fd_.get(), buffer, sizeof buffer, 0);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) {  // its end is about to say why
    if (child_) child_->end_within(kParts);
    watch_.want({});
    timer_.start(kParts * 2);
    silent_ = kMaxPulses;
    return;
  }
  reader_->feed({buffer, static_cast<size_t>(n)});
  while (fd_) {
    auto frame = reader_->next();
    if (frame && !*frame) return;
    auto said = frame ? read_from_bus((*frame)->payload) : tl::unexpected(frame.error());
    if (!said) return over(text_of(said.error()));
    take(std::move(*said));
  }
}

void BusProcess::take(FromBus said) {
  if (std::holds_alternative<BusPulse>(said.what)) {
    silent_ = 0;
    return;
  }
  auto& news = std::get<BusNews>(said.what);
  if (const auto* link = std::get_if<BusLink>(&news)) return linked(*link, said.link);
  if (!up_ || said.link != link_) return;  // of a link that is over
  if (const auto* reply = std::get_if<BusReply>(&news))
    if (unanswered_.erase(reply->id) == 0) return;
  queued_.push_back(std::move(news));
  soon_.ask();
}

void BusProcess::linked(const BusLink& link, uint64_t number) {
  if (!link.up) return down(link.because);
  if (up_) down("the connection to the bus was made anew");
  up_ = true;
  link_ = number;
  because_.clear();
  queued_.emplace_back(link);
  soon_.ask();
}

// Counted, not timed: when we were stopped ourselves, its answer lies there unread.
void BusProcess::pulse() {
  if (silent_ >= kMaxPulses)
    return over("pawl-bus does not answer any more; it is ended and started again");
  ++silent_;
  steady_ = up_ ? steady_ + 1 : 0;
  if (steady_ >= kSteadyPulses) pause_ = kBusStartsFirst;
  send(bus_frame(ToBus{BusPulse{++pulses_}}));
  if (fd_) timer_.start(kPulses);
}

void BusProcess::ask(const BusAsk& ask) {
  const auto refuse = [&](BusReply reply) {
    if (ask.id == 0) return;
    queued_.emplace_back(std::move(reply));
    soon_.ask();
  };
  if (auto fine = sendable(ask); !fine)
    return refuse({ask.id, BusEnd::refused, 0, "", text_of(fine.error())});
  if (!up_) return refuse(not_sent(ask.id, "the bus is away"));
  if (out_.size() > kMaxBusSending || unanswered_.size() >= kMaxUnanswered)
    return refuse(not_sent(ask.id, "too much is on its way to the bus"));
  if (ask.id != 0) unanswered_.insert(ask.id);
  send(bus_frame(ToBus{ask, link_}));
}

void BusProcess::send(const std::string& frame) {
  out_ += frame;
  write();
  watch();
}

void BusProcess::write() {
  size_t done = 0;
  while (fd_ && done < out_.size()) {
    const ssize_t n = ::send(fd_.get(), out_.data() + done, out_.size() - done, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;  // full, or it is over: that is read
    done += static_cast<size_t>(n);
  }
  out_.erase(0, done);
}

void BusProcess::watch() {
  if (fd_ && silent_ < kMaxPulses) watch_.want({.read = true, .write = !out_.empty()});
}

void BusProcess::over(std::string because) {
  watch_ = {};
  fd_.reset();
  reader_.reset();
  out_.clear();
  if (child_) {  // at once: what it was asked and did not read yet is not to be done any more
    ::kill(-child_->pid(), SIGKILL);
    parting_.take(std::move(child_));
  }
  down(std::move(because));
  timer_.start(pause_);
  pause_ = std::min(pause_ * 2, kBusStartsLast);
}

void BusProcess::down(std::string because) {
  if (up_ || because != because_) queued_.emplace_back(BusLink{false, because, "", ""});
  up_ = false;
  because_ = std::move(because);
  for (const uint64_t id : unanswered_) queued_.emplace_back(not_sent(id, because_));
  unanswered_.clear();
  soon_.ask();
}

// Whoever hears may ask, and let go of us.
void BusProcess::tell_queued() {
  const auto all = std::exchange(queued_, {});
  const auto heard = heard_;
  bool gone = false;
  gone_ = &gone;
  for (const BusNews& news : all) {
    heard(news);
    if (gone) return;
  }
  gone_ = nullptr;
}

}  // namespace pawl::fleet
