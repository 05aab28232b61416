#include "model/work.h"

#include <algorithm>

#include "model/time_json.h"

namespace pawl::model {
namespace {

template <class Works>
auto named(Works& all, const std::string& name) {
  return std::find_if(all.begin(), all.end(), [&](const Work& one) { return one.name == name; });
}

Json work_json(const Work& work) {
  return Json::object({{"name", work.name},
                       {"from", work.from},
                       {"priority", work.priority},
                       {"again", work.again},
                       {"called", work.called}});
}

Work work_from(const Json& json) {
  return {json["name"].as_string(), json["from"].as_string(),
          static_cast<int>(json["priority"].as_int()), json["again"].as_bool(),
          json["called"].as_bool()};
}

}  // namespace

Duration turn_unseen(const Desk& desk) {
  return std::chrono::seconds{desk.waiting.empty() ? 60 : 5};
}

bool is_news(const Desk& desk, const std::string& name, const std::string& fingerprint) {
  const auto known = desk.ledger.find(name);
  if (known != desk.ledger.end() && known->second == fingerprint) return false;
  if (known == desk.ledger.end() && desk.ledger.size() >= kLedgerKept) return false;
  return desk.waiting.size() < kWorkKept || named(desk.waiting, name) != desk.waiting.end();
}

bool take_in(Desk& desk, const Work& work, const std::string& fingerprint) {
  if (!is_news(desk, work.name, fingerprint)) return false;
  desk.ledger[work.name] = fingerprint;
  if (const auto it = named(desk.waiting, work.name); it != desk.waiting.end()) {
    it->called = false;
    return true;
  }
  // Before those that matter less, after those that came before it.
  const auto at = std::find_if(desk.waiting.begin(), desk.waiting.end(),
                               [&](const Work& one) { return one.priority < work.priority; });
  desk.waiting.insert(at, work);
  return true;
}

void forget(Desk& desk, const std::string& name) {
  desk.ledger.erase(name);
  if (desk.given && desk.given->work.name == name && !desk.given->taken) desk.given.reset();
  if (const auto it = named(desk.waiting, name); it != desk.waiting.end()) desk.waiting.erase(it);
}

void give(Desk& desk, const std::string& name, WallTime at) {
  if (desk.given && desk.given->work.name == name) {
    desk.given->work.again = true;
    desk.given->at = at;
    return;
  }
  const auto it = named(desk.waiting, name);
  if (it == desk.waiting.end()) return;
  desk.given = Given{*it, at, false};
  desk.waiting.erase(it);
}

bool call(Desk& desk) {
  const bool left = !desk.waiting.empty() && !uncalled(desk);
  for (auto& one : desk.waiting) one.called = true;
  return left;
}

const Work* uncalled(const Desk& desk) {
  const auto it = std::find_if(desk.waiting.begin(), desk.waiting.end(),
                               [](const Work& one) { return !one.called; });
  return it == desk.waiting.end() ? nullptr : &*it;
}

void settle(Desk& desk, bool done, bool again) {
  if (!desk.given) return;
  Work work = std::move(desk.given->work);
  desk.given.reset();
  if (done) return;
  work.again = work.again || again;
  desk.waiting.insert(desk.waiting.begin(), std::move(work));
}

Json to_json(const Desk& desk) {
  Json waiting = Json::array(), ledger = Json::object();
  for (const auto& one : desk.waiting) waiting.push(work_json(one));
  for (const auto& [name, fingerprint] : desk.ledger) ledger.set(name, fingerprint);
  Json out = Json::object({{"waiting", std::move(waiting)}, {"ledger", std::move(ledger)}});
  if (desk.given)
    out.set("given", Json::object({{"work", work_json(desk.given->work)},
                                   {"at", time_json(desk.given->at)},
                                   {"taken", desk.given->taken}}));
  return out;
}

Desk desk_from(const Json& json) {
  Desk desk;
  for (const Json& one : json["waiting"].items()) desk.waiting.push_back(work_from(one));
  for (const auto& [name, fingerprint] : json["ledger"].members())
    desk.ledger[name] = fingerprint.as_string();
  if (const Json& given = json["given"]; given.is_object())
    desk.given = Given{work_from(given["work"]), time_from(given["at"]).value_or(WallTime{}),
                       given["taken"].as_bool()};
  return desk;
}

}  // namespace pawl::model
