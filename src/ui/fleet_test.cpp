#include "ui/fleet.h"

#include <gtest/gtest.h>

#include "ui/edit.h"

namespace pawl::ui {
namespace {

Json row(const std::string& name, const std::string& state, const std::string& machine = "") {
  Json out = Json::object({{"name", name}, {"state", state}, {"dir", "/" + state}});
  return machine.empty() ? out : out.set("machine", machine);
}

Json list_of(Json::Array rows) {
  return Json::object({{"agents", std::move(rows)}});
}

TEST(UiFleet, Orders) {
  Fleet fleet;
  fleet.take(list_of(
      {row("b", "busy"), row("a", "exited"), row("c", "waiting", "gpu"), row("d", "crashed")}));
  using Ids = std::vector<std::string>;
  EXPECT_EQ(fleet.ordered(Order::urgency, "", {}), (Ids{"gpu/c", "d", "b", "a"}));
  EXPECT_EQ(fleet.ordered(Order::name, "", {}), (Ids{"a", "b", "gpu/c", "d"}));
  EXPECT_EQ(fleet.ordered(Order::folder, "", {}), (Ids{"b", "d", "a", "gpu/c"}));
  EXPECT_EQ(fleet.ordered(Order::machine, "", {}), (Ids{"a", "b", "d", "gpu/c"}));
  EXPECT_EQ(fleet.ordered(Order::name, "GPU", {"a"}), (Ids{"a", "gpu/c"}));
  EXPECT_EQ(fleet.summary(), "4 agents: 1 waiting, 1 crashed, 1 busy, 1 exited");
}

TEST(UiFleet, SomeOfThemAnew) {
  Fleet fleet;
  fleet.take(list_of({row("a", "busy"), row("b", "busy")}));
  fleet.take(list_of({row("b", "ready"), row("stranger", "busy")}), {"a", "b"});
  EXPECT_EQ(fleet.find("a"), nullptr);
  ASSERT_NE(fleet.find("b"), nullptr);
  EXPECT_EQ(fleet.find("b")->state, "ready");
  EXPECT_EQ(fleet.find("stranger"), nullptr);
}

TEST(UiFleet, Ages) {
  using namespace std::chrono;
  EXPECT_EQ(age_text(seconds{59}), "59s");
  EXPECT_EQ(age_text(minutes{8} + seconds{59}), "8m");
  EXPECT_EQ(age_lasts(minutes{8} + seconds{59}), Duration{seconds{1}});
  EXPECT_EQ(age_text(hours{49}), "2d");
  EXPECT_EQ(age_text(seconds{-5}), "0s");
}

TEST(UiEdit, TypesAndMoves) {
  LineEdit line;
  const auto key = [&](Key::Kind kind, const std::string& text = "") {
    return line.take({kind, text});
  };
  for (const char* letter : {"a", "é", "b"}) key(Key::Kind::text, letter);
  key(Key::Kind::left);
  key(Key::Kind::backspace);
  EXPECT_EQ(line.text(), "ab");
  EXPECT_EQ(line.shown(10).cursor, 1);
  key(Key::Kind::control, "u");
  EXPECT_EQ(line.text(), "b");
  EXPECT_FALSE(key(Key::Kind::up));
  line.set(std::string(100, 'x') + "end");
  EXPECT_EQ(line.shown(10).cursor, 9);
  EXPECT_TRUE(line.shown(10).text.ends_with("end"));
}

}  // namespace
}  // namespace pawl::ui
