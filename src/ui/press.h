#pragma once
// A key → what changes, and what is to be done. The only place that knows which key is what; keys_page() is its help.

#include <string>
#include <utility>
#include <vector>

#include "ui/keys.h"
#include "ui/state.h"

namespace pawl::ui {

Wishes press(State& state, const Key& key);

// Key and meaning, as `?` shows them.
const std::vector<std::pair<std::string, std::string>>& keys_page();

// The marked agents, or the selected one.
std::vector<std::string> targets(const State& state);

// Behind press(): what a key does while something lies over the list (press_overlay.cpp).
Wishes press_typing(State& state, Typing& typing, const Key& key);
Wishes press_answering(State& state, Answering& answering, const Key& key);
Wishes press_form(State& state, Form& form, const Key& key);
Form new_form(const State& state);

}  // namespace pawl::ui
