#include "cli/model_checks.h"

#include <gtest/gtest.h>

#include <array>

namespace pawl::cli {
namespace {

Json tasks(std::initializer_list<std::array<const char*, 3>> rows) {
  Json list = Json::array();
  for (const auto& [model, reason, at] : rows)
    list.push(Json::object({{"task_name", "t"},
                            {"runtime", "claude"},
                            {"model", model},
                            {"reason", reason},
                            {"finished_at", at}}));
  Json out = Json::object();
  out.set("tasks", std::move(list));
  return out;
}

TEST(ModelChecks, EachTableTellsItsDay) {
  Checks checks;
  add_model_tables(perceive::Catalog::built_in(), checks);
  ASSERT_EQ(checks.size(), 1u);
  EXPECT_NE(checks[0].found.find("claude of 20"), std::string::npos) << checks[0].found;
  EXPECT_EQ(checks[0].found.find("generic"), std::string::npos);
}

TEST(ModelChecks, AModelThatATaskWasToldOfIsGoneUntilOneIsCompletedWithIt) {
  const char* missing = "There's an issue with the selected model (x-1). It may not exist";
  const Json failed = tasks({{"x-1", missing, "2026-11-18T09:00:00Z"},
                             {"x-2", missing, "2026-11-18T09:00:00Z"},
                             {"x-3", "I give up", "2026-11-18T09:00:00Z"},
                             {"", missing, "2026-11-18T09:00:00Z"}});
  const Json completed = tasks({{"x-1", "it came to its end", "2026-11-17T09:00:00Z"},
                                {"x-2", "…", "2026-11-18T10:00:00Z"}});
  Checks checks;
  add_gone_models(failed, completed, checks);
  ASSERT_EQ(checks.size(), 1u);
  EXPECT_EQ(checks[0].grade, Check::Grade::warning);
  EXPECT_EQ(checks[0].found, "claude does not know x-1: so task t was told on 2026-11-18");
  add_gone_models(Json(), Json(), checks);
  EXPECT_EQ(checks.size(), 1u) << "no daemon answers";
}

}  // namespace
}  // namespace pawl::cli
