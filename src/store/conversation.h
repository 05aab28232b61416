#pragma once
// The files a conversation is kept in, as its program writes them: read on from where somebody stopped, never as a whole.

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "store/disk.h"

namespace pawl::store {

struct ConversationFile {
  std::string path;
  uint64_t size = 0;
  WallTime modified;
};

// The transcript, and those of its sub-agents in the folder beside it (Claude Code). Only plain files: the path is what a
// program said, and it may say anything.
std::vector<ConversationFile> conversation_files(Disk& disk, const std::string& transcript);

// Where a program that does not say it keeps the conversation `id`: "{$X_HOME|~/.x}/sessions/*/*-{conversation}.jsonl", a * for any
// folder or any part of a name, {conversation8} for how the id begins, {folder} and {cwd} for any, the newest by name first. Empty: it
// is not there.
std::string find_conversation(Disk& disk, const std::string& pattern,
                              const std::vector<std::string>& environment, const std::string& id);

// The files of all its conversations that were written to since then, the newest by name first: of the first so many that are there.
inline constexpr int kNewestLooked = 300;
std::vector<ConversationFile> newest_conversations(Disk& disk, const std::string& pattern,
                                                   const std::vector<std::string>& environment,
                                                   WallTime since);

// The file that a program is told to keep a new conversation in, which works in `dir`: a pattern without a *, in which {folder}
// is that path with - for each / but the first. Empty: the pattern names no file.
std::string planned_conversation(const std::string& pattern,
                                 const std::vector<std::string>& environment, const std::string& id,
                                 const std::string& dir);

// Where a conversation that comes from another machine goes here: the pattern, with {folder} and {cwd} for `dir`, and whatever else it leaves
// open as in `source`, its file there. Empty: the pattern names no file, or that one is not like it.
std::string arriving_conversation(const std::string& pattern,
                                  const std::vector<std::string>& environment,
                                  const std::string& dir, const std::string& source);

std::string read_on(Disk& disk, const ConversationFile& file, uint64_t offset, size_t limit);

}  // namespace pawl::store
