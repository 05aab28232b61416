#pragma once
// Who asked for what is about to be decided: kept between a request and its turn, so that each decision in the journal names its
// asker. Filled by the engine while a client's request is handled.

#include <iterator>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "base/units.h"
#include "model/event.h"

namespace pawl::core {

class Askers {
 public:
  // What is submitted from now on is asked for by this one; not known: by nobody.
  void set(model::Asker asker) { current_ = std::move(asker); }
  void submitted(RequestId request) {
    if (request.value != 0 && current_.known()) of_[request] = current_;
  }
  // Decisions and texts that follow from the request carry its asker. Each is decided once, and in order: what is left of
  // earlier ones was never decided.
  void stamp(RequestId request, std::vector<model::Event>& events) {
    const auto it = of_.find(request);
    if (it == of_.end()) return;
    for (auto& event : events) {
      if (auto* decided = std::get_if<model::Decided>(&event.fact);
          decided && decided->rule.empty())
        decided->by = it->second;
      if (auto* queued = std::get_if<model::Queued>(&event.fact)) queued->by = it->second;
    }
    of_.erase(of_.begin(), std::next(it));
  }

 private:
  model::Asker current_;
  std::map<RequestId, model::Asker> of_;
};

}  // namespace pawl::core
