// How sessions end that do not end by themselves, and what is said of any end.

#include <sys/wait.h>

#include <csignal>

#include "host/leftovers.h"
#include "host/pty_host.h"

namespace pawl::host {
namespace {

const char* const kUnrenewed = "its lease ended while nobody renewed it";

}  // namespace

void PtyHost::extend(SessionId session, BootTime until) {
  const Held* known = held(session);
  if (known && known->link) known->link->send(encode_until(session, until));
}

// Its holder goes on with it until nobody is left, also when it is only about to open it.
void PtyHost::kill(SessionId session) {
  kill_all(session);
  limits_.signal({session}, SIGKILL);
  extend(session, BootTime{Duration{1}});
}

// It has more than it may: nobody of it is left.
void PtyHost::kill_all(SessionId session) {
  constexpr int kRounds = 3;  // some are being started meanwhile
  const Held* known = held(session);
  if (known) os::send_signal(known->process, SIGKILL);
  for (int i = 0; i < kRounds; ++i)
    if (host::signal_leftovers(home_, {session}, SIGKILL, roots()) == 0) return;
}

void PtyHost::on_ended(Held& known, const Frame& frame) {
  const auto ended = frame.as<wire::Ended>();
  if (!ended) return;
  end_session(frame.session(), known);
  known.end_told = true;
  Ended event{.session = frame.session(), .end = {ended->end}};
  if (WIFEXITED(ended->status)) event.exit_code = WEXITSTATUS(ended->status);
  if (WIFSIGNALED(ended->status)) event.signal = WTERMSIG(ended->status);
  const auto cause = frame.as<wire::Cause>(sizeof *ended);
  event.cause = limits_.ended(event);
  if (cause && cause->why == wire::kWhyUntil) event.cause = kUnrenewed;
  push(frame.session(), event);
}

}  // namespace pawl::host
