#include "daemon/bus_units.h"

#include <fmt/core.h>

#include "api/fleet_tasks.h"
#include "base/text.h"
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

}  // namespace

struct BusUnits::Starting {
  std::string unit;
  uint64_t token;
  std::string lease;   // its name in Server::leases
  std::string prompt;  // the file that was left for the verb
  std::unique_ptr<api::Conversation> conversation;
  std::string out;
  MonoTime until;
  std::string stopped = {};  // it is to be stopped as soon as it has begun: why
};

BusUnits::BusUnits(core::Engine& engine, api::Server& server, std::string home,
                   fleet::LeaseTimes times, fleet::Surroundings surroundings)
    : engine_(engine),
      server_(server),
      home_(std::move(home)),
      times_(times),
      surroundings_(std::move(surroundings)) {}

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
  const auto refuse = [&](std::string because) {
    ends_.push_back(
        {order.claim.unit, order.claim.token, {fleet::Came::unfit, {}, std::move(because)}});
  };
  const auto prompt = from_base64(order.task["prompt"].as_string());
  if (!prompt || prompt->empty()) return refuse("its prompt cannot be read");
  const std::string left = model::prompt_place(home_, os::random_uuid());
  Done written = os::make_private_dir(home_ + "/tasks");
  if (written) written = os::write_atomically(left, *prompt);
  if (!written) return refuse(text_of(written.error()));
  auto starting = std::make_unique<Starting>();
  starting->unit = order.claim.unit;
  starting->token = order.claim.token;
  starting->prompt = left;
  starting->lease = os::random_uuid();
  starting->until = now.clock.mono + kStartsWithin;
  server_.leases[starting->lease] = {
      {order.claim.unit, node, order.claim.token, order.claim.nonce, order.claim.boot_id},
      BootTime(order.claim.stop_at + times_.stop_before)};
  Json args = order.task["args"];
  args.set("name", api::name_for_run(engine_, order.claim.unit))
      .set("prompt-left", left)
      .set("lease", starting->lease);
  starting->conversation = fleet::conversation_for(
      engine_, server_, now.clock, order.task["by"].as_string("fleet/somebody"), surroundings_());
  starting->conversation->receive(
      now.clock, {api::Kind::json, Json::object({{"verb", "task start"}, {"args", args}}).dump()});
  starting_.push_back(std::move(starting));
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
      return;
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
  os::remove_file(starting.prompt);  // when nobody took it
  const uint64_t token = std::exchange(starting.token, 0);
  if (begun && starting.stopped.empty()) return;  // its end is told by the engine
  if (begun) return stop({starting.unit, token, starting.stopped});
  member.ended(now, starting.unit, token, {fleet::Came::unfit, {}, text_of(begun.error())});
}

void BusUnits::take_ends(const fleet::Now& now, fleet::Member& member) {
  for (const auto& task : engine_.take_lease_ends()) {
    const bool again = task.reason == model::kLeaseLost;
    End end{task.lease.unit, task.lease.token,
            again ? fleet::Ended{fleet::Came::again, {}, task.detail}
                  : fleet::Ended{fleet::Came::finished, result_of(task), task.detail}};
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
