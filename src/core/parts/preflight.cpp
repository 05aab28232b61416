#include "core/parts/preflight.h"

#include <fmt/core.h>

namespace pawl::core {
namespace {

constexpr int64_t kDiskMb = 200;

model::Check resume_check(const model::Agent& agent, const model::Surroundings& seen, bool resume) {
  if (resume) return {"resume", true, "conversation " + agent.session_id};
  if (agent.session_id.empty()) return {"resume", true, "no conversation is known: a new one"};
  if (!seen.resumable) return {"resume", false, "its conversation is gone: a new one"};
  return {"resume", true, "a new conversation"};
}

model::Check transcript_check(const model::Agent& agent, const model::Surroundings& seen,
                              const std::string& archived) {
  const int limit = agent.spec.preflight.transcript_max_mb;
  const std::string size = fmt::format("{} of {} MB", seen.transcript_mb, limit);
  if (!archived.empty()) return {"transcript", false, size + ": " + archived};
  return {"transcript", seen.transcript_mb <= limit, size};
}

model::Check memory_check(const model::Agent& agent, const model::Surroundings& seen) {
  if (seen.memory_pct < 0) return {"memory", true, "not known"};
  return {"memory", seen.memory_pct < agent.spec.preflight.memory_pct,
          fmt::format("{} % of {} used", seen.memory_pct, seen.memory_of)};
}

model::Check disk_check(const model::Surroundings& seen) {
  if (seen.disk_mb < 0) return {"disk", true, "not known"};
  return {"disk", seen.disk_mb >= kDiskMb, fmt::format("{} MB free", seen.disk_mb)};
}

}  // namespace

bool too_large(const model::Agent& agent, const model::Surroundings& seen) {
  const model::Preflight& limits = agent.spec.preflight;
  const bool large = seen.transcript_mb * model::kLargePart > limits.transcript_max_mb;
  return seen.transcript_mb > limits.transcript_max_mb ||
         (large && seen.memory_pct >= limits.memory_pct);
}

model::Prepared prepared(const model::Agent& agent, const model::Surroundings& seen,
                         const Readiness& ready) {
  model::Prepared out;
  out.resume = ready.resume;
  out.checks.push_back({"folder", seen.dir, agent.spec.dir + (seen.dir ? "" : " is not there")});
  out.checks.push_back(resume_check(agent, seen, ready.resume));
  out.checks.push_back(transcript_check(agent, seen, ready.archived));
  out.checks.push_back(memory_check(agent, seen));
  out.checks.push_back(disk_check(seen));
  if (ready.login) out.checks.push_back(*ready.login);
  out.checks.push_back(ready.permission);
  return out;
}

}  // namespace pawl::core
