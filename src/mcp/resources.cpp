#include "mcp/resources.h"

#include <array>

#include "mcp/results.h"
#include "mcp/tools.h"

namespace pawl::mcp {
namespace {

constexpr std::string_view kScheme = "pawl://";
constexpr size_t kMaxUri = 256;

struct Part {
  Resource::Of of;
  std::string_view name;
  std::string_view what;
  std::string_view type;
};
constexpr std::array kParts{
    Part{Resource::Of::agent, "screen", "the screen of agent ", "text/plain"},
    Part{Resource::Of::agent, "why", "the state, with its evidence, of agent ", "application/json"},
    Part{Resource::Of::agent, "log", "the last lines printed by agent ", "text/plain"},
    Part{Resource::Of::task, "result", "the last message of task ", "text/plain"},
    Part{Resource::Of::task, "output", "the last lines printed by task ", "text/plain"},
    Part{Resource::Of::fleet, "report", "the last 12 hours", "application/json"}};

std::string_view family(Resource::Of of) {
  switch (of) {
    case Resource::Of::agent:
      return "agent";
    case Resource::Of::task:
      return "task";
    case Resource::Of::fleet:
      return "";
  }
  return "";
}

const Part* find_part(Resource::Of of, std::string_view name) {
  for (const Part& part : kParts)
    if (part.of == of && part.name == name) return &part;
  return nullptr;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// "gpu%2Fdocs" is gpu/docs: a template is filled like that.
std::optional<std::string> unescaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

std::string uri_of(const Part& part, std::string_view name) {
  std::string out(kScheme);
  if (part.of == Resource::Of::fleet) return out + std::string(part.name);
  out += std::string(family(part.of)) + "/";
  for (const char c : name) out += c == '/' ? std::string("%2F") : std::string(1, c);
  return out + "/" + std::string(part.name);
}

Json row_of(const Part& part, const std::string& name) {
  const std::string label =
      name.empty() ? std::string(part.name) : name + " " + std::string(part.name);
  return Json::object({{"uri", uri_of(part, name)},
                       {"name", label},
                       {"description", std::string(part.what) + name},
                       {"mimeType", part.type}});
}

void add_rows(Resource::Of of, const std::string& name, Json& list) {
  for (const Part& part : kParts)
    if (part.of == of) list.push(row_of(part, name));
}

std::string name_of(const Json& row, std::string_view key) {
  const std::string machine = row["machine"].as_string();
  return machine.empty() ? row[key].as_string() : machine + "/" + row[key].as_string();
}

}  // namespace

std::optional<Resource> resource_from(std::string_view uri) {
  if (uri == kReportUri) return Resource{Resource::Of::fleet, "", "report"};
  if (!uri.starts_with(kScheme) || uri.size() > kMaxUri) return std::nullopt;
  uri.remove_prefix(kScheme.size());
  const size_t first = uri.find('/'), last = uri.rfind('/');
  if (first == std::string_view::npos || last <= first + 1) return std::nullopt;
  const auto name = unescaped(uri.substr(first + 1, last - first - 1));
  if (!name || name->empty()) return std::nullopt;
  for (const auto of : {Resource::Of::agent, Resource::Of::task})
    if (const Part* part = find_part(of, uri.substr(last + 1));
        part && uri.substr(0, first) == family(of))
      return Resource{of, *name, part->name};
  return std::nullopt;
}

Reading reading_of(const Resource& resource) {
  const Json lines = std::string(kDefaultLines);
  if (resource.of == Resource::Of::fleet) return {"report", Json::object({{"machines", true}})};
  Json args = Json::object({{"name", resource.name}});
  if (resource.part == "result") return {"task output", args.set("result", true)};
  if (resource.part == "output") return {"task output", args.set("lines", lines)};
  if (resource.part == "log") return {"logs", args.set("lines", lines)};
  return {std::string(resource.part), args};
}

Json contents_of(const Resource& resource, const std::string& uri, const Json& reply,
                 const std::string& output) {
  const Part* part = find_part(resource.of, resource.part);
  std::string text = output;
  if (resource.part == "screen") text = reply["screen"].as_string();
  if (part->type == "application/json") text = bounded(reply).dump();
  return Json::object({{"uri", uri}, {"mimeType", part->type}, {"text", cut_to_end(text)}});
}

Json resource_list(const Json& agents, const Json& tasks) {
  Json list = Json::array();
  add_rows(Resource::Of::fleet, "", list);
  size_t count = 0;
  for (const Json& agent : agents["agents"].items())
    if (count++ < kMaxListed) add_rows(Resource::Of::agent, name_of(agent, "name"), list);
  count = 0;
  for (const Json& task : tasks["tasks"].items())
    if (count++ < kMaxListed) add_rows(Resource::Of::task, name_of(task, "task_name"), list);
  return list;
}

Json template_list() {
  Json list = Json::array();
  for (const Part& part : kParts) {
    if (part.of == Resource::Of::fleet) continue;
    const std::string of(family(part.of)), name(part.name);
    list.push(Json::object({{"uriTemplate", std::string(kScheme) + of + "/{name}/" + name},
                            {"name", of + " " + name},
                            {"description", std::string(part.what) + "{name}"},
                            {"mimeType", part.type}}));
  }
  return list;
}

}  // namespace pawl::mcp
