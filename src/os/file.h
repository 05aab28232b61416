#pragma once
// Files and folders. Everything Pawl writes is private (0600 in 0700) and whole: a reader sees the old text or the new one.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "os/entry.h"
#include "os/fd.h"

namespace pawl::os {

// Creates the folder and its parents, 0700. Fine when it is there already and ours.
Done make_private_dir(const std::string& path);

// Temporary file, fsync, rename. 0600.
Done write_atomically(const std::string& path, std::string_view text);

// Nobody waits here: only a regular file is read, whatever lies at the path. A link is followed; a pipe, a device, a socket or a
// folder behind it is refused, with words.
Result<std::string> read_file(const std::string& path, size_t limit = kFileBytes);
// Also a pipe or a terminal, and it waits for them: for what a person names on the command line, never in the daemon.
Result<std::string> read_stream(const std::string& path, size_t limit = kFileBytes);
// "a named pipe", "a folder": why read_file() refuses it. Nothing: it is a file, or nothing is there.
std::optional<std::string> not_a_file(const std::string& path);

// At most `limit` bytes from `offset` on; empty when there are none, the file is gone, or it is none.
std::string read_slice(const std::string& path, uint64_t offset, size_t limit);
bool move_file(const std::string& from,
               const std::string& to);  // within one disk; false: it was not
// Also to another disk: then it is copied, and the original goes when the copy is safe there.
Done move_anywhere(const std::string& from, const std::string& to);
bool remove_file(const std::string& path);    // true: it was there, and is gone
uint64_t file_size(const std::string& path);  // 0 when it is gone

// What lies there; nothing: there is nothing. `follow`: a link is what it leads to.
std::optional<Entry> look(const std::string& path, bool follow);
// A file, and not a pipe, a folder or a link to somewhere: what it is safe to open.
std::optional<Entry> plain_file(const std::string& path);
// Which file it is, whatever its name: another of the same name is another one.
struct FileId {
  uint64_t device = 0, inode = 0;
  bool operator==(const FileId&) const = default;
};
std::optional<FileId> file_id(const std::string& path);
std::optional<FileId> file_id(int fd);
// Makes it when it is not there; its time is now.
bool touch(const std::string& path);
void set_modified(const std::string& path, WallTime time);

// Opens for appending, 0600, created when missing. A pipe or a device there is refused.
Result<Fd> open_append(const std::string& path);

// … for writing at places of it.
Result<Fd> open_write(const std::string& path);

// All of it or an error; the file may then hold a part.
Done write_all(int fd, std::string_view bytes, const std::string& path);
// What is longer is cut off.
Done cut_file(int fd, uint64_t size, const std::string& path);
// Over the file's first bytes, in one call: a kill leaves the old or the new. What is longer keeps its end.
Done write_in_place(const std::string& path, std::string_view text);

// A new folder, 0700, with that beginning and a dot; gives its path.
Result<std::string> make_unique_dir(const std::string& prefix);

std::vector<std::string> list_dir(
    const std::string& path);  // sorted names, without . and ..; empty when unreadable
bool is_dir(const std::string& path);
bool is_link(const std::string& path);
bool exists(const std::string& path);
Done remove_tree(const std::string& path);

// An exclusive lock held as long as the descriptor is open; fails at once when somebody else has it.
Result<Fd> lock_file(const std::string& path);
bool locked(
    const std::string& path);  // by somebody; nothing is made, and a lock is held only for the look

Result<Space> disk_space(const std::string& path);

// The absolute form of `path` against `base`, "~" expanded, without touching the disk.
std::string absolute(const std::string& path, const std::string& base);
std::string current_dir();

}  // namespace pawl::os
