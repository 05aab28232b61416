#pragma once
// What can be read by an address: pawl://agent/NAME/{screen,why,log}, pawl://task/NAME/{result,output}, pawl://report. Pure: which
// request an address is, and what its answer looks like. For server.cpp and subscriptions.h.

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"

namespace pawl::mcp {

inline constexpr size_t kMaxListed =
    60;  // agents and tasks in resources/list; the templates reach all
inline constexpr std::string_view kReportUri = "pawl://report";

struct Resource {
  enum class Of { agent, task, fleet } of = Of::fleet;
  std::string name = {};       // also MACHINE/NAME
  std::string_view part = {};  // screen, why, log, result, output, report
  bool operator==(const Resource&) const = default;
};

std::optional<Resource> resource_from(std::string_view uri);

// The verb that reads it, and its arguments.
struct Reading {
  std::string verb;
  Json args;
};
Reading reading_of(const Resource& resource);

// The contents of one, from the verb's answer and what it printed.
Json contents_of(const Resource& resource, const std::string& uri, const Json& reply,
                 const std::string& output);

// Of the answers to `ls` and `task ls`.
Json resource_list(const Json& agents, const Json& tasks);
Json template_list();

}  // namespace pawl::mcp
