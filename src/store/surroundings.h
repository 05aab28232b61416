#pragma once
// The look around before a program is started, and the look back after it ended badly. Both ask the machine and change nothing.

#include <string>
#include <vector>

#include "model/event.h"
#include "model/fleet.h"
#include "model/surroundings.h"
#include "store/disk.h"

namespace pawl::store {

// `home`: where our own files are.
model::Surroundings look_around(Disk& disk, const model::Agent& agent, const std::string& home);

// What the machine knows about the end of a program, in lines of "WHAT: TEXT" for a person.
struct Finding {
  std::string what, text;
};
std::vector<Finding> look_back(Disk& disk, const model::Agent& agent, const model::Ending& ending);

}  // namespace pawl::store
