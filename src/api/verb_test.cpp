#include "api/verb.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "api/handlers.h"
#include "core/engine_world.h"

namespace pawl::api {
namespace {

using Form = Arg::Form;

TEST(Verbs, NamesAreUniqueAndFound) {
  std::set<std::string> names;
  for (const auto& verb : verbs()) {
    EXPECT_TRUE(names.insert(verb.name).second) << verb.name;
    EXPECT_EQ(find_verb(verb.name), &verb);
    EXPECT_FALSE(verb.summary.empty()) << verb.name;
  }
  EXPECT_EQ(find_verb("dance"), nullptr);
}

// What issue 2 promised.
TEST(Verbs, AllOfTheGroundFloorAreThere) {
  for (const char* name : {"run",  "ls",     "show",    "screen", "logs",       "events", "attach",
                           "send", "keys",   "wait",    "stop",   "restart",    "rm",     "up",
                           "down", "doctor", "version", "help",   "completion", "daemon"}) {
    ASSERT_TRUE(find_verb(name)) << name;
    EXPECT_FALSE(find_verb(name)->group.empty()) << name;
    EXPECT_EQ(find_verb(name)->example.rfind(name) != std::string::npos, true) << name;
  }
}

TEST(Verbs, EveryVerbOfTheDaemonHasAHandlerOfItsOwn) {
  std::set<const Handler*> handlers;
  for (const auto& verb : verbs()) {
    const Handler* handler = verb.use.handler;
    EXPECT_EQ(handler == nullptr, verb.use.access == Access::local) << verb.name;
    EXPECT_TRUE(!handler || handlers.insert(handler).second) << verb.name;
    // A move's pieces change nothing by themselves, and are for whoever moves; thousands of them are not for the audit.
    EXPECT_TRUE(verb.use.access != Access::look || verb.use.may == May::everybody ||
                verb.name == "arrive look")
        << verb.name;
  }
  EXPECT_EQ(handled_verbs().size(), handlers.size());
}

TEST(Verbs, ArgumentsMakeSense) {
  for (const auto& verb : verbs()) {
    std::set<std::string> names;
    std::set<char> letters;
    bool optional = false;
    for (const auto& arg : verb.args) {
      EXPECT_TRUE(names.insert(arg.name).second) << verb.name << " " << arg.name;
      EXPECT_TRUE(arg.letter == 0 || letters.insert(arg.letter).second)
          << verb.name << " -" << arg.letter;
      EXPECT_FALSE(arg.help.empty()) << verb.name << " " << arg.name;
      EXPECT_EQ(arg.metavar.empty(), arg.form == Form::flag) << verb.name << " " << arg.name;
      if (arg.form != Form::positional) continue;
      EXPECT_FALSE(optional && arg.required)
          << verb.name << ": a required one after an optional one";
      optional = optional || !arg.required;
    }
  }
}

TEST(Verbs, ListsAndStatesHaveJson) {
  for (const char* name : {"ls", "show", "screen", "events", "wait", "timeline", "alerts", "report",
                           "stop", "restart", "rm", "up", "down", "run", "doctor", "version"}) {
    const auto& args = find_verb(name)->args;
    EXPECT_TRUE(std::any_of(args.begin(), args.end(), [](const Arg& arg) {
      return arg.name == "json";
    })) << name;
  }
}

TEST(Handlers, AnUnknownVerbSaysWhatToDo) {
  core::EngineWorld world;
  Server server;
  const Json request = Json::object();
  const model::Asker nobody;
  const Call call{*world.engine, server, world.now, request["args"], request, nobody};
  const auto outcome = handle(call, "dance");
  const auto& refused = std::get<Result<Json>>(outcome);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "the daemon does not know 'dance'");
}

TEST(Handlers, SizesFromOutsideAreMadeSane) {
  EXPECT_EQ(size_from(80, 24), (Size{80, 24}));
  EXPECT_EQ(size_from(0, 0), (Size{2, 1}));
  EXPECT_EQ(size_from(-5, 1 << 30), (Size{2, 1000}));
  EXPECT_EQ(size_from(70000, 1), (Size{1000, 1}));
}

}  // namespace
}  // namespace pawl::api
