#include "api/work_handlers.h"

#include <algorithm>

#include "api/handlers.h"
#include "api/look_handlers.h"
#include "api/roles.h"
#include "base/text.h"
#include "store/agent_files.h"
#include "store/archive.h"
#include "store/inbox.h"

namespace pawl::api {
namespace {

constexpr size_t kWorkBytes = 1u << 20;

const char* word_of(int priority) {
  if (priority == 0) return "normal";
  return priority > 0 ? "high" : "low";
}

Result<int> priority_of(const Json& args) {
  const std::string word = args["priority"].as_string("normal");
  if (word == "normal") return 0;
  if (word == "high" || word == "low") return word == "high" ? 1 : -1;
  return fail("--priority " + word, "give high, normal or low", 2);
}

store::Inbox inbox_of(const Call& call, const std::string& agent) {
  return store::Inbox(call.engine.files().disk(), call.engine.files().inbox(agent));
}

Json item_json(const store::InboxItem& item, const char* state) {
  return Json::object({{"id", item.name},
                       {"state", state},
                       {"from", item.from.empty() ? Json() : Json(item.from)},
                       {"priority", word_of(item.priority)},
                       {"size", item.size},
                       {"at", rfc3339(item.modified)}});
}

// Whose it is; empty: nobody's.
std::string holder_of(const Call& call, const std::string& id) {
  for (const auto& [name, agent] : call.engine.fleet().agents) {
    const store::Inbox inbox = inbox_of(call, name);
    const auto claimed = inbox.claimed();
    if (inbox.find(id) || std::find(claimed.begin(), claimed.end(), id) != claimed.end())
      return name;
  }
  return {};
}

}  // namespace

static Done check_text(const std::string& text) {
  if (trim(text).empty()) return fail("there is no work in it", "give a text, -f FILE or -", 2);
  if (text.size() > kWorkBytes)
    return fail("the text is larger than 1 MiB", "put it into files and name them", 2);
  return {};
}

std::optional<Outcome> leave_item(const Call& call, const std::string& machine, const Json& args) {
  const Place* place = place_named(call.server.places, machine);
  if (!place || !call.server.fleet) return std::nullopt;
  const Standing standing = place->standing();
  if (standing.online || standing.first_try) return std::nullopt;
  const std::string text = args["text"].as_string(), name = args["name"].as_string();
  const auto priority = priority_of(args);
  if (!priority) return Result<Json>(tl::unexpected(priority.error()));
  if (auto fine = check_text(text); !fine) return Result<Json>(tl::unexpected(fine.error()));
  if (!valid_name(name)) return Result<Json>(fail("bad name '" + name + "'", "pawl ls", 2));
  const auto given = call.server.fleet(
      "inbox add",
      Json::object({{"unit", machine},
                    {"agent", name},
                    {"item", Json::object({{"text", text},
                                           {"from", args["from"].as_string(from_of(call.asker))},
                                           {"priority", word_of(*priority)}})}}));
  if (!given) return std::nullopt;  // a machine by ssh: what it does not reach is said
  return FleetAnswer(call.server, (*given)["ticket"].as_int(),
                     "whether the item waits for " + machine + "/" + name, call.now.mono);
}

Outcome inbox_add(const Call& call) {
  const auto agent = agent_of(call);
  if (!agent) return Result<Json>(tl::unexpected(agent.error()));
  const std::string text = call.args["text"].as_string();
  const auto priority = priority_of(call.args);
  if (!priority) return Result<Json>(tl::unexpected(priority.error()));
  if (auto fine = check_text(text); !fine) return Result<Json>(tl::unexpected(fine.error()));
  const std::string& name = (*agent)->spec.name;
  const auto added =
      inbox_of(call, name).add(text, call.args["from"].as_string(), *priority, call.now.wall);
  if (!added) return Result<Json>(tl::unexpected(added.error()));
  call.engine.look_for_wakeup(name);
  return Result<Json>(Json::object({{"version", 1}, {"name", name}, {"id", *added}}));
}

Outcome inbox_ls(const Call& call) {
  const auto agent = agent_of(call);
  if (!agent) return Result<Json>(tl::unexpected(agent.error()));
  Json items = Json::array();
  if (const auto& given = (*agent)->memory.desk.given)
    items.push(item_json({given->work.name, given->at, 0, given->work.from, given->work.priority},
                         "given"));
  auto waiting = inbox_of(call, (*agent)->spec.name).waiting();
  std::stable_sort(waiting.begin(), waiting.end(),
                   [](const auto& a, const auto& b) { return a.priority > b.priority; });
  for (const auto& item : waiting) items.push(item_json(item, "waiting"));
  return Result<Json>(
      Json::object({{"version", 1}, {"name", (*agent)->spec.name}, {"items", items}}));
}

Outcome inbox_done(const Call& call) {
  const std::string id = call.args["id"].as_string();
  const std::string name = store::Inbox::is_item(id) ? holder_of(call, id) : std::string();
  if (const auto fine = allowed_on(call.engine.fleet(), call.asker, "inbox done", name);
      !name.empty() && !fine)
    return Result<Json>(tl::unexpected(fine.error()));
  if (name.empty() || !inbox_of(call, name).finish(id))
    return Result<Json>(
        fail("no inbox has '" + id + "'", "pawl inbox ls NAME shows what an agent's has"));
  call.engine.look_for_wakeup(name);
  return Result<Json>(Json::object({{"version", 1}, {"name", name}, {"id", id}}));
}

Outcome archive_ls(const Call& call) {
  const std::string name = call.args["name"].as_string();
  if (!valid_name(name)) return Result<Json>(fail("bad name '" + name + "'", "pawl ls", 2));
  Json items = Json::array();
  for (const auto& one :
       store::Archive(call.engine.files().disk(), call.engine.files().archive(name)).list())
    items.push(Json::object(
        {{"id", one.id}, {"origin", one.origin}, {"path", one.path}, {"size", one.bytes}}));
  return Result<Json>(Json::object({{"version", 1}, {"name", name}, {"archived", items}}));
}

// Also of an agent that was removed.
Outcome archive_restore(const Call& call) {
  const std::string name = call.args["name"].as_string();
  if (!valid_name(name)) return Result<Json>(fail("bad name '" + name + "'", "pawl ls", 2));
  const store::Archive archive(call.engine.files().disk(), call.engine.files().archive(name));
  const auto back = archive.restore(call.args["id"].as_string());
  if (!back) return Result<Json>(tl::unexpected(back.error()));
  return Result<Json>(Json::object({{"version", 1}, {"name", name}, {"path", *back}}));
}

}  // namespace pawl::api
