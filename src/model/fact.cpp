// What every kind of fact needs when it is copied and ended, unrolled once (event.h).

#include "model/event.h"

namespace pawl::model {

Fact::Fact() = default;
Fact::Fact(const Fact& other) = default;
Fact::Fact(Fact&& other) noexcept = default;
Fact& Fact::operator=(const Fact& other) = default;
Fact& Fact::operator=(Fact&& other) noexcept = default;
Fact::~Fact() = default;
bool Fact::operator==(const Fact& other) const {
  return static_cast<const FactKinds&>(*this) == static_cast<const FactKinds&>(other);
}
bool Event::operator==(const Event& other) const = default;

}  // namespace pawl::model
