#include "api/trust_handlers.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "api/client_world.h"
#include "api/roles.h"
#include "os/file.h"
#include "store/approvals.h"

namespace pawl::api {
namespace {

const std::string kToml = "[agent.new]\ncommand = [\"x\"]\n";

Json config_file(const std::string& text, const std::string& path = "/p/pawl.toml") {
  return Json::object({{"text", text}, {"path", path}});
}

struct TrustWorld : ClientWorld {
  std::string standing(const std::string& text, const std::string& path = "/p/pawl.toml") {
    const auto result = ask("preview", config_file(text, path));
    return result ? (*result)["standing"].as_string() : error_of(result);
  }
  int code(const std::string& verb, const Json& args) {
    const auto result = ask(verb, args);
    return result ? 0 : result.error().exit_code;
  }
  std::string list_file() const { return home / store::kApprovalsName; }

  // The same, asked by a process inside this agent.
  Result<Json> ask_as(const std::string& agent, const std::string& verb, const Json& args,
                      const Json& config = Json()) {
    Conversation inside(*engine, server, model::Asker{model::kAgent, agent, 12});
    Json request = Json::object({{"version", 1}, {"verb", verb}, {"args", args}, {"cwd", "/"}});
    request.set("config", config);
    inside.receive(now, {Kind::json, request.dump()});
    engine->turn(now);
    FrameReader from(kMaxReply);
    from.feed(inside.take_output());
    const auto frame = from.next();
    if (!frame || !*frame) return Json("goes on");
    return result_of(*Json::parse((*frame)->payload));
  }
};

TEST(Trust, NothingRunsBeforeItIsApproved) {
  TrustWorld world;
  const auto refused = world.ask("up", config_file(kToml));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().exit_code, kNotAllowed);
  EXPECT_EQ(text_of(refused.error()),
            "/p/pawl.toml was never approved: read it, then approve it: pawl trust /p");
  EXPECT_EQ(world.agent("new"), nullptr);
  ASSERT_TRUE(world.ask("trust", config_file(kToml, "/pawl.toml")));
  world.send("up", config_file(kToml, "/pawl.toml"));
  world.step();
  EXPECT_NE(world.agent("new"), nullptr);
}

TEST(Trust, AnotherTextOrPlaceIsAnotherFile) {
  TrustWorld world;
  ASSERT_TRUE(world.ask("trust", config_file(kToml)));
  EXPECT_EQ(world.standing(kToml), "approved");
  EXPECT_EQ(world.standing(kToml + "#"), "changed");
  EXPECT_EQ(world.standing(kToml, "/q/pawl.toml"), "never");
  EXPECT_EQ(world.standing(kToml, "/p/other.toml"), "never");
  EXPECT_EQ(world.error_of(world.ask("up", config_file(kToml + "#"))),
            "/p/pawl.toml changed since you approved it: read it, then approve it: pawl trust /p");
  EXPECT_EQ(world.error_of(world.ask("up", config_file(kToml, "/q/a.toml"))),
            "/q/a.toml was never approved: read it, then approve it: pawl trust /q/a.toml");
  EXPECT_EQ(world.error_of(world.ask("up", config_file(kToml, "/a b\x1b;rm/pawl.toml"))),
            "/a b;rm/pawl.toml was never approved: read it, then approve it: pawl trust '/a b;rm'");
}

TEST(Trust, RightsInTheAgentsOwnReachAreNamed) {
  TrustWorld world;
  const std::string text = "[agent.new]\ncommand = ['x']\ndir = '/'\nmay = ['answer:team-*']\n";
  ASSERT_TRUE(world.ask("trust", config_file(text)));
  world.send("up", config_file(text));
  world.step();
  world.host.runs(world.session("new"));
  world.step();
  const auto reply = world.reply();
  ASSERT_TRUE(reply);
  const auto said = (*reply)["complaints"].as_strings();
  ASSERT_EQ(said.size(), 1u);
  EXPECT_TRUE(said[0].starts_with(
      "new may use answer:team-*, and the file that says so is in its own folder"))
      << said[0];
}

// The folder that relative ones are meant from is part of what was approved.
TEST(Trust, NobodySaysThatFoldersAreMeantFromElsewhere) {
  TrustWorld world;
  Json args = config_file(kToml, "/pawl.toml");
  ASSERT_TRUE(world.ask("trust", args));
  world.send("up", args.set("dir", "/tmp"));
  world.step();
  ASSERT_NE(world.agent("new"), nullptr);
  EXPECT_EQ(world.agent("new")->spec.dir, "/");
}

TEST(Trust, IsListedAndForgotten) {
  TrustWorld world;
  ASSERT_TRUE(world.ask("trust", config_file(kToml)));
  const Json list = *world.ask("trust", Json::object({{"list", true}}));
  ASSERT_EQ(list["approved"].items().size(), 1u);
  EXPECT_EQ(list["approved"].items()[0]["path"].as_string(), "/p/pawl.toml");
  struct stat info {};
  ASSERT_EQ(::stat(world.list_file().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  const Json forget = Json::object({{"forget", true}, {"path", "/p/pawl.toml"}});
  ASSERT_TRUE(world.ask("trust", forget));
  EXPECT_EQ(world.standing(kToml), "never");
  EXPECT_EQ(world.error_of(world.ask("trust", forget)),
            "/p/pawl.toml is not approved: pawl trust --list shows what is");
}

TEST(Trust, WhatIsNoConfigurationIsNotApproved) {
  TrustWorld world;
  EXPECT_EQ(world.code("trust", config_file("x =")), 1);
  EXPECT_EQ(world.code("trust", config_file("")), 1);
  EXPECT_FALSE(os::exists(world.list_file()));
}

TEST(Trust, AFileThatBringsNothingNewIsNotAskedAbout) {
  TrustWorld world;
  world.running("a");  // prog arg in /
  const std::string same =
      "# another comment\n[agent.a]\ncommand = [\"prog\", \"arg\"]\ndir = \"/\"\n";
  EXPECT_EQ(world.standing(same), "known");
  EXPECT_EQ(world.standing(same + "prompt = \"x\"\n"), "never");
  EXPECT_EQ(world.standing(same + "[agent.b]\ncommand = [\"x\"]\ndir = \"/\"\n"), "never");
  EXPECT_TRUE(world.ask("up", config_file(same)));
}

TEST(Trust, ThePersonsOwnConfigurationIsTheirs) {
  TrustWorld world;
  const auto ask_with = [&](const std::string& path, const std::string& text) {
    world.send_raw(Json::object({{"version", 1},
                                 {"verb", "preview"},
                                 {"args", config_file(kToml, "/me/pawl.toml")},
                                 {"config", Json::object({{"path", path}, {"text", text}})}})
                       .dump());
    world.step();
    return (*world.reply())["standing"].as_string();
  };
  EXPECT_EQ(ask_with("/me/pawl.toml", kToml), "own");
  EXPECT_EQ(ask_with("/other.toml", kToml), "never");
  EXPECT_EQ(ask_with("/me/pawl.toml", kToml + "#"), "never");
}

// Whatever an agent tries: it approves nothing, and what it was allowed to start is what a person approved.
TEST(Trust, AnAgentApprovesNothing) {
  TrustWorld world;
  core::RunAsked run;
  run.spec.name = "worker";
  run.spec.command = {"prog"};
  run.spec.dir = "/";
  run.spec.may = {"up"};
  world.engine->submit(run);
  world.step();
  const Json forget = Json::object({{"forget", true}, {"path", "/p/pawl.toml"}});
  for (const Json& args : {config_file(kToml), forget, Json::object({{"list", true}})}) {
    const auto result = world.ask_as("worker", "trust", args);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().exit_code, kNotAllowed);
  }
  const Json lie = Json::object({{"path", "/p/pawl.toml"}, {"text", kToml}});
  const auto up = world.ask_as("worker", "up", config_file(kToml), lie);
  ASSERT_FALSE(up) << "its own word for what is the person's configuration";
  EXPECT_EQ(up.error().exit_code, kNotAllowed);
  for (const char* verb : {"up", "preview"}) {
    const auto other = world.ask_as("nobody", verb, config_file(kToml));
    ASSERT_FALSE(other) << verb;
    EXPECT_EQ(other.error().exit_code, kNotAllowed) << verb;
  }
  EXPECT_EQ(world.agent("new"), nullptr);
}

TEST(Trust, AListThatCannotBeBelievedApprovesNothing) {
  TrustWorld world;
  ASSERT_TRUE(world.ask("trust", config_file(kToml)));
  const std::string fine = *os::read_file(world.list_file());
  ASSERT_EQ(::chmod(world.list_file().c_str(), 0644), 0);
  EXPECT_NE(world.error_of(world.ask("up", config_file(kToml))).find("other users may read"),
            std::string::npos);
  ASSERT_TRUE(os::write_atomically(world.list_file(), fine.substr(0, fine.size() - 9)));
  for (const char* verb : {"up", "preview", "trust"})
    EXPECT_NE(world.error_of(world.ask(verb, config_file(kToml))).find("is damaged"),
              std::string::npos)
        << verb;
  EXPECT_EQ(*os::read_file(world.list_file()), fine.substr(0, fine.size() - 9)) << "left as it is";
  EXPECT_EQ(world.agent("new"), nullptr);
}

TEST(Trust, ThePreviewHasEverythingThatRunsOrWidens) {
  TrustWorld world;
  const std::string toml = R"([agent.a]
command = ["sh", "-c", "make"]
dir = "/"
permission = "bypassPermissions"
answer_permissions = "allow"
may = ["stop"]
trust_dirs = ["/"]
env_file = ".env"
prompt = "go"
prompt_file = "p.md"
work = { command = ["list"], folders = ["w"] }
recovery = { auth_refresh = ["login"] }
notify = ["exec:tell"]
[agent.plain]
command = ["x"]
dir = "/"
[agent.bad]
command = ["x"]
dir = "/no/such"
)";
  const Json preview = *world.ask("preview", config_file(toml));
  const auto& agents = preview["agents"].items();
  ASSERT_EQ(agents.size(), 3u);
  EXPECT_EQ(agents[0]["command"].as_strings(), (std::vector<std::string>{"sh", "-c", "make"}));
  for (const char* key :
       {"permission", "answer_permissions", "may", "trust_dirs", "env_file", "prompt",
        "prompt_file", "work.command", "work.folders", "recovery.auth_refresh", "notify"})
    EXPECT_FALSE(agents[0]["keys"][key].as_strings().empty()) << key;
  EXPECT_TRUE(agents[1]["keys"].members().empty());
  EXPECT_NE(agents[2]["error"].as_string().find("no such directory"), std::string::npos);
}

}  // namespace
}  // namespace pawl::api
