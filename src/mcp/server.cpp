#include "mcp/server.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "mcp/lines.h"

namespace pawl::mcp {
namespace {

constexpr int64_t kKeepMs = 3'600'000;  // what does not change while we run
constexpr std::string_view kSayRevision =
    "send 'initialize' first, or say the protocol version in '_meta' of each request";

tl::unexpected<Fault> bad_params(std::string message) {
  return tl::unexpected(Fault{kInvalidParams, std::move(message)});
}

Fault fault_of(const Error& error) {
  return {kInternalError, text_of(error)};
}

// Of a resource that was asked for: what its name stands for is gone, or it cannot be read now.
Fault unread(const Call& call, const Error& error) {
  Fault fault = fault_of(error);
  if (!error.what.starts_with("no agent named ") && !error.what.starts_with("no task named "))
    return fault;
  fault.code = call.revision == Revision::july_2026 ? kInvalidParams : kResourceNotFound;
  fault.data = Json::object({{"uri", call.uri}});
  return fault;
}

}  // namespace

void Server::take_too_long() {
  say(error_message({}, {kInvalidRequest, fmt::format("the message is longer than {} bytes: put "
                                                      "large texts into files and name them",
                                                      kMaxMessage)}));
}

void Server::reply(const Json& id, const Answer& answer) {
  say(answer ? result_message(id, *answer) : error_message(id, answer.error()));
}

void Server::take(std::string_view text, MonoTime now) {
  if (trim(text).empty()) return;
  const auto message = read_message(text);
  if (!message) return say(error_message(message.error().id, message.error().fault));
  if (message->kind == Message::Kind::response) return;  // nothing was asked
  if (message->kind == Message::Kind::notification) return notified(*message);
  if (calls_.asked_by(message->id) || subscriptions_.listens(message->id))
    return reply(message->id,
                 tl::unexpected(Fault{kInvalidRequest, "a request with this id is under way"}));
  const auto revision = revision_of(*message);
  if (!revision) return reply(message->id, tl::unexpected(revision.error()));
  serve({message->id, message->method, message->params, *revision}, now);
  follow(now);
}

tl::expected<Revision, Fault> Server::revision_of(const Message& message) const {
  if (message.method == "initialize" || message.method == "ping")
    return agreed_.value_or(Revision::november_2025);
  const Json& meta = message.params["_meta"];
  const Json& said = meta[kRevisionKey];
  if (said.is_null()) {
    if (agreed_) return *agreed_;
    return tl::unexpected(Fault{kInvalidParams, std::string(kSayRevision)});
  }
  const auto revision = revision_from(said.as_string());
  if (!revision)
    return tl::unexpected(
        Fault{kUnsupportedRevision, "this protocol version is not supported",
              Json::object({{"supported", all_revisions()}, {"requested", said.as_string()}})});
  if (*revision == Revision::july_2026 && !meta[kCapabilitiesKey].is_object())
    return tl::unexpected(
        Fault{kInvalidParams, fmt::format("'_meta' needs {}: an object", kCapabilitiesKey)});
  return *revision;
}

void Server::notified(const Message& message) {
  if (message.method != "notifications/cancelled") return;
  const Json& id = message.params["requestId"];
  if (id.is_null()) return;
  if (const auto ask = calls_.asked_by(id)) {
    (void)calls_.take(*ask);
    todo_.drops.push_back(*ask);
  }
  if (subscriptions_.close(id)) follow({});
}

void Server::serve(const Request& request, MonoTime now) {
  const std::string& method = request.method;
  if (list(request)) return;
  if (method == "initialize") return reply(request.id, initialize(request.params));
  if (method == "tools/call") return call_tool(request, now);
  if (method == "resources/read") return read_resource(request);
  if (method == "prompts/get") return reply(request.id, get_prompt(request));
  if (request.newest()) {
    if (method == "server/discover") return reply(request.id, discover());
    if (method == "subscriptions/listen") return listen(request);
  } else {
    if (method == "ping") return reply(request.id, Json::object());
    if (method == "resources/subscribe") return reply(request.id, subscribe(request));
    if (method == "resources/unsubscribe") return reply(request.id, unsubscribe(request));
  }
  reply(request.id,
        tl::unexpected(Fault{kMethodNotFound,
                             fmt::format("no method '{}' in {}", method, word(request.revision))}));
}

Server::Answer Server::initialize(const Json& params) {
  if (!params["protocolVersion"].is_string())
    return bad_params("'protocolVersion' is missing: a text like 2025-11-25");
  auto revision = revision_from(params["protocolVersion"].as_string());
  if (!revision || *revision == Revision::july_2026) revision = Revision::november_2025;
  agreed_ = revision;
  return Json::object({{"protocolVersion", word(*revision)},
                       {"capabilities", capabilities()},
                       {"serverInfo", server_info()},
                       {"instructions", instructions()}});
}

Server::Answer Server::discover() const {
  return keepable(Revision::july_2026,
                  Json::object({{"supportedVersions", all_revisions()},
                                {"capabilities", capabilities()},
                                {"instructions", instructions()}}),
                  kKeepMs);
}

uint64_t Server::ask(std::string verb, Json args) {
  todo_.asks.push_back({++last_ask_, std::move(verb), std::move(args)});
  return last_ask_;
}

void Server::call_tool(const Request& request, MonoTime now) {
  const auto wrong = [&](std::string text) { reply(request.id, bad_params(std::move(text))); };
  const Json& params = request.params;
  if (!params["name"].is_string()) return wrong("'name' is missing: the tool to call");
  const Tool* tool = find_tool(params["name"].as_string());
  if (!tool) return wrong("no tool '" + params["name"].as_string() + "': see tools/list");
  if (!params["arguments"].is_null() && !params["arguments"].is_object())
    return wrong("'arguments' has to be an object");
  const auto said = [&](const Error& error) {
    reply(request.id, in_words_of(request.revision, tool_error(error)));
  };
  const auto args = request_args(*tool, params["arguments"]);
  // Since november_2025 the model is told of its mistakes; before that the client is.
  if (!args && request.revision == Revision::june_2025) return wrong(text_of(args.error()));
  if (!args) return said(args.error());
  if (const auto full = calls_.full(tool->has(kWaits))) return said(*full);
  Call call{request.id, request.revision};
  call.tool = tool;
  call.begun = now;
  if (const Json& token = params["_meta"]["progressToken"];
      call.waits() && (token.is_string() || token.is_number())) {
    call.progress = token;
    call.tell_at = now;
    call.about = join((*args)["names"].as_strings(), ", ");
    call.total_s = parse_duration_s((*args)["timeout"].as_string()).value_or(0);
  }
  const uint64_t id = ask(std::string(tool->verb), *args);
  todo_.asks.back().environment = tool->has(kEnvironment);
  calls_.add(id, std::move(call));
}

void Server::heard(uint64_t ask, const Json& event) {
  if (fed(ask, event)) return;
  if (Call* call = calls_.find(ask)) call->before.add(event);
}

void Server::heard(uint64_t ask, std::string_view output) {
  if (Call* call = calls_.find(ask)) call->before.add(output);
}

void Server::answered(uint64_t ask, const Result<Json>& reply, MonoTime now) {
  if (feed_ended(ask, now)) return follow(now);
  if (auto call = calls_.take(ask)) finish(*call, reply);
}

void Server::finish(Call& call, const Result<Json>& answer) {
  switch (call.what) {
    case Call::For::tool:
      return reply(call.id,
                   in_words_of(call.revision, tool_result(call.tool->verb, answer, call.before)));
    case Call::For::resource: {
      if (!answer) return reply(call.id, tl::unexpected(unread(call, answer.error())));
      Json list = Json::array();
      list.push(contents_of(call.resource, call.uri, *answer, call.before.output));
      return reply(call.id,
                   keepable(call.revision, Json::object({{"contents", std::move(list)}}), 0));
    }
    case Call::For::agents:
    case Call::For::tasks:
      if (!answer) return reply(call.id, tl::unexpected(fault_of(answer.error())));
      if (call.what == Call::For::agents) {
        call.what = Call::For::tasks;
        call.agents = *answer;
        const Json brief = Json::object({{"limit", std::to_string(kMaxListed)}});
        const uint64_t next = ask("task ls", brief);
        return calls_.add(next, std::move(call));
      }
      return reply(call.id,
                   keepable(call.revision,
                            Json::object({{"resources", resource_list(call.agents, *answer)}}), 0));
  }
}

void Server::tick(MonoTime now) {
  for (const Json& message : calls_.progress(now)) say(message);
  follow(now);
  for (const Json& message : subscriptions_.due(now)) say(message);
}

std::optional<MonoTime> Server::wake_at() const {
  auto at = earlier(calls_.wake_at(), subscriptions_.wake_at());
  for (const Feed& feed : feeds_)
    if (feed.ask == 0) at = earlier(at, feed.again);
  return at;
}

Todo Server::todo() {
  return std::exchange(todo_, {});
}

}  // namespace pawl::mcp
