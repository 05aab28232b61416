#include "daemon/notifier.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "base/text.h"
#include "core/engine_world.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/watch.h"

namespace pawl::daemon {
namespace {

// An engine with agents whose profile broke (the smallest alert there is), and a program that keeps what it is told.
class NotifierWorld : public core::EngineWorld {
 public:
  TestDir folder;
  os::Loop loop;

  // Writes its input to `name` and ends with `code`; the file appears when it is whole.
  std::string teller(const std::string& name, int code = 0) {
    const std::string path = folder.path() + "/tell-" + name;
    const std::string file = folder.path() + "/" + name;
    EXPECT_TRUE(os::write_atomically(path, "#!/bin/sh\ncat >>" + file + ".new; mv " + file +
                                               ".new " + file + "; exit " + std::to_string(code) +
                                               "\n"));
    EXPECT_EQ(::chmod(path.c_str(), 0700), 0);
    return "exec:" + path;
  }
  void agent(const std::string& name, std::vector<std::string> notify) {
    core::RunAsked ask;
    ask.spec.name = name;
    ask.spec.command = {"prog"};
    ask.spec.dir = "/";
    ask.spec.notify = std::move(notify);
    engine->submit(ask);
    turn();
    host.runs(session(name));
    turn();
  }
  void alert(const std::string& name, const std::string& text) {
    core::Perceived seen;
    seen.session = session(name);
    seen.state = model::State::ready;
    seen.alert = text;
    engine->submit(seen);
    turn();
  }
  // Runs the loop until the ends of all programs are known.
  void heard(const Notifier& notifier) {
    os::Soon look(loop, [&] {
      if (notifier.running() == 0) return loop.stop();
      look.ask();
    });
    look.ask();
    loop.run();
  }
  // Runs the loop until this file is in the folder, and gives its text.
  std::string told(const std::string& name) {
    const std::string path = folder.path() + "/" + name;
    os::FolderWatch watch(loop, [&](const std::string&, const std::string& file) {
      if (file == name) loop.stop();
    });
    EXPECT_TRUE(watch.add(folder.path()));
    if (!os::exists(path)) loop.run();
    return os::read_file(path).value_or("?");
  }
};

TEST(Notifier, AnAlertGoesToTheChannelsOfItsAgent) {
  NotifierWorld world;
  Notifier notifier(world.loop, *world.engine, {world.teller("everybody")});
  world.agent("a", {world.teller("one"), world.teller("two")});
  world.agent("b", {});
  world.alert("b", "nobody is told of this");
  world.alert("a", "its rule broke");
  notifier.follow(os::read_clock());
  const auto json = Json::parse(world.told("one"));
  ASSERT_TRUE(json);
  EXPECT_EQ((*json)["agent"].as_string(), "a");
  EXPECT_EQ((*json)["text"].as_string(), "its rule broke");
  EXPECT_EQ((*json)["severity"].as_string(), "warning");
  EXPECT_EQ((*json)["version"].as_int(), 1);
  EXPECT_NE(world.told("two").find("its rule broke"), std::string::npos);
  EXPECT_FALSE(os::exists(world.folder.path() + "/everybody"));
  world.heard(notifier);
}

TEST(Notifier, WhatConcernsNoAgentGoesToTheDefaults) {
  NotifierWorld world;
  Notifier notifier(world.loop, *world.engine, {"nonsense", world.teller("everybody")});
  world.agent("a", {world.teller("one")});
  world.engine->submit(core::JournalRefused{"the disk was full"});
  world.turn();
  notifier.follow(os::read_clock());
  const auto json = Json::parse(world.told("everybody"));
  ASSERT_TRUE(json);
  EXPECT_EQ((*json)["agent"].as_string(), "");
  EXPECT_EQ((*json)["text"].as_string(), "nothing was done for a while: the disk was full");
  EXPECT_FALSE(os::exists(world.folder.path() + "/one"));
  world.heard(notifier);
}

TEST(Notifier, AFailureIsSaidOnceAndWithoutSecrets) {
  NotifierWorld world;
  testing::internal::CaptureStderr();
  {
    Notifier notifier(world.loop, *world.engine, {});
    world.agent("a", {world.teller("bad", 3), "slack:ftp://h/SECRET", "exec:/no/such/teller"});
    world.alert("a", "its rule broke");
    notifier.follow(os::read_clock());
    world.told("bad");
    world.heard(notifier);
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("tell-bad: an alert could not be sent and is tried again: exit code 3\n"),
            std::string::npos)
      << said;
  EXPECT_NE(
      said.find(
          "exec:/no/such/teller: an alert could not be sent and is tried again: exit code 127\n"),
      std::string::npos)
      << said;
  EXPECT_NE(said.find("alerts that were not sent before the end: 1\n"), std::string::npos) << said;
  EXPECT_NE(said.find("pawl: notify = \"slack:…\" is no URL"), std::string::npos) << said;
  EXPECT_EQ(said.find("SECRET"), std::string::npos) << said;
}

TEST(Notifier, WithoutADesktopItIsSaidOnce) {
  NotifierWorld world;
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", world.folder.path().c_str(), 1);
  testing::internal::CaptureStderr();
  Notifier notifier(world.loop, *world.engine, {});
  world.agent("a", {"desktop"});
  for (const char* text : {"one", "two"}) {
    world.alert("a", text);
    notifier.follow(os::read_clock());
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "pawl: desktop: notify-send is not in the PATH; install libnotify-bin\n");
  // … and with one, its words are these.
  const std::string tool = world.folder.path() + "/notify-send";
  const std::string file = world.folder.path() + "/shown";
  ASSERT_TRUE(os::write_atomically(tool, "#!/bin/sh\nprintf '%s|' \"$@\" >" + file + "\n"));
  ASSERT_EQ(::chmod(tool.c_str(), 0700), 0);
  world.alert("a", "three");
  notifier.follow(os::read_clock());
  EXPECT_EQ(world.told("shown"), "--app-name=pawl|--urgency=normal|--|a: warning|three|");
  world.heard(notifier);
  ::setenv("PATH", before.c_str(), 1);
}

}  // namespace
}  // namespace pawl::daemon
