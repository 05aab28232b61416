#include "fleet/enroll.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/test_dir.h"
#include "os/file.h"

namespace pawl::fleet {
namespace {

// From the documentation of NATS.
constexpr const char* kSeed = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY";
constexpr const char* kKey = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4";

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

TEST(NKey, ASeedAndItsKeyAsOthersWriteThem) {
  const auto key = nkey_of(kSeed);
  ASSERT_TRUE(key);
  EXPECT_EQ(key->key, kKey);
  EXPECT_TRUE(valid_public_key(kKey));
  EXPECT_EQ(key->sign("nonce").size(), 64u);
}

TEST(NKey, ANewOneIsReadBackAndIsAnotherEachTime) {
  const NKey one = new_nkey(), other = new_nkey();
  EXPECT_NE(one.seed, other.seed);
  EXPECT_EQ(one.seed.size(), 58u);
  EXPECT_EQ(one.key.size(), 56u);
  EXPECT_EQ(nkey_of(one.seed)->key, one.key);
}

TEST(NKey, WhatWasMistypedIsNone) {
  std::string wrong = kSeed;
  wrong[20] = wrong[20] == 'A' ? 'B' : 'A';
  EXPECT_FALSE(nkey_of(wrong));
  EXPECT_FALSE(nkey_of(kKey));
  EXPECT_FALSE(nkey_of(""));
  EXPECT_FALSE(nkey_of(std::string(kSeed).substr(1)));
  EXPECT_FALSE(valid_public_key(kSeed));
  EXPECT_FALSE(valid_public_key("U\" }"));
}

TEST(NKey, CredentialsAreAFileThatOthersMustNotRead) {
  const TestDir dir;
  const std::string path = dir / "gpu.creds";
  const NKey key = new_nkey();
  ASSERT_TRUE(os::write_atomically(path, credentials_of("home", "gpu", key)));
  EXPECT_EQ(read_credentials(path)->seed, key.seed);
  ::chmod(path.c_str(), 0644);
  EXPECT_NE(text_of(read_credentials(path).error()).find("chmod 600"), std::string::npos);
  ::chmod(path.c_str(), 0600);
  ASSERT_TRUE(os::write_atomically(path, "hello\n"));
  EXPECT_NE(read_credentials(path).error().what.find("no NKey seed"), std::string::npos);
  EXPECT_FALSE(read_credentials(dir / "nothing"));
}

TEST(Enroll, ANodeIsEnrolledOnceAndCanBeTakenOut) {
  const TestDir dir;
  const auto gpu = enroll(dir.path(), "home", "gpu");
  ASSERT_TRUE(gpu) << text_of(gpu.error());
  ASSERT_TRUE(enroll(dir.path(), "home", "lap"));
  EXPECT_EQ(nkey_in(gpu->credentials)->key, gpu->key.key);
  const auto again = enroll(dir.path(), "home", "gpu");
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().what.find(gpu->key.key), std::string::npos) << "by name and fingerprint";
  const std::string config = *os::read_file(server_config_path(dir.path(), "home"));
  EXPECT_NE(config.find(gpu->key.key), std::string::npos);
  EXPECT_EQ(config.find(gpu->key.seed), std::string::npos) << "the secret is kept nowhere";
  EXPECT_EQ(os::read_file(roll_path(dir.path(), "home"))->find(gpu->key.seed), std::string::npos);

  ASSERT_TRUE(revoke(dir.path(), "home", "gpu"));
  EXPECT_EQ(os::read_file(server_config_path(dir.path(), "home"))->find(gpu->key.key),
            std::string::npos);
  EXPECT_FALSE(revoke(dir.path(), "home", "gpu"));
  EXPECT_EQ(read_roll(dir.path(), "home")->nodes.size(), 1u);
  EXPECT_TRUE(enroll(dir.path(), "home", "gpu")) << "with a new key";
}

TEST(Enroll, WhenTheLastNodeIsOutNobodyIsLetIn) {
  const TestDir dir;
  ASSERT_TRUE(enroll(dir.path(), "home", "gpu"));
  ASSERT_TRUE(revoke(dir.path(), "home", "gpu"));
  const std::string config = *os::read_file(server_config_path(dir.path(), "home"));
  EXPECT_NE(config.find("{ nkey: U"), std::string::npos);
  EXPECT_NE(config.find("deny: [\">\"]"), std::string::npos);
}

TEST(Enroll, ARollThatWasTamperedWithIsNotUsed) {
  const TestDir dir;
  ASSERT_TRUE(enroll(dir.path(), "home", "gpu"));
  for (const char* text : {"", "{}", R"({"fleet":"other","nodes":[]})",
                           R"({"fleet":"home","nodes":[{"name":"a","key":"U\" }"}]})"}) {
    ASSERT_TRUE(os::write_atomically(roll_path(dir.path(), "home"), text));
    EXPECT_FALSE(enroll(dir.path(), "home", "lap")) << text;
    EXPECT_FALSE(revoke(dir.path(), "home", "gpu")) << text;
  }
}

TEST(Enroll, NamesThatWouldMeanMoreAreRefused) {
  const TestDir dir;
  for (const char* bad : {"", "*", "a.b", ">", "a\"", "../x"}) {
    EXPECT_FALSE(enroll(dir.path(), "home", bad)) << bad;
    EXPECT_FALSE(enroll(dir.path(), bad, "gpu")) << bad;
  }
}

TEST(Enroll, ANodeSpeaksForItselfOnly) {
  const auto may = may_publish("home", "gpu");
  for (const char* own :
       {"$KV.pawl_home_nodes.gpu", "$KV.pawl_home_agents.gpu.>", "$KV.pawl_home_accounts.*.gpu",
        "pawl.home.events.gpu.>", "pawl.home.cmd.*.gpu", "$JS.ACK.pawl_home_inbox.gpu.>"})
    EXPECT_TRUE(has(may, own)) << own;
  for (const auto& subject : may) {
    EXPECT_NE(subject, ">");
    EXPECT_FALSE(subject.starts_with("$KV.pawl_home_nodes.>") || subject.starts_with("$SYS"))
        << subject;
    EXPECT_EQ(subject.find("STREAM.DELETE"), std::string::npos);
    EXPECT_EQ(subject.find("STREAM.UPDATE"), std::string::npos);
    EXPECT_EQ(subject.find("CONSUMER.DELETE"), std::string::npos);
  }
  EXPECT_EQ(may_hear("home", "gpu"),
            (std::vector<std::string>{"pawl.home.reply.gpu.>", "pawl.home.cmd.gpu.*"}));
}

}  // namespace
}  // namespace pawl::fleet
