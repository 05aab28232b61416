// Claims in a cluster. Its servers check what a write expects before they agree on its place, and not after (nats-server's issue 4320,
// until 2.9.21): of two that write at the same time both may be told that they were first. A leader that is new, or not any more, may
// answer from what it knew before. So an acknowledgement is where a write is, and not that it counts. It counts when our own reader
// told it:
//
//   - the order in which a bucket's entries are told is the same for every node, whichever server tells them, however late;
//   - who passes another's entry between the sending and the own one has lost, and so has who passes a gap there: what was written
//     over before it was told could only have been written over by something later, in the end by the own one, which was sent by then;
//   - of two leases, or of two claims on the same revision, the later one's writer always passes the earlier one or such a gap. The
//     earlier one's may give way as well, when it is told the later one before it has started. At most one is left.
//
// Nothing of it needs a time. That nothing acknowledged is lost does: kSettles (lease.h).

#include "base/json.h"
#include "fleet/parts/jobs.h"

namespace pawl::fleet {

// Both are written. With one server that is all.
void Jobs::claimed(Job& job) {
  if (!desk_.cluster) return start(job);
  job.stage = Stage::settling;  // kClaimWithin ends it
}

Jobs::Job* Jobs::early_job(const std::string& unit) {
  const auto it = jobs_.find(unit);
  const bool there = it != jobs_.end() && !it->second->unit.empty() && early(it->second->stage);
  return there ? it->second.get() : nullptr;
}

void Jobs::lease_told(const BusEntry& entry) {
  if (!desk_.cluster) return;
  if (entry.gap)
    for (auto& [name, job] : jobs_)
      if (job->stage != Stage::looking && !job->told.lease) job->told.spoilt = true;
  Job* job = early_job(entry.key);
  if (!job) return;
  if (entry.removed) {  // before ours it was an earlier one's
    job->told.spoilt |= job->told.lease;
    return;
  }
  const auto value = Json::parse(entry.value);
  if (value && (*value)["nonce"].as_string() == job->lease.nonce())
    job->told.lease = true;
  else
    job->told.spoilt = true;
}

void Jobs::unit_told(const BusEntry& entry) {
  if (!desk_.cluster) return;
  if (entry.gap)
    for (auto& [name, job] : jobs_)
      if (job->stage >= Stage::claiming && !job->told.claim) job->told.spoilt = true;
  Job* job = early_job(entry.key);
  if (!job || entry.revision <= job->told.base) return;
  auto unit = entry.removed ? std::nullopt : read_unit(entry.key, entry.value, entry.revision);
  if (unit && running(*job, *unit)) {
    job->told.claim = true;
    return;
  }
  job->told.spoilt = true;
  if (unit && !job->told.claim) job->told.over = std::move(unit);
}

// Nothing runs. A claim of ours that is there all the same is given back as an orphan, but for what was over before it: that is put back.
void Jobs::give_way(Job& job) {
  const auto& before = job.told.over;
  if (before && over(before->state) && job.revision > before->revision)
    desk_.tell({.op = BusOp::update,
                .bucket = Bucket::work,
                .key = job.unit,
                .value = before->value.dump(),
                .revision = job.revision});
  const auto apart = digest_of(desk_.options.id, job.unit, job.number) % 3000;
  drop(job, kClashApart + std::chrono::milliseconds{apart});
}

}  // namespace pawl::fleet
