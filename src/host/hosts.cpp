#include "host/hosts.h"

#include <iterator>

namespace pawl::host {

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
