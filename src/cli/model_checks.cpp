#include "cli/model_checks.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "cli/style.h"
#include "perceive/records/headless.h"

namespace pawl::cli {
namespace {

using Grade = Check::Grade;

// RFC 3339 in UTC: the later one is the greater text.
std::string finished(const Json& task) {
  return task["finished_at"].as_string();
}

}  // namespace

void add_model_tables(const perceive::Catalog& catalog, Checks& checks) {
  std::vector<std::string> tables;
  for (const auto& name : catalog.names())
    if (const auto& table = catalog.find(name)->models; !table.names.empty())
      tables.push_back(fmt::format("{} of {}", name, table.date));
  if (tables.empty()) return;
  checks.push_back({"models", Grade::good, "short names: " + join(tables, ", "), ""});
}

void add_gone_models(const Json& failed, const Json& completed, Checks& checks) {
  std::map<std::string, std::string> worked;  // the last time
  for (const auto& task : completed["tasks"].items()) {
    auto& last = worked[task["model"].as_string()];
    last = std::max(last, finished(task));
  }
  std::map<std::string, const Json*> gone;
  for (const auto& task : failed["tasks"].items()) {
    const std::string model = task["model"].as_string();
    if (model.empty() || perceive::trouble_in(task["reason"].as_string()) != "model") continue;
    if (const auto last = worked.find(model); last != worked.end() && last->second > finished(task))
      continue;
    auto& known = gone[model];
    if (!known || finished(*known) < finished(task)) known = &task;
  }
  for (const auto& [model, task] : gone)
    checks.push_back(
        {"models", Grade::warning,
         fmt::format("{} does not know {}: so task {} was told on {}",
                     safe((*task)["runtime"].as_string()), safe(model),
                     safe((*task)["task_name"].as_string()), finished(*task).substr(0, 10)),
         "name another one with --model, or in [models] of your pawl.toml"});
}

}  // namespace pawl::cli
