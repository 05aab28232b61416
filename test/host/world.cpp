#include "world.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>

#include "host/leftovers.h"
#include "os/file.h"

namespace pawl::host {
namespace {

std::string temporary_home() {
  std::string path = ::testing::TempDir() + "pawl-host-XXXXXX";
  EXPECT_NE(::mkdtemp(path.data()), nullptr);
  return path;
}

}  // namespace

World::World(Backend backend) : home_(temporary_home()), backend_(backend) {
  make_host();
}

World::~World() {
  forget_host();
  make_host();  // anew: the test may have cut the old connection
  if (pty_->connect_existing()) take_events();
  for (auto& [id, seen] : seen_) {
    host_->close(SessionId{id});
    while (signal_leftovers(home_, SessionId{id}, SIGKILL) > 0) {
    }
  }
  forget_host();
  if (backend_ == Backend::tmux) {
    const std::string end = "tmux -S " + home_ + "/tmux/own.sock kill-server 2>/dev/null";
    EXPECT_NE(std::system(end.c_str()), -1);
  }
  (void)os::remove_tree(home_);
}

void World::make_host() {
  pty_ = std::make_unique<PtyHost>(
      loop_, home_, [this] { loop_.stop(); }, root);
  tmux_ = std::make_unique<TmuxHost>(loop_, home_, os::own_executable(), [this] { loop_.stop(); });
  host_ = std::make_unique<Hosts>(*pty_, *tmux_);
}

void World::forget_host() {
  host_.reset();
  tmux_.reset();
  pty_.reset();
}

void World::restart() {
  for (auto& [id, seen] : seen_) seen.found = false;
  forget_host();
  make_host();
  ASSERT_TRUE(pty_->connect_existing());
  std::vector<TmuxHost::Known> known;
  for (const auto& [id, seen] : seen_)
    if (backend_ == Backend::tmux) known.push_back({SessionId{id}, {"", "", seen.process}, {}});
  tmux_->expect(known);
  take_events();
}

SessionId World::open(std::vector<std::string> argv, Size size, std::string dir,
                      std::vector<std::string> environment) {
  const SessionId session{++last_id_};
  if (environment.empty()) environment = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8"};
  seen_[session.value];
  host_->open(session,
              {std::move(argv), std::move(environment), std::move(dir), size, {}, backend_});
  return session;
}

SessionId World::shell(const std::string& script, Size size) {
  return open({"sh", "-c", script}, size);
}

SessionId World::limited(const std::string& script, const Limits& limits) {
  const SessionId session{++last_id_};
  seen_[session.value];
  Launch launch{{"sh", "-c", script}, {"PATH=/usr/bin:/bin", "LANG=C.UTF-8"}, "/", {}};
  launch.limits = limits;
  host_->open(session, launch);
  return session;
}

bool World::until(const std::function<bool()>& done, int seconds) {
  bool late = false;
  os::Timer limit(loop_, [&] {
    late = true;
    loop_.stop();
  });
  limit.start(std::chrono::seconds(seconds));
  // Some conditions lie outside (a process is gone): look at them now and then, too.
  os::Timer glance(loop_, [&] { loop_.stop(); });
  for (;;) {
    glance.start(std::chrono::milliseconds(20));
    take_events();
    if (done()) return true;
    if (late) return false;
    loop_.run();
  }
}

bool World::until_output(SessionId session, const std::string& part) {
  return until([&] { return seen(session).output.find(part) != std::string::npos; });
}

bool World::until_ended(SessionId session, int seconds) {
  return until([&] { return seen(session).ended || seen(session).failed; }, seconds);
}

bool World::until_facts(SessionId session, const std::function<bool(const model::Facts&)>& so) {
  return until([&] {
    const bool enough = std::exchange(seen(session).looks, 0) > 0 && so(seen(session).facts);
    if (!enough) host_->look(session, {});
    return enough;
  });
}

void World::close(SessionId session) {
  host_->close(session);
}

void World::take_events() {
  for (const auto& event : host_->take()) note(event);
}

void World::note(const HostEvent& event) {
  if (const auto* opened = std::get_if<Opened>(&event)) {
    seen(opened->session).opened = true;
    seen(opened->session).process = opened->process;
  } else if (const auto* failed = std::get_if<OpenFailed>(&event)) {
    seen(failed->session).failed = true;
    seen(failed->session).error = failed->error;
  } else if (const auto* found = std::get_if<Found>(&event)) {
    Seen& at = seen(found->session);
    at.found = true;
    at.process = found->process;
    host_->attach(found->session, Offset{at.first + at.output.size()});
  } else if (const auto* output = std::get_if<Output>(&event)) {
    Seen& at = seen(output->session);
    at.gap |= output->offset.value != at.first + at.output.size() || at.ended;
    at.output += output->bytes;
    if (acknowledging) host_->acknowledge(output->session, Offset{at.first + at.output.size()});
  } else if (const auto* noted = std::get_if<Noted>(&event)) {
    seen(noted->session).noted += noted->text;
  } else if (const auto* ended = std::get_if<Ended>(&event)) {
    seen(ended->session).ended = true;
    seen(ended->session).end = *ended;
  } else if (const auto* refused = std::get_if<WriteRefused>(&event)) {
    ++seen(refused->session).refused;
  } else if (const auto* read = std::get_if<FactsRead>(&event)) {
    ++seen(read->session).looks;
    seen(read->session).facts = read->facts;
  }
}

}  // namespace pawl::host
