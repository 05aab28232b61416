#pragma once
// What people were told: the newest alerts, for `alerts` and in `report`. Pure.

#include <deque>

#include "base/clock.h"
#include "base/json.h"
#include "model/event.h"
#include "model/fleet.h"

namespace pawl::api {

inline constexpr size_t kAlertsKept = 200;

class AlertFold {
 public:
  AlertFold(WallTime since, WallTime until) : since_(since), until_(until) {}
  void take(const model::Event& event);
  Json list() const;  // newest first
  Json finish(const model::Fleet& fleet) const;

 private:
  WallTime since_, until_;
  std::deque<model::Event> alerts_;
  bool cut_ = false;
};

}  // namespace pawl::api
