#include "daemon/bus_units.h"

#include <fmt/core.h>

#include "api/any_task.h"
#include "api/fleet_tasks.h"
#include "api/view.h"
#include "fleet/far_desk.h"
#include "model/task.h"
#include "os/file.h"
#include "os/random.h"
#include "store/task_files.h"

namespace pawl::daemon {
namespace {

constexpr size_t kResultBytes =
    32u << 10;  // of the last message, for those who ask when this node is away
constexpr Duration kStartsWithin = std::chrono::seconds{20};
constexpr Duration kGroundWithin = std::chrono::minutes{15};  // each part of it has its own time

}  // namespace

// First its ground is made ready, while the lease is renewed; then it is given to the verb.
struct BusUnits::Starting {
  fleet::Claim claim;  // `stop_at` as it was heard last
  Json task;
  std::string node;
  std::string unit;
  uint64_t token;
  UnitGround ground;
  MonoTime until;
  uint64_t fetch = 0;      // of its prompt
  std::string lease = {};  // its name in Server::leases
  std::unique_ptr<api::Conversation> conversation = {};
  std::string out = {};
  std::string stopped = {};  // it is to be stopped as soon as it has begun: why
};

BusUnits::BusUnits(os::Loop& loop, core::Engine& engine, api::Server& server, std::string home,
                   fleet::LeaseTimes times, fleet::Surroundings surroundings,
                   std::function<void()> wake)
    : loop_(loop),
      engine_(engine),
      server_(server),
      home_(std::move(home)),
      times_(times),
      surroundings_(std::move(surroundings)),
      wake_(std::move(wake)),
      tidying_(loop, home_) {
  tidying_.begin();
}

BusUnits::~BusUnits() = default;

std::vector<fleet::Claim> BusUnits::claims() const {
  std::vector<fleet::Claim> out;
  for (const auto& task : engine_.leased()) {
    const BootTime until = task.until.value_or(BootTime{});  // nobody knows: it is over
    out.push_back({task.lease.unit, task.lease.token, task.lease.nonce, task.lease.boot_id,
                   until.time_since_epoch() - times_.stop_before});
  }
  return out;
}

void BusUnits::start(const fleet::Now& now, const std::string& node,
                     const fleet::StartUnit& order) {
  const auto& claim = order.claim;
  starting_.emplace_back(new Starting{claim, order.task, node, claim.unit, claim.token,
                                      UnitGround(loop_, home_, claim.unit, order.task, wake_),
                                      now.clock.mono + kGroundWithin});
  wake_();
}

// What is under way ends first, git as well: then nothing of it lives when that is said.
void BusUnits::get_ready(const fleet::Now& now, Starting& starting, fleet::Member& member) {
  UnitGround& ground = starting.ground;
  if (starting.fetch == 0 && ground.blob().is_object() && !ground.trouble()) {
    starting.fetch = ++fetches_;
    member.fetch(now, starting.fetch, ground.blob());
  }
  const bool late = now.clock.mono >= starting.until;
  if (late || !starting.stopped.empty()) ground.give_up();
  if (!ground.resting()) return;
  std::optional<fleet::Ended> end = ground.trouble();
  if (!starting.stopped.empty()) end = fleet::Ended{fleet::Came::again, {}, starting.stopped};
  if (!end && late)
    end = fleet::Ended{fleet::Came::again, {}, "what it needs was not there in time"};
  if (end) {
    let_go(starting);
    member.ended(now, starting.unit, std::exchange(starting.token, 0), *end);
    return;
  }
  // With less time than that nothing is begun: it is renewed, or stopped.
  const Duration left = starting.claim.stop_at + times_.stop_before - now.boot;
  if (ground.ready() && left > model::kLeaseToBegin) begin(now, starting);
}

void BusUnits::let_go(Starting& starting) {
  for (const auto& dir : {starting.ground.folder(), starting.ground.half_made()})
    if (!dir.empty()) tidying_.remove(dir);
}

void BusUnits::begin(const fleet::Now& now, Starting& starting) {
  const auto& claim = starting.claim;
  starting.lease = os::random_uuid();
  starting.until = now.clock.mono + kStartsWithin;
  server_.leases[starting.lease] = {
      {claim.unit, starting.node, claim.token, claim.nonce, claim.boot_id},
      BootTime(claim.stop_at + times_.stop_before)};
  Json args = Json::object();
  const std::string folder = starting.ground.folder();
  for (const auto& [key, value] : starting.task["args"].members())
    if (key != "git") args.set(key, value);
  if (!folder.empty()) args.set("dir", folder);
  args.set("name", api::name_for_run(engine_, claim.unit))
      .set("prompt-left", starting.ground.prompt())
      .set("lease", starting.lease);
  starting.conversation =
      fleet::conversation_for(engine_, server_, now.clock,
                              starting.task["by"].as_string("fleet/somebody"), surroundings_());
  starting.conversation->receive(
      now.clock, {api::Kind::json, Json::object({{"verb", "task start"}, {"args", args}}).dump()});
}

void BusUnits::stop_starting(const std::string& because) {
  for (auto& starting : starting_)
    if (!starting->conversation) starting->stopped = because;
  wake_();
}

void BusUnits::prompt_came(const fleet::BlobCame& came) {
  for (auto& starting : starting_)
    if (starting->fetch == came.ticket) starting->ground.prompt_came(came);
  wake_();
}

std::string BusUnits::agent_of(const std::string& unit, uint64_t token) const {
  for (const auto& task : engine_.leased())
    if (task.lease.unit == unit && task.lease.token == token) return task.agent;
  return {};
}

void BusUnits::until(const fleet::LeaseUntil& order) {
  const std::string agent = agent_of(order.unit, order.token);
  if (!agent.empty())
    engine_.submit(
        core::LeaseSeen{agent, order.token, BootTime(order.stop_at + times_.stop_before), {}});
  for (const auto& starting : starting_)
    if (starting->unit == order.unit && starting->token == order.token) {
      starting->claim.stop_at = order.stop_at;
      wake_();
    }
}

void BusUnits::stop(const fleet::StopUnit& order) {
  const std::string agent = agent_of(order.unit, order.token);
  if (!agent.empty()) {
    engine_.submit(core::LeaseSeen{agent, order.token, {}, order.because});
    return;
  }
  for (const auto& starting : starting_)
    if (starting->unit == order.unit && starting->token == order.token) {
      server_.leases.erase(starting->lease);
      starting->stopped = order.because;
      return wake_();
    }
  ends_.push_back({order.unit, order.token, {fleet::Came::again, {}, order.because}});
}

Json BusUnits::result_of(const core::LeasedTask& task) const {
  std::string said = os::read_file(task.dir + "/" + store::kResultName).value_or("");
  const bool cut = said.size() > kResultBytes;
  if (cut) said = said.substr(said.size() - kResultBytes);
  return Json::object({{"status", std::string(model::word(task.status))},
                       {"reason", api::text_or_null(task.reason)},
                       {"detail", api::text_or_null(task.detail)},
                       {"exit_code", task.exit_code ? Json(*task.exit_code) : Json()},
                       {"finished_at", api::time_or_null(task.finished)},
                       {"task", task.task},
                       {"result", said},
                       {"result_cut", cut}});
}

void BusUnits::take_start(const fleet::Now& now, Starting& starting, fleet::Member& member) {
  starting.out += starting.conversation->take_output();
  const bool late = now.clock.mono >= starting.until;
  if (!starting.conversation->idle() && !late) return;
  api::FrameReader reader(api::kMaxReply);
  reader.feed(starting.out);
  const auto frame = reader.next();
  const auto reply = frame && *frame ? Json::parse((*frame)->payload) : Result<Json>(Json());
  const auto begun = reply ? api::result_of(*reply) : Result<Json>(fail("it makes no sense"));
  server_.leases.erase(starting.lease);
  const uint64_t token = std::exchange(starting.token, 0);
  if (begun && starting.stopped.empty()) return;  // its end is told by the engine
  if (begun) return stop({starting.unit, token, starting.stopped});
  if (!late) let_go(starting);
  member.ended(now, starting.unit, token, {fleet::Came::unfit, {}, text_of(begun.error())});
}

// Where it worked; it may be filed already.
std::string BusUnits::folder_of(const core::LeasedTask& task) const {
  const auto run = api::any_task(engine_, task.task);
  return run && *run ? (*run)->spec.dir : "";
}

void BusUnits::take_ends(const fleet::Now& now, fleet::Member& member) {
  for (const auto& task : engine_.take_lease_ends()) {
    const bool again = task.reason == model::kLeaseLost;
    End end{task.lease.unit, task.lease.token,
            again ? fleet::Ended{fleet::Came::again, {}, task.detail}
                  : fleet::Ended{fleet::Came::finished, result_of(task), task.detail}};
    tidying_.look(folder_of(task));
    // Nobody else may begin while something of it runs; by then the lease is over, and it is not ours to say.
    if (again && task.left > 0 && task.until) end.after = task.until->time_since_epoch();
    ends_.push_back(std::move(end));
  }
  std::erase_if(ends_, [&](const End& end) {
    if (now.boot < end.after) return false;
    member.ended(now, end.unit, end.token, end.ended);
    return true;
  });
}

void BusUnits::publish(const fleet::Now& now, const std::vector<core::Answer>& answers,
                       fleet::Member& member) {
  for (auto& starting : starting_) {
    if (!starting->conversation) get_ready(now, *starting, member);
    if (!starting->conversation) continue;
    for (const auto& answer : answers) starting->conversation->answered(now.clock, answer);
    take_start(now, *starting, member);
  }
  std::erase_if(starting_, [](const auto& starting) { return starting->token == 0; });
  take_ends(now, member);
}

size_t BusUnits::running() const {
  return engine_.leased().size() + starting_.size();
}

std::optional<MonoTime> BusUnits::wake_at() const {
  std::optional<MonoTime> due;
  for (const auto& starting : starting_) due = earlier(due, starting->until);
  return due;
}

}  // namespace pawl::daemon
