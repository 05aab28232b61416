#include "fleet/lookout.h"

#include "fleet/fake_ssh.h"

namespace pawl::fleet {
namespace {

struct LookoutWorld : FakeSsh {
  int changes = 0;
  std::unique_ptr<Lookout> lookout;

  // Answers its first question with these bytes.
  void answers(const std::string& bytes) {
    std::ofstream(dir / "answer") << bytes;
    does(std::string(kGreets) + "head -c 1 >/dev/null; cat answer; exec cat >/dev/null");
  }
  void begin() {
    lookout = std::make_unique<Lookout>(loop, parting, machine, "lap/daemon", dir.path(),
                                        [this] { ++changes; });
  }
  const Outlook& known() { return lookout->outlook(); }
};

std::string list_of(const std::string& name) {
  const Json agents = Json::Array{Json::object({{"name", name}})};
  return api::encode(api::Kind::json, api::reply_of(Json::object({{"agents", agents}})));
}

TEST(Lookout, WhatAMachineTells) {
  LookoutWorld world;
  world.answers(list_of("docs"));
  world.begin();
  EXPECT_TRUE(world.known().first_try());
  ASSERT_TRUE(world.until([&] { return world.known().online(); }));
  EXPECT_EQ(world.changes, 1);
  EXPECT_EQ(world.known().version(), "9.9");
  ASSERT_EQ(world.known().agents().size(), 1u);
  EXPECT_EQ(world.known().agents()[0]["name"].as_string(), "docs");
  EXPECT_TRUE(world.lookout->master().starts_with("ssh."));
}

TEST(Lookout, OneThatCannotBeReachedSaysWhyAndIsTriedAgain) {
  LookoutWorld world;
  world.does("echo x >>tries; echo 'No route to host' >&2; exit 255");
  world.begin();
  ASSERT_TRUE(world.until([&] { return !world.known().first_try(); }));
  EXPECT_EQ(world.changes, 1) << "whoever waits for its first word hears that there is none";
  EXPECT_NE(world.known().because().find("No route to host"), std::string::npos)
      << world.known().because();
  world.answers(list_of("docs"));
  ASSERT_TRUE(world.until([&] { return world.known().online(); })) << "by itself";
  EXPECT_EQ(world.changes, 2);
  EXPECT_EQ(world.known().because(), "");
}

TEST(Lookout, NonsenseIsNoAnswer) {
  LookoutWorld world;
  for (const std::string& bytes :
       {std::string("\xff\xff\xff\xff garbage"), api::encode(Json::object({{"ok", true}})),
        api::encode(api::Kind::json, "no JSON")}) {
    world.answers(bytes);
    world.begin();
    ASSERT_TRUE(world.until([&] { return !world.known().first_try(); }));
    EXPECT_FALSE(world.known().online());
    EXPECT_FALSE(world.known().because().empty());
  }
}

}  // namespace
}  // namespace pawl::fleet
