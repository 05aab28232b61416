#include "serve/strangers.h"

#include <utility>

namespace pawl::serve {

Strangers::Place::Place(Place&& other) noexcept
    : of_(std::exchange(other.of_, nullptr)), address_(std::move(other.address_)) {}

Strangers::Place& Strangers::Place::operator=(Place&& other) noexcept {
  std::swap(of_, other.of_);
  std::swap(address_, other.address_);
  return *this;
}

Strangers::Place::~Place() {
  if (!of_) return;
  --of_->all_;
  const auto it = of_->by_address_.find(address_);
  if (--it->second == 0) of_->by_address_.erase(it);
}

Strangers::Place Strangers::take(const std::string& address) {
  const auto it = by_address_.find(address);
  if (all_ >= kStrangersInAll || (it != by_address_.end() && it->second >= kStrangersPlaces))
    return {};
  ++all_;
  ++by_address_[address];
  return {this, address};
}

}  // namespace pawl::serve
