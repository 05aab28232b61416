#include "fleet/door.h"

#include <sys/socket.h>

#include "fleet/fake_ssh.h"
#include "os/home.h"

namespace pawl::fleet {
namespace {

struct DoorWorld : FakeSsh {
  std::unique_ptr<Lookout> lookout;
  std::unique_ptr<Door> door;

  // `far`: what a connection does after its greeting.
  void open(const std::string& far) {
    does(far);
    lookout = std::make_unique<Lookout>(loop, parting, machine, "lap/daemon", dir.path(), [] {});
    auto listener = os::listen_local(dir.path(), os::kSocketName);
    ASSERT_TRUE(listener);
    door = std::make_unique<Door>(
        loop, parting, machine, dir.path(), *lookout,
        [](const os::Peer&) { return std::string("lap/person"); }, std::move(*listener));
  }
};

// Somebody at the door.
struct Guest {
  DoorWorld& world;
  os::Fd fd;
  std::string heard;
  bool over = false;

  explicit Guest(DoorWorld& its) : world(its) {
    auto socket = os::connect_local(its.dir.path(), os::kSocketName);
    EXPECT_TRUE(socket);
    if (socket) fd = std::move(*socket);
  }
  void say(std::string bytes) { EXPECT_TRUE(os::send_some(fd.get(), bytes)); }
  bool hears(const std::function<bool()>& fine) {
    return world.until([&] {
      char buffer[65536];
      const ssize_t n = ::recv(fd.get(), buffer, sizeof buffer, MSG_DONTWAIT);
      if (n > 0) heard.append(buffer, static_cast<size_t>(n));
      over = over || n == 0;
      return fine();
    });
  }
};

TEST(Door, WhatIsSaidAtItGoesThereAndBack) {
  DoorWorld world;
  world.open(std::string(kGreets) + "cat");
  Guest one(world), other(world);
  one.say("hello");
  other.say("good morning");
  EXPECT_TRUE(one.hears([&] { return one.heard == "hello"; }));
  EXPECT_TRUE(other.hears([&] { return other.heard == "good morning"; })) << "each has its own";
  EXPECT_EQ(world.door->guests(), 2u);
  one.fd.reset();
  EXPECT_TRUE(world.until([&] { return world.door->guests() == 1; }));
}

TEST(Door, AMachineThatIsNotReachedIsAnAnswer) {
  DoorWorld world;
  world.open("echo 'No route to host' >&2; exit 255");
  Guest guest(world);
  guest.say(api::encode(Json::object({{"verb", "ls"}})));
  EXPECT_TRUE(guest.hears([&] { return guest.over; }));
  api::FrameReader reader(api::kMaxReply);
  reader.feed(guest.heard);
  const auto frame = reader.next();
  ASSERT_TRUE(frame && *frame);
  const auto result = api::result_of(*Json::parse((*frame)->payload));
  ASSERT_FALSE(result);
  EXPECT_NE(text_of(result.error()).find("machine gpu cannot be reached: No route"),
            std::string::npos)
      << text_of(result.error());
  EXPECT_TRUE(world.until([&] { return world.door->guests() == 0; }));
}

TEST(Door, AGuestWhoDoesNotReadHoldsTheFarSideUpAndLosesNothing) {
  DoorWorld world;
  world.open(std::string(kGreets) + "head -c 1 >/dev/null; head -c 20000000 /dev/zero; cat");
  Guest guest(world);
  guest.say("x");
  EXPECT_FALSE(world.until([] { return false; }, std::chrono::milliseconds{300}));
  EXPECT_TRUE(guest.hears([&] { return guest.heard.size() >= 20000000u; }));
}

}  // namespace
}  // namespace pawl::fleet
