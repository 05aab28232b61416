#include "fleet/parts/items.h"

#include <fmt/core.h>

namespace pawl::fleet {

void Items::send(uint64_t ticket, const std::string& node, const std::string& agent,
                 std::string value) {
  std::string because;
  if (!desk_.up) because = "the fleet's bus is not reached";
  if (items_.size() >= kMostItemsSent) because = "too many at once: try again";
  if (value.size() > kMostItemBytes)
    because = fmt::format("the text is larger than {} KiB", kMostItemBytes >> 10);
  if (!because.empty()) return desk_.order(Submitted{ticket, false, because});
  Item item{.subject = fmt::format("inbox.{}.{}", node, token_of(agent)),
            .value = std::move(value),
            .message_id = fmt::format("{}-item-{}", desk_.options.life, ticket),
            .until = desk_.mono() + kItemWithin};
  drive(ticket, items_[ticket] = std::move(item));
}

void Items::drive(uint64_t ticket, Item& item) {
  if (item.asking || !desk_.up || desk_.mono() < item.again) return;
  item.asking = true;
  desk_.ask({.op = BusOp::publish,
             .subject = item.subject,
             .value = item.value,
             .message_id = item.message_id,
             .limit = kItemAgain * 2},
            {Part::items, 0, {}, ticket});
}

void Items::link_changed() {
  for (auto& [ticket, item] : items_) item.asking = false;
}

void Items::reply(const Question& question, const BusReply& reply) {
  const auto it = items_.find(question.number);
  if (it == items_.end() || !it->second.asking) return;
  it->second.asking = false;
  it->second.again = desk_.mono() + kItemAgain;
  if (reply.end == BusEnd::done) return over(it->first, true, "");
  if (reply.end != BusEnd::unknown)
    return over(it->first, false, "the fleet's server does not take it: " + reply.because);
}

void Items::over(uint64_t ticket, bool done, std::string because) {
  items_.erase(ticket);
  desk_.order(Submitted{ticket, done, std::move(because)});
}

void Items::step() {
  for (auto it = items_.begin(); it != items_.end();) {
    const auto next = std::next(it);
    if (desk_.mono() >= it->second.until)
      over(it->first, false, "nobody answered: it may be on its way or not");
    else
      drive(it->first, it->second);
    it = next;
  }
}

std::optional<MonoTime> Items::wake_at() const {
  std::optional<MonoTime> out;
  for (const auto& [ticket, item] : items_) {
    out = earlier(out, item.until);
    if (desk_.up && !item.asking) out = earlier(out, std::max(item.again, desk_.mono()));
  }
  return out;
}

}  // namespace pawl::fleet
