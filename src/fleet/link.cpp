#include "fleet/link.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "os/process.h"
#include "os/socket.h"

namespace pawl::fleet {
namespace {

constexpr size_t kReadAtOnce = 65536;

// Ours, with the agent of whoever added the machine.
std::vector<std::string> environment_for(const Machine& machine) {
  std::vector<std::string> out = os::own_environment();
  constexpr std::string_view kKey = "SSH_AUTH_SOCK=";
  std::erase_if(out, [&](const std::string& word) {
    return (!machine.agent.empty() && word.starts_with(kKey)) || word.starts_with("PAWL_SESSION=");
  });
  if (!machine.agent.empty()) out.push_back(std::string(kKey) + machine.agent);
  return out;
}

}  // namespace

Link::Link(os::Loop& loop, Parting& parting, const Machine& machine, const SshCall& call,
           const std::string& dir, std::function<void()> changed)
    : loop_(loop),
      parting_(parting),
      machine_(machine),
      changed_(std::move(changed)),
      opens_(loop,
             [this] {
               give_up({"it does not answer", "see that  ssh " + machine_.place.host +
                                                  "  works; pawl tries again by itself"});
             }),
      tell_(loop, [this] {
        const auto tell = changed_;  // it may let go of us
        tell();
      }) {
  begin(call, dir);
}

// Its standard input ends with us: it, and the relay there, end by themselves.
Link::~Link() {
  fd_.reset();
  if (child_) parting_.take(std::move(child_));
}

void Link::begin(const SshCall& call, const std::string& dir) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return give_up({"no connection can be made: too many open files", "close some"});
  fd_ = os::Fd(ends[0]);
  const os::Fd theirs(ends[1]);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  os::ChildOrder order{ssh_line(machine_, call), environment_for(machine_), dir};
  order.talks = theirs.get();
  order.limit = Duration{0};
  auto child = os::Child::start(loop_, order, [this](const os::ChildEnd& end) { over(end); });
  if (!child) return give_up(child.error());
  child_ = std::move(*child);
  opens_.start(kOpens);
  watch_ = os::FdWatch(loop_, fd_.get(), [this](os::FdWatch::Ready what) { ready(what); });
}

void Link::ready(os::FdWatch::Ready what) {
  if (what.writable) write();
  const bool news = what.readable && read();
  if (version_.empty()) greet();
  watch();
  if (news || (what.writable && out_.size() < kMaxSending)) tell_.ask();
}

bool Link::read() {
  char buffer[kReadAtOnce];
  const ssize_t n = ::recv(fd_.get(), buffer, sizeof buffer, 0);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (n <= 0) {  // its end says why
    closed_ = true;
    if (child_) child_->end_within(kParts);
    return false;
  }
  in_.append(buffer, static_cast<size_t>(n));
  return true;
}

// Other programs of that shell may have said something first.
void Link::greet() {
  const size_t at = in_.find(kRelaySays);
  const size_t end = at == std::string::npos ? at : in_.find('\n', at);
  if (end == std::string::npos) {
    if (in_.size() > kMaxBefore)
      give_up(
          {"its shell prints too much", "ssh " + machine_.place.host + " true  is to be silent"});
    return;
  }
  version_ = in_.substr(at + kRelaySays.size(), end - at - kRelaySays.size());
  in_.erase(0, end + 1);
  opens_.cancel();
  write();
  tell_.ask();
}

void Link::send(std::string_view bytes) {
  if (end_ || closed_) return;
  out_ += bytes;
  if (open()) write();
  watch();
}

void Link::write() {
  // That nobody is there is told by reading.
  if (!closed_ && !version_.empty() && fd_) (void)os::send_some(fd_.get(), out_);
}

void Link::rest(bool rests) {
  rests_ = rests;
  watch();
}

void Link::watch() {
  if (end_) return;
  watch_.want(
      {.read = !closed_ && !rests_, .write = !closed_ && !version_.empty() && !out_.empty()});
}

void Link::over(const os::ChildEnd& end) {
  while (!closed_ && fd_ && read()) {
  }
  if (version_.empty()) greet();
  child_.reset();
  if (open()) return give_up({"the connection to it has ended", "try again"});
  give_up(ssh_trouble(machine_, end.signal ? 128 + end.signal : end.exit_code, os::last_line(end)));
}

void Link::give_up(Error why) {
  if (end_) return;
  end_ = std::move(why);
  opens_.cancel();
  watch_ = {};
  fd_.reset();
  if (child_) parting_.take(std::move(child_));
  tell_.ask();
}

}  // namespace pawl::fleet
