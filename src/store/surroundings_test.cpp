#include "store/surroundings.h"

#include <gtest/gtest.h>

#include "base/test_dir.h"
#include "os/file.h"
#include "store/real_disk.h"

namespace pawl::store {
namespace {

RealDisk disk;

model::Agent agent_in(const TestDir& dir) {
  model::Agent agent;
  agent.spec.dir = dir.path();
  agent.session_id = "0f7c";
  agent.transcript = dir.path() + "/0f7c.jsonl";
  agent.memory.sessions.transcripts = {agent.transcript};
  return agent;
}

std::string found(const std::vector<Finding>& all, const std::string& what) {
  for (const auto& one : all)
    if (one.what == what) return one.text;
  return {};
}

TEST(LookAround, SaysWhatThereIs) {
  TestDir dir;
  model::Agent agent = agent_in(dir);
  EXPECT_FALSE(look_around(disk, agent, dir.path()).resumable) << "its transcript is not there";
  ASSERT_TRUE(os::write_atomically(agent.transcript, std::string(3u << 20, 'x')));
  const model::Surroundings seen = look_around(disk, agent, dir.path());
  EXPECT_TRUE(seen.dir);
  EXPECT_TRUE(seen.resumable);
  EXPECT_EQ(seen.transcript_mb, 3);
  EXPECT_GE(seen.memory_pct, 0);
  EXPECT_FALSE(seen.memory_of.empty());
  EXPECT_GT(seen.disk_mb, 0);
  agent.spec.dir = dir.path() + "/gone";
  agent.session_id.clear();
  EXPECT_FALSE(look_around(disk, agent, dir.path()).dir);
  EXPECT_FALSE(look_around(disk, agent, dir.path()).resumable);
}

TEST(LookBack, FindsTheLastErrorOfATranscript) {
  TestDir dir;
  const model::Agent agent = agent_in(dir);
  const std::string early =
      R"({"isApiErrorMessage":true,"message":{"content":[{"type":"text","text":"an old one"}]}})";
  const std::string late =
      R"({"isApiErrorMessage":true,"message":{"content":[{"type":"text","text":"API Error: 529"}]}})";
  ASSERT_TRUE(
      os::write_atomically(agent.transcript, early + "\n" + late + "\n{\"type\":\"user\"}\n{cut"));
  EXPECT_EQ(found(look_back(disk, agent, {1, 0, true}), "its error"), "API Error: 529");
  ASSERT_TRUE(os::write_atomically(
      agent.transcript,
      R"({"type":"event_msg","payload":{"type":"error","message":"stream lost"}})"));
  EXPECT_EQ(found(look_back(disk, agent, {1, 0, true}), "its error"), "stream lost");
  EXPECT_FALSE(found(look_back(disk, agent, {1, 0, true}), "memory").empty());
}

}  // namespace
}  // namespace pawl::store
