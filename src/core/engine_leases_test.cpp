// Tasks of the fleet: run, gone on with and ended as their leases have it. What holders do by themselves: test/host/until_test.cpp.

#include <algorithm>
#include <csignal>

#include "core/engine_world.h"
#include "core/parts/lease_ends.h"
#include "os/file.h"
#include "policy/decide.h"
#include "store/task_files.h"

namespace pawl::core {
namespace {

using namespace std::chrono_literals;
using model::TaskStatus;

const std::string kTask = "task-t";

struct LeaseWorld : EngineWorld {
  std::string dir, backend = "pty";
  static constexpr uint64_t kToken = 12;

  RequestId ask(Duration left = 30s) {
    dir = store::make_task_dir(engine->files().disk(), home.path(), "t", {"do it\n", {}})
              .value_or(store::TaskDir{})
              .path;
    TaskAsked ask;
    ask.request = engine->next_request();
    ask.spec.name = kTask;
    ask.spec.command = {"prog"};
    ask.spec.dir = "/";
    ask.spec.backend = backend;
    ask.order.name = "t";
    ask.order.dir = dir;
    ask.order.start = {"prog"};
    ask.order.format = "plain";
    ask.order.lease = {"u1", "here", kToken};
    ask.until = now.boot + left;
    const RequestId request = ask.request;
    engine->submit(std::move(ask));
    turn();
    return request;
  }
  SessionId begin(Duration left = 30s) {
    ask(left);
    host.runs(session(kTask));
    turn();
    return session(kTask);
  }
  void confirm(Duration left = 30s, uint64_t token = kToken) {
    engine->submit(LeaseSeen{kTask, token, now.boot + left, {}});
    turn();
  }
  void lose() {
    engine->submit(LeaseSeen{kTask, kToken, {}, "node b has it"});
    turn();
  }
  void pass(int seconds) {
    for (int i = 0; i < seconds; ++i) turn(1s);
  }
  FakeHost::Session& its() { return host.sessions.at(session(kTask)); }
  model::Agent agent_now() {
    if (const model::Agent* known = agent(kTask)) return *known;
    return journal.filed.rows.at(kTask);
  }
  const model::Task task() { return *agent_now().task; }
  std::string answer_to(RequestId request) const {
    for (const auto& answer : answers)
      if (answer.request == request) return answer.done ? "" : answer.done.error().what;
    return "none";
  }
  bool told(const std::string& text) const {
    return std::any_of(journal.events.begin(), journal.events.end(), [&](const auto& event) {
      const auto* alert = std::get_if<model::Alerted>(&event.fact);
      return alert && alert->text.find(text) != std::string::npos;
    });
  }
};

TEST(EngineLeases, ItRunsUnderItsLeaseAndWhateverIsWrittenNamesIt) {
  LeaseWorld world;
  world.begin();
  EXPECT_EQ(world.its().until, world.now.boot - 2ms + 30s - model::kLeaseHolder)
      << "before it is run its holder knows until when it may";
  const auto& environment = world.its().launch.environment;
  EXPECT_EQ(std::count(environment.begin(), environment.end(), "PAWL_FENCE=12"), 1);
  EXPECT_EQ(std::count(environment.begin(), environment.end(), "PAWL_UNIT=u1"), 1);
  const std::string manifest = os::read_file(world.dir + "/manifest").value_or("");
  EXPECT_NE(manifest.find("fleet_unit=u1\nfleet_node=here\nfence=12\n"), std::string::npos);
  for (const auto& event : world.journal.events) {
    EXPECT_EQ(event.unit, event.agent == kTask ? "u1" : "") << type_of(event.fact);
    EXPECT_EQ(event.fence, event.agent == kTask ? 12u : 0u);
  }
  ASSERT_EQ(world.engine->leased().size(), 1u);
  EXPECT_TRUE(world.engine->leased()[0].runs);
}

TEST(EngineLeases, OneThatIsNearlyOverBeginsNothing) {
  LeaseWorld world;
  const RequestId request = world.ask(model::kLeaseToBegin);
  EXPECT_EQ(world.answer_to(request), "the lease of 't' is nearly over");
  EXPECT_EQ(world.agent(kTask), nullptr);
  EXPECT_FALSE(os::exists(world.dir));
  world.backend = "tmux";
  EXPECT_NE(world.answer_to(world.ask()).find("cannot run in tmux"), std::string::npos);
  EXPECT_TRUE(world.host.opens.empty());
}

TEST(EngineLeases, EveryRenewalMovesItsHoldersTime) {
  LeaseWorld world;
  world.begin();
  for (int i = 0; i < 10; ++i) {
    world.pass(8);
    world.confirm();
    EXPECT_EQ(world.its().until, world.now.boot - 1ms + 30s - model::kLeaseHolder);
  }
  const BootTime until = world.its().until;
  world.confirm(5s);
  EXPECT_EQ(world.its().until, until) << "what was heard late takes back nothing";
  world.confirm(1h, LeaseWorld::kToken - 1);
  EXPECT_EQ(world.its().until, until) << "of another claim";
  EXPECT_TRUE(world.its().signals.empty());
}

TEST(EngineLeases, UnrenewedItIsToldToEndFiveSecondsBeforeAndKilledTwoLater) {
  LeaseWorld world;
  const SessionId session = world.begin();
  world.pass(24);
  EXPECT_TRUE(world.its().signals.empty());
  world.pass(1);
  EXPECT_EQ(world.its().signals, (std::vector<int>{SIGTERM, SIGCONT}));
  EXPECT_FALSE(world.its().killed);
  world.confirm();
  EXPECT_LT(world.its().until, world.now.boot + 5s) << "it is being ended: too late";
  world.host.sessions.at(session).until = {};  // its holder is stopped
  world.pass(2);
  EXPECT_TRUE(world.its().killed);
  world.host.ends(session, -1, SIGKILL);
  world.turn();
  EXPECT_EQ(world.task().status, TaskStatus::abandoned);
  EXPECT_EQ(world.task().reason, "lease_lost");
  EXPECT_EQ(world.task().detail, "its lease was not renewed in time");
  EXPECT_TRUE(world.told("its task is abandoned: its lease was not renewed in time"));
  world.check_outcomes();
}

TEST(EngineLeases, ItsHolderEndsItWhenTheDaemonDoesNot) {
  LeaseWorld world;
  world.begin();
  world.now.boot += 27s, world.now.mono += 27s, world.now.wall += 27s;
  world.host.time_is(world.now.boot);  // the daemon was stopped meanwhile
  world.turn();
  EXPECT_EQ(world.task().reason, "lease_lost");
  world.check_outcomes();
}

TEST(EngineLeases, ALostOneIsKilledAtOnceWithAllItStarted) {
  LeaseWorld world;
  const SessionId session = world.begin();
  world.lose();
  EXPECT_TRUE(world.its().killed);
  world.host.ends(session, -1, SIGKILL);
  world.turn();
  EXPECT_EQ(world.task().status, TaskStatus::abandoned);
  EXPECT_EQ(world.task().reason, "lease_lost");
  EXPECT_EQ(world.task().detail, "its lease was lost: node b has it");
  EXPECT_FALSE(os::exists(world.dir + "/done"));
  const std::string manifest = os::read_file(world.dir + "/manifest").value_or("");
  EXPECT_NE(manifest.find("abandon_reason=lease_lost\n"), std::string::npos);
  const auto ends = world.engine->take_lease_ends();
  ASSERT_EQ(ends.size(), 1u);
  EXPECT_TRUE(ends[0].over);
  EXPECT_EQ(ends[0].lease.token, LeaseWorld::kToken);
  EXPECT_EQ(ends[0].reason, "lease_lost");
  world.pass(3);
  EXPECT_EQ(world.engine->wake_at(), std::nullopt);
  ASSERT_TRUE(world.engine->recall(kTask));
  const RequestId again = world.EngineWorld::ask<GoOnAsked>(kTask);
  world.turn();
  EXPECT_EQ(world.answer_to(again), "'t' is not gone on with: its lease is over");
  EXPECT_EQ(world.host.opens.size(), 1u);
  world.check_outcomes();
}

TEST(EngineLeases, ALossComesBeforeWhateverElseIsUnderWay) {
  LeaseWorld world;
  world.ask();  // its terminal is being opened
  world.lose();
  EXPECT_TRUE(world.its().killed);
  world.host.runs(world.session(kTask));
  world.host.ends(world.session(kTask), -1, SIGKILL);
  world.turn();
  EXPECT_EQ(world.task().reason, "lease_lost");
  LeaseWorld other;
  other.begin();
  other.EngineWorld::ask<CancelAsked>(kTask);
  other.turn();
  other.lose();
  EXPECT_TRUE(other.its().killed) << "it has no time for a grace any more";
  other.host.ends(other.session(kTask), -1, SIGKILL);
  other.turn();
  EXPECT_EQ(other.task().reason, "cancelled") << "as a person said before";
  other.check_outcomes();
}

// It came to its end, and is looked at again in a moment.
TEST(EngineLeases, AResultAfterALossIsNone) {
  LeaseWorld world;
  world.begin();
  world.host.ends(world.session(kTask), 0);
  world.turn();
  world.lose();
  EXPECT_EQ(world.task().status, TaskStatus::abandoned);
  EXPECT_EQ(world.task().reason, "lease_lost");
}

TEST(EngineLeases, ItsEndIsToldWhenNothingOfItIsLeft) {
  LeaseWorld world;
  world.begin();
  world.host.leftovers = 2;
  world.host.ends(world.session(kTask), 0);
  world.pass(3);
  EXPECT_EQ(world.task().status, TaskStatus::completed);
  EXPECT_TRUE(world.engine->take_lease_ends().empty());
  world.host.leftovers = 0;
  world.turn(kLeftAgain);
  EXPECT_EQ(world.engine->take_lease_ends().size(), 1u);
  LeaseWorld stuck;  // of another user, say
  stuck.begin();
  stuck.host.leftovers = 1;
  stuck.host.ends(stuck.session(kTask), 0);
  for (int i = 0; i < kLeftLooks + 3; ++i) stuck.turn(1s);
  const auto ends = stuck.engine->take_lease_ends();
  ASSERT_EQ(ends.size(), 1u);
  EXPECT_EQ(ends[0].left, 1u);
}

TEST(EngineLeases, OneThatEndsHasItsResultAndItsFence) {
  LeaseWorld world;
  world.begin();
  world.host.ends(world.session(kTask), 0);
  world.pass(3);
  EXPECT_EQ(world.task().status, TaskStatus::completed);
  const auto ends = world.engine->take_lease_ends();
  ASSERT_EQ(ends.size(), 1u);
  EXPECT_EQ(ends[0].status, TaskStatus::completed);
  EXPECT_EQ(ends[0].exit_code, 0);
  EXPECT_NE(os::read_file(world.dir + "/manifest").value_or("").find("fence=12\n"),
            std::string::npos);
  EXPECT_TRUE(world.engine->take_lease_ends().empty());
  world.pass(2);
  EXPECT_EQ(world.engine->wake_at(), std::nullopt) << "its lease is nobody's business any more";
  world.live();
  world.turn();
  ASSERT_EQ(world.engine->take_lease_ends().size(), 1u) << "it may not have been told";
}

TEST(EngineLeases, ACrashedOneGoesOnOnlyWithTimeLeft) {
  LeaseWorld world;
  world.begin();
  world.pass(19);
  world.host.ends(world.session(kTask), -1, SIGSEGV);
  world.pass(4);  // its pause is over, and 9 seconds are left
  EXPECT_EQ(world.host.opens.size(), 1u);
  EXPECT_NE(world.engine->opinion(world.now, kTask).choice.because.find("its lease ends in"),
            std::string::npos);
  world.confirm();
  world.turn();
  EXPECT_EQ(world.host.opens.size(), 2u);
  EXPECT_EQ(world.its().until, world.now.boot - 2ms + 30s - model::kLeaseHolder);
}

TEST(EngineLeases, AfterARestartOfTheDaemonNothingBeginsBeforeItIsConfirmed) {
  LeaseWorld world;
  world.begin();
  world.host.ends(world.session(kTask), -1, SIGSEGV);
  world.live();
  world.pass(10);
  world.answers.clear();  // of the life before
  EXPECT_EQ(world.host.opens.size(), 1u);
  ASSERT_EQ(world.engine->leased().size(), 1u);
  EXPECT_FALSE(world.engine->leased()[0].confirmed);
  for (const RequestId request :
       {world.EngineWorld::ask<GoOnAsked>(kTask), world.EngineWorld::ask<StartAsked>(kTask),
        world.EngineWorld::ask<RestartAsked>(kTask)}) {
    world.turn();
    EXPECT_NE(world.answer_to(request).find("was not confirmed"), std::string::npos)
        << world.answer_to(request);
  }
  world.confirm();
  world.pass(3);
  EXPECT_EQ(world.host.opens.size(), 2u);
  world.host.runs(world.session(kTask));
  world.turn();
  world.check_outcomes();
}

TEST(EngineLeases, NobodyConfirmsItForAMinuteAndItIsGivenUp) {
  LeaseWorld world;
  world.begin();
  world.host.sessions.clear();  // the machine was restarted
  world.live();
  world.pass(54);
  EXPECT_EQ(world.engine->leased()[0].until, std::nullopt);
  EXPECT_EQ(world.task().status, TaskStatus::running);
  world.pass(2);
  EXPECT_EQ(world.task().reason, "lease_lost");
  EXPECT_TRUE(world.told("nobody confirmed its lease since the daemon was started"));
  EXPECT_EQ(world.host.opens.size(), 1u);
}

TEST(EngineLeases, OneThatIsFoundRunningHasTheTimeItsHolderKnows) {
  LeaseWorld world;
  world.begin();
  world.live();
  world.pass(20);
  EXPECT_TRUE(world.its().signals.empty());
  world.pass(6);
  EXPECT_EQ(world.its().signals, (std::vector<int>{SIGTERM, SIGCONT}));
  LeaseWorld other;
  other.begin();
  other.live();
  other.pass(20);
  EXPECT_TRUE(other.engine->leased()[0].until) << "as its holder has it";
  EXPECT_FALSE(other.engine->leased()[0].confirmed);
  other.confirm();
  EXPECT_TRUE(other.engine->leased()[0].confirmed);
  other.pass(6);
  EXPECT_TRUE(other.its().signals.empty()) << "it was confirmed";
}

TEST(EngineLeases, OneWhoseHolderDoesNotSayHasFiveSeconds) {
  LeaseWorld world;
  world.begin();
  world.its().until = {};
  world.live();
  world.pass(4);
  EXPECT_TRUE(world.its().signals.empty());
  world.pass(2);
  EXPECT_FALSE(world.its().signals.empty());
}

// The clock that wakes the daemon stood still meanwhile.
TEST(EngineLeases, ASuspendOverItsEndEndsItWithTheNextTurn) {
  LeaseWorld world;
  world.begin();
  const SessionId session = world.session(kTask);
  world.its().until = {};  // its holder has not had its turn
  world.now.boot += 1h;
  world.now.wall += 1h;
  world.engine->slept(world.now, Slept{1h, "the machine slept", {}});
  world.turn();
  EXPECT_TRUE(world.host.sessions.at(session).killed);
}

TEST(EngineLeases, ARestartThatWasUnderWayDoesNotOutliveIt) {
  LeaseWorld world;
  world.begin();
  world.pass(15);
  world.EngineWorld::ask<RestartAsked>(kTask);
  world.turn();
  world.pass(6);  // it takes its time to end
  world.host.ends(world.session(kTask), 0);
  world.turn();
  EXPECT_EQ(world.host.opens.size(), 1u);
  EXPECT_EQ(world.task().reason, "lease_lost")
      << "exit code 0 of one that was told to end is no result";
  world.check_outcomes();
}

TEST(EngineLeases, ADecisionSurvivesAKillAtAnyPlace) {
  for (size_t deadly = 1; deadly < 30; ++deadly) {
    SCOPED_TRACE(deadly);
    LeaseWorld world;
    world.begin();
    world.journal.deadly = world.journal.events.size() + deadly;
    try {
      world.lose();
      world.host.ends(world.session(kTask), -1, SIGKILL);
      world.pass(3);
    } catch (const Killed&) {
      world.live();
      if (world.agent(kTask) && world.host.sessions.contains(world.session(kTask)) &&
          !world.its().end)
        world.host.ends(world.session(kTask), -1, SIGKILL);
      world.pass(60);
    }
    EXPECT_EQ(world.task().reason, "lease_lost");
    EXPECT_EQ(world.host.opens.size(), 1u);
    world.check_outcomes();
  }
}

}  // namespace
}  // namespace pawl::core
