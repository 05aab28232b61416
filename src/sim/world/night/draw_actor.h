#pragma once
// One agent of a night: its program, how that behaves, and what its pawl.toml says.

#include <array>
#include <vector>

#include "sim/world/chance.h"
#include "sim/world/night/draw.h"

namespace pawl::sim {

inline constexpr std::array kWho{"claude", "claude", "codex", "gemini", "pi", "plain"};

Actor draw_actor(Chance& chance, const NightOrder& order, size_t number);

// Some of one program work in one folder: each has to go on with its own conversation.
void share_folders(std::vector<Actor>& actors);

}  // namespace pawl::sim
