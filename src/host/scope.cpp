#include "host/scope.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "os/cgroup.h"
#include "os/file.h"
#include "os/process.h"

namespace pawl::host {
namespace {

constexpr const char* kHere = "\n";
// systemd 252 does not know it of a scope. Later ones would end the whole scope when the kernel kills one task in it.
constexpr const char* kNewerOption = "OOMPolicy";

std::string last_part(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

// systemd-run finds its systemd by it.
std::vector<std::string> environment() {
  auto all = os::own_environment();
  const auto is_it = [](const std::string& one) { return one.starts_with("XDG_RUNTIME_DIR="); };
  if (std::none_of(all.begin(), all.end(), is_it))
    all.push_back(fmt::format("XDG_RUNTIME_DIR=/run/user/{}", ::geteuid()));
  return all;
}

}  // namespace

// In the slice of the service: what limits that one limits tasks too. Ended after the service when the machine goes down.
std::vector<std::string> scope_line(const std::string& service, const std::string& unit,
                                    bool newer) {
  if (service.find(fmt::format("/user@{}.service/", ::geteuid())) == std::string::npos) return {};
  std::vector<std::string> line{
      "systemd-run", "--user",         "--scope",           "--quiet",
      "--collect",   "--unit=" + unit, "--no-ask-password", "--description=Tasks of Pawl"};
  const std::string slice = last_part(service.substr(0, service.rfind('/')));
  if (slice.ends_with(".slice")) line.push_back("--slice=" + slice);
  line.push_back("--property=Delegate=yes");
  line.push_back("--property=Before=" + last_part(service));
  line.push_back("--property=TasksMax=" + os::group_tasks_max(service));
  if (newer) line.push_back(std::string("--property=") + kNewerOption + "=continue");
  line.insert(line.end(), {"--", "cat"});
  return line;
}

Scope::Scope(os::Loop& loop, std::string mark, std::function<void()> settled, std::string root,
             Duration answers)
    : loop_(loop),
      mark_(std::move(mark)),
      root_(std::move(root)),
      answers_(answers),
      settled_(std::move(settled)),
      limit_(loop, [this] { silent(); }),
      again_(loop, [this] { again(); }) {}

void Scope::want(const std::string& service) {
  service_ = service;
  if (const std::string by = os::group_limited_by(service); !by.empty())
    why_ = "the service has limits of its own (" + by + ")";
  else if (scope_line(service, "", false).empty())
    why_ = "it is not a service of this user's systemd";
  else
    ask();
}

// One that tasks of a life before keep has its name.
std::string Scope::free_name() {
  const std::string above = service_.substr(0, service_.rfind('/') + 1);
  std::string name;
  do name = fmt::format("{}{}-{}.scope", mark_, ::getpid(), ++asked_);
  while (os::exists(above + name));
  return name;
}

void Scope::ask() {
  state_ = State::asking;
  wait_ = std::clamp(wait_ * 2, kScopeAgain, kScopeAgainMost);
  limit_.start(answers_);
  start();
}

void Scope::start() {
  unit_ = free_name();
  watch_ = {};
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return fail("there are too many open files");
  fd_ = os::Fd(ends[0]);
  const os::Fd theirs(ends[1]);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  os::ChildOrder order{scope_line(service_, unit_, newer_), environment()};
  order.talks = theirs.get();
  order.limit = Duration{0};  // as long as we live
  auto child = os::Child::start(loop_, order, [this](const os::ChildEnd& end) { over(end); });
  if (!child) return fail(child.error().what);
  child_ = std::move(*child);
  (void)!::write(fd_.get(), kHere, 1);
  watch_ = os::FdWatch(loop_, fd_.get(), [this](os::FdWatch::Ready) { answered(); });
}

// Once; that it ended is heard from its process.
void Scope::answered() {
  char byte = 0;
  const ssize_t n = ::read(fd_.get(), &byte, 1);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  watch_.want({});
  if (n <= 0 || state_ != State::asking) return;
  const std::string dir = os::group_of(child_->pid(), root_);
  if (last_part(dir) == unit_) return settle(State::there, dir);
  part();
  fail("systemd-run did not begin in " + unit_);
}

// Killed, and not a zombie for as long as we live.
void Scope::part() {
  parting_ = std::move(child_);
  if (!parting_) return;
  parting_->tell([this](const os::ChildEnd&) { parting_.reset(); });
  parting_->end_within(Duration{0});
}

void Scope::silent() {
  part();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(answers_);
  fail(fmt::format("systemd did not answer within {} s", seconds.count()));
}

void Scope::over(const os::ChildEnd& end) {
  child_.reset();
  if (state_ == State::there) return fail("its scope was ended");
  const std::string said = os::last_line(end);
  if (newer_ && said.find(kNewerOption) != std::string::npos) {
    newer_ = false;
    return start();
  }
  fail(said.empty() ? fmt::format("systemd-run ended with {}", end.exit_code) : said);
}

void Scope::fail(std::string why) {
  why_ = std::move(why);
  const bool at_once = wait_ == Duration{0};
  again_.start(wait_);
  settle(at_once ? State::asking : State::resting, "");
}

void Scope::settle(State state, const std::string& dir) {
  limit_.cancel();
  watch_ = {};
  state_ = state;
  dir_ = dir;
  if (state == State::there) {
    why_.clear();
    again_.start(kScopeAgain);
  } else {
    fd_.reset();
  }
  settled_();
}

// One that was there for a minute was not lost by our asking.
void Scope::again() {
  if (state_ == State::there)
    wait_ = Duration{0};
  else
    ask();
}

}  // namespace pawl::host
