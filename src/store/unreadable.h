#pragma once
// What lies where Pawl reads a file of an agent and is none: a named pipe, a device, a socket, a folder, or far too large. None of
// it is opened (os/file.h); the engine tells of each once, on that agent (core/engine_files.cpp).

#include <string>
#include <vector>

#include "model/fleet.h"
#include "store/agent_files.h"

namespace pawl::store {

struct Unreadable {
  std::string path;
  std::string text;  // "… is a named pipe, not a file: Pawl does not read it"
  std::string todo;
};

// Of everything but its work: a few looks, and no file is opened.
std::vector<Unreadable> unreadable(const AgentFiles& files, const model::Agent& agent);
// A folder that does not answer, or nothing.
std::optional<Unreadable> silent_folder(Disk& disk, const std::string& path);
// One of them; `kind`: "a named pipe".
Unreadable unreadable(const std::string& path, const std::string& kind);

}  // namespace pawl::store
