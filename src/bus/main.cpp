// pawl-bus: the daemon starts it (fleet/bus_process.h), and speaks to it over its standard input and output.

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <optional>

#include "bus/bus.h"
#include "bus/talk.h"

using namespace pawl;

namespace {

void say_last(const std::string& words) {
  (void)!std::fprintf(stderr, "pawl-bus: %s\n", words.c_str());
}

}  // namespace

int main(int argc, char**) {
  if (argc > 1 || ::isatty(STDIN_FILENO) == 1) {
    say_last("pawl starts it by itself: pawl fleet join");
    return 2;
  }
  std::signal(SIGPIPE, SIG_IGN);
  os::Loop loop;
  std::optional<bus::Talk> talk;
  bus::Bus bus(loop, [&](const fleet::FromBus& news) { talk->say(news); });
  int code = 0;
  talk.emplace(
      loop, bus::Talk::Events{[&](const fleet::ToBus& said) {
                                bus.daemon_spoke();
                                if (const auto* ask = std::get_if<fleet::BusAsk>(&said.what))
                                  bus.ask(*ask, said.link);
                                else if (const auto* join = std::get_if<fleet::BusJoin>(&said.what))
                                  bus.join(*join);
                                else
                                  talk->say({std::get<fleet::BusPulse>(said.what)});
                              },
                              [&](const std::string& because) {
                                if (!because.empty()) say_last(because);
                                code = because.empty() ? 0 : 1;
                                loop.stop();
                              },
                              [&](bool much) { bus.rest(much); }});
  loop.run();
  bus.end();
  ::_exit(code);  // libnats' threads are left as they are
}
