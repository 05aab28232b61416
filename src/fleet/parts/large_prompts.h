#pragma once
// Units whose prompts are too large for them: the prompt goes into blobs first, then the unit is given, and what is over needs it no more.
//
// The rule (doc/fleet.md, "Large prompts"): whoever wrote the unit's end removes its blob, of one that was cancelled everybody does; a unit
// that was not given, for certain, leaves none. What nobody came to remove goes by age (bus/stores.cpp).

#include <map>
#include <string>

#include "fleet/parts/blobs.h"
#include "fleet/parts/edits.h"

namespace pawl::fleet {

class LargePrompts {
 public:
  LargePrompts(Desk& desk, Units& units, Edits& edits)
      : desk_(desk), units_(units), edits_(edits) {}

  // The answer is the order Submitted.
  void submit(uint64_t ticket, const UnitOrder& order, std::string prompt);
  // … BlobCame.
  void fetch(uint64_t ticket, const Json& blob);

  void link_changed() { blobs_.link_changed(); }
  void reply(const Question& question, const BusReply& reply) { blobs_.reply(question, reply); }
  void step();
  std::optional<MonoTime> wake_at() const { return blobs_.wake_at(); }

 private:
  void let_go(const Json& unit);

  Desk& desk_;
  Units& units_;
  Edits& edits_;
  Blobs blobs_{desk_};
  std::map<uint64_t, UnitOrder> waiting_;  // by ticket: their prompts are on their way
};

}  // namespace pawl::fleet
