#include "api/task_stream.h"

#include <fmt/core.h>

#include <algorithm>

#include "api/frame.h"
#include "api/task_view.h"
#include "store/agent_files.h"
#include "store/task_files.h"

namespace pawl::api {
namespace {

constexpr Duration kFollowEvery = std::chrono::milliseconds{200};
constexpr size_t kSlice = 64u << 10;
constexpr size_t kTail = 1u << 20;  // bytes in which the last lines are looked for

// Nothing is done about it until its account allows that again. When that is now, it goes on in a moment.
bool held_up(const model::Agent& agent, const Clock& now) {
  const auto& until = agent.task->report.until;
  return model::shown_status(agent) == model::TaskStatus::limited && (!until || *until > now.wall);
}

}  // namespace

// Also when nobody works any more because all that are not over wait for their account: that may take days, and whoever waits
// here may have something better to do (exit code 4).
StreamEnd TaskWait::pump(StreamContext& context) const {
  std::vector<const model::Agent*> over, limited, all;
  std::string open;
  for (const auto& name : agents_) {
    const model::Agent* agent = context.engine.fleet().find(name);
    if (!agent || !agent->task)
      return Result<Json>(fail("'" + name + "' is gone", "pawl task ls shows what there is"));
    all.push_back(agent);
    if (model::final(agent->task->status))
      over.push_back(agent);
    else if (held_up(*agent, context.now))
      limited.push_back(agent);
    if (open.empty() && !model::final(agent->task->status)) open = agent->task->order.name;
  }
  const bool one = any_ && !over.empty();
  if (one || over.size() + limited.size() == all.size()) {
    Json list = Json::array();
    int code = 0;
    for (const model::Agent* agent : one ? over : all) {
      list.push(task_view(*agent));
      code = std::max(code, task_code(*agent));
    }
    return Result<Json>(Json::object({{"version", 1}, {"tasks", std::move(list)}, {"code", code}}));
  }
  if (deadline_ && context.now.mono >= *deadline_)
    return Result<Json>(
        fail("'" + open + "' is still under way", "wait longer with --timeout", 124));
  return std::nullopt;
}

void TaskOutput::begin(store::Disk& disk, const std::string& path) {
  begun_ = true;
  if (!lines_) return;
  const uint64_t size = disk.file_size(path);
  const uint64_t from = size > kTail ? size - kTail : 0;
  const std::string tail = disk.read_slice(path, from, kTail);
  size_t at = tail.size(), found = 0;
  if (at > 0 && tail[at - 1] == '\n') --at;
  while (at > 0 && (tail[at - 1] != '\n' || ++found < *lines_)) --at;
  at_ = from + (*lines_ == 0 ? tail.size() : at);
}

StreamEnd TaskOutput::pump(StreamContext& context) {
  const model::Agent* agent = context.engine.fleet().find(agent_);
  if (!agent || !agent->task)
    return Result<Json>(fail("'" + agent_ + "' is gone", "pawl task ls shows what there is"));
  const std::string path = agent->task->order.dir + "/" + store::kOutputName;
  if (context.now.mono >= next_) {
    context.engine.flush_agent(context.now, agent_);
    next_ = context.now.mono + kFollowEvery;
  }
  if (!begun_) begin(context.engine.files().disk(), path);
  const size_t limit = context.out.size() + context.room;
  for (;;) {
    if (context.out.size() >= limit) return std::nullopt;
    const std::string slice = context.engine.files().disk().read_slice(path, at_, kSlice);
    if (slice.empty()) break;
    at_ += slice.size();
    context.out += encode(Kind::output, slice);
  }
  const bool final = model::final(agent->task->status);
  if (follow_ && !final) return std::nullopt;
  if (final) context.engine.submit(core::ResultRead{agent_});
  return Result<Json>(task_view(*agent));
}

}  // namespace pawl::api
