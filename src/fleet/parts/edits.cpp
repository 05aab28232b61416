#include "fleet/parts/edits.h"

#include <fmt/core.h>

#include "base/text.h"

namespace pawl::fleet {
namespace {

enum EditAsks { kReadUnit, kWriteUnit };

}  // namespace

Json new_unit(const UnitOrder& order, WallTime now, const std::string& source) {
  Json needs = Json::array();
  for (const auto& one : order.needs) needs.push(one);
  const auto at = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch());
  return Json::object({{"version", 1},
                       {"state", word(UnitState::waiting)},
                       {"at", static_cast<int64_t>(at.count())},
                       {"source", source},
                       {"by", order.by},
                       {"on", order.on},
                       {"needs", needs},
                       {"tries", 0},
                       {"most", std::max(order.most_tries, 1)},
                       {"task", order.task}});
}

void Edits::submit(uint64_t ticket, const UnitOrder& order) {
  Edit edit{.what = What::create, .ticket = ticket, .unit = order.unit, .by = order.by};
  edit.source = fmt::format("{} {}", desk_.options.life, ticket);
  edit.value = new_unit(order, desk_.wall(), edit.source);
  std::string because;
  if (!desk_.up) because = "the fleet's bus is not reached";
  if (edits_.size() >= kMostEdits) because = "too many at once: try again";
  if (units_.all().size() >= kMostUnits) because = "the fleet has too many units of work";
  if (edit.value.dump().size() > kMostUnitBytes / 2) because = "it is too large for a unit of work";
  if (!valid_name(order.unit)) because = fmt::format("'{}' is no name", order.unit);
  if (!because.empty()) {
    refused_.push_back(std::move(edit.value));
    return desk_.order(Submitted{ticket, false, because});
  }
  begin(std::move(edit));
}

void Edits::cancel(uint64_t ticket, const std::string& unit, const std::string& by) {
  if (!desk_.up || edits_.size() >= kMostEdits)
    return desk_.order(
        Submitted{ticket, false,
                  desk_.up ? "too many at once: try again" : "the fleet's bus is not reached"});
  begin({.what = What::cancel, .ticket = ticket, .unit = unit, .by = by, .read = true});
}

void Edits::again(uint64_t ticket, const std::string& unit, const std::string& by) {
  if (!desk_.up || edits_.size() >= kMostEdits)
    return desk_.order(
        Submitted{ticket, false,
                  desk_.up ? "too many at once: try again" : "the fleet's bus is not reached"});
  begin({.what = What::again,
         .ticket = ticket,
         .unit = unit,
         .by = by,
         .source = fmt::format("{} {}", desk_.options.life, ticket),
         .read = true});
}

bool Edits::intake(uint64_t number, const std::string& unit, const std::string& source,
                   Json value) {
  if (edits_.size() >= kMostEdits) return false;
  begin({.what = What::create,
         .number = number,
         .unit = unit,
         .source = source,
         .value = std::move(value)});
  return true;
}

void Edits::give_back(const std::string& unit) {
  if (edits_.size() >= kMostEdits) return units_.leave_alone(unit, kEditAgain);
  begin({.what = What::give_back, .unit = unit, .read = true});
}

void Edits::look_up(const std::string& unit) {
  if (edits_.size() < kMostEdits) begin({.what = What::look_up, .unit = unit, .read = true});
}

void Edits::begin(Edit edit) {
  edit.until = desk_.mono() + kEditsWithin;
  const uint64_t id = ++next_;
  drive(id, edits_[id] = std::move(edit));
}

void Edits::link_changed() {
  for (auto& [id, edit] : edits_) edit.asking = false, edit.read = edit.read || edit.tried;
}

void Edits::step() {
  for (auto it = edits_.begin(); it != edits_.end();) {
    const auto next = std::next(it);
    if (desk_.mono() >= it->second.until)
      over(it->first, false, "nobody answered: it may have been done or not");
    else
      drive(it->first, it->second);
    it = next;
  }
}

void Edits::drive(uint64_t id, Edit& edit) {
  if (edit.asking || !desk_.up || desk_.mono() < edit.again) return;
  if (!edit.read) {
    edit.tried = true;
    return write(id, edit, edit.value, 0);
  }
  edit.asking = true;
  desk_.ask({.bucket = Bucket::work, .key = edit.unit}, {Part::edits, kReadUnit, {}, id});
}

// Revision 0: there is none yet.
void Edits::write(uint64_t id, Edit& edit, const Json& value, uint64_t revision) {
  edit.asking = true;
  edit.value = value;
  desk_.ask({.op = revision == 0 ? BusOp::create : BusOp::update,
             .bucket = Bucket::work,
             .key = edit.unit,
             .value = value.dump(),
             .revision = revision},
            {Part::edits, kWriteUnit, {}, id});
}

void Edits::reply(const Question& question, const BusReply& reply) {
  const auto it = edits_.find(question.number);
  if (it == edits_.end() || !it->second.asking) return;
  Edit& edit = it->second;
  edit.asking = false;
  if (reply.end == BusEnd::unknown) {
    edit.read = true;
    edit.again = desk_.mono() + kEditAgain;
    return;
  }
  if (reply.end == BusEnd::refused)
    return over(it->first, false, "the fleet's server does not allow it: " + reply.because);
  if (question.what == kReadUnit) return found(it->first, edit, reply);
  if (reply.end == BusEnd::done) {
    units_.learned(edit.unit, edit.value.dump(), reply.revision);
    written_.push_back(edit.unit);
    return over(it->first, true);
  }
  edit.read = true;  // taken or stale: by whom?
  drive(it->first, edit);
}

void Edits::found(uint64_t id, Edit& edit, const BusReply& reply) {
  if (edit.what == What::create) {
    if (reply.end == BusEnd::missing) {
      edit.read = false;
      return drive(id, edit);
    }
    const auto value = Json::parse(reply.value);
    const bool same = value && (*value)["source"].as_string() == edit.source;
    units_.learned(edit.unit, reply.value, reply.revision);
    return over(id, same, fmt::format("the fleet has another unit named {}", edit.unit));
  }
  if (reply.end == BusEnd::missing) {
    units_.gone(edit.unit);
    return over(id, false, fmt::format("the fleet has no unit named {}", edit.unit));
  }
  const auto unit = read_unit(edit.unit, reply.value, reply.revision);
  if (!unit) return over(id, false, "the unit makes no sense to this version of pawl");
  if (edit.what == What::look_up) {
    units_.looked_up(edit.unit, reply.value, reply.revision);
    return over(id, true);
  }
  units_.learned(edit.unit, reply.value, reply.revision);
  change(id, edit, *unit);
}

void Edits::change(uint64_t id, Edit& edit, const Unit& unit) {
  if (edit.what == What::again) return change_again(id, edit, unit);
  Json value = unit.value;
  if (edit.what == What::cancel) {
    if (unit.state == UnitState::cancelled) return over(id, true);
    if (unit.state == UnitState::ended) return over(id, false, "it has ended already");
    value.set("state", word(UnitState::cancelled));
    value.set("by", edit.by);
    return write(id, edit, value, unit.revision);
  }
  // Claimed by a life of ours that did not come to start it.
  if (unit.state != UnitState::claimed || unit.id != desk_.options.id || units_.is_mine(unit.name))
    return over(id, true);
  const auto tries = value["tries"].as_int();
  value.set("state", word(UnitState::waiting));
  value.set("tries", std::max<int64_t>(tries - 1, 0));
  write(id, edit, value, unit.revision);
}

// As it was given, with all its tries. Nothing of it runs: the lease of whoever ended it went with that end, or runs out first.
void Edits::change_again(uint64_t id, Edit& edit, const Unit& unit) {
  Json value = unit.value;
  if (value["again"].as_string() == edit.source) return over(id, true);  // written, and not heard
  const char* anew = "give it again under another name: pawl task start NAME --on any";
  if (!fleet::over(unit.state)) return over(id, false, "it is not over", "pawl task wait NAME");
  if (unit.state == UnitState::ended && value["result"]["status"].as_string() == "completed")
    return over(id, false, fmt::format("'{}' of the fleet is completed", edit.unit), anew);
  if (value["task"]["blob"].is_object())
    return over(
        id, false,
        fmt::format("'{}' of the fleet is over, and with it went its large prompt", edit.unit),
        anew);
  value.set("state", word(UnitState::waiting));
  value.set("tries", 0);
  for (const char* key : {"result", "because", "last", "unfit"}) value.set(key, Json());
  value.set("by", edit.by);
  value.set("again", edit.source);
  write(id, edit, value, unit.revision);
}

void Edits::over(uint64_t id, bool done, std::string because, std::string todo) {
  const auto it = edits_.find(id);
  Edit edit = std::move(it->second);
  edits_.erase(it);
  const bool known = desk_.mono() < edit.until;  // nobody knows of one whose time is over
  if (edit.what == What::create && !done && known) refused_.push_back(std::move(edit.value));
  if (edit.ticket != 0)
    desk_.order(Submitted{edit.ticket, done, done ? "" : std::move(because), std::move(todo)});
  if (edit.number != 0) intake_ends_.push_back({edit.number, done});
  if (edit.what == What::give_back && !done) units_.leave_alone(edit.unit, kEditAgain);
}

std::optional<MonoTime> Edits::wake_at() const {
  std::optional<MonoTime> out;
  for (const auto& [id, edit] : edits_) {
    out = earlier(out, edit.until);
    if (desk_.up && !edit.asking) out = earlier(out, std::max(edit.again, desk_.mono()));
  }
  return out;
}

}  // namespace pawl::fleet
