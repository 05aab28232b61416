#include "os/oom.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>

#include "base/text.h"
#include "os/fd.h"
#include "os/file.h"

namespace pawl::os {
namespace {

constexpr int kRecords = 100000;  // more than any kernel keeps

// "6,1234,5678,-;Out of memory: Killed process 42 (node) …"
std::string words_of(std::string_view record) {
  const size_t from = record.find(';');
  if (from == std::string_view::npos) return std::string(record);
  return std::string(record.substr(from + 1, record.find('\n') - from - 1));
}

// Of our control group; nothing: we see none.
std::optional<std::string> group_path(const std::string& root, const char* name) {
  const auto groups = read_file(root + "/proc/self/cgroup", 4096);
  if (!groups) return std::nullopt;
  std::string group;
  for (const auto& line : split(*groups, '\n'))
    if (line.starts_with("0::")) group = line.substr(3);
  if (group == "/") group.clear();
  return root + "/sys/fs/cgroup" + group + "/" + name;
}

std::optional<std::string> group_file(const std::string& root, const char* name) {
  const auto path = group_path(root, name);
  if (!path) return std::nullopt;
  auto text = read_file(*path, 4096);
  if (!text) return std::nullopt;
  return std::move(*text);
}

std::optional<uint64_t> leading_number(std::string_view text) {
  uint64_t value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc{})
    return std::nullopt;
  return value;
}

}  // namespace

KernelWord oom_record(pid_t pid, const std::string& log) {
  const Fd file(::open(log.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file) return {};
  KernelWord out{true, {}};
  const std::string mark = fmt::format("Killed process {} ", pid);
  char record[8192];
  for (int i = 0; i < kRecords; ++i) {
    const ssize_t got = ::read(file.get(), record, sizeof record);
    if (got < 0 && (errno == EPIPE || errno == EINTR)) continue;  // it was overwritten meanwhile
    if (got < 0 && errno == EPERM) return {};
    if (got <= 0) break;
    const std::string_view text(record, static_cast<size_t>(got));
    if (text.find(mark) != std::string_view::npos) out.text = words_of(text);
  }
  return out;
}

std::optional<uint64_t> oom_kills(const std::string& root) {
  constexpr std::string_view kKey = "oom_kill ";
  for (const auto& line : split(group_file(root, "memory.events").value_or(""), '\n'))
    if (line.starts_with(kKey)) return leading_number(std::string_view(line).substr(kKey.size()));
  return std::nullopt;
}

std::string oom_kills_file(const std::string& root) {
  const auto path = group_path(root, "memory.events");
  return path && exists(*path) ? *path : std::string();
}

std::optional<uint64_t> memory_peak_mb(const std::string& root) {
  const auto bytes = leading_number(group_file(root, "memory.peak").value_or(""));
  if (!bytes) return std::nullopt;
  return *bytes >> 20;
}

}  // namespace pawl::os
