#include "api/model_names.h"

#include <algorithm>
#include <map>

#include "base/text.h"

namespace pawl::api {
namespace {

using Names = std::map<std::string, std::string>;

// "claude-opus-5-5", "openai/gpt-6", "gemini-3.1-pro", "sonnet[1m]"
bool looks_full(const std::string& name) {
  return std::any_of(name.begin(), name.end(), [](unsigned char c) {
    return c == '-' || c == '/' || c == '.' || c == ':' || (c >= '0' && c <= '9');
  });
}

std::string table_text(const Names& names) {
  std::vector<std::string> rows;
  for (const auto& [name, full] : names) rows.push_back(name + " (" + full + ")");
  return join(rows, ", ");
}

}  // namespace

Result<std::string> full_model_name(const model::Config& config, const perceive::Profile* profile,
                                    const std::string& name) {
  Names names = config.models;
  if (profile) names.insert(profile->models.names.begin(), profile->models.names.end());
  if (const auto full = names.find(name); full != names.end()) return full->second;
  if (name.empty() || looks_full(name) || !profile || profile->models.names.empty()) return name;
  const auto& its = profile->launch.model_names;
  if (std::find(its.begin(), its.end(), name) != its.end()) return name;
  const std::string rest = its.empty() ? "" : "; " + profile->name + " knows: " + join(its, ", ");
  return fail(
      "unknown short model name '" + name + "'",
      "use a full name, or one of this table ([models] of your configuration, then that of " +
          profile->models.date + "): " + table_text(names) + rest,
      2);
}

}  // namespace pawl::api
