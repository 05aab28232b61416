#include "host/tmux/relay_point.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/text.h"
#include "host/fresh_signals.h"
#include "host/protocol.h"
#include "host/tmux/tmux_text.h"
#include "os/file.h"
#include "os/socket.h"

namespace pawl::host {
namespace {

constexpr const char* kSocketName = "relay.sock";
constexpr size_t kHelloBytes = 64;

struct Heard {
  std::string text;
  os::Fd fd;
};

// One message, with the descriptor that came along.
Heard receive(int socket) {
  std::array<char, kHelloBytes> bytes{};
  iovec part{bytes.data(), bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> extra{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = extra.data();
  message.msg_controllen = extra.size();
  Heard heard;
  const ssize_t got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (got > 0) heard.text.assign(bytes.data(), static_cast<size_t>(got));
  const cmsghdr* head = CMSG_FIRSTHDR(&message);
  if (got > 0 && head && head->cmsg_type == SCM_RIGHTS && head->cmsg_len == CMSG_LEN(sizeof(int))) {
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(head), sizeof fd);
    heard.fd = os::Fd(fd);
  }
  return heard;
}

bool hand_over(int socket, std::string_view text, int fd) {
  iovec part{const_cast<char*>(text.data()), text.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> extra{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = extra.data();
  message.msg_controllen = extra.size();
  cmsghdr* head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(head), &fd, sizeof fd);
  return ::sendmsg(socket, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
}

// What a gate becomes: folder, words and environment, each ended by a NUL; the words are counted.
std::string packed(const Launch& launch) {
  std::string out = fmt::format("{}", launch.argv.size()) + '\0' + launch.dir + '\0';
  for (const auto& word : launch.argv) out += word + '\0';
  for (const auto& entry : launch.environment) out += entry + '\0';
  return out;
}

wire::OpenFailed failed(wire::Step step) {
  return {static_cast<uint32_t>(errno), step};
}

// The last step of a gate. Comes back only when the program cannot be run.
wire::OpenFailed become(std::vector<std::string> words) {
  const size_t count = static_cast<size_t>(std::strtoul(words[0].c_str(), nullptr, 10));
  if (words.size() < 2 + count || count == 0) return {EINVAL, wire::kStepRequest};
  if (::chdir(words[1].c_str()) != 0) return failed(wire::kStepDir);
  std::vector<char*> argv, environment;
  for (size_t i = 2; i < words.size(); ++i)
    (i < 2 + count ? argv : environment).push_back(words[i].data());
  argv.push_back(nullptr);
  environment.push_back(nullptr);
  default_signals();
  ::environ = environment.data();
  ::execvp(argv[0], argv.data());
  return failed(wire::kStepExec);
}

os::Fd blocking_connection(const std::string& socket) {
  const size_t slash = socket.rfind('/');
  if (slash == std::string::npos) return {};
  auto fd = os::connect_local(socket.substr(0, slash), socket.substr(slash + 1));
  if (!fd) return {};
  ::fcntl(fd->get(), F_SETFL, 0);
  return std::move(*fd);
}

}  // namespace

RelayPoint::RelayPoint(os::Loop& loop, std::string dir, Handlers handlers)
    : loop_(loop), dir_(std::move(dir)), handlers_(std::move(handlers)) {}

Done RelayPoint::listen() {
  if (listener_) return {};
  if (auto made = os::make_private_dir(dir_); !made) return made;
  auto listener = os::listen_local(dir_, kSocketName);
  if (!listener) return tl::unexpected(listener.error());
  listener_ = std::move(*listener);
  watch_ = os::FdWatch(loop_, listener_.get(), [this](os::FdWatch::Ready) { accept(); });
  return {};
}

std::string RelayPoint::relay_command(const std::string& pawl, const std::string& token) const {
  return fmt::format("exec {} __relay {} {}", shell_quoted(pawl),
                     shell_quoted(dir_ + "/" + kSocketName), token);
}

std::string RelayPoint::gate_command(const std::string& pawl, const std::string& token) const {
  return fmt::format("exec {} __gate {} {}", shell_quoted(pawl),
                     shell_quoted(dir_ + "/" + kSocketName), token);
}

void RelayPoint::accept() {
  while (os::Fd fd = os::accept_local(listener_.get())) {
    const auto peer = os::peer_of(fd.get());
    if (!peer || peer->uid != ::geteuid() || callers_.size() >= kCallersAtOnce) continue;
    const int key = ++last_;
    auto& caller = callers_[key] = std::make_unique<Caller>();
    caller->fd = std::move(fd);
    caller->watch =
        os::FdWatch(loop_, caller->fd.get(), [this, key](os::FdWatch::Ready) { hear(key); });
  }
}

void RelayPoint::hear(int key) {
  const auto at = callers_.find(key);
  if (at == callers_.end()) return;
  Heard heard = receive(at->second->fd.get());
  const auto words = split(trim(heard.text), ' ');
  os::Fd connection = std::move(at->second->fd);
  callers_.erase(at);
  if (words.size() != 2) return;
  if (words[0] == "relay" && heard.fd) handlers_.relayed(words[1], std::move(heard.fd));
  if (words[0] == "gate") handlers_.waiting(words[1], std::move(connection));
}

Done open_gate(int connection, const Launch& launch) {
  os::Fd memory(::memfd_create("pawl-launch", MFD_CLOEXEC));
  if (!memory) return fail_errno("cannot hand over a command", errno);
  if (auto written = os::write_all(memory.get(), packed(launch), "a command to run"); !written)
    return written;
  ::lseek(memory.get(), 0, SEEK_SET);
  if (!hand_over(connection, "go", memory.get()))
    return fail_errno("cannot hand over a command", errno);
  return {};
}

int relay_main(int argc, char** argv) {
  if (argc != 3) return 2;
  const os::Fd socket = blocking_connection(argv[1]);
  const bool handed =
      socket && hand_over(socket.get(), fmt::format("relay {}\n", argv[2]), STDIN_FILENO);
  // At once: as long as we have it, the pipe is not closed.
  ::close(STDIN_FILENO);
  ::close(STDOUT_FILENO);
  return handed ? 0 : 1;
}

int gate_main(int argc, char** argv) {
  if (argc != 3) return 2;
  const os::Fd socket = blocking_connection(argv[1]);
  const std::string hello = fmt::format("gate {}\n", argv[2]);
  if (!socket || !os::write_all(socket.get(), hello, "the socket")) return 126;
  Heard heard = receive(socket.get());  // waits; the daemon's end is ours
  if (!heard.fd) return 126;
  const auto text = os::read_stream(fmt::format("/proc/self/fd/{}", heard.fd.get()));
  if (!text) return 126;
  heard.fd = {};
  auto words = split(*text, '\0');
  if (!words.empty()) words.pop_back();  // behind the last NUL
  if (words.size() < 3) return 126;
  const wire::OpenFailed error = become(std::move(words));
  (void)os::write_all(socket.get(), {reinterpret_cast<const char*>(&error), sizeof error},
                      "the socket");
  return 127;
}

}  // namespace pawl::host
