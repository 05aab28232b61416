#include "api/roles.h"

#include <gtest/gtest.h>

#include "api/client_world.h"
#include "api/verb.h"

namespace pawl::api {
namespace {

using model::Asker;

model::Fleet fleet() {
  model::Fleet fleet;
  for (const char* name : {"worker", "other"}) fleet.agents[name].spec.name = name;
  fleet.agents["task-build"].spec.name = "task-build";
  fleet.agents["task-build"].task = model::Task{};
  fleet.agents["task-build"].task->order.name = "build";
  fleet.agents["task-build"].task->order.by = {model::kAgent, "worker", 5};
  return fleet;
}

Json named_all(const std::string& name) {
  return Json::object({{"names", std::vector<std::string>{name}}});
}

const Asker kWorker{model::kAgent, "worker", 12};
const Asker kBuild{model::kTask, "build", 13};
const Asker kUnknown{model::kAgent, "", 14};

int code(const Asker& asker, const std::string& verb, const Json& args = Json::object()) {
  const Done done = allowed(fleet(), asker, verb, args);
  return done ? 0 : done.error().exit_code;
}

TEST(Roles, InsideAnAgentOnlyTheseVerbsAreFree) {
  const std::set<std::string> free{"hook", "task start", "wake", "send", "inbox done"};
  for (const Verb& verb : verbs()) {
    const bool looks = verb.use.access == Access::look && verb.use.may == May::everybody;
    if (verb.use.access == Access::local) continue;
    for (const Asker& asker : {kWorker, kBuild, kUnknown})
      EXPECT_EQ(code(asker, verb.name, named("other")),
                looks || free.contains(verb.name) ||
                        verb.name.starts_with("task ")  // there is no task of that name
                    ? 0
                    : kNotAllowed)
          << verb.name;
  }
}

TEST(Roles, EverybodyElseMayDoEverything) {
  for (const Asker& asker :
       {Asker{model::kPerson, "", 1}, Asker{model::kWeb, "operator", 0},
        Asker{model::kMachine, "laptop/person", 3},
        Asker{model::kMachine, "laptop/web operator (token) from 127.0.0.1", 3},
        Asker{model::kRule, "", 2}, Asker{}})
    for (const Verb& verb : verbs()) EXPECT_EQ(code(asker, verb.name, named("other")), 0);
}

TEST(Roles, OfAnotherMachineOnlyPeopleArePeople) {
  for (const char* name : {"laptop/agent docs", "laptop/task build", "laptop/daemon",
                           "laptop/agent", "laptop/agent web", "laptop/webmaster"}) {
    const Asker asker{model::kMachine, name, 4};
    EXPECT_EQ(code(asker, "stop", named_all("worker")), kNotAllowed) << name;
    EXPECT_EQ(code(asker, "ls"), 0) << name;
  }
  EXPECT_FALSE(
      allowed_on(fleet(), {model::kMachine, "laptop/agent worker", 4}, "inbox done", "worker"))
      << "ours has the same name, and is another one";
}

TEST(Roles, AnAgentIsNoPersonForItselfEither) {
  for (const char* verb : {"answer", "keys", "permission", "resume", "attach", "restart", "rm"})
    EXPECT_EQ(code(kWorker, verb, named("worker")), kNotAllowed) << verb;
}

TEST(Roles, KeysAndOthersTextsAreNotSent) {
  EXPECT_EQ(code(kWorker, "send", named("other").set("text", "go on")), 0);
  EXPECT_EQ(code(kWorker, "send", named("other").set("text", "go on").set("now", true)), 0);
  EXPECT_EQ(code(kWorker, "send", named("other").set("text", "1").set("no-enter", true)), 6);
  EXPECT_EQ(code(kWorker, "send", named("other").set("drop", true)), 6);
}

TEST(Roles, ATaskIsItsStartersToEnd) {
  const Asker other{model::kAgent, "other", 3}, said{model::kAgent, "worker", 4, false};
  for (const char* verb : {"task cancel", "task resume", "task clean"}) {
    EXPECT_EQ(code(kWorker, verb, named("build")), 0) << verb;
    EXPECT_EQ(code(kWorker, verb, named("task-build")), 0) << verb;
    for (const Asker& asker : {other, kBuild, kUnknown, said})
      EXPECT_EQ(code(asker, verb, named("build")), kNotAllowed) << verb;
  }
}

TEST(Roles, AnInboxIsItsOwners) {
  EXPECT_EQ(code(kWorker, "inbox add", named("worker")), 0);
  EXPECT_EQ(code(kWorker, "inbox add", named("other")), kNotAllowed);
  EXPECT_EQ(code(kBuild, "inbox add", named("task-build")), 0);
  EXPECT_EQ(code(kUnknown, "inbox add", named("")), kNotAllowed);
  EXPECT_TRUE(allowed_on(fleet(), kWorker, "inbox done", "worker"));
  EXPECT_FALSE(allowed_on(fleet(), kWorker, "inbox done", "other"));
  EXPECT_TRUE(allowed_on(fleet(), {model::kPerson, "", 1}, "inbox done", "other"));
}

TEST(Roles, ThePersonsConfigurationAllowsMore) {
  model::Fleet with = fleet();
  with.agents["worker"].spec.may = {"answer", "task", "daemon"};
  const auto may = [&](const Asker& asker, const char* verb) {
    return allowed(with, asker, verb, named("other")).has_value();
  };
  EXPECT_TRUE(may(kWorker, "answer"));
  EXPECT_TRUE(may(kWorker, "shutdown"));
  EXPECT_TRUE(allowed(with, kWorker, "task cancel", named("build")));
  EXPECT_FALSE(may(kWorker, "keys"));
  EXPECT_FALSE(may({model::kAgent, "other", 1}, "answer"));
  EXPECT_FALSE(may({model::kAgent, "worker", 1, false}, "answer"));  // it only says so
}

TEST(Roles, AnOrchestratorIsGivenATeam) {
  model::Fleet with = fleet();
  for (const char* name : {"team-a", "team.b", "teammate"}) with.agents[name].spec.name = name;
  with.agents["worker"].spec.may = {"answer:team/*", "stop:*", "task:build", "inbox:other"};
  const auto may = [&](const char* verb, const Json& args) {
    return allowed(with, kWorker, verb, args).has_value();
  };
  EXPECT_TRUE(may("answer", named("team-a")));
  EXPECT_TRUE(may("answer", named("team.b")));
  EXPECT_FALSE(may("answer", named("teammate")));
  EXPECT_FALSE(may("answer", named("other")));
  EXPECT_FALSE(may("answer", named("worker")));
  EXPECT_FALSE(may("keys", named("team-a")));
  EXPECT_TRUE(may("stop", named_all("other")));
  EXPECT_FALSE(may("stop", named_all("worker"))) << "never itself";
  EXPECT_FALSE(may("stop", Json::object({{"names", std::vector<std::string>{"other", "worker"}}})));
  EXPECT_FALSE(may("stop", Json::object({{"all", true}}))) << "all are more than those";
  EXPECT_FALSE(
      may("stop", Json::object({{"all", true}, {"names", std::vector<std::string>{"other"}}})));
  EXPECT_FALSE(may("stop", Json::object()));
  EXPECT_TRUE(may("inbox add", named("other")));
  EXPECT_FALSE(may("shutdown", Json::object()));
  with.agents["worker"].spec.may = {"answer:*a*m*-*", "keys:other*", "mode:"};
  EXPECT_TRUE(may("answer", named("team-a")));
  EXPECT_FALSE(may("answer", named("team.b")));
  EXPECT_TRUE(may("keys", named("other")));
  EXPECT_FALSE(may("mode", named("other")));
}

TEST(Roles, TheRefusalNamesTheKey) {
  const auto error = [](const Asker& asker, const char* verb) {
    return text_of(allowed(fleet(), asker, verb, named("other")).error());
  };
  EXPECT_EQ(error(kWorker, "answer"),
            "this runs inside agent worker, which may not use 'answer': a person can do it from a "
            "terminal of their own, or allow it: may = [\"answer\"] under [agent.worker] in "
            "pawl.toml");
  EXPECT_NE(error(kBuild, "stop").find("may = [\"stop\"] under [defaults]"), std::string::npos);
  EXPECT_NE(error(kUnknown, "shutdown").find("may not stop the daemon"), std::string::npos);
}

// A conversation at the local socket.
struct Inside : ClientWorld {
  explicit Inside(const Asker& asker) { become(asker); }
  void become(const Asker& asker) {
    conversation.~Conversation();
    new (&conversation) Conversation(*engine, server, asker);
  }
  std::vector<model::Requested> requests() const {
    std::vector<model::Requested> all;
    for (const auto& event : journal.events)
      if (const auto* it = std::get_if<model::Requested>(&event.fact)) all.push_back(*it);
    return all;
  }
  void runs(const std::string& name) {
    become({model::kPerson, "", 7});
    send("run", named(name).set("command", std::vector<std::string>{"prog"}));
    step();
    host.runs(session());
    step();
    replies.clear();
  }
};

TEST(Roles, EveryActIsWrittenDownWithItsAsker) {
  Inside world(kWorker);
  world.runs("a");
  ASSERT_EQ(world.requests().size(), 1u);
  EXPECT_EQ(world.requests()[0],
            (model::Requested{"run", {model::kPerson, "", 7}, false, R"({"command":["prog"]})"}));
  bool stamped = false;
  for (const auto& event : world.journal.events)
    if (const auto* it = std::get_if<model::Decided>(&event.fact))
      stamped = it->by == (Asker{model::kPerson, "", 7});
  EXPECT_TRUE(stamped);
  world.become(kWorker);
  const auto refused = world.ask("stop", named_all("a"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().exit_code, kNotAllowed);
  EXPECT_EQ(world.requests().back(), (model::Requested{"stop", kWorker, true}));
  EXPECT_TRUE(world.engine->fleet().find("a")->running());
}

TEST(Roles, LooksAndHooksAreNotWrittenDown) {
  Inside world(kWorker);
  EXPECT_TRUE(world.ask("ls"));
  EXPECT_TRUE(world.ask("hook", Json::object({{"runtime", "claude"}, {"json", "{}"}})));
  EXPECT_TRUE(world.requests().empty());
}

TEST(Roles, WhatAClientSaysOfItselfHelpsNobody) {
  Inside world(kWorker);
  world.runs("a");
  world.server.cookie = "feed-";
  const std::string own = "feed-" + std::to_string(world.session().value);
  const auto ask = [&](const Asker& asker, const std::string& session) {
    world.become(asker);
    world.send_raw(Json::object({{"version", 1},
                                 {"verb", "rm"},
                                 {"args", named_all("a")},
                                 {"by", "root"},
                                 {"session", session}})
                       .dump());
    world.step();
    const auto reply = world.reply();
    return reply ? 0 : reply.error().exit_code;
  };
  EXPECT_EQ(ask(kUnknown, ""), kNotAllowed);
  EXPECT_EQ(ask(kUnknown, own), kNotAllowed);
  EXPECT_EQ(world.requests().back().by, (Asker{model::kAgent, "a", 14}));
  EXPECT_EQ(ask({model::kPerson, "", 9}, own), kNotAllowed);
  EXPECT_EQ(ask({model::kPerson, "", 9}, "feed-777"), kNotAllowed);  // of a session that is over
  EXPECT_EQ(ask({model::kPerson, "", 9}, "beef-1"), 0);              // of another home
}

// It could let the daemon run programs, and give rights to a task.
TEST(Roles, AnAgentBringsNoConfigurationOfItsOwn) {
  Inside world(kWorker);
  const auto start = [&](const Asker& asker, const char* name) {
    world.become(asker);
    const std::string text = "[defaults]\nmay = ['answer']\nnotify = ['exec:evil']\n";
    world.send_raw(
        Json::object(
            {{"version", 1},
             {"verb", "task start"},
             {"args",
              named(name).set("prompt", "x").set("command", std::vector<std::string>{"sh"})},
             {"config", Json::object({{"text", text}, {"path", "evil.toml"}})},
             {"environment", std::vector<std::string>{"PATH=/bin:/usr/bin"}},
             {"cwd", "/"}})
            .dump());
    world.step();
    const auto* task = world.engine->fleet().find(std::string("task-") + name);
    return task ? task->spec.may.size() + task->spec.notify.size() : 99;
  };
  EXPECT_EQ(start({model::kPerson, "", 9}, "ours"), 2u);
  EXPECT_EQ(start(kWorker, "its"), 0u);
  EXPECT_EQ(world.engine->fleet().find("task-its")->task->order.by, kWorker);
}

// `pawl __relay`, which says for whom it speaks, and brings the folder and the environment of this machine.
Result<Json> relays(Inside& world, const std::string& from) {
  world.send_raw(Json::object({{"version", 1},
                               {"verb", "relay"},
                               {"args", Json::object({{"from", from}})},
                               {"cwd", "/tmp"},
                               {"environment", std::vector<std::string>{"WHERE=here"}}})
                     .dump());
  world.step();
  return world.reply();
}

TEST(Roles, ARelaySpeaksForAnotherMachineFromThenOn) {
  Inside world({model::kPerson, "", 77});
  ASSERT_TRUE(relays(world, "laptop/person"));
  (void)world.ask("stop", named_all("nobody"));
  EXPECT_EQ(world.requests().back().by, (Asker{model::kMachine, "laptop/person", 77}));
  world.send("run", named("b").set("command", std::vector<std::string>{"prog"}));  // from "/" there
  world.step();
  EXPECT_EQ(world.agent("b")->spec.dir, "/tmp");
}

TEST(Roles, NobodyInsideAnAgentRelays) {
  Inside agent(kWorker);
  const auto refused = relays(agent, "laptop/person");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().exit_code, kNotAllowed);
  Inside twice({model::kPerson, "", 77});
  ASSERT_TRUE(relays(twice, "laptop/agent docs"));
  EXPECT_FALSE(relays(twice, "laptop/person")) << "it is said once";
  for (const char* from : {"", "laptop", "/person", "a/\n"}) {
    Inside world({model::kPerson, "", 77});
    EXPECT_FALSE(relays(world, from)) << from;
  }
}

}  // namespace
}  // namespace pawl::api
