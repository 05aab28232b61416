#include "daemon/bus_inbox.h"

#include <fmt/core.h>

#include "base/sha256.h"
#include "base/text.h"
#include "os/file.h"
#include "store/agent_files.h"
#include "store/inbox.h"
#include "term/utf8.h"

namespace pawl::daemon {
namespace {

constexpr size_t kMostTold = 200;
constexpr Duration kItemToldAgain = std::chrono::hours{1};
constexpr size_t kNameDigits = 12, kWhoBytes = 64;

// The stream's number alone would be met again when somebody made the stream anew.
std::string name_of_item(const fleet::InboxItem& item) {
  return item.name + "-" + sha256_hex(item.value, kNameDigits) + ".md";
}

bool is_text(const std::string& bytes) {
  const auto back = Json::parse(Json(bytes).dump());
  return bytes.find('\0') == std::string::npos && back && back->as_string() == bytes;
}

}  // namespace

OutsideItem outside_item(const std::string& value) {
  if (value.size() > store::kItemBytes || !is_text(value)) return {};
  OutsideItem out{value, "", 0};
  if (const auto json = Json::parse(value); json && json->is_object() && json->has("text")) {
    const std::string priority = (*json)["priority"].as_string();
    out = {(*json)["text"].as_string(), (*json)["from"].as_string(),
           priority == "high"  ? 1
           : priority == "low" ? -1
                               : 0};
  }
  if (trim(out.text).empty()) return {};
  if (out.from.empty()) out.from = "the fleet's inbox";
  return out;
}

void BusInbox::tell_once(MonoTime now, const std::string& matter, const std::string& text) {
  std::erase_if(told_, [&](const auto& one) { return now - one.second >= kItemToldAgain; });
  if (told_.size() < kMostTold && told_.emplace(matter, now).second)
    tell_(model::Severity::warning, text);
}

bool BusInbox::take(MonoTime now, const fleet::InboxItem& item) {
  const OutsideItem said = outside_item(item.value);
  if (said.text.empty()) return put_aside(now, item, "it is no text, or an empty one");
  if (!engine_.fleet().find(item.agent)) return await(now, item);
  awaited_.erase(name_of_item(item));
  if (give(item, said)) return true;
  tell_once(now, "cannot write",
            fmt::format("items from the fleet for {} cannot be written: they wait on the bus; "
                        "look at the disk",
                        item.agent));
  return false;
}

// What waits, is being done or was done under that name is not there a second time.
bool BusInbox::give(const fleet::InboxItem& item, const OutsideItem& said) {
  auto& disk = engine_.files().disk();
  const std::string dir = engine_.files().inbox(item.agent), name = name_of_item(item);
  for (const char* where : {"/", "/claimed/", "/done/"})
    if (disk.exists(dir + where + name)) return true;
  std::string text = "from: " + term::clean_text(said.from, kWhoBytes) + "\n";
  if (said.priority != 0) text += said.priority > 0 ? "priority: high\n" : "priority: low\n";
  text += "\n" + said.text;
  if (!disk.make_private_dir(dir) || !disk.write_atomically(dir + "/" + name, text)) return false;
  engine_.look_for_wakeup(item.agent);
  return true;
}

bool BusInbox::await(MonoTime now, const fleet::InboxItem& item) {
  const std::string name = name_of_item(item);
  const auto it = awaited_.find(name);
  if (it == awaited_.end() && awaited_.size() < kItemsAwaited) {
    awaited_.emplace(name, now);
    tell_once(now, "agent " + item.agent,
              fmt::format("an item from the fleet is for the agent {}, and there is none: it waits "
                          "for {} on the bus, and is put aside then",
                          item.agent, short_duration(kAgentAwaited)));
    return false;
  }
  if (it != awaited_.end() && now - it->second < kAgentAwaited) return false;
  if (!put_aside(now, item, "there is no agent " + item.agent)) return false;
  awaited_.erase(name);
  return true;
}

// As it came, with who it was for in the name.
bool BusInbox::put_aside(MonoTime now, const fleet::InboxItem& item, const std::string& because) {
  const std::string dir = home_ + "/inbox-aside";
  const std::string path = dir + "/" + item.agent + "." + name_of_item(item);
  Done kept = os::make_private_dir(dir);
  if (kept && !os::exists(path) && os::list_dir(dir).size() >= kItemsAside)
    kept = fail(fmt::format("{} items are in it", kItemsAside), "read and remove them");
  if (kept) kept = os::write_atomically(path, item.value);
  if (kept)
    tell_once(now, because,
              fmt::format("an item from the fleet is put aside: {}: read {}", because, path));
  else
    tell_once(
        now, "aside",
        fmt::format("items from the fleet stay on the bus: {}: {}", dir, text_of(kept.error())));
  return kept.has_value();
}

}  // namespace pawl::daemon
