#include "daemon/bus_room.h"

#include <fmt/core.h>

#include "daemon/bus_joined.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/home.h"
#include "os/process.h"
#include "os/random.h"
#include "os/tcp.h"

namespace pawl::daemon {

BusRoom::BusRoom(os::Loop& loop, core::Engine& engine, api::Server& server, std::string home,
                 model::FleetShare share, std::function<void()> wake)
    : loop_(loop),
      engine_(engine),
      server_(server),
      home_(std::move(home)),
      share_(std::move(share)),
      wake_(std::move(wake)),
      talks_(os::random_uuid(), [this] { wake_(); }) {
  server_.places = [this, others = server_.places] {
    api::Places places = others ? others() : api::Places{};
    add_places(places);
    return places;
  };
  server_.fleet = [this](const std::string& verb, const Json& request) {
    return asked(verb, request);
  };
}

BusRoom::~BusRoom() = default;

void BusRoom::begin_again() {
  auto kept = fleet::load_membership(home_);
  if (!kept) return tell(model::Severity::warning, text_of(kept.error()));
  auto membership = std::move(*kept);
  if (auto said = fleet::membership_of(os::own_environment(), os::host_name())) {
    said->id = membership ? membership->id : os::random_uuid();
    if (auto fine = fleet::check(*said); !fine)
      return tell(model::Severity::warning, "PAWL_FLEET_…: " + text_of(fine.error()));
    if (auto saved = fleet::save_membership(home_, *said); !saved)
      return tell(model::Severity::warning, text_of(saved.error()));
    membership = std::move(said);
  }
  membership_ = std::move(membership);  // begun after the first turn: then it is known what runs
}

void BusRoom::begin(const fleet::Membership& membership) {
  end();
  membership_ = fleet::Membership(membership);
  const Clock clock = os::read_clock();
  joined_ =
      std::make_unique<Joined>(*this, membership, fleet::Now{clock, clock.boot.time_since_epoch()});
  wake_();
}

// Conversations with other nodes that are still held are over.
void BusRoom::end() {
  joined_.reset();
  talks_.end_all({"this machine left the fleet", "pawl fleet join URL"});
}

Result<Json> BusRoom::asked(const std::string& verb, const Json& request) {
  if (verb == "join") return join(request["args"]);
  if (verb == "leave") return leave();
  if (verb == "ls") return list();
  if (!joined_) return fail("this machine is in no fleet", "pawl fleet join URL");
  if (verb == "answer") return joined_->answer(request["args"]["ticket"].as_int());
  if (verb == "units") return joined_->waiting_json();
  if (verb == "unit") return joined_->unit_json(request["args"]["name"].as_string());
  return joined_->give(verb, request);
}

Result<Json> BusRoom::join(const Json& args) {
  fleet::Membership wanted;
  wanted.urls = args["url"].as_string();
  wanted.fleet = args["fleet"].as_string(wanted.fleet);
  wanted.node = args["name"].as_string(fleet::node_name(os::host_name()));
  wanted.creds = args["creds"].as_string();
  wanted.ca = args["ca"].as_string();
  wanted.id = membership_ ? membership_->id : os::random_uuid();
  if (auto fine = fleet::check(wanted); !fine) return tl::unexpected(fine.error());
  if (auto found = fleet::find_pawl_bus(); !found) return tl::unexpected(found.error());
  if (joined_ && membership_ != wanted && joined_->units.running() > 0)
    return fail(fmt::format("{} tasks of the fleet {} run here", joined_->units.running(),
                            membership_->fleet),
                "wait for them, or cancel them, before you join another");
  if (auto saved = fleet::save_membership(home_, wanted); !saved)
    return tl::unexpected(saved.error());
  begin(wanted);
  return Json::object({{"version", 1}, {"node", wanted.node}, {"fleet", wanted.fleet}});
}

// What runs under a lease ends with it: others go on with that work.
Result<Json> BusRoom::leave() {
  if (!joined_) return fail("this machine is in no fleet", "pawl fleet join URL");
  if (auto gone = fleet::forget_membership(home_); !gone) return tl::unexpected(gone.error());
  joined_->end_all("this machine left the fleet");
  say_farewell();
  end();
  forget_accounts(engine_);
  membership_.reset();
  wake_();
  return Json::object({{"version", 1}});
}

Json BusRoom::list() const {
  if (!joined_) return Json::object({{"version", 1}, {"bus", Json()}, {"nodes", Json::array()}});
  Json nodes = Json::array();
  std::vector<fleet::NodeSeen> all = joined_->member.nodes();
  std::erase_if(all, [this](const auto& seen) { return seen.name == joined_->node; });
  all.insert(all.begin(), joined_->self());
  for (const auto& seen : all) {
    Json labels = Json::array();
    for (const auto& label : seen.labels)
      if (!label.starts_with("can=")) labels.push(label);  // of no owner's
    const std::string because = joined_->because_of(seen);
    nodes.push(Json::object({{"name", seen.name},
                             {"online", seen.online},
                             {"since", rfc3339(seen.since)},
                             {"because", because.empty() ? Json() : Json(because)},
                             {"version", seen.version},
                             {"agents", seen.agents},
                             {"tasks", seen.tasks},
                             {"labels", labels},
                             {"self", seen.name == joined_->node}}));
  }
  const auto& member = joined_->member;
  return Json::object(
      {{"version", 1},
       {"fleet", membership_->fleet},
       {"node", membership_->node},
       {"bus",
        Json::object({{"online", member.joined()},
                      {"url", membership_->urls},
                      {"because", member.because().empty() ? Json() : Json(member.because())}})},
       {"nodes", nodes}});
}

void BusRoom::publish(const Clock& now, const std::vector<core::Answer>& answers) {
  if (membership_ && !joined_) begin(*membership_);
  if (joined_) joined_->step(now, answers);
}

std::optional<MonoTime> BusRoom::wake_at() const {
  if (!joined_) return std::nullopt;
  return earlier(joined_->member.wake_at(),
                 earlier(joined_->units.wake_at(), joined_->desk.wake_at()));
}

void BusRoom::add_places(api::Places& places) {
  if (!joined_) return;
  for (auto& [name, place] : joined_->places) places.try_emplace(name, &place);
}

void BusRoom::drain() {
  if (joined_) joined_->draining = true;
}

void BusRoom::give_back() {
  if (joined_) joined_->end_all("this machine is shut down");
}

bool BusRoom::gave_back() const {
  return !joined_ || !joined_->member.linked() ||
         (joined_->member.held() == 0 && joined_->units.running() == 0);
}

void BusRoom::say_farewell() {
  if (!joined_) return;
  joined_->member.leave(joined_->now());
  joined_->pump();
}

void BusRoom::tell(model::Severity severity, const std::string& text) {
  core::Noted noted;
  noted.alert = {severity, text};
  engine_.submit(noted);
  wake_();
}

}  // namespace pawl::daemon
