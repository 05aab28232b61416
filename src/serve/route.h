#pragma once
// Which verb a path means. The rows for looking are written down in route.cpp; those that act on one agent or task come from the
// verbs' own table, so that a new verb is reachable, described and guarded without a line here.

#include <optional>
#include <string>
#include <vector>

#include "api/verb.h"
#include "base/json.h"
#include "base/result.h"
#include "serve/message.h"

namespace pawl::serve {

struct Route {
  enum class Kind {
    verb,      // its answer is JSON
    text,      // its answer is text
    events,    // a stream of events
    terminal,  // a WebSocket
    me,        // who this credential is
    logout,
    sessions,  // browsers that are signed in
    revoke,    // … send one away, or all others
    rename,    // … what a person calls it
  };
  Kind kind = Kind::verb;
  std::string method;
  std::vector<std::string> path;  // below /api/v1; "{name}" stands for any one part
  std::string verb;               // its row in api/verb.h; empty: none
  api::Access access = api::Access::look;
  bool operators = false;  // readers may not, although it changes nothing of the fleet
  std::string summary;
  std::vector<std::string> more = {};  // arguments that only programs give
};

const std::vector<Route>& routes();

struct Found {
  const Route* route = nullptr;
  std::string name;           // what stood for {name}
  bool other_method = false;  // there is such a path, for another method
};
// `parts` without "api" and "v1". Below "machines/NAME" are that machine's agents and tasks: `name` is then "NAME/docs".
Found find_route(const std::string& method, const std::vector<std::string>& parts);

// What of a verb's arguments may come over the network, and in which form.
struct Field {
  const api::Arg* arg = nullptr;  // null: one of Route::more
  std::string name;
  enum class Form { text, flag, list } form = Form::text;
};
std::vector<Field> fields_of(const Route& route);

// The arguments of a verb, from a query (GET) or a JSON object (POST). A key the verb does not have is an error that names it.
Result<Json> arguments_of(const Route& route, const std::string& name,
                          const std::map<std::string, std::string>& query, const Json& body);

}  // namespace pawl::serve
