#include "api/conversation.h"

#include <gtest/gtest.h>

#include "api/client_world.h"
#include "os/file.h"
#include "store/agent_files.h"

namespace pawl::api {
namespace {

Json run_args(const std::string& name, std::vector<std::string> command = {"prog"}) {
  return Json::object({{"name", name}, {"command", command}});
}

TEST(Conversation, RunIsAnsweredWithTheAgentWhenItRuns) {
  ClientWorld world;
  world.send("run", run_args("a"));
  world.step();
  EXPECT_TRUE(world.replies.empty());
  world.host.runs(world.session());
  world.step();
  const auto reply = world.reply();
  ASSERT_TRUE(reply);
  EXPECT_EQ((*reply)["name"].as_string(), "a");
  EXPECT_EQ((*reply)["pid"].as_int(), 42);
  EXPECT_TRUE(world.conversation.idle());
  const auto list = world.ask("ls");
  ASSERT_EQ((*list)["agents"].items().size(), 1u);
  EXPECT_EQ((*list)["version"].as_int(), 1);
}

TEST(Conversation, AListHasTheFieldsThatWereAskedFor) {
  ClientWorld world;
  world.running();
  const auto first = [&](Json fields) {
    const auto list = world.ask("ls", Json::object({{"fields", std::move(fields)}}));
    return list ? (*list)["agents"].items().at(0) : Json();
  };
  EXPECT_EQ(first(Json::Array{"backend", "name", "odd", 7}).dump(),
            R"({"name":"a","backend":"pty"})");
  const Json everything = first(nullptr);
  EXPECT_TRUE(everything.has("permission") && everything.has("last_line"));
  for (const Json& odd : {Json("name"), Json::array(), Json(3)})
    EXPECT_EQ(first(odd).dump().size(), everything.dump().size()) << odd.dump();
}

TEST(Conversation, RunErrorsAreTheReply) {
  ClientWorld world;
  world.send("run", run_args("a", {"nope"}));
  world.step();
  world.host.fails(world.session(), {"no such command: nope", "install it", 1});
  world.step();
  EXPECT_EQ(world.error_of(world.reply()), "no such command: nope: install it");
}

TEST(Conversation, AConfiguredStartLineMayTakeAModelNobodyElseKnowsHowToPass) {
  ClientWorld world;
  const auto run = [&](const char* name, const char* start) {
    const std::string text = std::string("[runtime.mine]\nstart = ") + start + "\n";
    world.send_raw(
        Json::object({{"version", 1},
                      {"verb", "run"},
                      {"args", named(name).set("runtime", "mine").set("model", "big")},
                      {"config", Json::object({{"text", text}, {"path", "config.toml"}})},
                      {"cwd", "/"}})
            .dump());
    world.step();
  };
  run("a", "['prog', '-m', '{model}']");
  EXPECT_TRUE(world.replies.empty());  // it starts
  ASSERT_NE(world.engine->fleet().find("a"), nullptr);
  EXPECT_EQ(world.engine->fleet().find("a")->spec.command,
            (std::vector<std::string>{"prog", "-m", "big"}));
}

TEST(Conversation, BadWishesAreRefusedBeforeAnythingStarts) {
  ClientWorld world;
  const std::string file = world.home / "file";
  ASSERT_TRUE(os::write_atomically(file, ""));
  const auto with = [](const char* key, Json value) {
    Json args = run_args("a");
    return args.set(key, std::move(value));
  };
  struct Row {
    Json args;
    std::string says;
    int code;
  };
  const std::vector<Row> rows{
      {run_args("a:b"),
       "bad name 'a:b': use letters, digits, '.', '_' and '-', at most 64, not starting with '-'",
       2},
      {run_args(""),
       "bad name '': use letters, digits, '.', '_' and '-', at most 64, not starting with '-'", 2},
      {Json::object(), "nothing to run: give a command after --, like: pawl run -- bash", 2},
      {named("a"), "nothing to run for 'a': give a command after --, or a --runtime", 2},
      {with("dir", "/no/such"),
       "no such directory: /no/such: create it, or give another one with --dir", 1},
      {with("dir", file), "not a directory: " + file + ": give a directory with --dir", 1},
      {with("backend", "x"), "backend = \"x\" is not known: use one of: pty, tmux", 2},
      {with("restart", "x"), "restart = \"x\" is not known: use one of: never, fresh, resume", 2},
      {with("size", "80"), "'80' is not a size: use COLSxROWS, like 120x40", 2},
      {with("size", "80x24x"), "'80x24x' is not a size: use COLSxROWS, like 120x40", 2},
      {with("size", "1x1"), "'1x1' is not a size: use COLSxROWS, like 120x40", 2},
  };
  for (const auto& row : rows) {
    const auto reply = world.ask("run", row.args);
    EXPECT_EQ(world.error_of(reply), row.says);
    EXPECT_EQ(reply ? 0 : reply.error().exit_code, row.code) << row.says;
  }
  EXPECT_TRUE(world.journal.events.empty());
  EXPECT_TRUE(world.host.opens.empty());
}

TEST(Conversation, AnAgentWithoutANameGetsAFreeOne) {
  ClientWorld world;
  const std::vector<std::pair<std::string, std::string>> rows{
      {"/bin/cat", "cat"}, {"cat", "cat-2"}, {"/bin/cat", "cat-3"},
      {"a b", "a-b"},      {"-", "agent"},   {"..", "agent-2"}};
  for (const auto& [command, name] : rows) {
    world.send("run", Json::object({{"command", std::vector<std::string>{command}}}));
    world.step();
    ASSERT_TRUE(world.agent(name)) << name;
    world.host.runs(world.session(name));
    world.step();
    EXPECT_EQ((*world.reply())["name"].as_string(), name);
  }
}

TEST(Conversation, SeveralNamesAreOneReply) {
  ClientWorld world;
  const SessionId session = world.running("a");
  world.engine->take_answers();
  world.send("stop", Json::object({{"names", std::vector<std::string>{"a", "ghost"}}}));
  world.step();
  EXPECT_TRUE(world.replies.empty()) << "not before the last";
  world.host.ends(session, 0);
  world.step();
  const auto reply = world.reply();
  ASSERT_TRUE(reply);
  EXPECT_EQ(
      (*reply)["results"].dump(),
      R"([{"name":"ghost","ok":false,"state":null,"error":"no agent named 'ghost': pawl ls shows them all"},)"
      R"({"name":"a","ok":true,"state":"exited","error":null}])");
}

TEST(Conversation, NoNameIsAnErrorAndAllIsEverybody) {
  ClientWorld world;
  EXPECT_EQ(world.error_of(world.ask("stop")), "which agent?: name one or more, or use --all");
  EXPECT_EQ((*world.ask("stop", Json::object({{"all", true}})))["results"].dump(), "[]");
  const SessionId a = world.running("a"), b = world.running("b");
  world.engine->take_answers();
  world.send("down");
  world.step();
  world.host.ends(a, 0);
  world.host.ends(b, 0);
  world.step();
  EXPECT_EQ((*world.reply())["results"].items().size(), 2u);
}

// `pawl restart --all` ran every finished task again.
TEST(Conversation, AllDoesNotRunATaskAgainThatIsOver) {
  ClientWorld world;
  core::TaskAsked task;
  task.spec.name = "task-t";
  task.spec.command = task.order.start = {"prog"};
  task.spec.dir = "/";
  task.order.name = "t";
  task.order.dir = world.home.path() + "/tasks/t";
  task.order.format = "plain";
  world.engine->submit(task);
  world.step();
  const SessionId session = world.session("task-t");
  world.host.runs(session);
  world.host.ends(session, 0);
  for (int i = 0; i < 4; ++i) world.turn(std::chrono::seconds{1});
  ASSERT_EQ(world.agent("task-t"), nullptr) << "it was filed";
  for (const char* verb : {"start", "restart"}) {
    EXPECT_EQ((*world.ask(verb, Json::object({{"all", true}})))["results"].dump(), "[]") << verb;
    const auto reply =
        world.ask(verb, Json::object({{"names", std::vector<std::string>{"task-t"}}}));
    ASSERT_TRUE(reply);
    EXPECT_EQ((*reply)["results"].items().at(0)["error"].as_string(),
              "'t' has its result already: read it with: pawl task output t");
    EXPECT_EQ(world.session("task-t"), session);
    for (int i = 0; i < 2; ++i) world.turn(std::chrono::seconds{1});
    EXPECT_EQ(world.agent("task-t"), nullptr) << "and again";
  }
}

TEST(Conversation, GarbageIsToldAndLeft) {
  for (const char* garbage : {"", "{", "[]", "3", "\xff\xfe", "\"text\""}) {
    ClientWorld world;
    world.send_raw(garbage);
    world.publish();
    EXPECT_EQ(world.error_of(world.reply()),
              "the request is not a JSON object: talk to the socket with the pawl command");
    EXPECT_TRUE(world.conversation.leaving());
  }
  ClientWorld world;
  world.conversation.receive(world.now, {Kind::output, "x"});
  EXPECT_TRUE(world.conversation.leaving());
  ClientWorld strange;
  for (const char* odd : {R"({"verb": 3})", R"({"verb": "ls", "args": []})", R"({})",
                          R"({"verb":"run","args":{"name":[]}})"}) {
    strange.send_raw(odd);
    strange.step();
    EXPECT_FALSE(strange.conversation.leaving()) << odd;
    EXPECT_EQ(strange.replies.size(), 1u) << odd;
    strange.replies.clear();
  }
}

TEST(Conversation, ASecondRequestWhileOneIsAnsweredIsRefused) {
  ClientWorld world;
  world.running();
  world.engine->take_answers();
  world.send("wait", Json::object({{"name", "a"}, {"until", "exited"}}));
  world.step();
  world.send("ls");
  world.publish();
  EXPECT_EQ(world.error_of(world.reply()),
            "a request is being answered already: wait for its reply");
  EXPECT_TRUE(world.conversation.leaving());
}

TEST(Conversation, KeysWithoutAnAttachAreIgnored) {
  ClientWorld world;
  const SessionId session = world.running();
  world.conversation.receive(world.now, {Kind::input, "x"});
  world.step();
  EXPECT_EQ(world.host.sessions.at(session).written, "");
  EXPECT_FALSE(world.conversation.leaving());
}

// Everything in the order it is written; the program echoes a line and takes it.
TEST(Conversation, SendTypesTheTextThenEnterAndSeesItTaken) {
  ClientWorld world;
  const SessionId session = world.running();
  world.engine->take_answers();
  const auto& written = world.host.sessions.at(session).written;
  Json args = named("a");
  world.send("send", args.set("text", "hi\nthere\n"));
  world.step();
  EXPECT_EQ(written, "hi\rthere");
  world.host.prints(session, "hi\r\nthere");
  world.step();
  EXPECT_EQ(written, "hi\rthere\r");
  world.host.prints(session, "\r\n");
  world.step();
  const auto receipt = world.reply();
  ASSERT_TRUE(receipt);
  EXPECT_EQ((*receipt)["verdict"].as_string(), "unverified") << "nobody knows who echoed it";
  EXPECT_NE((*receipt)["witness"].as_string().find("echoed"), std::string::npos);
  ASSERT_TRUE(world.ask("send", args.set("text", "x").set("no-enter", true)));
  EXPECT_EQ(written, "hi\rthere\rx");
  EXPECT_EQ(world.error_of(world.ask("send", args.set("text", std::string((256u << 10) + 1, 'x')))),
            "the text is larger than 256 KiB: put it into a file and send its name");
  for (const char* verb : {"send", "wake"})
    EXPECT_EQ(
        world
            .error_of(world.ask(verb, args.set("text", "it is \x1b[31mred").set("no-enter", false)))
            .substr(0, 41),
        "the text has a control character (ESC at ")
        << verb;
  EXPECT_EQ(written, "hi\rthere\rx");
}

TEST(Conversation, WhatNothingShowsIsUnverified) {
  ClientWorld world;
  const SessionId session = world.running();
  world.engine->take_answers();
  world.send("wake", named("a").set("text", "secret").set("from", "ci"));
  for (int i = 0; i < 4; ++i) world.step(std::chrono::milliseconds{600});
  const auto receipt = world.reply();
  ASSERT_TRUE(receipt);
  EXPECT_EQ((*receipt)["verdict"].as_string(), "unverified");
  EXPECT_EQ(world.host.sessions.at(session).written, "Wake-up from ci: secret\r");
  for (const auto& event : world.journal.events)
    EXPECT_EQ(body_of(event.fact).dump().find("secret"), std::string::npos);
  EXPECT_TRUE(world.engine->files().texts("a").empty()) << "nothing is left in the outbox";
}

TEST(Conversation, KeysArePressedByName) {
  ClientWorld world;
  const SessionId session = world.running();
  world.engine->take_answers();
  Json args = named("a");
  ASSERT_TRUE(world.ask("keys", args.set("keys", std::vector<std::string>{"Escape", "C-c", "x"})));
  EXPECT_EQ(world.host.sessions.at(session).written, "\x1b\x03x");
  EXPECT_FALSE(world.ask("keys", args.set("keys", std::vector<std::string>{"x", "Entr"})));
  EXPECT_EQ(world.host.sessions.at(session).written, "\x1b\x03x") << "all or none";
}

// Whatever it says: the program that called is not to suffer.
TEST(Conversation, AHookIsAlwaysFine) {
  ClientWorld world;
  world.running();
  for (const char* session : {"", "x", "1", "0123456789abcdef-1", "-", "99999999999999999999999"})
    for (const char* json : {"", "garbage", R"({"hook_event_name":"Stop","session_id":"facc"})"})
      EXPECT_TRUE(world.ask(
          "hook",
          Json::object(
              {{"runtime", "claude"}, {"agent", "a"}, {"session", session}, {"json", json}})));
  EXPECT_TRUE(world.ask("hook"));
  EXPECT_TRUE(world.ask("hook", Json::object({{"agent", 3}, {"json", Json::array()}})));
}

TEST(Conversation, UnknownAgentsAreGuessed) {
  ClientWorld world;
  world.running("docs");
  for (const char* verb : {"show", "screen", "logs", "attach", "send", "keys", "wait"})
    EXPECT_EQ(world.error_of(world.ask(verb, named("elsewhere"))),
              "no agent named 'elsewhere': pawl ls shows them all")
        << verb;
  for (const char* typo : {"doc", "dosc"})
    EXPECT_EQ(world.error_of(world.ask("show", named(typo))),
              std::string("no agent named '") + typo + "': did you mean 'docs'?");
}

TEST(Conversation, UpStartsWhatIsMissingAndReportsEach) {
  ClientWorld world;
  world.running("here");
  world.engine->take_answers();
  const std::string toml =
      "[agent.here]\ncommand = [\"x\"]\n[agent.new]\ncommand = [\"x\"]\n[agent.bad]\ndir = "
      "\"/no/such\"\n";
  const Json file = Json::object({{"text", toml}, {"path", "p.toml"}});
  ASSERT_TRUE(world.ask("trust", file));
  world.send("up", file);
  world.step();
  world.host.runs(world.session("new"));
  world.step();
  std::map<std::string, bool> ok;
  const Json reply = *world.reply();
  for (const auto& entry : reply["results"].items())
    ok[entry["name"].as_string()] = entry["ok"].as_bool();
  EXPECT_EQ(ok, (std::map<std::string, bool>{{"bad", false}, {"here", true}, {"new", true}}));
  EXPECT_EQ(world.error_of(world.ask("up", Json::object({{"text", "x ="}, {"path", "p.toml"}})))
                .substr(0, 11),
            "p.toml:1:4:");
  EXPECT_EQ(world.error_of(world.ask("up", Json::object({{"text", ""}, {"path", "p.toml"}}))),
            "p.toml has no [agent.NAME]: add one");
}

TEST(Conversation, StatusSaysWhatIsWrong) {
  ClientWorld world;
  auto status = *world.ask("status");
  EXPECT_TRUE(status["healthy"].as_bool());
  EXPECT_TRUE(status["trouble"].is_null());
  world.journal.broken = true;
  EXPECT_EQ(world.error_of(world.ask("run", run_args("a"))),
            "cannot write the journal: No space left on device: free some space");
  status = *world.ask("status");
  EXPECT_FALSE(status["healthy"].as_bool());
  EXPECT_EQ(status["trouble"].as_string(),
            "cannot write the journal: No space left on device: free some space");
}

TEST(Conversation, ShutdownSaysHowManyKeepRunning) {
  ClientWorld world;
  world.running();
  world.engine->take_answers();
  const auto reply = world.ask("shutdown");
  EXPECT_EQ((*reply)["running"].as_int(), 1);
  EXPECT_EQ((*reply)["pid"].as_int(), 1234);
  EXPECT_TRUE(world.server.leaving);
}

}  // namespace
}  // namespace pawl::api
