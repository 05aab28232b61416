#include "api/task_stream.h"

#include <fmt/core.h>

#include <algorithm>

#include "api/any_task.h"
#include "api/frame.h"
#include "api/task_view.h"
#include "store/agent_files.h"
#include "store/journal.h"
#include "store/task_files.h"

namespace pawl::api {
namespace {

constexpr Duration kFollowEvery = std::chrono::milliseconds{200};
constexpr size_t kSlice = 64u << 10;
constexpr size_t kTail = 1u << 20;  // bytes in which the last lines are looked for

Result<AnyAgent> its_agent(core::Engine& engine, const std::string& name) {
  auto found = any_agent(engine, name);
  if (!found || (*found && (*found)->task)) return found;
  return fail("'" + name + "' is gone", "pawl task ls --all shows what there is");
}

// Somebody has had its result.
void note_read(core::Engine& engine, const AnyAgent& agent) {
  if (agent->task->read) return;
  if (agent.filed()) {
    model::Agent read = *agent;
    read.task->read = true;
    if (!engine.journal().tasks().keep(read)) return;  // it is asked about once more
  }
  engine.submit(core::ResultRead{agent->spec.name});
}

}  // namespace

// Also when nobody works any more because all that are not over wait for their account: that may take days, and whoever waits
// here may have something better to do (exit code 4).
StreamEnd TaskWait::pump(StreamContext& context) const {
  std::vector<AnyAgent> over, limited, all;
  std::string open;
  for (const auto& name : agents_) {
    const auto found = its_agent(context.engine, name);
    if (!found) return Result<Json>(tl::unexpected(found.error()));
    const AnyAgent& agent = *found;
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
    for (const AnyAgent& agent : one ? over : all) {
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

void TaskOutput::begin(StreamContext& context, const std::string& path) {
  begun_ = true;
  at_ = wish_.from;
  if (wish_.lines) {
    store::Disk& disk = context.engine.files().disk();
    const uint64_t size = disk.file_size(path);
    const uint64_t from = size > kTail ? size - kTail : 0;
    const std::string tail = disk.read_slice(path, from, kTail);
    size_t at = tail.size(), found = 0;
    if (at > 0 && tail[at - 1] == '\n') --at;
    while (at > 0 && (tail[at - 1] != '\n' || ++found < *wish_.lines)) --at;
    at_ = from + (*wish_.lines == 0 ? tail.size() : at);
  }
  if (wish_.places) context.out += encode(Json::object({{"event", Json::object({{"from", at_}})}}));
}

StreamEnd TaskOutput::pump(StreamContext& context) {
  const auto found = its_agent(context.engine, agent_);
  if (!found) return Result<Json>(tl::unexpected(found.error()));
  const AnyAgent& agent = *found;
  const std::string path =
      agent->task->order.dir + "/" + (wish_.result ? store::kResultName : store::kOutputName);
  if (context.now.mono >= next_) {
    context.engine.flush_agent(context.now, agent_);
    next_ = context.now.mono + kFollowEvery;
  }
  const bool final = model::final(agent->task->status);
  store::Disk& disk = context.engine.files().disk();
  if (wish_.result && !final && wish_.follow) return std::nullopt;
  if (wish_.result && !begun_ && !disk.exists(path))
    return Result<Json>(fail("'" + agent->task->order.name + "' has no message of an agent",
                             "pawl task output " + agent->task->order.name));
  if (!begun_) begin(context, path);
  const size_t limit = context.out.size() + context.room;
  for (;;) {
    if (context.out.size() >= limit) return std::nullopt;
    const std::string slice = disk.read_slice(path, at_, kSlice);
    if (slice.empty()) break;
    at_ += slice.size();
    context.out += encode(Kind::output, slice);
  }
  if (wish_.follow && !final) return std::nullopt;
  if (final) note_read(context.engine, agent);
  return Result<Json>(task_view(*agent));
}

}  // namespace pawl::api
