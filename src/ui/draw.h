#pragma once
// The state as a screen: pure functions, so that tests compare screens as text. Only what is to be seen is drawn: a list of a thousand
// costs what its visible rows cost.

#include <optional>

#include "base/clock.h"
#include "ui/canvas.h"
#include "ui/layout.h"
#include "ui/state.h"

namespace pawl::ui {

struct Light {
  Colours colours = Colours::full;
  WallTime now{};
};

struct Frame {
  term::Screen screen;
  // When the same state would look different, for ages count on; nothing: never by itself.
  std::optional<Duration> stale_in;
};
Frame draw(const State& state, const Light& light);

// Behind draw(): the parts of the screen.
struct Drawing {
  Canvas& canvas;
  const State& state;
  const Layout& layout;
  WallTime now;
  std::optional<Duration> stale_in = {};

  // The age of what began then; it is looked at again when that changes.
  std::string age(WallTime since);
};
void draw_list(Drawing& drawing);     // draw_list.cpp
void draw_agent(Drawing& drawing);    // draw_agent.cpp
void draw_keys(Drawing& drawing);     // draw_pages.cpp
void draw_text(Drawing& drawing);     // …
void draw_moments(Drawing& drawing);  // …
void draw_overlay(Drawing& drawing);  // draw_overlay.cpp: over all of it; also the last line

// As much of the screen as fits, with its last written row.
void draw_picture(Canvas& canvas, const term::Screen& screen, const Area& area);

term::Style plain();
term::Style bold();
term::Style dim();
term::Style reverse();
// The colour of a state, as everywhere in Pawl.
term::Style of_state(const Agent& agent);

}  // namespace pawl::ui
