#pragma once
// What the daemon says → the state. Called by cli/ui with every answer; asks for nothing itself.

#include <set>
#include <string>
#include <string_view>

#include "ui/state.h"

namespace pawl::ui {

// The rows anew, with the selection on the same agent, or on its neighbour when it is gone. Called after every change of fleet,
// filter, order or size.
void settle(State& state);

void take_list(State& state, const Json& list);
void take_some(State& state, const Json& list, const std::set<std::string>& names);
void take_found(State& state, const Json& list);  // whose screens have the filter's text
void take_detail(State& state, const std::string& agent, const Result<Json>& shown);

// The picture: another agent's, its size, its bytes, its end.
void look_at(State& state, const std::string& agent);
void take_size(State& state, Size size);
void take_output(State& state, std::string_view bytes);
// One that is still, as `screen --ansi` tells it; or why there is none.
void take_still(State& state, const Result<Json>& screen);

void take_moments(State& state, const std::string& agent, const Result<std::vector<Moment>>& list);
void take_then(State& state, const std::string& at, const Result<Json>& screen);

// Output of what runs for the page, and its end.
void take_text(State& state, std::string_view bytes);
void take_end(State& state, int exit_code);
void tell(State& state, std::string text, bool bad);

// A screen of that many columns and rows from text with SGR sequences.
term::Terminal still_of(const Json& screen);

}  // namespace pawl::ui
