#include "mcp/protocol.h"

#include "base/version.h"

namespace pawl::mcp {

std::string_view word(Revision revision) {
  switch (revision) {
    case Revision::june_2025:
      return "2025-06-18";
    case Revision::november_2025:
      return "2025-11-25";
    case Revision::july_2026:
      return "2026-07-28";
  }
  return "";
}

std::optional<Revision> revision_from(const std::string& text) {
  for (const Revision revision :
       {Revision::june_2025, Revision::november_2025, Revision::july_2026})
    if (text == word(revision)) return revision;
  return std::nullopt;
}

Json all_revisions() {
  Json list = Json::array();
  for (const Revision revision :
       {Revision::july_2026, Revision::november_2025, Revision::june_2025})
    list.push(word(revision));
  return list;
}

Json error_message(const Json& id, const Fault& fault) {
  Json error = Json::object({{"code", fault.code}, {"message", fault.message}});
  if (!fault.data.is_null()) error.set("data", fault.data);
  Json out = Json::object({{"jsonrpc", "2.0"}});
  if (!id.is_null()) out.set("id", id);
  return out.set("error", std::move(error));
}

Json result_message(const Json& id, Json result) {
  return Json::object({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

Json notification(std::string_view method, Json params) {
  return Json::object({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

Json in_words_of(Revision revision, Json result) {
  if (revision != Revision::july_2026) return result;
  Json meta = result["_meta"];
  meta.set("io.modelcontextprotocol/serverInfo", server_info());
  return result.set("resultType", "complete").set("_meta", std::move(meta));
}

Json keepable(Revision revision, Json result, int64_t ttl_ms) {
  if (revision != Revision::july_2026) return result;
  return in_words_of(revision, result.set("ttlMs", ttl_ms).set("cacheScope", "private"));
}

Json server_info() {
  return Json::object({{"name", "pawl"}, {"title", "Pawl"}, {"version", kVersion}});
}

Json capabilities() {
  return Json::object({{"tools", Json::object()},
                       {"resources", Json::object({{"subscribe", true}})},
                       {"prompts", Json::object()}});
}

std::string_view instructions() {
  return "Pawl keeps AI coding agents running. An agent is a program in a terminal of its own; a "
         "task is a prompt for an agent "
         "of its own that ends in a result. To delegate work: task_start with a name, a dir and "
         "the whole prompt, then "
         "task_wait, then task_output with result. A wait that says still_running is no failure: "
         "call it again. "
         "'ls' lists the agents, 'why' explains a state, 'screen' shows a terminal. When a call is "
         "not allowed, do not "
         "look for a way around it: tell the person what the message says.";
}

Json text_content(std::string text) {
  return Json::object({{"type", "text"}, {"text", std::move(text)}});
}

}  // namespace pawl::mcp
