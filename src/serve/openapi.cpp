#include "serve/openapi.h"

#include <algorithm>

#include "serve/route.h"

namespace pawl::serve {
namespace {

Json schema_of(const Field& field) {
  Json out = Json::object();
  if (field.form == Field::Form::flag) out.set("type", "boolean");
  if (field.form == Field::Form::text) out.set("type", "string");
  if (field.form == Field::Form::list)
    out.set("type", "array").set("items", Json::object({{"type", "string"}}));
  if (field.arg) out.set("description", field.arg->help);
  return out;
}

Json parameter(const std::string& name, const char* in, bool required, Json schema) {
  return Json::object(
      {{"name", name}, {"in", in}, {"required", required}, {"schema", std::move(schema)}});
}

Json text_schema() {
  return Json::object({{"type", "string"}});
}

Json body_of(const Route& route) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const auto& field : fields_of(route)) {
    properties.set(field.name, schema_of(field));
    if (field.arg && field.arg->required) required.push(field.name);
  }
  Json schema = Json::object(
      {{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties)}});
  if (!required.items().empty()) schema.set("required", std::move(required));
  return Json::object(
      {{"content",
        Json::object({{"application/json", Json::object({{"schema", std::move(schema)}})}})}});
}

Json answers_of(const Route& route) {
  const bool text = route.kind == Route::Kind::text;
  const bool stream = route.kind == Route::Kind::events;
  const char* type = text ? "text/plain" : stream ? "text/event-stream" : "application/json";
  const bool makes = route.verb == "run" || route.verb == "task start";
  const bool socket = route.kind == Route::Kind::terminal;
  Json schema = Json::object({{"type", text || stream ? "string" : "object"}});
  Json fine = Json::object({{"description", socket ? "a WebSocket (pawl.terminal)" : "done"}});
  if (!socket)
    fine.set("content", Json::object({{type, Json::object({{"schema", std::move(schema)}})}}));
  const Json error = Json::object({{"$ref", "#/components/responses/error"}});
  return Json::object({{socket  ? "101"
                        : makes ? "201"
                                : "200",
                        std::move(fine)},
                       {"default", error}});
}

Json operation(const Route& route) {
  Json parameters = Json::array();
  if (std::find(route.path.begin(), route.path.end(), "{name}") != route.path.end())
    parameters.push(parameter("name", "path", true, text_schema()));
  if (route.method == "GET")
    for (const auto& field : fields_of(route))
      parameters.push(
          parameter(field.name, "query", field.arg && field.arg->required, schema_of(field)));
  if (route.kind == Route::Kind::events) {
    for (const char* name : {"since", "agent", "views"})
      parameters.push(parameter(name, "query", false, text_schema()));
    parameters.push(parameter("Last-Event-ID", "header", false, text_schema()));
  }
  if (route.kind == Route::Kind::terminal)
    parameters.push(parameter("control", "query", false, text_schema()));
  Json out = Json::object({{"summary", route.summary}, {"parameters", std::move(parameters)}});
  if (!route.verb.empty()) out.set("x-pawl-verb", route.verb);
  out.set("x-pawl-role", route.access == api::Access::act ? "operator"
                         : route.operators                ? "operator, also without control"
                                                          : "reader");
  if (route.method == "POST") out.set("requestBody", body_of(route));
  return out.set("responses", answers_of(route));
}

Json error_answer() {
  const Json text = text_schema();
  const Json inner = Json::object(
      {{"type", "object"},
       {"properties",
        Json::object(
            {{"what", text}, {"fix", text}, {"exit_code", Json::object({{"type", "integer"}})}})}});
  const Json schema =
      Json::object({{"type", "object"}, {"properties", Json::object({{"error", inner}})}});
  return Json::object(
      {{"description", "what went wrong, and what to do"},
       {"content", Json::object({{"application/json", Json::object({{"schema", schema}})}})}});
}

}  // namespace

Json openapi(const std::string& version, bool control) {
  Json paths = Json::object();
  for (const auto& route : routes()) {
    if (!control && route.access == api::Access::act) continue;
    std::string path = "/api/v1";
    for (const auto& part : route.path) path += "/" + part;
    Json item = paths[path].is_object() ? paths[path] : Json::object();
    item.set(route.method == "GET" ? "get" : "post", operation(route));
    paths.set(path, std::move(item));
  }
  const Json schemes = Json::object(
      {{"token", Json::object({{"type", "http"}, {"scheme", "bearer"}})},
       {"cookie", Json::object({{"type", "apiKey"}, {"in", "cookie"}, {"name", "pawl-8822"}})}});
  Json security = Json::array();
  security.push(Json::object({{"token", Json::array()}}));
  security.push(Json::object({{"cookie", Json::array()}}));
  return Json::object(
      {{"openapi", "3.1.0"},
       {"info", Json::object({{"title", "Pawl"}, {"version", version}})},
       {"security", std::move(security)},
       {"paths", std::move(paths)},
       {"components", Json::object({{"securitySchemes", schemes},
                                    {"responses", Json::object({{"error", error_answer()}})}})}});
}

}  // namespace pawl::serve
