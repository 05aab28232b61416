#include "daemon/packer.h"

#include <gtest/gtest.h>

#include "core/engine_world.h"
#include "os/clock.h"
#include "os/file.h"

namespace pawl::daemon {
namespace {

struct PackerWorld : core::EngineWorld {
  os::Loop loop;

  void prints_and_ends(const std::string& name) {
    const SessionId session = running(name);
    host.prints(session, "hello\r\n");
    turn();
    host.ends(session, 0);
    turn();
    turn_and_flush();
  }
  std::vector<std::string> files(const std::string& name) const {
    return os::list_dir(engine->files().recordings(name));
  }
  // As if an hour had gone by.
  void age(const std::string& name) {
    for (const auto& file : files(name))
      os::set_modified(engine->files().recordings(name) + "/" + file,
                       os::read_clock().wall - std::chrono::hours{1});
  }
  void rest(const Packer& packer) {
    os::Soon look(loop, [&] {
      if (packer.idle()) return loop.stop();
      look.ask();
    });
    os::Timer limit(loop, [&] { loop.stop(); });
    limit.start(std::chrono::seconds{20});
    look.ask();
    loop.run();
    EXPECT_TRUE(packer.idle());
  }
  bool packed(const std::string& name) const {
    const auto all = files(name);
    return all.size() == 1 && all.front().ends_with(".cast.zst");
  }
};

TEST(Packer, CompressesWhatIsFinishedAndNothingElse) {
  PackerWorld world;
  world.prints_and_ends("a");
  world.host.prints(world.running("b"), "still here\r\n");
  world.turn_and_flush();
  world.age("a");
  world.age("b");
  const std::string before = world.recorded(world.session("a"), "a");
  Packer packer(world.loop, *world.engine);
  world.rest(packer);
  EXPECT_TRUE(world.packed("a"));
  EXPECT_FALSE(world.packed("b")) << "it is being written";
  EXPECT_EQ(world.recorded(world.session("a"), "a"), before);
  world.host.prints(world.session("b"), "and more\r\n");
  world.turn_and_flush();
  EXPECT_EQ(world.recorded(world.session("b"), "b"), "still here\r\nand more\r\n");
}

TEST(Packer, AnAgentOfAFormerLifeAsWell) {
  PackerWorld world;
  world.prints_and_ends("a");
  world.age("a");
  world.live();
  Packer packer(world.loop, *world.engine);
  world.rest(packer);
  EXPECT_TRUE(world.packed("a"));
}

TEST(Packer, HearsOfWhatIsFinishedLater) {
  PackerWorld world;
  Packer packer(world.loop, *world.engine);
  world.rest(packer);
  world.prints_and_ends("a");
  packer.follow();
  EXPECT_FALSE(packer.idle()) << "a minute later";
  EXPECT_FALSE(world.packed("a"));
  EXPECT_TRUE(world.engine->take_recorded().empty());
}

}  // namespace
}  // namespace pawl::daemon
