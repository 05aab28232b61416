#include "api/unit_streams.h"

#include <algorithm>

#include "api/conversation.h"
#include "api/fleet_tasks.h"
#include "api/frame.h"
#include "api/task_view.h"

namespace pawl::api {
namespace {

constexpr size_t kSlice = 64u << 10;

// As task_code has it for a task of this machine.
int unit_code(const Json& view) {
  const std::string status = view["status"].as_string();
  if (status == "completed") return 0;
  if (status == "limited") return 4;
  if (status == "abandoned") return view["reason"].as_string() == "waiting_for_input" ? 3 : 5;
  return status == "cancelled" ? 5 : 1;
}

struct One {
  Json view;
  bool over = false;
  int code = 0;
  bool limited = false;  // it waits for its account, as far as this machine sees
};

Result<One> look_at(Server& server, const StreamContext& context, const std::string& name) {
  const auto found = task_meant(context.engine, server, name);
  if (!found) return tl::unexpected(found.error());
  if (found->here) {
    const model::Agent& agent = *found->here;
    return One{task_view(agent), model::final(agent.task->status), task_code(agent),
               held_up(agent, context.now)};
  }
  if (found->unit.is_null())
    return fail("'" + name + "' is gone", "pawl task ls --all shows what there is");
  Json view = unit_view(found->unit);
  const bool over = view["final"].as_bool();
  const int code = over ? unit_code(view) : 0;
  return One{std::move(view), over, code};
}

}  // namespace

StreamEnd UnitWait::pump(const StreamContext& context) const {
  Json list = Json::array(), over = Json::array();
  int code = 0, code_over = 0;
  std::string open;
  for (const auto& name : names_) {
    auto one = look_at(*server_, context, name);
    if (!one) return Result<Json>(tl::unexpected(one.error()));
    code = std::max(code, one->code);
    list.push(one->view);
    if (!one->over && !one->limited && open.empty()) open = name;
    if (!one->over) continue;
    code_over = std::max(code_over, one->code);
    over.push(std::move(one->view));
  }
  const bool enough = any_ && !over.items().empty();
  if (enough || open.empty())
    return Result<Json>(Json::object({{"version", 1},
                                      {"tasks", enough ? std::move(over) : std::move(list)},
                                      {"code", enough ? code_over : code}}));
  if (deadline_ && context.now.mono >= *deadline_)
    return Result<Json>(
        fail("'" + open + "' is still under way", "wait longer with --timeout", 124));
  return std::nullopt;
}

StreamEnd UnitResult::pump(StreamContext& context) {
  size_t room = context.room;
  while (at_ < text_.size() && room > 0) {
    const size_t size = std::min({kSlice, room, text_.size() - at_});
    context.out += encode(Kind::output, text_.substr(at_, size));
    at_ += size;
    room -= size;
  }
  if (at_ < text_.size()) return std::nullopt;
  return Result<Json>(Json::object({{"version", 1}}));
}

}  // namespace pawl::api
