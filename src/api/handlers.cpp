#include "api/handlers.h"

#include <algorithm>
#include <map>

#include "api/act_handlers.h"
#include "api/history_handlers.h"
#include "api/look_handlers.h"
#include "api/pane_handlers.h"
#include "api/talk_handlers.h"
#include "api/task_handlers.h"
#include "api/verb.h"
#include "api/work_handlers.h"
#include "base/text.h"

namespace pawl::api {
namespace {

using Handler = Outcome (*)(const Call&);

const std::map<std::string, Handler>& table() {
  static const std::map<std::string, Handler> handlers{
      {"adopt", adopt},
      {"release", release},
      {"run", run},
      {"up", up},
      {"down", down},
      {"stop", stop},
      {"restart", restart},
      {"rm", rm},
      {"send", send},
      {"keys", keys},
      {"attach", attach},
      {"ls", ls},
      {"show", show},
      {"screen", screen},
      {"logs", logs},
      {"events", events},
      {"wait", wait},
      {"timeline", timeline},
      {"alerts", alerts},
      {"report", report},
      {"status", status},
      {"abandon", abandon_tasks},
      {"shutdown", shutdown},
      {"why", why},
      {"hook", hook},
      {"reload", reload},
      {"wake", wake},
      {"answer", answer},
      {"start", start},
      {"pause", pause},
      {"resume", resume},
      {"mode", mode},
      {"permission", permission},
      {"register", register_agent},
      {"serve", serve},
      {"task start", task_start},
      {"task ls", task_ls},
      {"task status", task_status},
      {"task wait", task_wait},
      {"task output", task_output},
      {"task cancel", task_cancel},
      {"task resume", task_resume},
      {"task clean", task_clean},
      {"inbox add", inbox_add},
      {"inbox ls", inbox_ls},
      {"inbox done", inbox_done},
      {"archive ls", archive_ls},
      {"archive restore", archive_restore},
  };
  return handlers;
}

}  // namespace

Outcome handle(const Call& call, const std::string& verb) {
  const auto it = table().find(verb);
  if (it != table().end()) return it->second(call);
  return Result<Json>(
      fail("the daemon does not know '" + verb + "'",
           "it may be older than this command: pawl daemon --stop --keep-tasks, then try again"));
}

std::vector<std::string> handled_verbs() {
  std::vector<std::string> names;
  for (const auto& [name, handler] : table()) names.push_back(name);
  return names;
}

Gathering for_one(const Call& call, const std::string& agent, RequestId& request) {
  Gathering gathering;
  gathering.bare = true;
  request = call.engine.next_request();
  gathering.waiting[request] = agent;
  return gathering;
}

Size size_from(int64_t cols, int64_t rows) {
  return {static_cast<uint16_t>(std::clamp<int64_t>(cols, 2, 1000)),
          static_cast<uint16_t>(std::clamp<int64_t>(rows, 1, 1000))};
}

}  // namespace pawl::api
