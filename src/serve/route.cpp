#include "serve/route.h"

#include <algorithm>
#include <set>

#include "api/handlers.h"
#include "base/text.h"

namespace pawl::serve {
namespace {

using api::Access;
using Kind = Route::Kind;

// What makes sense on a command line only: where the output goes, or which file there holds a text. And what an agent printed
// as it is: nobody in a browser, or with curl on a terminal, should get that.
const std::set<std::string> kNotOverTheNetwork{"json", "file", "worktree", "detach",      "watch",
                                               "yes",  "all",  "follow",   "prompt-file", "raw"};
// For programs, the command line and its terminal.
const std::set<std::string> kNeverVerbs{"hook", "shutdown", "abandon", "attach", "serve"};

Route look(std::string path, std::string verb, Kind kind = Kind::verb) {
  Route out;
  out.kind = kind;
  out.method = "GET";
  out.path = split(path, '/');
  out.verb = std::move(verb);
  if (const auto* row = api::find_verb(out.verb)) out.summary = row->summary;
  return out;
}

Route act(std::string path, const api::Verb& row, std::vector<std::string> more = {}) {
  Route out;
  out.method = "POST";
  out.path = split(path, '/');
  out.verb = row.name;
  out.access = Access::act;
  out.summary = row.summary;
  out.more = std::move(more);
  return out;
}

Route own(Kind kind, std::string method, std::string path, std::string summary) {
  Route out;
  out.kind = kind;
  out.method = std::move(method);
  out.path = split(path, '/');
  out.summary = std::move(summary);
  out.operators = kind == Kind::sessions || kind == Kind::revoke || kind == Kind::rename;
  return out;
}

bool takes_one(const api::Verb& row) {
  return !row.args.empty() && row.args[0].form == api::Arg::Form::positional &&
         (row.args[0].name == "name" || row.args[0].name == "names");
}

std::vector<Route> looking() {
  std::vector<Route> out{
      own(Kind::me, "GET", "me", "who this credential is, and how the daemon is"),
      own(Kind::logout, "POST", "logout", "take the cookie back"),
      own(Kind::sessions, "GET", "sessions", "the browsers that are signed in"),
      own(Kind::revoke, "POST", "sessions/{name}/revoke", "sign one out; \"all\": all others"),
      own(Kind::rename, "POST", "sessions/{name}/name", "what it is called"),
      own(Kind::events, "GET", "events", "what happens, as server-sent events"),
      own(Kind::terminal, "GET", "agents/{name}/terminal", "an agent's terminal (WebSocket)"),
  };
  for (const auto& route :
       {look("agents", "ls"), look("agents/{name}", "show"), look("agents/{name}/screen", "screen"),
        look("agents/{name}/why", "why"), look("agents/{name}/log", "logs", Kind::text),
        look("agents/{name}/timeline", "timeline"), look("agents/{name}/inbox", "inbox ls"),
        look("agents/{name}/archive", "archive ls"), look("timeline", "timeline"),
        look("alerts", "alerts"), look("report", "report"), look("tasks", "task ls"),
        look("tasks/{name}", "task status"),
        look("tasks/{name}/output", "task output", Kind::text)})
    if (api::find_verb(route.verb)) out.push_back(route);
  return out;
}

// "agents/{name}/pause" for every verb that does something to one agent; "task …" and "inbox …" have places of their own.
std::optional<Route> acting(const api::Verb& row) {
  if (row.use.access != Access::act || kNeverVerbs.contains(row.name)) return std::nullopt;
  if (row.name == "run") return act("agents", row, {"prompt"});
  if (row.name == "task start") return act("tasks", row, {"prompt"});
  if (!takes_one(row)) return std::nullopt;
  if (row.name == "inbox add") return act("agents/{name}/inbox", row);
  if (row.name == "archive restore") return act("agents/{name}/restore", row);
  if (row.name.starts_with("task ")) return act("tasks/{name}/" + row.name.substr(5), row);
  if (row.name.find(' ') != std::string::npos) return std::nullopt;
  const bool talks = row.name == "send" || row.name == "wake";
  return act("agents/{name}/" + row.name, row,
             talks ? std::vector<std::string>{"outcome"} : std::vector<std::string>{});
}

bool fits(const Route& route, const std::vector<std::string>& parts, std::string& name) {
  if (route.path.size() != parts.size()) return false;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (route.path[i] == "{name}")
      name = parts[i];
    else if (route.path[i] != parts[i])
      return false;
  }
  return true;
}

// One value in the form its verb expects.
Result<Json> shaped(const Field& field, const Json& value) {
  using Form = Field::Form;
  if (field.form == Form::flag) {
    if (value.is_bool()) return value;
    const std::string text = value.as_string("?");
    if (text == "1" || text == "true" || text.empty()) return Json(true);
    if (text == "0" || text == "false") return Json(false);
    return fail("'" + field.name + "' is true or false", "give one of them", 2);
  }
  if (field.form == Form::list) {
    if (value.is_string()) return Json(std::vector<std::string>{value.as_string()});
    if (!value.is_array() || value.as_strings().size() != value.items().size())
      return fail("'" + field.name + "' is a list of texts", "give [\"…\", …]", 2);
    return value;
  }
  if (value.is_number()) return Json(value.dump());
  if (!value.is_string()) return fail("'" + field.name + "' is a text", "give \"…\"", 2);
  return value;
}

Done put(const Route& route, const std::vector<Field>& fields, const std::string& key,
         const Json& value, Json& out) {
  const auto field =
      std::find_if(fields.begin(), fields.end(), [&](const Field& it) { return it.name == key; });
  if (field == fields.end()) {
    std::vector<std::string> names;
    for (const auto& it : fields) names.push_back(it.name);
    const auto guess = nearest(key, names);
    return fail("'" + route.verb + "' has no '" + key + "'",
                guess           ? "did you mean '" + *guess + "'?"
                : names.empty() ? "it takes nothing"
                                : "it takes: " + join(names, ", "),
                2);
  }
  if (value.is_null()) return {};
  auto fine = shaped(*field, value);
  if (!fine) return tl::unexpected(fine.error());
  out.set(key, std::move(*fine));
  return {};
}

}  // namespace

const std::vector<Route>& routes() {
  static const std::vector<Route> table = [] {
    std::vector<Route> rows = looking();
    for (const auto& row : api::verbs())
      if (auto route = acting(row)) rows.push_back(std::move(*route));
    return rows;
  }();
  return table;
}

namespace {

// "machines/gpu/agents/docs/…": an agent or a task of another machine.
Found find_elsewhere(const std::string& method, const std::vector<std::string>& parts) {
  Found found = find_route(method, {parts.begin() + 2, parts.end()});
  if (!found.route) return found;
  if (found.name.empty() || found.route->path[0] == "sessions") return {};
  found.name = parts[1] + "/" + found.name;
  return found;
}

}  // namespace

Found find_route(const std::string& method, const std::vector<std::string>& parts) {
  if (parts.size() > 3 && parts[0] == "machines" && parts[2] != "machines")
    return find_elsewhere(method, parts);
  Found found;
  for (const auto& route : routes()) {
    std::string name;
    if (!fits(route, parts, name)) continue;
    if (route.method != method) {
      found.other_method = true;
      continue;
    }
    return {&route, name, false};
  }
  return found;
}

std::vector<Field> fields_of(const Route& route) {
  std::vector<Field> out;
  static const std::vector<api::Arg> kNone;
  const api::Verb* row = api::find_verb(route.verb);
  const bool named = std::find(route.path.begin(), route.path.end(), "{name}") != route.path.end();
  for (const auto& arg : row ? row->args : kNone) {
    if (kNotOverTheNetwork.contains(arg.name)) continue;
    if (named && (arg.name == "name" || arg.name == "names")) continue;
    Field field{&arg, arg.name, Field::Form::text};
    if (arg.form == api::Arg::Form::flag) field.form = Field::Form::flag;
    if (arg.many || arg.form == api::Arg::Form::rest) field.form = Field::Form::list;
    out.push_back(std::move(field));
  }
  for (const auto& name : route.more)
    out.push_back({nullptr, name, name == "outcome" ? Field::Form::flag : Field::Form::text});
  return out;
}

Result<Json> arguments_of(const Route& route, const std::string& name,
                          const std::map<std::string, std::string>& query, const Json& body) {
  const auto fields = fields_of(route);
  Json out = Json::object();
  for (const auto& [key, value] : query)
    if (auto fine = put(route, fields, key, Json(value), out); !fine)
      return tl::unexpected(fine.error());
  for (const auto& [key, value] : body.members())
    if (auto fine = put(route, fields, key, value, out); !fine) return tl::unexpected(fine.error());
  const api::Verb* row = api::find_verb(route.verb);
  if (row && takes_one(*row) && !name.empty()) {
    if (row->args[0].name == "name")
      out.set("name", name);
    else
      out.set("names", std::vector<std::string>{name});
  }
  for (const auto& field : fields)
    if (field.arg && field.arg->required && !out.has(field.name))
      return fail("'" + route.verb + "' needs '" + field.name + "'", field.arg->help, 2);
  return out;
}

}  // namespace pawl::serve
