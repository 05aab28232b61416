#include "fleet/parts/jobs.h"

#include <fmt/core.h>

#include <algorithm>

#include "fleet/parts/left_behind.h"

namespace pawl::fleet {
namespace {

constexpr const char* kTriesOver = "it was tried too often";

}  // namespace

void Jobs::restore(const std::vector<Claim>& claims) {
  for (const auto& claim : claims) {
    auto job = std::make_unique<Job>(desk_.options, ++count_, claim.unit, claim.nonce);
    job->lease.restore(claim.token,
                       claim.boot_id == desk_.options.boot_id ? claim.stop_at : Duration{0});
    job->stage = Stage::running;
    units_.mine(claim.unit, true);
    units_.our_nonce(claim.nonce, true);
    jobs_[claim.unit] = std::move(job);
  }
}

void Jobs::link_changed() {
  for (auto& [name, job] : jobs_) {
    job->asking = false;
    job->again = desk_.mono();
    if (early(job->stage)) drop(*job, Duration{0});
  }
  clear();
}

void Jobs::step(bool joined) {
  joined_ = joined;
  for (auto& [name, job] : jobs_) drive(*job);
  clear();
  if (joined && !draining_) claim_more();
}

// As many at once as there is room for, counting those that are being claimed.
void Jobs::claim_more() {
  if (!units_.complete() || !capacity_.memory_ok) return;
  const size_t room = std::min<size_t>(static_cast<size_t>(std::max(capacity_.room, 0)), kMostJobs);
  size_t claims = 0;
  for (const auto& [name, job] : jobs_) claims += early(job->stage);
  while (jobs_.size() < room && claims < kClaimsAtOnce) {
    const auto name = units_.choose();
    if (!name) return;
    begin(*units_.find(*name));
    ++claims;
  }
}

void Jobs::begin(const Unit& unit) {
  std::string nonce = fmt::format("{}-{}", desk_.options.life, ++count_);
  units_.our_nonce(nonce, true);
  auto job = std::make_unique<Job>(desk_.options, count_, unit.name, std::move(nonce));
  job->stage =
      unit.state == UnitState::claimed || unit.lease_news ? Stage::looking : Stage::leasing;
  job->since = desk_.mono();
  job->revision = job->told.base = unit.revision;
  job->value = unit.value;
  Job& it = *(jobs_[unit.name] = std::move(job));
  units_.mine(it.unit, true);
  drive(it);
}

void Jobs::drive(Job& job) {
  job.lease.cluster(desk_.cluster);
  if (desk_.up) {
    if (job.stage != Stage::looking && !(job.end && job.stopping)) {
      if (auto ask = job.lease.next(desk_.now))
        desk_.ask(std::move(*ask), {Part::jobs, kLeaseAsks, job.unit, job.number});
    }
    drive_unit(job);
  }
  if (job.stage == Stage::running) watch_lease(job);
}

// What the stage asks about the unit itself.
void Jobs::drive_unit(Job& job) {
  if (job.asking || desk_.mono() < job.again) return;
  if (early(job.stage) && (!joined_ || desk_.mono() - job.since >= kClaimWithin))
    return drop(job, kOursAgain);
  const bool gone = desk_.cluster && job.lease.held() && job.lease.revision() == 0;
  if (early(job.stage) && (job.told.spoilt || gone)) return give_way(job);
  switch (job.stage) {
    case Stage::looking:
      job.asking = true;
      desk_.ask({.bucket = Bucket::leases, .key = job.unit},
                {Part::jobs, kLook, job.unit, job.number});
      return;
    case Stage::leasing:
      if (job.lease.lost()) {
        units_.lease_there(job.unit);
        return drop(job, desk_.options.times.lease + desk_.options.times.margin);
      }
      if (!job.lease.held() || (desk_.cluster && !job.told.lease)) return;
      job.stage = Stage::claiming;
      return write_claim(job);
    case Stage::claiming:
      return write_claim(job);
    case Stage::ending:
      if (job.revision == 0) job.stage = Stage::end_checking;
      return job.revision == 0 ? ask_unit(job, BusOp::get) : write_end(job);
    case Stage::checking:
    case Stage::end_checking:
      return ask_unit(job, BusOp::get);
    case Stage::settling:
      if (job.lease.lost()) return give_way(job);
      if (job.told.lease && job.told.claim && job.lease.counts()) start(job);
      return;
    case Stage::running:
      return;
  }
}

void Jobs::ask_unit(Job& job, BusOp op, std::string value) {
  job.asking = true;
  job.written = value;
  desk_.ask({.op = op,
             .bucket = Bucket::work,
             .key = job.unit,
             .value = std::move(value),
             .revision = op == BusOp::update ? job.revision : 0},
            {Part::jobs, op == BusOp::get ? kRead : kWrite, job.unit, job.number});
}

// The work is stopped in time when its lease is not renewed. Also while the link is down: that is when it happens.
void Jobs::watch_lease(Job& job) {
  if (job.stopping) return;
  if (job.lease.lost()) return stop(job, "another node has its lease");
  if (job.lease.over(desk_.now)) return stop(job, "its lease could not be renewed in time");
  if (job.told_stop && *job.told_stop >= job.lease.stop_at()) return;
  job.told_stop = job.lease.stop_at();
  desk_.order(LeaseUntil{job.unit, job.lease.token(), job.lease.stop_at()});
}

void Jobs::stop(Job& job, std::string because) {
  if (job.stopping || job.stage != Stage::running) return;
  job.stopping = true;
  desk_.order(StopUnit{job.unit, job.lease.token(), std::move(because)});
}

// ---- The claim ----

void Jobs::looked(Job& job, const BusReply& reply) {
  const Unit* unit = units_.find(job.unit);
  if (reply.end == BusEnd::unknown) {
    job.again = desk_.mono() + kJobAgain;
    return;
  }
  if (!unit || !units_.silent(*unit)) return drop(job, Duration{0});  // it was renewed meanwhile
  if (reply.end != BusEnd::missing) {
    if (units_.stuck(*unit))
      desk_.tell({.op = BusOp::remove,
                  .bucket = Bucket::leases,
                  .key = job.unit,
                  .revision = reply.revision});
    return drop(job, kOursAgain);
  }
  job.stage = Stage::leasing;
}

void Jobs::write_claim(Job& job) {
  const auto& times = desk_.options.times;
  if (job.lease.lost() || desk_.now.boot + times.least >= job.lease.stop_at())
    return drop(job, kOursAgain);
  Json value = job.value;
  const auto tries = value["tries"].as_int();
  if (tries >= value["most"].as_int(1)) {  // a silent node had the last one
    value.set("state", word(UnitState::ended));
    value.set("because", kTriesOver);
    value.set("result", Json::object({{"status", "failed"}, {"because", kTriesOver}}));
  } else {
    if (value["state"].as_string() == word(UnitState::claimed))
      note_left_on(value, value["node"].as_string());  // taken over: nobody came back with it
    value.set("state", word(UnitState::claimed));
    value.set("tries", tries + 1);
  }
  value.set("node", desk_.options.node);
  value.set("id", desk_.options.id);
  value.set("nonce", job.lease.nonce());
  value.set("token", job.lease.token());
  ask_unit(job, BusOp::update, value.dump());
}

void Jobs::start(Job& job) {
  if (desk_.now.boot + desk_.options.times.least >= job.lease.stop_at())
    return drop(job, kOursAgain);  // it is claimed under our id: an orphan, which goes back
  job.stage = Stage::running;
  job.attempt = static_cast<int>(job.value["tries"].as_int(1));
  job.told_stop = job.lease.stop_at();
  Claim claim{job.unit, job.lease.token(), job.lease.nonce(), desk_.options.boot_id,
              job.lease.stop_at()};
  desk_.order(StartUnit{std::move(claim), job.value["task"], job.attempt});
}

// ---- The end ----

void Jobs::ended(const std::string& unit, uint64_t token, Ended ended) {
  const auto it = jobs_.find(unit);
  if (it == jobs_.end() || it->second->lease.token() != token) {
    desk_.order(UnitSettled{unit, token, Settled::superseded, "nothing is known of this claim"});
    return;
  }
  Job& job = *it->second;
  if (job.stage != Stage::running) return;
  job.end = std::move(ended);
  job.end->because.resize(std::min(job.end->because.size(), kMostBecause));
  if (job.end->result.dump().size() > kMostResultBytes)
    job.end->result =
        Json::object({{"status", job.end->result["status"]}, {"left_out", "it is too large"}});
  job.stage = Stage::ending;
  job.again = desk_.mono();
  // Whoever wrote it last may not be us: then it is read.
  const Unit* known = units_.find(unit);
  const bool sure = known && units_.complete() && running(job, *known);
  job.revision = sure ? known->revision : 0;
  if (known) job.value = known->value;
}

Json Jobs::end_value(const Job& job) const {
  Json value = job.value;
  const auto tries = value["tries"].as_int();
  const bool free = job.end->came == Came::unfit || (job.end->came == Came::again && draining_);
  const std::string& node = desk_.options.node;
  if (job.end->came == Came::finished) {
    value.set("state", word(UnitState::ended));
    value.set("result", job.end->result);
    value.set("because", job.end->because);
    return value;
  }
  value.set("last", Json::object({{"node", node}, {"because", job.end->because}}));
  if (job.end->came == Came::again) note_left_on(value, node);
  if (!free && tries >= value["most"].as_int(1)) {
    value.set("state", word(UnitState::ended));
    value.set("because", kTriesOver);
    value.set("result",
              Json::object({{"status", "failed"},
                            {"because", std::string(kTriesOver) + ": " + job.end->because}}));
    return value;
  }
  if (free) value.set("tries", std::max<int64_t>(tries - 1, 0));
  if (job.end->came == Came::unfit && value["unfit"].items().size() < kMostUnfit) {
    Json unfit = value["unfit"];
    unfit.push(Json::object({{"node", node}, {"because", job.end->because}}));
    value.set("unfit", std::move(unfit));
  }
  value.set("state", word(UnitState::waiting));
  return value;
}

void Jobs::write_end(Job& job) {
  ask_unit(job, BusOp::update, end_value(job).dump());
}

// ---- Out ----

void Jobs::settle(Job& job, Settled how, std::string because) {
  desk_.order(UnitSettled{job.unit, job.lease.token(), how, std::move(because)});
  const Duration alone = !job.end || how != Settled::given_back ? Duration{0}
                         : job.end->came == Came::unfit         ? kUnfit
                                                                : kOursAgain;
  drop(job, alone);
}

void Jobs::release(Job& job) {
  units_.our_nonce(job.lease.nonce(), false);
  if (desk_.up && job.lease.held() && job.lease.revision() != 0)
    desk_.tell({.op = BusOp::remove,
                .bucket = Bucket::leases,
                .key = job.unit,
                .revision = job.lease.revision()});
}

void Jobs::drop(Job& job, Duration alone) {
  if (job.unit.empty()) return;
  release(job);
  const std::string name = std::exchange(job.unit, {});
  done_.push_back(name);
  units_.mine(name, false);
  if (alone > Duration{0}) units_.leave_alone(name, alone);
}

void Jobs::clear() {
  for (const auto& name : std::exchange(done_, {})) {
    const auto it = jobs_.find(name);
    if (it != jobs_.end() && it->second->unit.empty()) jobs_.erase(it);
  }
}

std::optional<MonoTime> Jobs::wake_at() const {
  std::optional<MonoTime> out;
  for (const auto& [name, job] : jobs_) {
    const bool late = job->lease.held() && job->lease.over(desk_.now);
    if (job->stage == Stage::running && !job->stopping && !late)
      out = earlier(out, desk_.at_boot(job->lease.stop_at()));
    if (!desk_.up) continue;
    const auto lease = job->lease.wake_at();
    if (lease && !late && job->stage != Stage::looking && !(job->end && job->stopping))
      out = earlier(out, desk_.at_boot(*lease));
    if (!job->asking && job->stage != Stage::running && desk_.mono() < job->again)
      out = earlier(out, job->again);
    if (!job->asking && early(job->stage)) out = earlier(out, job->since + kClaimWithin);
  }
  return out;
}

}  // namespace pawl::fleet
