#include "store/inbox.h"

#include <fmt/core.h>

#include "base/text.h"
#include "term/utf8.h"

namespace pawl::store {
namespace {

constexpr size_t kHeadBytes = 1024;
constexpr size_t kWhoBytes = 64;
constexpr size_t kNameBytes = 200;

struct Head {
  std::string from;
  int priority = 0;
  size_t length = 0;  // of it, with the empty line
};

// Nothing but lines we know: else it is a text that begins so.
Head head_of(std::string_view text) {
  Head head;
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = trim(text.substr(at, end - at));
    at = std::min(end + 1, text.size());
    if (line.empty() && head.length > 0) {
      head.length = at;
      return head;
    }
    if (line.starts_with("from:"))
      head.from = term::clean_text(trim(line.substr(5)), kWhoBytes);
    else if (line.starts_with("priority:"))
      head.priority = trim(line.substr(9)) == "high" ? 1 : trim(line.substr(9)) == "low" ? -1 : 0;
    else
      return {};
    head.length = at;
  }
  return head.length > 0 && at == text.size() ? head : Head{};
}

std::string stamp(WallTime now) {
  std::string text = rfc3339(now);
  std::erase(text, ':');
  std::erase(text, '-');
  return text;
}

}  // namespace

std::string InboxItem::fingerprint() const {
  return fmt::format("{}:{}", modified.time_since_epoch().count(), size);
}

bool Inbox::is_item(const std::string& name) {
  return !name.empty() && name.size() <= kNameBytes && name[0] != '.' && !name.ends_with(".part") &&
         !name.ends_with(".tmp") && !name.ends_with('~');
}

Result<std::string> Inbox::add(const std::string& text, const std::string& from, int priority,
                               WallTime now) const {
  if (auto made = disk_->make_private_dir(dir_); !made) return tl::unexpected(made.error());
  std::string whole =
      "from: " + term::clean_text(from.empty() ? "somebody" : from, kWhoBytes) + "\n";
  if (priority != 0) whole += priority > 0 ? "priority: high\n" : "priority: low\n";
  whole += "\n" + text;
  std::string name = stamp(now) + ".md";
  for (int n = 2; disk_->exists(at(name)) || disk_->exists(claimed_at(name)); ++n)
    name = fmt::format("{}-{}.md", stamp(now), n);
  if (auto written = disk_->write_atomically(at(name), whole); !written)
    return tl::unexpected(written.error());
  return name;
}

std::optional<InboxItem> Inbox::find(const std::string& name) const {
  if (!is_item(name)) return std::nullopt;
  const auto file = disk_->plain_file(at(name));
  if (!file) return std::nullopt;
  const Head head = head_of(disk_->read_slice(at(name), 0, kHeadBytes));
  return InboxItem{name, file->modified, file->size, head.from, head.priority};
}

std::vector<InboxItem> Inbox::waiting() const {
  std::vector<InboxItem> out;
  for (const auto& name : disk_->list_dir(dir_)) {
    if (out.size() == kItemsSeen) break;
    if (auto item = find(name)) out.push_back(std::move(*item));
  }
  return out;
}

// A folder is nobody's work, and no mistake.
void Inbox::refuse(const std::string& name, Listing& out) const {
  if (out.refused.size() == kRefusedSeen || disk_->is_dir(at(name))) return;
  if (disk_->is_link(at(name))) return out.refused.emplace_back(at(name), "a link"), void();
  if (const auto kind = disk_->not_a_file(at(name))) out.refused.emplace_back(at(name), *kind);
}

Inbox::Listing Inbox::listing() const {
  Listing out;
  for (auto& name : disk_->list_dir(dir_)) {
    if (!is_item(name)) continue;
    if (out.items.size() < kItemsSeen) {
      const auto file = disk_->plain_file(at(name));
      if (!file) {
        refuse(name, out);
        continue;
      }
      out.items.push_back({name, file->modified, file->size, {}, 0});
    }
    out.names.insert(std::move(name));
  }
  out.answers = disk_->answers(dir_);
  return out;
}

std::vector<std::string> Inbox::claimed() const {
  return disk_->list_dir(dir_ + "/claimed");
}

bool Inbox::has_claimed(const std::string& name) const {
  return disk_->exists(claimed_at(name));
}

bool Inbox::claim(const std::string& name) const {
  if (!disk_->make_private_dir(dir_ + "/claimed")) return false;
  return disk_->move_file(at(name), claimed_at(name));
}

std::string Inbox::text(const std::string& name, size_t limit) const {
  return text_in(*disk_, claimed_at(name), limit);
}

std::string Inbox::text_in(Disk& disk, const std::string& path, size_t limit) {
  if (const auto kind = disk.not_a_file(path)) return path + " is " + *kind + ": it was not read";
  if (disk.file_size(path) > limit) return "its text is long; read " + path;
  const std::string whole = disk.read_slice(path, 0, limit);
  if (!disk.answers(path)) return "its text could not be read; read " + path;
  return std::string(trim(std::string_view(whole).substr(head_of(whole).length)));
}

// Somebody may have put another one of that name there meanwhile: then both are.
bool Inbox::give_back(const std::string& name) const {
  std::string back = name;
  for (int n = 2; disk_->exists(at(back)) && n < 1000; ++n) back = fmt::format("{}-{}", name, n);
  return disk_->move_file(claimed_at(name), at(back));
}

bool Inbox::finish(const std::string& name) const {
  const std::string done = dir_ + "/done";
  if (!disk_->make_private_dir(done)) return false;
  const std::string from = disk_->exists(claimed_at(name)) ? claimed_at(name) : at(name);
  if (!disk_->move_file(from, done + "/" + name)) return false;
  (void)disk_->touch(done + "/" + name);
  const auto all = disk_->list_dir(done);
  for (size_t i = 0; i + kDoneKept < all.size(); ++i) disk_->remove_file(done + "/" + all[i]);
  return true;
}

}  // namespace pawl::store
