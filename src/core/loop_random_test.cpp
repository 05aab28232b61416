// An agent that lives for months must not notice that the daemon is restarted. Made-up histories, each from its seed: one daemon
// lives through all of it, others are killed and start again from the journal, or from a snapshot and what came after. All of
// them write the same journal to the last letter: the same counters, ledgers, stages, and the same decisions.

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "core/supervisor_world.h"

namespace pawl::core {
namespace {

using model::Action;
using model::State;

constexpr int kHistories = 200;
constexpr int kMoments = 80;

enum class What { state, end, login_end, work, gone, pause, person, operated, told, slept };

// One thing that happens. What comes of it depends on the agent's condition, never on a die that is thrown later.
struct Moment {
  Duration after;
  What what = What::state;
  uint64_t a = 0, b = 0;
};

struct History {
  model::AgentSpec spec;
  std::vector<Moment> moments;
};

History history(uint64_t seed) {
  std::mt19937_64 dice(seed);
  constexpr const char* kStrategies[] = {"continuous", "task-driven",  "interval-poll",
                                         "backoff",    "event-driven", "scheduled"};
  constexpr What kWhats[] = {What::state, What::state, What::state,    What::state, What::end,
                             What::end,   What::end,   What::end,      What::end,   What::login_end,
                             What::work,  What::work,  What::work,     What::gone,  What::pause,
                             What::told,  What::slept, What::operated, What::told,  What::person};
  constexpr int64_t kScaleUs[] = {700'003, 4'000'001, 31'000'007, 120'000'011, 4'000'000'003};
  History out;
  out.spec = World::run().spec;
  out.spec.strategy = kStrategies[dice() % std::size(kStrategies)];
  out.spec.loop.schedule = {"*/20 * * * *"};
  out.spec.loop.one_task = dice() % 4 == 0;
  out.spec.restart = dice() % 4 == 0 ? model::Restart::fresh : model::Restart::resume;
  out.spec.crash_loop.count = dice() % 2 == 0 ? 3 : 50;
  if (dice() % 2 == 0) out.spec.recovery.auth_refresh = {"refresh"};
  if (dice() % 2 == 0) out.spec.mode = "active";
  for (int i = 0; i < kMoments; ++i) {
    const auto scale = static_cast<uint64_t>(kScaleUs[dice() % std::size(kScaleUs)]);
    const Duration after{static_cast<int64_t>(dice() % scale)};
    out.moments.push_back({after, kWhats[dice() % std::size(kWhats)], dice(), dice()});
  }
  return out;
}

// As they come back from the disk.
model::Event reread(const model::Event& event) {
  const auto body = Json::parse(model::body_of(event.fact).dump());
  const auto fact = model::fact_from(std::string(model::type_of(event.fact)), *body);
  EXPECT_TRUE(fact) << text_of(fact.error());
  return {event.seq, event.at, event.agent, *fact};
}

// From a snapshot that was written after so many events, and what came after it. 0: from the whole journal.
model::Fleet recovered(const std::vector<model::Event>& journal, size_t snapshot) {
  model::Fleet fleet;
  for (size_t i = 0; i < journal.size(); ++i) {
    if (i == snapshot) fleet = *model::fleet_from(*Json::parse(model::to_json(fleet).dump()));
    model::apply(fleet, journal[i]);
  }
  return fleet;
}

class LoopLife {
 public:
  explicit LoopLife(const History& history) : history_(history) {
    RunAsked run = World::run();
    run.spec = history.spec;
    follow(run);
  }

  // `deaths`: how many moments of a hundred the daemon does not live to see.
  void live(uint64_t seed, uint64_t deaths) {
    std::mt19937_64 dice(seed);
    for (const Moment& moment : history_.moments) {
      if (dice() % 100 < deaths) die(dice());
      advance(moment.after);
      happen(moment);
      settle();
    }
  }

  const std::vector<model::Event>& journal() const { return world_.journal; }
  const model::Fleet& fleet() const { return world_.supervisor.fleet(); }
  int deaths() const { return deaths_; }

 private:
  const model::Agent& agent() const { return *world_.agent(); }

  // kill -9 and a new daemon. What is under way then has an outcome of its own; that is engine_kill_test's part.
  void die(uint64_t roll) {
    const size_t snapshot = roll % 2 == 0 ? 0 : roll / 2 % (world_.journal.size() + 1);
    for (size_t i = on_disk_.size(); i < world_.journal.size(); ++i)
      on_disk_.push_back(reread(world_.journal[i]));
    const model::Fleet fleet = recovered(on_disk_, snapshot);
    ASSERT_TRUE(fleet == world_.supervisor.fleet()) << "snapshot after " << snapshot;
    if (agent().intent) return;
    ++deaths_;
    World next(fleet);
    next.journal = std::move(world_.journal);
    next.now = world_.now;
    world_ = std::move(next);
    Recovered seen;
    if (agent().running()) seen.terminals.push_back({agent().session, {1, 1}});
    follow(seen);
    settle();
  }

  // An input, and everything that follows from it at once.
  void follow(Input input) {
    std::vector<Input> inputs{std::move(input)};
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Plan plan = world_.feed(inputs[i]);
      for (const auto& effect : plan.effects) perform(effect, inputs);
    }
  }

  // Nine of ten things go well. Which ones is a matter of their number: the same in every life.
  static bool goes_well(Seq intent) { return intent.value * 2654435761u % 10 != 0; }
  static act::Outcome outcome(Seq intent) {
    return {goes_well(intent) ? act::Verdict::confirmed : act::Verdict::unverified, "w", false};
  }

  void perform(const Effect& effect, std::vector<Input>& then) {
    if (const auto* open = std::get_if<OpenTerminal>(&effect))
      then.push_back(TerminalOpened{open->session, {1, 1}, true});
    else if (const auto* prompt = std::get_if<DeliverPrompt>(&effect))
      then.push_back(Delivered{prompt->intent, outcome(prompt->intent)});
    else if (const auto* put = std::get_if<ArchiveFiles>(&effect))
      then.push_back(CommandEnded{put->intent, goes_well(put->intent), "w"});
    else if (const auto* run = std::get_if<RunCommand>(&effect))
      then.push_back(CommandEnded{run->intent, goes_well(run->intent), "w"});
    else if (const auto* settled = std::get_if<SettleWork>(&effect); settled && settled->done)
      then.push_back(WorkVanished{settled->agent, settled->name});
    else if (const auto* kill = std::get_if<SignalProgram>(&effect);
             kill && kill->signal == SIGTERM)
      then.push_back(ProgramEnded{kill->session, {-1, SIGTERM, true}});
  }

  // What a look around sees depends on how many sessions there were.
  model::Surroundings around() const {
    const uint64_t roll = static_cast<uint64_t>(agent().starts) * 40503u % 97;
    model::Surroundings seen;
    seen.resumable = roll % 7 != 0;
    seen.transcript_mb = roll % 5 == 0 && !agent().memory.sessions.archived ? 300 : 90;
    seen.memory_pct = roll % 11 == 0 ? 95 : 40;
    seen.disk_mb = roll == 13 ? 100 : 5000;
    return seen;
  }

  void settle() {
    for (int round = 0; round < 64; ++round) {
      std::optional<MonoTime> later;
      if (world_.supervisor.to_consult(world_.now, later).empty()) return;
      RulesDue due;
      due.agent = "a";
      if (!agent().running()) due.before = around();
      follow(due);
    }
    ADD_FAILURE() << "the rules come to no end";
  }

  // From deadline to deadline.
  void advance(Duration time) {
    const MonoTime end = world_.now.mono + time;
    for (;;) {
      settle();
      std::optional<MonoTime> next;
      (void)world_.supervisor.to_consult(world_.now, next);
      if (!next || *next > end) break;
      world_.pass(*next - world_.now.mono);
    }
    world_.pass(end - world_.now.mono);
  }

  void see(State state, const std::string& notice = {}) {
    Perceived seen;
    seen.session = agent().session;
    seen.state = state;
    seen.tier = model::Tier::screen;
    if (!notice.empty()) seen.notices.push_back({notice, notice, {}});
    follow(seen);
  }

  void end(uint64_t how) {
    const model::Ending kEnds[] = {{0, 0, true},   {0, 0, true},  {0, 0, true},  {1, 0, true},
                                   {1, 0, true},   {2, 0, true},  {-1, 9, true}, {137, 0, true},
                                   {-1, 11, true}, {-1, 0, false}};
    follow(ProgramEnded{agent().session, kEnds[how % std::size(kEnds)]});
  }

  void happen(const Moment& it) {
    constexpr State kStates[] = {State::ready, State::ready, State::busy,   State::busy,
                                 State::busy,  State::stuck, State::typing, State::unknown};
    const std::string item = "t" + std::to_string(it.a % 6);
    if (it.what == What::state) see(kStates[it.a % std::size(kStates)]);
    if (it.what == What::end) end(it.a);
    if (it.what == What::login_end) see(State::ready, "auth"), end(3);
    if (it.what == What::work)
      follow(WorkFound{"a", {item, "alice", std::to_string(it.b % 3), static_cast<int>(it.b % 2)}});
    if (it.what == What::gone) follow(WorkVanished{"a", item});
    if (it.what == What::pause) follow(PauseAsked{{}, "a", it.a % 3 == 0, "the file PAUSE"});
    if (it.what == What::person) follow(HumanTyped{"a", "attach"});
    if (it.what == What::slept) follow(Slept{it.after / 2, "the machine slept"});
    if (it.what == What::told)
      follow(ConversationTold{agent().session, "c" + item, "/transcripts/" + item});
    if (it.what != What::operated) return;
    if (it.a % 3 == 0) follow(StopAsked{{}, "a", "asked"});
    if (it.a % 3 != 0) follow(RestartAsked{{}, "a", "asked", it.b % 2 == 0});
  }

  const History& history_;
  World world_;
  std::vector<model::Event> on_disk_;
  int deaths_ = 0;
};

// Where two journals part.
std::string difference(const std::vector<model::Event>& one, const std::vector<model::Event>& two) {
  for (size_t i = 0; i < std::max(one.size(), two.size()); ++i) {
    if (i < one.size() && i < two.size() && one[i] == two[i]) continue;
    const auto told = [i](const std::vector<model::Event>& journal) -> std::string {
      if (i >= journal.size()) return "nothing";
      return rfc3339(journal[i].at) + " " + std::string(model::type_of(journal[i].fact)) + " " +
             model::body_of(journal[i].fact).dump();
    };
    return "event " + std::to_string(i + 1) + ":\n  " + told(one) + "\n  " + told(two);
  }
  return "";
}

TEST(LoopRandom, ARestartOfTheDaemonChangesNothing) {
  std::map<std::string, int> seen;
  int deaths = 0;
  for (uint64_t seed = 1; seed <= kHistories; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const History it = history(seed);
    LoopLife through(it);
    through.live(seed, 0);
    for (const uint64_t often : {5, 40}) {
      LoopLife restarted(it);
      restarted.live(seed + 1000 * often, often);
      ASSERT_EQ(difference(through.journal(), restarted.journal()), "");
      ASSERT_TRUE(through.fleet() == restarted.fleet());
      deaths += restarted.deaths();
    }
    for (const auto& event : through.journal())
      if (const auto* fact = std::get_if<model::Decided>(&event.fact); fact && !fact->rule.empty())
        ++seen[std::string(word(fact->action)) + " " +
               (fact->rule == "loop" ? fact->how : std::string())];
  }
  // Histories in which nothing of this happens prove nothing.
  for (const char* what :
       {"start fresh", "start resume", "restart resume", "restart fresh", "restart reset",
        "archive conversation", "archive all", "refresh-auth ", "wake ", "park ", "escalate "})
    EXPECT_GT(seen[what], 5) << what;
  EXPECT_GT(deaths, kHistories * 15);
}

}  // namespace
}  // namespace pawl::core
