#include "host/hosts.h"

#include <iterator>

namespace pawl::host {

std::string text_of(const HolderSeen& seen) {
  using What = HolderSeen::What;
  const std::string name =
      seen.process.pid > 0 ? "holder (pid " + std::to_string(seen.process.pid) + ")" : seen.name;
  switch (seen.what) {
    case What::ended:
      return name + " was killed";
    case What::lost:
      return name + " closed its connection";
    case What::stopped:
      return name + " is stopped";
    case What::silent:
      return name + " does not answer";
    case What::answers:
      break;
  }
  return name + " answers again";
}

Host& Hosts::of(SessionId session) {
  if (tmux_.has(session)) return tmux_;
  return own_;
}

void Hosts::open(SessionId session, const Launch& launch) {
  if (launch.pane || launch.backend == Backend::tmux) return tmux_.open(session, launch);
  own_.open(session, launch);
}

std::vector<HostEvent> Hosts::take() {
  auto events = own_.take();
  auto more = tmux_.take();
  events.insert(events.end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
  return events;
}

}  // namespace pawl::host
