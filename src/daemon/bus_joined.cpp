#include "daemon/bus_joined.h"

#include <fmt/core.h>

#include <set>

#include "api/view.h"
#include "base/version.h"
#include "model/spec.h"
#include "os/child.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/home.h"
#include "os/memory.h"
#include "os/process.h"
#include "os/random.h"
#include "os/tcp.h"
#include "perceive/profile/catalog.h"
#include "store/journal.h"

namespace pawl::daemon {
namespace {

constexpr size_t kEventsAtOnce = 512;
constexpr Duration kMemoryLook = std::chrono::seconds{5};
constexpr size_t kUnitsShown = 500;    // of those that wait
constexpr size_t kMostAnswers = 1024;  // that nobody came for

std::string boot_id() {
  std::string id = os::read_file("/proc/sys/kernel/random/boot_id").value_or("");
  while (id.ends_with('\n')) id.pop_back();
  return id;
}

// As a relay's first request would say it: relative folders begin at the user's home.
Json surroundings() {
  const char* home = ::getenv("HOME");
  Json out = Json::object(
      {{"version", 1}, {"cwd", home ? home : "/"}, {"environment", os::own_environment()}});
  const std::string config = os::config_path();
  if (const auto text = os::read_file(config))
    out.set("config", Json::object({{"path", config}, {"text", *text}}));
  return out;
}

// Those of which a program is there, as whoever gives work would name them: runtime=claude.
std::vector<std::string> installed_runtimes(const perceive::Catalog* catalog) {
  std::vector<std::string> out;
  const char* path = ::getenv("PATH");
  if (!catalog || !path) return out;
  for (const auto& name : catalog->names()) {
    const auto& start = catalog->find(name)->launch.start;
    if (!start.empty() && !os::find_program(start.front(), path).empty()) out.push_back(name);
  }
  return out;
}

bool is_program(const std::string& name) {
  const char* path = ::getenv("PATH");
  return path && !os::find_program(name, path).empty();
}

}  // namespace

BusRoom::Joined::Joined(BusRoom& all, const fleet::Membership& membership, const fleet::Now& now)
    : room(all),
      node(membership.node),
      since(now.clock.wall),
      talks(all.talks_),
      units(all.loop_, all.engine_, all.server_, all.home_, {}, surroundings, all.wake_),
      accounts(all.engine_),
      inbox(
          all.engine_, all.home_,
          [&all](model::Severity severity, const std::string& text) { all.tell(severity, text); }),
      desk(all.engine_, all.server_, surroundings),
      member({.node = membership.node,
              .id = membership.id,
              .boot_id = boot_id(),
              .life = os::random_uuid(),
              .version = std::string(kVersion),
              .since = now.clock.wall,
              .queues = all.share_.queues,
              .follow_events = false},
             units.claims(), now),
      bus(all.loop_, all.parting_,
          {membership.urls, membership.fleet, membership.node, membership.creds, membership.ca},
          [this](const fleet::BusNews& news) { hear(news); }),
      runtimes(installed_runtimes(all.engine_.catalog())),
      has_git(is_program("git")) {}

fleet::Now BusRoom::Joined::now() const {
  const Clock clock = os::read_clock();
  return {clock, clock.boot.time_since_epoch()};
}

void BusRoom::Joined::hear(const fleet::BusNews& news) {
  member.hear(now(), news);
  pump();
  room.wake_();
}

void BusRoom::Joined::step(const Clock& clock, const std::vector<core::Answer>& answers) {
  const fleet::Now at{clock, clock.boot.time_since_epoch()};
  tell_agents(at);
  tell_capacity(at);
  if (const Seq last = room.engine_.fleet().last; last.value != told_events.value) {
    told_events = last;
    member.journal(at, last.value);
  }
  units.publish(at, answers, member);
  accounts.publish(at, member);
  desk.publish(clock, answers);
  for (auto& answer : desk.take_answers()) member.answered(at, answer.token, answer.value);
  for (auto& question : talks.take_questions())
    member.ask(at, question.ticket, question.node, std::move(question.value), question.limit);
  member.step(at);
  pump();
  look_at_places();
}

void BusRoom::Joined::pump() {
  for (bool more = true; more;) {
    more = false;
    for (auto& ask : member.asks()) bus.ask(ask), more = true;
    for (auto& order : member.orders())
      std::visit([this](auto& it) { carry_out(it); }, order), more = true;
  }
}

void BusRoom::Joined::carry_out(fleet::StartUnit& order) {
  units.start(now(), node, order);
}

void BusRoom::Joined::carry_out(fleet::LeaseUntil& order) {
  units.until(order);
}

void BusRoom::Joined::carry_out(fleet::StopUnit& order) {
  units.stop(order);
}

void BusRoom::Joined::carry_out(fleet::UnitSettled& order) {
  if (order.how == fleet::Settled::superseded)
    room.tell(model::Severity::warning,
              fmt::format("what {} found out here does not count: {}", order.unit, order.because));
}

void BusRoom::Joined::carry_out(fleet::Submitted& order) {
  submitted[order.ticket] = order;
}

void BusRoom::Joined::carry_out(fleet::TellPeople& order) {
  room.tell(order.severity, order.todo.empty() ? order.text : order.text + ": " + order.todo);
}

void BusRoom::Joined::carry_out(fleet::NodeChanged& order) {
  if (!order.online)
    room.tell(
        model::Severity::warning,
        fmt::format("node {} of the fleet is not reached any more: {}", order.node, order.because));
}

void BusRoom::Joined::carry_out(fleet::VerbAsked& order) {
  desk.ask(now().clock, order.token, order.from, order.value);
  room.wake_();
}

void BusRoom::Joined::carry_out(fleet::VerbAnswered& order) {
  talks.answered(order.ticket, order.answered ? std::optional(order.value) : std::nullopt,
                 order.answered || order.may_be_done ? "" : order.because);
}

void BusRoom::Joined::carry_out(fleet::ReadJournal& order) {
  std::vector<fleet::JournalEvent> out;
  const auto events =
      room.engine_.journal().read(Seq{order.after}, std::min(order.most, kEventsAtOnce));
  if (events)
    for (const auto& event : *events)
      out.push_back({event.seq.value, event.agent, model::to_json(event).dump()});
  member.events(now(), out);
}

void BusRoom::Joined::carry_out(fleet::RemoteEvent&) {}

void BusRoom::Joined::carry_out(fleet::InboxItem& order) {
  const fleet::Now at = now();
  member.inboxed(at, order.token, inbox.take(at.clock.mono, order));
  room.wake_();
}

void BusRoom::Joined::carry_out(fleet::AccountLimited& order) {
  accounts.hear(now(), order, member);
  room.wake_();
}

void BusRoom::Joined::carry_out(fleet::BlobCame& order) {
  units.prompt_came(order);
}

void BusRoom::Joined::tell_agents(const fleet::Now& at) {
  const Seq last = room.engine_.fleet().last;
  if (last.value == told_agents.value) return;
  std::set<std::string> news;
  const auto events = told_agents.value == 0
                          ? Result<std::vector<model::Event>>(fail("all of them"))
                          : room.engine_.journal().read(told_agents, kEventsAtOnce);
  const bool all = !events || events->size() >= kEventsAtOnce;
  if (!all)
    for (const auto& event : *events) news.insert(event.agent);
  told_agents = last;
  for (const auto& [name, agent] : room.engine_.fleet().agents) {
    if (agent.task && model::final(agent.task->status)) continue;
    if (!all && !news.contains(name) && told.contains(name)) continue;
    told.insert(name);
    member.agent(at, name, agent.spec.account, api::view_of(agent, at.clock));
  }
  std::erase_if(told, [&](const std::string& name) {
    const model::Agent* agent = room.engine_.fleet().find(name);
    if (agent && !(agent->task && model::final(agent->task->status))) return false;
    member.agent_gone(at, name);
    return true;
  });
}

// Looked at now and then: what runs out of it is refused by its own guard.
bool BusRoom::Joined::enough_memory(const fleet::Now& at) {
  if (at.clock.mono < memory_again) return had_memory;
  memory_again = at.clock.mono + kMemoryLook;
  const auto use = os::memory_use();
  had_memory = !use || use->percent < model::Preflight{}.memory_pct;
  return had_memory;
}

void BusRoom::Joined::tell_capacity(const fleet::Now& at) {
  fleet::Capacity capacity;
  capacity.room = draining ? 0 : static_cast<int>(room.share_.tasks);
  capacity.memory_ok = enough_memory(at);
  for (const auto& label : room.share_.labels) capacity.labels.insert("label=" + label);
  for (const auto& queue : room.share_.queues) capacity.labels.insert("queue=" + queue);
  for (const auto& runtime : runtimes) capacity.labels.insert("runtime=" + runtime);
  capacity.labels.insert(fleet::kCanBlobs);
  if (has_git) capacity.labels.insert(fleet::kCanGit);
  capacity.agents = static_cast<int64_t>(told.size());
  capacity.tasks = static_cast<int64_t>(units.running());
  if (capacity == told_capacity) return;
  told_capacity = capacity;
  member.capacity(at, capacity);
}

void BusRoom::Joined::end_all(const std::string& because) {
  for (const auto& task : room.engine_.leased())
    room.engine_.submit(core::LeaseSeen{task.agent, task.lease.token, {}, because});
  units.stop_starting(because);
  room.wake_();
}

Result<Json> BusRoom::Joined::give(const std::string& verb, const Json& request) {
  const fleet::Now at = now();
  const std::string name = request["unit"].as_string();
  if (verb == "inbox add" && !places.contains(name))
    return fail("'" + name + "' is no node of the fleet", "pawl fleet ls");
  const uint64_t ticket = ++last_ticket;
  if (submitted.size() >= kMostAnswers) submitted.erase(submitted.begin());
  units_asked[ticket] = name;
  if (verb == "task cancel") {
    member.cancel(at, ticket, name, request["by"].as_string());
  } else if (verb == "inbox add") {
    const Json& item = request["item"];
    items_asked[ticket] = request["agent"].as_string();
    member.send_item(at, ticket, name, request["agent"].as_string(), item.dump());
  } else if (verb == "task again") {
    member.again(at, ticket, name, request["by"].as_string());
  } else {
    fleet::UnitOrder order{.unit = name, .task = request["task"]};
    order.task.set("by", request["by"]);
    for (const auto& need : request["needs"].as_strings()) order.needs.insert(need);
    order.on = request["on"].as_string();
    order.by = request["by"].as_string();
    if (order.task["args"]["git"].is_string()) order.needs.insert(fleet::kCanGit);
    member.submit(at, ticket, order, request["large"].as_string());
  }
  pump();
  room.wake_();
  return Json::object({{"ticket", ticket}});
}

Result<Json> BusRoom::Joined::answer(int64_t number) {
  const auto it = submitted.find(static_cast<uint64_t>(number));
  if (it == submitted.end()) return Json();
  const fleet::Submitted said = it->second;
  const std::string name = units_asked[said.ticket];
  submitted.erase(it);
  units_asked.erase(said.ticket);
  const std::string agent = std::exchange(items_asked[said.ticket], {});
  items_asked.erase(said.ticket);
  if (!said.done) return fail(said.because, said.todo.empty() ? "see pawl fleet ls" : said.todo);
  if (!agent.empty())
    return Json::object({{"version", 1}, {"name", agent}, {"machine", name}, {"item", true}});
  return unit_json(name);
}

static Json json_of(const fleet::UnitSeen& seen, const std::string& node) {
  return Json::object({{"unit", seen.unit},
                       {"state", std::string(fleet::word(seen.state))},
                       {"node", seen.node.empty() ? Json() : Json(seen.node)},
                       {"here", seen.node == node},
                       {"token", seen.token},
                       {"tries", seen.tries},
                       {"left", seen.value["left"]},
                       {"why", seen.why.empty() ? Json() : Json(seen.why)},
                       {"result", seen.value["result"]}});
}

Json BusRoom::Joined::unit_json(const std::string& name) const {
  const auto seen = member.unit(name);
  return seen ? json_of(*seen, node) : Json();
}

Json BusRoom::Joined::waiting_json() const {
  Json out = Json::array();
  for (const auto& seen : member.unit_list(kUnitsShown))
    if (seen.state == fleet::UnitState::waiting) out.push(json_of(seen, node));
  return Json::object({{"waiting", std::move(out)}});
}

void BusRoom::Joined::look_at_places() {
  std::map<std::string, std::vector<Json>> agents;
  for (auto& seen : member.agents()) {
    seen.view.set("machine", seen.node);
    agents[seen.node].push_back(std::move(seen.view));
  }
  std::set<std::string> there;
  for (const auto& seen : member.nodes()) {
    if (seen.name == node) continue;
    there.insert(seen.name);
    auto& place = places.try_emplace(seen.name, talks, seen.name).first->second;
    place.see(seen, because_of(seen));
    place.see_agents(std::move(agents[seen.name]));
  }
  std::erase_if(places, [&](const auto& one) { return !there.contains(one.first); });
}

fleet::NodeSeen BusRoom::Joined::self() const {
  fleet::NodeSeen out;
  out.name = node;
  out.version = std::string(kVersion);
  out.online = member.joined();
  out.since = since;
  const fleet::Capacity mine = told_capacity.value_or(fleet::Capacity{});
  out.agents = mine.agents;
  out.tasks = mine.tasks;
  out.labels.assign(mine.labels.begin(), mine.labels.end());
  return out;
}

std::string BusRoom::Joined::because_of(const fleet::NodeSeen& seen) const {
  if (seen.online) return {};
  if (seen.name == node) return member.because();
  return member.linked() ? "it has not been heard of; see that its daemon runs and reaches the bus"
                         : member.because();
}

}  // namespace pawl::daemon
