#include "model/spec.h"

#include <gtest/gtest.h>

#include "model/everything.h"
#include "model/fields.h"

namespace pawl::model {
namespace {

// The path of every field in the JSON that has the same value as in another spec.
void same_leaves(const Json& a, const Json& b, const std::string& at,
                 std::vector<std::string>& out) {
  if (!a.is_object()) {
    if (a == b) out.push_back(at);
    return;
  }
  for (const auto& [key, value] : a.members()) same_leaves(value, b[key], at + "/" + key, out);
}

TEST(Spec, FullSpecChangesEveryField) {
  std::vector<std::string> same;
  same_leaves(to_json(full_spec("a")), to_json(AgentSpec{}), "", same);
  EXPECT_EQ(same, std::vector<std::string>{});
}

TEST(Spec, JsonRoundTripKeepsEveryField) {
  const AgentSpec spec = full_spec("docs");
  const auto text = to_json(spec).dump();
  const auto parsed = Json::parse(text);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(spec_from_json(*parsed), spec);
  EXPECT_EQ(to_json(spec_from_json(*parsed)).dump(), text);
}

TEST(Spec, MissingKeysGetTheirDefaults) {
  const auto json = Json::parse(R"({"name": "x", "dir": "/d", "nudge": {"factor": 2}})");
  AgentSpec expected;
  expected.name = "x";
  expected.dir = "/d";
  expected.nudge.factor = 2;
  EXPECT_EQ(spec_from_json(*json), expected);
}

TEST(Spec, ValuesOfAnotherKindAreDefaults) {
  const auto json =
      Json::parse(R"({"name": 3, "size": "big", "cooldown_s": "x", "notify": {}, "nudge": [1]})");
  EXPECT_EQ(spec_from_json(*json), AgentSpec{});
}

TEST(Spec, ModeDefaultsByWhetherThereIsAPrompt) {
  AgentSpec spec;
  EXPECT_EQ(spec.effective_mode(), "paused");
  spec.prompt = "x";
  EXPECT_EQ(spec.effective_mode(), "task-only");
  spec.prompt.clear();
  spec.prompt_file = "x";
  EXPECT_EQ(spec.effective_mode(), "task-only");
  spec.mode = "active";
  EXPECT_EQ(spec.effective_mode(), "active");
}

TEST(State, WordsAreThoseOfTheContract) {
  const std::vector<std::string> words{"starting", "ready",   "typing", "busy",
                                       "waiting",  "limited", "stuck",  "shell",
                                       "exited",   "crashed", "unknown"};
  EXPECT_EQ(state_words(), words);
  for (const auto& text : words) {
    const auto state = state_from(text);
    ASSERT_TRUE(state) << text;
    EXPECT_EQ(word(*state), text);
    EXPECT_EQ(ended(*state), text == "exited" || text == "crashed") << text;
  }
  EXPECT_FALSE(state_from("Ready"));
  EXPECT_FALSE(state_from(""));
}

}  // namespace
}  // namespace pawl::model
