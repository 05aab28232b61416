#include "fleet/link.h"

#include "fleet/fake_ssh.h"

namespace pawl::fleet {
namespace {

struct LinkWorld : FakeSsh {
  std::unique_ptr<Link> link;
  std::string heard;
  int news = 0;

  void connect() {
    link = std::make_unique<Link>(loop, parting, machine,
                                  SshCall{Which::other, "ssh.1", "lap/person"}, dir.path(), [this] {
                                    ++news;
                                    heard += link->take();
                                  });
  }
  bool hears(const std::string& text) {
    return until([&] { return heard.find(text) != std::string::npos; });
  }
  std::string why() {
    EXPECT_TRUE(until([&] { return link->end().has_value(); }));
    return link->end() ? text_of(*link->end()) : "";
  }
};

TEST(Link, WhatAShellSaysFirstIsPassedOver) {
  LinkWorld world;
  world.does("echo Welcome; printf 'J pawl-re'; echo; " + std::string(kGreets) + "cat");
  world.connect();
  world.link->send("said before it was open, ");
  EXPECT_FALSE(world.link->open());
  ASSERT_TRUE(world.until([&] { return world.link->open(); }));
  EXPECT_EQ(world.link->version(), "9.9");
  world.link->send("and after");
  ASSERT_TRUE(world.hears("and after"));
  EXPECT_EQ(world.heard, "said before it was open, and after");
}

TEST(Link, WhyItDidNotOpenIsSaid) {
  LinkWorld world;
  world.does("echo 'ssh: connect to host gpu port 22: No route to host' >&2; exit 255");
  world.connect();
  EXPECT_NE(world.why().find("No route to host"), std::string::npos);
  EXPECT_FALSE(world.link->open());
  world.does("exit 127");
  world.connect();
  EXPECT_NE(world.why().find("pawl is not installed there"), std::string::npos);
  world.does("head -c 100000 /dev/zero | tr '\\0' x; cat");
  world.connect();
  EXPECT_NE(world.why().find("prints too much"), std::string::npos);
}

TEST(Link, ItsEndIsToldAfterItsLastBytes) {
  LinkWorld world;
  world.does(std::string(kGreets) + "printf 'last words'");
  world.connect();
  EXPECT_NE(world.why().find("has ended"), std::string::npos);
  world.heard += world.link->take();
  EXPECT_EQ(world.heard, "last words");
  world.link->send("nobody hears that");
  EXPECT_EQ(world.link->sending(), 0u);
}

TEST(Link, WhileItRestsWhatArrivesIsLeftWhereItIs) {
  LinkWorld world;
  world.does(std::string(kGreets) + "head -c 8000000 /dev/zero | tr '\\0' x; printf over; cat");
  world.connect();
  ASSERT_TRUE(world.hears("x"));
  world.link->rest(true);
  (void)world.until([] { return false; }, std::chrono::milliseconds{20});  // news on their way
  world.heard += world.link->take();
  const int before = world.news;
  EXPECT_FALSE(world.until([&] { return world.news > before; }, std::chrono::milliseconds{100}));
  world.link->rest(false);
  ASSERT_TRUE(world.hears("over"));
  EXPECT_EQ(world.heard.size(), 8000004u);
}

TEST(Link, WhoLetsGoOfItLeavesNoProcess) {
  LinkWorld world;
  world.does(std::string(kGreets) + "trap '' TERM; cat; exec tail -f /dev/null");
  world.connect();
  ASSERT_TRUE(world.until([&] { return world.link->open(); }));
  world.link.reset();
  EXPECT_EQ(world.parting.size(), 1u);
  EXPECT_TRUE(world.until([&] { return world.parting.size() == 0; })) << "killed when it stays";
}

}  // namespace
}  // namespace pawl::fleet
