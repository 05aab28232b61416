#include "cli/audit.h"

#include <fmt/core.h>

#include <deque>
#include <optional>

#include "api/audit.h"
#include "base/text.h"
#include "cli/style.h"
#include "model/asker.h"
#include "os/clock.h"
#include "os/file.h"

namespace pawl::cli {
namespace {

constexpr size_t kShownEntries = 50;
constexpr size_t kExportBytes = size_t{2} << 30;

struct AuditWish {
  std::optional<WallTime> since;
  std::string agent;
  bool refused = false;
};

Result<AuditWish> wish_of(const Json& args) {
  AuditWish wish{{}, args["agent"].as_string(), args["refused"].as_bool()};
  const std::string since = args["since"].as_string();
  if (since.empty()) return wish;
  WallTime time;
  if (parse_rfc3339(since, time)) {
    wish.since = time;
  } else if (const auto age = parse_duration_s(since)) {
    wish.since = os::read_clock().wall -
                 std::chrono::duration_cast<Duration>(std::chrono::duration<double>(*age));
  } else {
    return fail("--since: '" + since + "' is not a time",
                "say it as 2h, 3d or 2026-11-18T09:00:00Z", 2);
  }
  return wish;
}

bool wanted(const AuditWish& wish, const Json& entry) {
  WallTime at;
  if (wish.since && (!parse_rfc3339(entry["at"].as_string(), at) || at < *wish.since)) return false;
  if (!wish.agent.empty() && entry["agent"].as_string() != wish.agent) return false;
  return !wish.refused || entry["refused"].as_bool();
}

std::string line_of(const Json& entry) {
  const std::string agent = entry["agent"].as_string(),
                    args = entry["args"].is_object() ? entry["args"].dump() : std::string();
  std::string out = fmt::format("{:>6}  {}  {}{}{}", entry["n"].as_int(),
                                entry["at"].as_string().substr(0, 19), entry["verb"].as_string(),
                                agent.empty() ? "" : " " + agent, args.empty() ? "" : "  " + args);
  out += "  by " + model::text_of(model::asker_from(entry["by"]));
  if (entry["refused"].as_bool()) out += "  refused";
  return safe(out);
}

Result<api::AuditReport> follow(const Command& command, const api::AuditVisit& visit) {
  const std::string file = command.args()["file"].as_string();
  if (file.empty()) return api::audit_of(command.home, visit);
  const auto text = os::read_file(file, kExportBytes);
  if (!text) return tl::unexpected(text.error());
  return api::audit_in(*text, visit);
}

std::string summary(const api::AuditReport& report) {
  if (report.last == 0) return "nobody has asked for anything yet";
  return fmt::format("{} entries ({} to {}), each goes on from the one before; the last is {}",
                     report.last - report.first + 1, report.first, report.last, report.end);
}

// What is wrong is said whatever was asked for.
int verdict(const api::AuditReport& report) {
  if (!report.torn.empty()) fmt::print(stderr, "pawl: {}\n", report.torn);
  if (report.broken.empty()) return 0;
  return complain({"the audit is not whole: " + report.broken,
                   "compare it with an earlier export; the events themselves: pawl events", 1});
}

int verify(const Command& command) {
  const auto report = follow(command, {});
  if (!report) return complain(report.error());
  if (command.json())
    fmt::print("{}\n",
               Json::object({{"version", 1},
                             {"first", report->first},
                             {"last", report->last},
                             {"end", report->end},
                             {"whole", report->broken.empty()},
                             {"broken", report->broken.empty() ? Json() : Json(report->broken)},
                             {"torn", !report->torn.empty()}})
                   .dump());
  else if (report->broken.empty())
    fmt::print("{}\n", summary(*report));
  return verdict(*report);
}

int export_to(const Command& command, const std::string& path) {
  std::string all;
  const auto report = follow(command, [&](const std::string& entry) { all += entry + "\n"; });
  if (!report) return complain(report.error());
  if (path == "-") {
    fmt::print("{}", all);
    return verdict(*report);
  }
  if (os::exists(path))
    return complain({path + " is there already", "name a file that is not, or - to print it", 1});
  if (auto written = os::write_atomically(path, all); !written) return complain(written.error());
  fmt::print("{}: {}\n", safe(path), summary(*report));
  return verdict(*report);
}

}  // namespace

int audit(const Command& command) {
  const Json& args = command.args();
  if (args["verify"].as_bool()) return verify(command);
  if (const std::string path = args["export"].as_string(); !path.empty())
    return export_to(command, path);
  const auto wish = wish_of(args);
  if (!wish) return complain(wish.error());
  const bool all = wish->since.has_value() || command.json();
  std::deque<std::string> shown;
  size_t before = 0;
  const auto report = follow(command, [&](const std::string& entry) {
    const auto json = Json::parse(entry);
    if (!json || !wanted(*wish, *json)) return;
    shown.push_back(command.json() ? entry : line_of(*json));
    if (all || shown.size() <= kShownEntries) return;
    shown.pop_front();
    ++before;
  });
  if (!report) return complain(report.error());
  if (before > 0) fmt::print("… {} before these: pawl audit --since 30d\n", before);
  for (const auto& line : shown) fmt::print("{}\n", line);
  if (shown.empty() && !command.json()) fmt::print("nobody asked for anything of that kind\n");
  return verdict(*report);
}

}  // namespace pawl::cli
