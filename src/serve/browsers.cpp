#include "serve/browsers.h"

#include <algorithm>

#include "base/text.h"
#include "os/file.h"

namespace pawl::serve {
namespace {

constexpr const char* kBrowsersName = "/browsers.json";
constexpr size_t kBrowsersBytes = 1u << 20;

Json kept(const Browser& one) {
  Json out = to_json(one);
  return out.set("session", one.session).set("until", one.until);
}

std::optional<Browser> browser_from(const Json& json) {
  Browser out;
  out.session = json["session"].as_string();
  out.id = json["id"].as_string();
  out.role = json["role"].as_string();
  out.name = json["name"].as_string();
  out.address = json["address"].as_string();
  out.until = json["until"].as_int();
  const bool times = parse_rfc3339(json["made"].as_string(), out.made) &&
                     parse_rfc3339(json["seen"].as_string(), out.seen);
  if (out.session.empty() || out.id.empty() || !times) return std::nullopt;
  return out;
}

}  // namespace

int64_t unix_seconds(WallTime time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

Json to_json(const Browser& browser) {
  return Json::object({{"id", browser.id},
                       {"name", browser.name},
                       {"role", browser.role},
                       {"address", browser.address},
                       {"made", rfc3339(browser.made)},
                       {"seen", rfc3339(browser.seen)}});
}

Browsers Browsers::open(const std::string& home) {
  Browsers out;
  out.path_ = home + kBrowsersName;
  const auto text = os::read_file(out.path_, kBrowsersBytes);
  const auto json = text ? Json::parse(*text) : Result<Json>(fail("none"));
  if (!json) return out;
  for (const auto& item : (*json)["browsers"].items())
    if (auto one = browser_from(item); one && out.all_.size() < kMaxBrowsers)
      out.all_.push_back(std::move(*one));
  return out;
}

void Browsers::remove(const std::string& home) {
  os::remove_file(home + kBrowsersName);
}

Browser* Browsers::by_session(const std::string& session) {
  const auto it = std::find_if(all_.begin(), all_.end(),
                               [&](const Browser& one) { return one.session == session; });
  return it == all_.end() ? nullptr : &*it;
}

void Browsers::used(const Browser& browser, WallTime now) {
  Browser* known = by_session(browser.session);
  const bool fresh = !known;
  if (fresh) {
    if (all_.size() >= kMaxBrowsers)
      all_.erase(std::min_element(all_.begin(), all_.end(),
                                  [](const auto& a, const auto& b) { return a.seen < b.seen; }));
    all_.push_back(browser);
    known = &all_.back();
    known->made = now;
  }
  const bool elsewhere = known->address != browser.address;
  known->address = browser.address;
  known->seen = now;
  if (fresh || elsewhere || now - saved_ >= kSeenKept || now < saved_) {
    saved_ = now;
    (void)save();
  }
}

bool Browsers::idle(const std::string& session, WallTime now) const {
  const auto it = std::find_if(all_.begin(), all_.end(),
                               [&](const Browser& one) { return one.session == session; });
  return it != all_.end() && now - it->seen > kIdleEnds;
}

const Browser* Browsers::find(const std::string& id) const {
  const auto it =
      std::find_if(all_.begin(), all_.end(), [&](const Browser& one) { return one.id == id; });
  return it == all_.end() ? nullptr : &*it;
}

Done Browsers::rename(const std::string& id, const std::string& name) {
  const Browser* known = find(id);
  if (!known)
    return fail("no browser '" + id + "' is signed in", "pawl serve --sessions lists them");
  const bool plain =
      std::none_of(name.begin(), name.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; });
  if (!plain || trim(name).empty() || name.size() > kMaxBrowserName)
    return fail("'" + id + "' cannot be called that",
                "a name is one line of at most " + std::to_string(kMaxBrowserName) + " bytes", 2);
  by_session(known->session)->name = name;
  return save();
}

Done Browsers::forget(const std::string& session) {
  std::erase_if(all_, [&](const Browser& one) { return one.session == session; });
  return save();
}

Done Browsers::save() {
  Json list = Json::array();
  for (const auto& one : all_) list.push(kept(one));
  return os::write_atomically(path_,
                              Json::object({{"version", 1}, {"browsers", list}}).dump(2) + "\n");
}

}  // namespace pawl::serve
