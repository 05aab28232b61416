// What the client can list, read and hear of: tools, resources, prompts and subscriptions.

#include <fmt/core.h>

#include "base/text.h"
#include "mcp/server.h"

namespace pawl::mcp {
namespace {

constexpr int64_t kListMs = 3'600'000;  // these lists do not change while we run
constexpr const char* kPrompt = "morning-report";
constexpr const char* kDefaultSince = "12h";

Json the_prompt() {
  Json arguments = Json::array();
  arguments.push(
      Json::object({{"name", "since"},
                    {"description", "how far back: an age like 12h, or a time (default 12h)"},
                    {"required", false}}));
  return Json::object(
      {{"name", kPrompt},
       {"title", "Morning report"},
       {"description", "What the agents did overnight, what needs a person, what to do first"},
       {"arguments", std::move(arguments)}});
}

std::string prompt_text(const std::string& since) {
  return fmt::format(
      "Give me a morning report of my agents. Call the tools report (since \"{}\"), alerts (since "
      "\"{}\"), ls and task_ls. For every "
      "agent that is waiting, stuck, crashed or parked, call why. Then tell me, in this order and "
      "in short sentences: what needs my "
      "answer now and which command gives it; what failed and why; what was finished; what time "
      "was lost to. Change nothing: do not "
      "answer, restart or stop anything unless I ask you to.",
      since, since);
}

Json only(std::string_view key, Json list) {
  return Json::object({{std::string(key), std::move(list)}});
}

}  // namespace

bool Server::list(const Request& request) {
  const std::string& method = request.method;
  if (method != "tools/list" && method != "prompts/list" && method != "resources/templates/list" &&
      method != "resources/list")
    return false;
  if (!request.params["cursor"].is_null()) {  // everything is on the first page
    reply(request.id, tl::unexpected(Fault{kInvalidParams, "no such page: leave 'cursor' out"}));
    return true;
  }
  if (method == "resources/list") {
    list_resources(request);
    return true;
  }
  Json prompts = Json::array();
  prompts.push(the_prompt());
  Json result = method == "tools/list"     ? only("tools", tool_list())
                : method == "prompts/list" ? only("prompts", std::move(prompts))
                                           : only("resourceTemplates", template_list());
  reply(request.id, keepable(request.revision, std::move(result), kListMs));
  return true;
}

void Server::list_resources(const Request& request) {
  if (const auto full = calls_.full(false))
    return reply(request.id, tl::unexpected(Fault{kInternalError, text_of(*full)}));
  Call call{request.id, request.revision, Call::For::agents};
  const Json fields = Json::Array{"name", "machine"};
  calls_.add(ask("ls", Json::object({{"fields", fields}, {"machines", true}})), std::move(call));
}

Fault Server::no_resource(const Request& request, const std::string& uri) const {
  return {request.newest() ? kInvalidParams : kResourceNotFound,
          "no resource '" + uri + "': see resources/templates/list", Json::object({{"uri", uri}})};
}

void Server::read_resource(const Request& request) {
  const auto refuse = [&](Fault fault) { reply(request.id, tl::unexpected(std::move(fault))); };
  if (!request.params["uri"].is_string())
    return refuse({kInvalidParams, "'uri' is missing: a text like pawl://report"});
  const std::string uri = request.params["uri"].as_string();
  const auto resource = resource_from(uri);
  if (!resource) return refuse(no_resource(request, uri));
  if (const auto full = calls_.full(false)) return refuse({kInternalError, text_of(*full)});
  Call call{request.id, request.revision, Call::For::resource};
  call.resource = *resource;
  call.uri = uri;
  const Reading reading = reading_of(*resource);
  calls_.add(ask(reading.verb, reading.args), std::move(call));
}

Server::Answer Server::get_prompt(const Request& request) const {
  const std::string name = request.params["name"].as_string();
  if (name != kPrompt)
    return tl::unexpected(
        Fault{kInvalidParams, fmt::format("no prompt '{}': there is {}", name, kPrompt)});
  const Json& arguments = request.params["arguments"];
  if (!arguments.is_null() && !arguments.is_object())
    return tl::unexpected(Fault{kInvalidParams, "'arguments' has to be an object"});
  for (const auto& [key, value] : arguments.members())
    if (key != "since" || !value.is_string())
      return tl::unexpected(
          Fault{kInvalidParams, fmt::format("'{}': the one argument is since, a text", key)});
  Json messages = Json::array();
  messages.push(Json::object(
      {{"role", "user"},
       {"content", text_content(prompt_text(arguments["since"].as_string(kDefaultSince)))}}));
  return in_words_of(request.revision, Json::object({{"description", "The night, accounted for"},
                                                     {"messages", std::move(messages)}}));
}

Server::Answer Server::subscribe(const Request& request) {
  const std::string uri = request.params["uri"].as_string();
  if (!resource_from(uri)) return tl::unexpected(no_resource(request, uri));
  if (!subscriptions_.add({}, uri))
    return tl::unexpected(Fault{
        kInternalError,
        fmt::format("{} subscriptions are the most there can be: end one", kMaxSubscriptions)});
  return Json::object();
}

Server::Answer Server::unsubscribe(const Request& request) {
  if (!request.params["uri"].is_string())
    return tl::unexpected(Fault{kInvalidParams, "'uri' is missing"});
  subscriptions_.remove(request.params["uri"].as_string());
  return Json::object();
}

// Stays open until the client cancels it. What we cannot tell of is left out of what is acknowledged.
void Server::listen(const Request& request) {
  const Json& wanted = request.params["notifications"];
  const Json& uris = wanted["resourceSubscriptions"];
  const auto refuse = [&](Fault fault) { reply(request.id, tl::unexpected(std::move(fault))); };
  if (!wanted.is_object() || (!uris.is_null() && !uris.is_array()))
    return refuse({kInvalidParams,
                   "'notifications' has to be an object; in it "
                   "'resourceSubscriptions' a list of addresses"});
  if (!subscriptions_.open(request.id))
    return refuse({kInternalError, fmt::format("{} subscriptions are open: end one", kMaxListens)});
  Json taken = Json::array();
  for (const std::string& uri : uris.as_strings())
    if (subscriptions_.add(request.id, uri)) taken.push(uri);
  Json granted = Json::object();
  if (!taken.items().empty()) granted.set("resourceSubscriptions", std::move(taken));
  say(notification(
      "notifications/subscriptions/acknowledged",
      Json::object({{"_meta", Json::object({{std::string(kSubscriptionKey), request.id}})},
                    {"notifications", std::move(granted)}})));
}

// The streams that somebody needs are asked for; the others are dropped. No daemon is started for them: one that a person stopped
// stays stopped, and the next call starts it.
void Server::follow(MonoTime now) {
  for (Feed& feed : feeds_) {
    const bool needed =
        subscriptions_.any_of(feed.of) ||
        (feed.of == Resource::Of::agent && subscriptions_.any_of(Resource::Of::fleet));
    if (!needed && feed.ask != 0) todo_.drops.push_back(std::exchange(feed.ask, 0));
    if (!needed) feed.again.reset();
    if (!needed || feed.ask != 0 || (feed.again && *feed.again > now)) continue;
    const bool agents = feed.of == Resource::Of::agent;
    Json args = Json::object({{"follow", true}});
    if (agents) args.set("since", "0s").set("machines", true);
    feed.ask = ask(agents ? "events" : "task events", std::move(args));
    feed.again.reset();
    todo_.asks.back().starts_daemon = false;
  }
}

bool Server::fed(uint64_t ask, const Json& event) {
  for (Feed& feed : feeds_) {
    if (feed.ask != ask) continue;
    if (std::exchange(feed.interrupted, false)) subscriptions_.all_changed(feed.of);
    const std::string machine = event["machine"].as_string();
    const std::string before = machine.empty() ? "" : machine + "/";
    if (feed.of == Resource::Of::agent && event["agent"].is_string())
      subscriptions_.agent_changed(before + event["agent"].as_string());
    if (feed.of == Resource::Of::task && event["task"].is_string())
      subscriptions_.task_changed(before + event["task"].as_string());
    return true;
  }
  return false;
}

bool Server::feed_ended(uint64_t ask, MonoTime now) {
  for (Feed& feed : feeds_) {
    if (feed.ask != ask) continue;
    feed.ask = 0;
    feed.interrupted = true;
    feed.again = now + kListenAgain;
    return true;
  }
  return false;
}

}  // namespace pawl::mcp
