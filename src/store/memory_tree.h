#pragma once
// Folders, files and links in memory, by name: what MemoryDisk is made of. Answers with an errno, as a kernel does; words, faults and
// everything that the store asks for are MemoryDisk's. Every path is from the root.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "store/disk.h"

namespace pawl::store {

inline constexpr uint64_t kFolderBytes = 4096;  // of the disk, for each folder

class MemoryTree {
 public:
  struct Node {
    Kind kind = Kind::file;
    bool named = true;
    uint32_t opened = 0;
    uint64_t size = 0;  // of a file; more than its text when bytes were counted
    uint64_t head = 0;  // … of which this much was appended before
    WallTime modified = {};
    std::string text = {};   // of a file; where a link leads
    Node* parent = nullptr;  // of a folder
    std::map<std::string, std::unique_ptr<Node>, std::less<>> names = {};
  };
  // Where a path leads: the folder it is in, its name there, and what has that name. Without a folder: `error` says why.
  struct Place {
    Node* folder = nullptr;
    Node* node = nullptr;
    std::string name = {};
    int error = 0;
  };

  MemoryTree();

  int find(std::string_view path, bool follow, Node*& out) const;
  // `follow`: of what a link leads to, which has another folder and another name.
  Place place(std::string_view path, bool follow) const;
  // The place of a path whose parents are made, in place of what is no folder.
  Place make_place(std::string_view path);

  Node* add(Node& folder, const std::string& name, Kind kind);
  void drop(Node& folder, const std::string& name);  // with everything below it
  int make_folder(std::string_view path);
  int rename(std::string_view from, std::string_view to);  // as rename(2) does it
  // As much as there is room for.
  int grow(Node& node, std::string_view bytes);
  // Bytes that are not kept, all or none; `end` is read after what was there before any were counted.
  int count(Node& node, uint64_t bytes, std::string_view end);
  void cut(Node& node, uint64_t size);
  int overwrite(Node& node, std::string_view text);
  // One that is open stays when its name is taken away.
  void open(Node& node) { node.opened += 1; }
  void close(Node& node);

  uint64_t room() const { return capacity > used_ ? capacity - used_ : 0; }
  uint64_t used() const { return used_; }
  WallTime now = {};
  uint64_t capacity = uint64_t{1} << 40;

 private:
  int walk(std::string_view path, bool follow, Node*& out) const;
  void count_out(const Node& node);

  uint64_t used_ = 0;
  std::unique_ptr<Node> root_;
  std::vector<std::unique_ptr<Node>> nameless_;  // removed while somebody has them open
};

}  // namespace pawl::store
