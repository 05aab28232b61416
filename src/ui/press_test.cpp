#include "ui/press.h"

#include <gtest/gtest.h>

#include "ui/command_line.h"
#include "ui/test_state.h"

namespace pawl::ui {
namespace {

using Do = Wish::Kind;
using Words = std::vector<std::string>;

State three() {
  return state_of({120, 30}, three_agents());
}

TEST(UiPress, SelectsAttachesAndQuits) {
  State state = three();
  EXPECT_EQ(state.selected, "asks");
  type(state, "j");
  EXPECT_EQ(state.selected, "busy");
  const auto wishes = type(state, "\r");
  ASSERT_EQ(wishes.size(), 1u);
  EXPECT_EQ(wishes[0].kind, Do::attach);
  EXPECT_EQ(wishes[0].agent, "busy");
  type(state, "G");
  EXPECT_EQ(state.selected, "gone");
  EXPECT_EQ(type(state, "q")[0].kind, Do::quit);
}

TEST(UiPress, TheWheelAndClicksSelect) {
  State state = three();
  type(state, "\x1b[<0;3;3M");
  EXPECT_EQ(state.selected, "busy");
  type(state, "\x1b[<64;3;3M");
  EXPECT_EQ(state.selected, "asks");
  type(state, "\x1b[<0;3;20M");
  EXPECT_EQ(state.selected, "asks");
}

TEST(UiPress, SendsToTheMarkedOnes) {
  State state = three();
  type(state, "  ");
  EXPECT_EQ(state.marked, (std::set<std::string>{"asks", "busy"}));
  const auto wishes = type(state, "s-go on\r");
  ASSERT_EQ(wishes.size(), 2u);
  EXPECT_EQ(wishes[0].words, (Words{"send", "asks", "-"}));
  EXPECT_EQ(wishes[0].input, "-go on");
  EXPECT_EQ(wishes[1].words, (Words{"send", "busy", "-"}));
}

TEST(UiPress, RiskyOnesAsk) {
  State state = three();
  EXPECT_TRUE(type(state, "r").empty());
  EXPECT_TRUE(holds(text_of_screen(state), "Restart asks?"));
  EXPECT_TRUE(type(state, "n").empty());
  EXPECT_TRUE(type(state, "x").empty());
  EXPECT_EQ(type(state, "y")[0].words, (Words{"stop", "asks"}));
}

TEST(UiPress, AnswersAreBoundToTheDialogThatWasSeen) {
  State state = three();
  show_dialog(state, Json());
  type(state, "a");
  EXPECT_TRUE(holds(text_of_screen(state), "asks has no open dialog"));
  show_dialog(state, test_dialog());
  type(state, "a3");
  Json other = test_dialog();
  show_dialog(state, other.set("id", "d2"));
  EXPECT_TRUE(holds(text_of_screen(state), "The dialog has changed"));
  const auto wishes = type(state, "\r");
  ASSERT_EQ(wishes.size(), 1u);
  EXPECT_EQ(wishes[0].words, (Words{"answer", "asks", "3", "--dialog", "d1"}));
}

TEST(UiPress, AnAnswerWaitsForTheDialogToBeTold) {
  State state = three();
  type(state, "a");
  show_dialog(state, test_dialog());
  EXPECT_EQ(type(state, "\r").at(0).words, (Words{"answer", "asks", "1", "--dialog", "d1"}));
  type(state, "ja");
  type(state, "k");
  show_dialog(state, test_dialog());
  EXPECT_TRUE(std::holds_alternative<std::monostate>(state.overlay));
}

TEST(UiPress, ARowThatPermitsForGoodAsksTwice) {
  State state = three();
  show_dialog(state, test_dialog());
  EXPECT_TRUE(type(state, "a2\r").empty());
  EXPECT_TRUE(holds(text_of_screen(state), "This row means: permission"));
  EXPECT_EQ(type(state, "\r")[0].words, (Words{"answer", "asks", "2", "--dialog", "d1"}));
}

TEST(UiPress, PastesPressNoKeys) {
  State state = three();
  EXPECT_TRUE(type(state, "\x1b[200~q\r\x1b[201~").empty());
  const auto wishes = type(state, "s\x1b[200~two\rlines\x1b[201~\r");
  ASSERT_EQ(wishes.size(), 1u);
  EXPECT_EQ(wishes[0].input, "two\rlines");
}

TEST(UiPress, ALargePasteIsCutAndSaid) {
  State state = three();
  type(state, "s\x1b[200~" + std::string(2u << 20, 'x') + "\x1b[201~");
  EXPECT_TRUE(holds(text_of_screen(state), "too long"));
  EXPECT_LE(std::get<Typing>(state.overlay).line.text().size(), kMaxLine);
}

TEST(UiPress, FiltersByNamesAndScreens) {
  State state = three();
  type(state, "/USY");
  EXPECT_EQ(state.rows, (std::vector<std::string>{"busy"}));
  EXPECT_EQ(state.selected, "busy");
  take_found(state, test_list(Json::Array{Json::object({{"name", "gone"}})}));
  EXPECT_EQ(state.rows, (std::vector<std::string>{"busy", "gone"}));
  type(state, "\x1b");
  EXPECT_EQ(state.rows.size(), 3u);
}

TEST(UiPress, AnAgentThatIsRemovedWhileSelected) {
  State state = three();
  type(state, "j");
  take_some(state, test_list(Json::Array{}), {"busy"});
  EXPECT_EQ(state.selected, "gone");
  EXPECT_EQ(state.notice, "busy was removed");
  take_list(state, test_list(Json::Array{}));
  EXPECT_TRUE(type(state, "\rsaxrpwte ").empty());
  EXPECT_TRUE(state.selected.empty());
}

TEST(UiPress, TheFormSaysWhatIsWrong) {
  State state = three();
  type(state, "nmy name");
  EXPECT_TRUE(type(state, "\x13").empty());
  EXPECT_TRUE(holds(text_of_screen(state), "the name needs"));
  type(state, "\x15tests\x1b[B\x1b[Bmake 'a b'");
  const auto wishes = type(state, "\x13");
  ASSERT_EQ(wishes.size(), 1u);
  EXPECT_EQ(wishes[0].words,
            (Words{"run", "-d", "tests", "--dir", "/src/asks", "--", "make", "a b"}));
}

TEST(UiPress, CommandsRunAnyVerb) {
  State state = three();
  const auto wishes = type(state, ":why asks\r");
  ASSERT_EQ(wishes.size(), 1u);
  EXPECT_EQ(wishes[0].words, (Words{"why", "asks"}));
  EXPECT_TRUE(wishes[0].page);
  take_text(state, "because\nof this\n");
  take_end(state, 6);
  EXPECT_TRUE(holds(text_of_screen(state), "of this\n (exit code 6)"));
  type(state, "\x1b");
  EXPECT_TRUE(type(state, ":attach asks\r").empty());
  EXPECT_TRUE(holds(text_of_screen(state), "press Enter"));
  EXPECT_TRUE(type(state, ":why 'a\r").empty());
}

TEST(UiCommandLine, Completes) {
  EXPECT_EQ(completions("resta", {}), (Words{"restart "}));
  EXPECT_EQ(completions("why bu", {"asks", "busy"}), (Words{"why busy "}));
  EXPECT_EQ(completions("restart --fr", {}), (Words{"restart --fresh "}));
  EXPECT_EQ(completions("task sta", {}), (Words{"task start ", "task status "}));
  EXPECT_TRUE(completions("nonsense x", {"xy"}).empty());
}

}  // namespace
}  // namespace pawl::ui
