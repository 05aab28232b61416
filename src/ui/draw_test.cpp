#include "ui/draw.h"

#include <gtest/gtest.h>

#include "term/paint.h"
#include "ui/test_state.h"

namespace pawl::ui {
namespace {

TEST(UiDraw, TheListByUrgencyWithAges) {
  const State state = state_of({80, 24}, three_agents());
  EXPECT_TRUE(
      row_of_screen(state, 0).starts_with(" pawl  3 agents: 1 waiting, 1 busy, 1 exited   "));
  EXPECT_TRUE(row_of_screen(state, 0).ends_with("   by urgency"));
  EXPECT_EQ(row_of_screen(state, 1), "> asks     waiting    8m it asks to run make");
  EXPECT_EQ(row_of_screen(state, 2), "  busy     busy       7s its spinner turns");
  EXPECT_EQ(row_of_screen(state, 3), "  gone     exited     1d exit code 0");
  EXPECT_TRUE(holds(text_of_screen(state), "asks  waiting for 8m  claude  /src/asks"));
}

TEST(UiDraw, ThePictureIsBesideTheListWithItsColours) {
  State state = state_of({120, 30}, three_agents());
  look_at(state, "asks");
  take_size(state, {40, 5});
  take_output(state, "\x1b[31mred\x1b[0m plain\r\n日本");
  const auto screen = draw(state, {Colours::full, test_now()}).screen;
  const std::string text = screen.text();
  EXPECT_TRUE(holds(text, "── 40x5 ─"));
  EXPECT_TRUE(holds(text, "red plain"));
  EXPECT_TRUE(holds(text, "日本"));
  const auto none = draw(state, {Colours::none, test_now()}).screen;
  EXPECT_EQ(none.text(), text);
  EXPECT_FALSE(holds(term::ansi_text(none), "31m"));
  EXPECT_TRUE(holds(term::ansi_text(screen), ";31m"));
}

TEST(UiDraw, TheDialogWithWhatItsRowsMean) {
  State state = state_of({120, 30}, three_agents());
  show_dialog(state, test_dialog());
  const std::string text = text_of_screen(state);
  for (const char* part :
       {"Run this command?", "│ make test", "1. Yes  (allow)", "2. Always  (permission)"})
    EXPECT_TRUE(holds(text, part)) << part;
}

TEST(UiDraw, EverySizeIsDrawnWhole) {
  State state = state_of({80, 24}, three_agents());
  look_at(state, "asks");
  take_size(state, {200, 60});
  for (int i = 0; i < 60; ++i) take_output(state, "line 日本 of the picture\r\n");
  show_dialog(state, test_dialog());
  const Overlay overlays[] = {{},
                              Typing{},
                              Question{"Restart asks?", {}},
                              Answering{"asks", test_dialog()},
                              new_form(state)};
  const Size sizes[] = {{1, 1},   {2, 3},    {40, 10},  {39, 10},   {80, 24},
                        {99, 24}, {100, 24}, {132, 43}, {300, 100}, {500, 200}};
  for (const Size size : sizes)
    for (const auto& overlay : overlays)
      for (const Page page : {Page::agents, Page::keys, Page::text, Page::moments}) {
        state.size = size;
        state.overlay = overlay;
        state.page = page;
        settle(state);
        const auto frame = draw(state, {Colours::full, test_now()});
        EXPECT_EQ(frame.screen.size(), state.size);
        EXPECT_FALSE(frame.screen.text().empty());
      }
}

TEST(UiDraw, TooSmallIsSaid) {
  const State state = state_of({30, 5}, three_agents());
  EXPECT_TRUE(holds(text_of_screen(state), "pawl needs 40x10"));
}

TEST(UiDraw, AThousandAgentsAreDrawnByTheirVisibleRows) {
  Json rows = Json::array();
  for (int i = 0; i < 1000; ++i)
    rows.push(
        test_row("agent-" + std::to_string(1000 + i), "busy", "it works", std::chrono::hours{1}));
  State state = state_of({200, 50}, test_list(std::move(rows)));
  EXPECT_TRUE(holds(text_of_screen(state), "agent-1047"));
  EXPECT_FALSE(holds(text_of_screen(state), "agent-1048"));
  type(state, "G");
  EXPECT_EQ(state.selected, "agent-1999");
  EXPECT_TRUE(holds(text_of_screen(state), "> agent-1999"));
  EXPECT_FALSE(holds(text_of_screen(state), "agent-1951 "));
}

TEST(UiDraw, HostileNamesAndReasonsStayInTheirRow) {
  State state = state_of(
      {120, 30},
      test_list(Json::Array{test_row("evil", "busy", "\x1b[2J\x1b]0;owned\x07\x1b[5;5Hhere\r\nnext",
                                     std::chrono::hours{1}),
                            test_row("good", "busy", "well", std::chrono::hours{1})}));
  const auto screen = draw(state, {Colours::full, test_now()}).screen;
  EXPECT_EQ(screen.title(), "");
  EXPECT_TRUE(holds(screen.row_text(1), "> evil"));
  EXPECT_TRUE(holds(screen.row_text(2), "  good"));
}

TEST(UiDraw, AgesAreLookedAtAgainWhenTheyChange) {
  const State young = state_of(
      {80, 24}, test_list(Json::Array{test_row("a", "busy", "", std::chrono::milliseconds{7400})}));
  EXPECT_EQ(draw(young, {Colours::full, test_now()}).stale_in,
            Duration{std::chrono::milliseconds{600}});
  const State old = state_of(
      {80, 24}, test_list(Json::Array{test_row("a", "busy", "", std::chrono::minutes{90})}));
  EXPECT_EQ(draw(old, {Colours::full, test_now()}).stale_in, Duration{std::chrono::minutes{30}});
  EXPECT_EQ(
      draw(state_of({80, 24}, test_list(Json::Array{})), {Colours::full, test_now()}).stale_in,
      std::nullopt);
}

TEST(UiDraw, TheTimelineShowsTheScreenOfThen) {
  State state = state_of({120, 30}, three_agents());
  const auto wishes = type(state, "t");
  ASSERT_EQ(wishes.size(), 1u);
  EXPECT_EQ(wishes[0].kind, Wish::Kind::moments);
  take_moments(state, "asks", std::vector<Moment>{{"T1", "T1 first"}, {"T2", "T2 second"}});
  EXPECT_EQ(state.moments.chosen, 1u);
  type(state, "k");
  state.moments.then_at = "T1";
  take_then(state, "T0", Json::object({{"screen", "not asked for"}, {"cols", 40}, {"rows", 3}}));
  EXPECT_FALSE(holds(text_of_screen(state), "not asked for"));
  take_then(state, "T1", Json::object({{"screen", "as it was"}, {"cols", 40}, {"rows", 3}}));
  const std::string text = text_of_screen(state);
  EXPECT_TRUE(holds(text, "as it was"));
  EXPECT_TRUE(holds(text, "screen at T1"));
  type(state, "\x1b");
  EXPECT_EQ(state.page, Page::agents);
}

}  // namespace
}  // namespace pawl::ui
