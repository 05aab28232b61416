#include "store/memory_tree.h"

#include <algorithm>
#include <cerrno>

namespace pawl::store {
namespace {

constexpr int kLinksFollowed = 40;  // as Linux does

std::string_view next_step(std::string_view& rest) {
  while (rest.starts_with('/')) rest.remove_prefix(1);
  const size_t end = std::min(rest.find('/'), rest.size());
  const std::string_view step = rest.substr(0, end);
  rest.remove_prefix(end);
  return step;
}

struct Split {
  std::string_view folder, name;
};

Split split_path(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return {{}, path};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

}  // namespace

MemoryTree::MemoryTree() : root_(std::make_unique<Node>()) {
  root_->kind = Kind::folder;
  root_->parent = root_.get();
}

int MemoryTree::find(std::string_view path, bool follow, Node*& out) const {
  return path.empty() ? ENOENT : walk(path, follow, out);
}

int MemoryTree::walk(std::string_view path, bool follow, Node*& out) const {
  Node* at = root_.get();
  std::string redirected;  // what a link made of the path
  int links = 0;
  for (std::string_view rest = path;;) {
    const std::string_view step = next_step(rest);
    if (step.empty()) break;
    if (at->kind != Kind::folder) return ENOTDIR;
    if (step == ".") continue;
    if (step == "..") {
      at = at->parent;
      continue;
    }
    const auto it = at->names.find(step);
    if (it == at->names.end()) return ENOENT;
    Node* next = it->second.get();
    if (next->kind != Kind::link || (rest.empty() && !follow)) {
      at = next;
      continue;
    }
    if (++links > kLinksFollowed) return ELOOP;
    if (next->text.starts_with('/')) at = root_.get();
    redirected = next->text + std::string(rest);
    rest = redirected;
  }
  out = at;
  return 0;
}

MemoryTree::Place MemoryTree::place(std::string_view path, bool follow) const {
  const Split split = split_path(path);
  Place out;
  out.name = split.name;
  out.error = walk(split.folder, true, out.folder);
  if (out.error == 0 && out.folder->kind != Kind::folder) out.error = ENOTDIR;
  if (out.error == 0 && path.empty()) out.error = ENOENT;
  if (out.error != 0) return {nullptr, nullptr, {}, out.error};
  if (const auto it = out.folder->names.find(out.name); it != out.folder->names.end())
    out.node = it->second.get();
  if (!follow || !out.node || out.node->kind != Kind::link) return out;
  Node* there = nullptr;
  if (walk(path, true, there) == ELOOP) return {nullptr, nullptr, {}, ELOOP};
  const std::string& to = out.node->text;
  return place(to.starts_with('/') ? to : std::string(split.folder) + "/" + to, true);
}

MemoryTree::Place MemoryTree::make_place(std::string_view path) {
  const Split split = split_path(path);
  Place out{root_.get(), nullptr, std::string(split.name), 0};
  std::string_view rest = split.folder;
  for (auto step = next_step(rest); !step.empty(); step = next_step(rest)) {
    const auto it = out.folder->names.find(step);
    if (it != out.folder->names.end() && it->second->kind == Kind::folder) {
      out.folder = it->second.get();
      continue;
    }
    drop(*out.folder, std::string(step));
    out.folder = add(*out.folder, std::string(step), Kind::folder);
  }
  const auto it = out.folder->names.find(out.name);
  if (it != out.folder->names.end()) out.node = it->second.get();
  return out;
}

MemoryTree::Node* MemoryTree::add(Node& folder, const std::string& name, Kind kind) {
  auto node = std::make_unique<Node>();
  node->kind = kind;
  node->modified = folder.modified = now;
  if (kind == Kind::folder) {
    node->parent = &folder;
    used_ += kFolderBytes;
  }
  return (folder.names[name] = std::move(node)).get();
}

void MemoryTree::count_out(const Node& node) {
  if (node.kind == Kind::folder) used_ -= kFolderBytes;
  if (node.kind == Kind::file && node.opened == 0) used_ -= node.size;
}

void MemoryTree::drop(Node& folder, const std::string& name) {
  const auto it = folder.names.find(name);
  if (it == folder.names.end()) return;
  Node& node = *it->second;
  while (!node.names.empty()) drop(node, std::string(node.names.begin()->first));
  count_out(node);
  node.named = false;
  if (node.opened > 0) nameless_.push_back(std::move(it->second));
  folder.names.erase(it);
  folder.modified = now;
}

void MemoryTree::close(Node& node) {
  if (--node.opened > 0 || node.named) return;
  count_out(node);
  std::erase_if(nameless_, [&](const auto& one) { return one.get() == &node; });
}

int MemoryTree::make_folder(std::string_view path) {
  const Place where = place(path, false);
  if (where.error != 0) return where.error;
  if (where.node || where.name.empty()) return EEXIST;
  if (room() < kFolderBytes) return ENOSPC;
  add(*where.folder, where.name, Kind::folder);
  return 0;
}

int MemoryTree::rename(std::string_view from, std::string_view to) {
  const Place old = place(from, false), next = place(to, false);
  if (old.error != 0) return old.error;
  if (next.error != 0) return next.error;
  if (!old.node) return ENOENT;
  if (old.node == next.node) return 0;
  const bool folder = old.node->kind == Kind::folder;
  for (Node* at = next.folder; folder && at != root_.get(); at = at->parent)
    if (at == old.node) return EINVAL;
  if (next.node && folder && next.node->kind != Kind::folder) return ENOTDIR;
  if (next.node && !folder && next.node->kind == Kind::folder) return EISDIR;
  if (next.node && !next.node->names.empty()) return ENOTEMPTY;
  drop(*next.folder, next.name);
  const auto it = old.folder->names.find(old.name);
  auto node = std::move(it->second);
  old.folder->names.erase(it);
  if (folder) node->parent = next.folder;
  next.folder->names[next.name] = std::move(node);
  old.folder->modified = next.folder->modified = now;
  return 0;
}

int MemoryTree::grow(Node& node, std::string_view bytes) {
  const size_t fits = std::min<uint64_t>(bytes.size(), room());
  node.text.append(bytes.substr(0, fits));
  node.size += fits;
  used_ += fits;
  node.modified = now;
  return fits < bytes.size() ? ENOSPC : 0;
}

int MemoryTree::count(Node& node, uint64_t bytes, std::string_view end) {
  if (bytes > room()) return ENOSPC;
  if (node.head == 0) node.head = node.size;
  node.text.resize(std::min<uint64_t>(node.text.size(), node.head));
  node.text += end;
  node.size += bytes;
  used_ += bytes;
  node.modified = now;
  return 0;
}

void MemoryTree::cut(Node& node, uint64_t size) {
  if (size >= node.size) return;
  used_ -= node.size - size;
  node.size = size;
  if (node.text.size() > size) node.text.resize(size);
  node.modified = now;
}

int MemoryTree::overwrite(Node& node, std::string_view text) {
  const size_t more = text.size() > node.text.size() ? text.size() - node.text.size() : 0;
  if (more > room()) return ENOSPC;
  node.text.replace(0, std::min(node.text.size(), text.size()), text);
  node.size += more;
  used_ += more;
  node.modified = now;
  return 0;
}

}  // namespace pawl::store
