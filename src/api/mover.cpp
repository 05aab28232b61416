#include "api/mover.h"

#include <fmt/core.h>

#include "api/conversation.h"
#include "api/frame.h"
#include "api/look_handlers.h"
#include "api/one_move.h"
#include "base/text.h"
#include "os/random.h"

namespace pawl::api {
namespace {

// "gpu/docs2" is docs2 on gpu; "gpu" is gpu, under the same name.
std::pair<std::string, std::string> goal_of(const std::string& text, const std::string& agent) {
  const auto [machine, name] = split_name(text);
  return machine.empty() ? std::pair(text, agent) : std::pair(machine, name);
}

}  // namespace

Mover::Mover(core::Engine& engine, Server& server, Away away, std::function<void()> wake)
    : engine_(engine), server_(server), away_(std::move(away)), wake_(std::move(wake)) {}

Mover::~Mover() = default;

OneMove* Mover::find(const std::string& id) const {
  const auto it = moves_.find(id);
  return it == moves_.end() ? nullptr : it->second.get();
}

void Mover::begin_again(const Clock& now) {
  const MoveAround around{engine_, server_, away_, [this](const auto& id) { return find(id); },
                          wake_};
  for (const auto& [name, agent] : engine_.fleet().agents)
    if (agent.away() && agent.move->step != model::MoveStep::gone)
      moves_[agent.move->move] = std::make_unique<OneMove>(around, agent, now);
}

Result<std::string> Mover::begin(const Clock& now, MoveOrder order) {
  if (moves_.size() >= kMaxMoves)
    return fail(fmt::format("{} agents are being moved already", moves_.size()),
                "wait until one of them is there");
  for (const auto& [id, move] : moves_)
    if (move->agent() == order.agent)
      return fail("'" + order.agent + "' is being moved already", "pawl why " + order.agent);
  const MoveAround around{engine_, server_, away_, [this](const auto& id) { return find(id); },
                          wake_};
  const std::string id = os::random_uuid();
  moves_[id] = std::make_unique<OneMove>(around, id, std::move(order), now);
  wake_();
  return id;
}

Done Mover::here(const std::string& agent) {
  for (const auto& [id, move] : moves_)
    if (move->agent() == agent) {
      auto done = move->here();
      wake_();
      return done;
    }
  return fail("'" + agent + "' is not on its way", "pawl why " + agent);
}

const MoveStory* Mover::story(const std::string& id) const {
  if (const OneMove* move = find(id)) return &move->story();
  for (const auto& [its, story] : over_)
    if (its == id) return &story;
  return nullptr;
}

void Mover::watched(const std::string& id, const Clock& now) {
  if (OneMove* move = find(id)) move->watched(now.mono);
}

void Mover::answered(const Clock& now, const core::Answer& answer) {
  for (const auto& [id, move] : moves_) move->answered(now, answer);
}

void Mover::turn(const Clock& now) {
  for (const auto& [id, move] : moves_) {
    move->turn(now);
    if (!move->over()) continue;
    over_.emplace_back(id, move->story());
    if (over_.size() > kMovesRemembered) over_.pop_front();
  }
  std::erase_if(moves_, [](const auto& one) { return one.second->over(); });
}

std::optional<MonoTime> Mover::wake_at() const {
  std::optional<MonoTime> first;
  for (const auto& [id, move] : moves_)
    if (!first || move->wake_at() < *first) first = move->wake_at();
  return first;
}

StreamEnd MoveWatch::pump(StreamContext& context) {
  mover_->watched(id_, context.now);
  const MoveStory* story = mover_->story(id_);
  if (!story) return Result<Json>(fail("that move is forgotten", "pawl events"));
  for (; told_ < story->told.size(); ++told_)
    context.out += encode(
        Json::object({{"event", Json::object({{"type", "move"}, {"text", story->told[told_]}})}}));
  return story->end;
}

Outcome move_agent(const Call& call) {
  const auto error = [](Error what) { return Result<Json>(tl::unexpected(std::move(what))); };
  Mover* mover = call.server.mover;
  if (!mover) return error({"nothing can be moved here"});
  const auto agent = agent_of(call);
  if (!agent) return error(agent.error());
  MoveOrder order;
  order.agent = (*agent)->spec.name;
  if (call.args["here"].as_bool()) {
    if (auto done = mover->here(order.agent); !done) return error(done.error());
    return Result<Json>(Json::object({{"version", 1}, {"name", order.agent}}));
  }
  std::tie(order.machine, order.there) = goal_of(call.args["machine"].as_string(), order.agent);
  if (order.machine.empty()) return error({"where to?", "pawl move AGENT MACHINE", 2});
  if (!valid_name(order.there)) return error({"bad name '" + order.there + "'", "", 2});
  if (auto fine = may_go_on(call.asker); !fine) return error(fine.error());
  if (!place_named(call.server.places, order.machine)) return error(no_such_place(order.machine));
  if ((*agent)->task || (*agent)->spec.adopted())
    return error({"'" + order.agent + "' cannot be moved: " +
                      ((*agent)->task ? "it is a task's" : "its pane is not Pawl's"),
                  "only agents that Pawl started can"});
  if ((*agent)->away()) return error({model::away_text(**agent), model::away_todo(**agent)});
  if (const std::string dir = call.args["dir"].as_string(); !dir.empty()) {
    if (!dir.starts_with('/'))
      return error({"'" + dir + "' is not a whole path", "name the folder there from / on", 2});
    order.dir = dir;
  }
  order.now = call.args["now"].as_bool();
  order.by = call.asker;
  if (const std::string limit = call.args["timeout"].as_string(); !limit.empty()) {
    const auto seconds = parse_duration_s(limit);
    if (!seconds) return error({"'" + limit + "' is not a duration", "say it as 90, 5m or 2h", 2});
    order.patience = std::chrono::duration_cast<Duration>(std::chrono::duration<double>(*seconds));
  }
  auto id = mover->begin(call.now, std::move(order));
  if (!id) return error(id.error());
  return MoveWatch(*mover, *id);
}

}  // namespace pawl::api
