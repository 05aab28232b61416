// What answers mean for a job (jobs.h).

#include <fmt/core.h>

#include "fleet/parts/jobs.h"

namespace pawl::fleet {

void Jobs::reply(const Question& question, const BusReply& reply) {
  const auto it = jobs_.find(question.key);
  if (it == jobs_.end() || it->second->number != question.number) return;
  Job& job = *it->second;
  if (question.what == kLeaseAsks) {
    job.lease.answer(desk_.now, reply);
  } else {
    if (!job.asking) return;
    job.asking = false;
    if (question.what == kLook)
      looked(job, reply);
    else if (question.what == kWrite)
      wrote(job, reply);
    else
      read(job, reply);
  }
  if (jobs_.contains(question.key) && !job.unit.empty()) drive(job);
  clear();
}

void Jobs::wrote(Job& job, const BusReply& reply) {
  const bool claim = job.stage == Stage::claiming;
  if (reply.end == BusEnd::done) {
    units_.learned(job.unit, job.written, reply.revision);
    const auto unit = read_unit(job.unit, job.written, reply.revision);
    if (!claim) return read_end(job, *unit);
    job.revision = reply.revision;
    job.value = unit->value;
    return over(unit->state) ? drop(job, Duration{0}) : claimed(job);
  }
  if (reply.end == BusEnd::refused) {
    if (claim) return drop(job, kOursAgain);
    if (!std::exchange(job.told_refused, true))
      desk_.people(model::Severity::error, "end of unit " + job.unit,
                   fmt::format("the fleet's server does not take the end of {}: {}", job.unit,
                               reply.because),
                   "it is kept here, and said again until it is taken");
    job.again = desk_.mono() + kEndRefused;
    return;
  }
  // Stale, or nobody knows: it is read before anything else.
  job.stage = claim ? Stage::checking : Stage::end_checking;
}

void Jobs::read(Job& job, const BusReply& reply) {
  const bool claim = job.stage == Stage::checking;
  if (reply.end == BusEnd::unknown || reply.end == BusEnd::refused) {
    job.again = desk_.mono() + kJobAgain;
    return;
  }
  if (reply.end == BusEnd::missing) {
    units_.gone(job.unit);
    return claim ? drop(job, Duration{0})
                 : settle(job, Settled::superseded, "the unit was removed");
  }
  const auto unit = read_unit(job.unit, reply.value, reply.revision);
  units_.learned(job.unit, reply.value, reply.revision);
  if (!unit)
    return claim ? drop(job, kOursAgain)
                 : settle(job, Settled::superseded, "the unit makes no sense any more");
  if (claim) return read_claim(job, *unit);
  read_end(job, *unit);
}

bool Jobs::ours(const Job& job, const Unit& unit) const {
  return unit.id == desk_.options.id && unit.token == job.lease.token() &&
         unit.nonce == job.lease.nonce();
}

bool Jobs::running(const Job& job, const Unit& unit) const {
  return unit.state == UnitState::claimed && ours(job, unit);
}

void Jobs::read_claim(Job& job, const Unit& unit) {
  if (running(job, unit)) {
    job.revision = unit.revision;
    job.value = unit.value;
    return claimed(job);
  }
  // It was not written so far. The same once more: one of the two succeeds at most.
  if (unit.revision == job.revision) {
    job.stage = Stage::claiming;
    return;
  }
  drop(job, Duration{0});
}

// The unit as it is now, after our run came to its end.
void Jobs::read_end(Job& job, const Unit& unit) {
  if (unit.state == UnitState::cancelled) return settle(job, Settled::cancelled);
  if (!ours(job, unit))
    return settle(job, Settled::superseded, fmt::format("{} has it", unit.node));
  if (unit.state == UnitState::claimed) {
    job.revision = unit.revision;
    job.value = unit.value;
    job.stage = Stage::ending;
    return;
  }
  settle(job, unit.state == UnitState::ended ? Settled::accepted : Settled::given_back,
         job.end->because);
}

void Jobs::unit_changed(const std::string& name) {
  const auto it = jobs_.find(name);
  if (it == jobs_.end()) return;
  Job& job = *it->second;
  const Unit* unit = units_.find(name);
  if (job.stage == Stage::running) {
    if (!unit) return stop(job, "the unit was removed");
    if (unit->state == UnitState::cancelled)
      return stop(job, "cancelled by " + unit->value["by"].as_string());
    if (!running(job, *unit))
      stop(job, fmt::format("{} has it ({})", unit->node, word(unit->state)));
    return;
  }
  // A silent node is not silent: what we build on is not so any more.
  if (job.stage == Stage::looking && (!unit || unit->revision != job.revision))
    drop(job, Duration{0});
  clear();
}

void Jobs::caught_up() {
  std::vector<std::string> names;
  for (const auto& [name, job] : jobs_) names.push_back(name);
  for (const auto& name : names) unit_changed(name);
}

}  // namespace pawl::fleet
