#pragma once
// A server of the Model Context Protocol, as a pure machine: messages of one client and answers of the daemon go in, messages and
// requests to the daemon come out. It knows no descriptor and no clock; time is an argument. `pawl mcp` (cli/mcp_stdio.h) drives it on
// standard input and output; anything else that carries messages can.
//
// Three revisions at once: `initialize` chooses one of the older ones for this client; a request that says 2026-07-28 in its `_meta`
// is answered by that, whatever was said before.
//
// What it never does: decide who may do what (the daemon does, by who asks), try anything again that acts, or keep anything of an agent.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/calls.h"
#include "mcp/message.h"
#include "mcp/subscriptions.h"

namespace pawl::mcp {

inline constexpr Duration kListenAgain = std::chrono::seconds{2};  // when the daemon has gone

// A request to the daemon, on a connection of its own.
struct Ask {
  uint64_t id = 0;
  std::string verb;
  Json args;
  bool environment = false;   // our own goes with it
  bool starts_daemon = true;  // when there is none
};

// What is to be done after any of the calls below.
struct Todo {
  std::vector<std::string> messages;  // one a line
  std::vector<Ask> asks;
  std::vector<uint64_t> drops;  // asks whose answer nobody wants any more: hang up
};

class Server {
 public:
  // Of the client.
  void take(std::string_view message, MonoTime now);
  void take_too_long();

  // Of the daemon: events and output before its reply; the reply, or why there is none.
  void heard(uint64_t ask, const Json& event);
  void heard(uint64_t ask, std::string_view output);
  void answered(uint64_t ask, const Result<Json>& reply, MonoTime now);

  void tick(MonoTime now);
  std::optional<MonoTime> wake_at() const;
  Todo todo();

 private:
  struct Request {
    Json id;
    std::string method;
    Json params;
    Revision revision;
    bool newest() const { return revision == Revision::july_2026; }
  };
  using Answer = tl::expected<Json, Fault>;

  void say(const Json& message) { todo_.messages.push_back(message.dump()); }
  void reply(const Json& id, const Answer& answer);
  void notified(const Message& message);
  // By what the request is to be understood.
  tl::expected<Revision, Fault> revision_of(const Message& message) const;
  void serve(const Request& request, MonoTime now);
  bool list(const Request& request);  // false: it is no list
  Answer initialize(const Json& params);
  Answer discover() const;

  void call_tool(const Request& request, MonoTime now);
  void read_resource(const Request& request);
  void list_resources(const Request& request);
  Answer get_prompt(const Request& request) const;
  Answer subscribe(const Request& request);
  Answer unsubscribe(const Request& request);
  void listen(const Request& request);
  Fault no_resource(const Request& request, const std::string& uri) const;

  uint64_t ask(std::string verb, Json args);
  void finish(Call& call, const Result<Json>& reply);
  bool agents_listed(Call& call, const Result<Json>& reply);

  // The daemon's streams of events, for subscriptions.
  struct Feed {
    Resource::Of of;
    uint64_t ask = 0;  // 0: not asked
    bool interrupted = false;
    std::optional<MonoTime> again = {};
  };
  void follow(MonoTime now);
  bool fed(uint64_t ask, const Json& event);
  bool feed_ended(uint64_t ask, MonoTime now);

  std::optional<Revision> agreed_;  // by initialize
  Calls calls_;
  Subscriptions subscriptions_;
  Feed feeds_[2] = {{Resource::Of::agent}, {Resource::Of::task}};
  uint64_t last_ask_ = 0;
  Todo todo_;
};

}  // namespace pawl::mcp
