#include "api/profiles.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/test_dir.h"
#include "perceive/profile/catalog.h"

namespace pawl::api {
namespace {

void write(const TestDir& config, const std::string& name, const std::string& text) {
  std::filesystem::create_directories(config / "profiles");
  std::ofstream(config / "profiles/" + name) << text;
}

TEST(Profiles, WithoutAFolderTheBuiltInOnesAreThere) {
  const TestDir config;
  const auto profiles = load_profiles(config.path());
  EXPECT_TRUE(profiles.complaints.empty());
  EXPECT_NE(profiles.catalog.find("claude"), nullptr);
}

TEST(Profiles, AUsersFileStandsInFrontOfTheBuiltInOne) {
  const TestDir config;
  write(config, "claude.toml", "name = 'claude'\nabout = 'mine'\n");
  write(config, "new.toml", "name = 'new'\n");
  const auto profiles = load_profiles(config.path());
  EXPECT_TRUE(profiles.complaints.empty());
  EXPECT_EQ(profiles.catalog.find("claude")->about, "mine");
  EXPECT_NE(profiles.catalog.find("new"), nullptr);
}

TEST(Profiles, ABadFileIsComplainedAboutAndTheBuiltInOneStays) {
  const TestDir config;
  write(config, "claude.toml", "name = 'claude'\n[[busy]]\npattern = '['\n");
  write(config, "codex.toml", "name = 'codex'\nqiet_ms = 1\n");
  write(config, "good.toml", "name = 'good'\n");
  const auto profiles = load_profiles(config.path());
  ASSERT_EQ(profiles.complaints.size(), 2u);
  std::string all;
  for (const auto& complaint : profiles.complaints) all += text_of(complaint) + "\n";
  EXPECT_NE(all.find(config / "profiles/claude.toml:3: '[' is no pattern"), std::string::npos)
      << all;
  EXPECT_NE(all.find(config / "profiles/codex.toml:2: unknown key 'qiet_ms'"), std::string::npos)
      << all;
  EXPECT_EQ(profiles.catalog.find("claude")->about, "Claude Code");
  EXPECT_EQ(profiles.catalog.find("codex")->about, "OpenAI Codex CLI");
  EXPECT_NE(profiles.catalog.find("good"), nullptr);
}

TEST(Profiles, AFileThatIsNoTextIsComplainedAbout) {
  const TestDir config;
  write(config, "odd.toml", std::string("\xff\xfe\0\x01", 4));
  write(config, "huge.toml", "name = 'huge'\n#" + std::string(300 << 10, 'x'));
  write(config, "notes.txt", "not a profile");
  std::filesystem::create_directories(config / "profiles/folder.toml");
  const auto profiles = load_profiles(config.path());
  EXPECT_EQ(profiles.complaints.size(), 3u);
  EXPECT_EQ(profiles.catalog.names(), perceive::Catalog::built_in().names());
}

}  // namespace
}  // namespace pawl::api
