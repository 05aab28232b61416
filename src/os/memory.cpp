#include "os/memory.h"

#include <fmt/core.h>
#include <malloc.h>

#include <charconv>

#include "base/text.h"
#include "os/file.h"

namespace pawl::os {
namespace {

constexpr uint64_t kMiB = 1u << 20;
constexpr double kPressed = 10;  // % of the last minute in which everything waited for memory

std::optional<uint64_t> number(std::string_view text) {
  uint64_t value = 0;
  text = trim(text);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end == text.data()) return std::nullopt;
  return value;
}

std::optional<uint64_t> number_in(const std::string& path) {
  const auto text = read_file(path, 4096);
  return text ? number(*text) : std::nullopt;
}

// "MemAvailable:  123 kB", "inactive_file 123"
std::optional<uint64_t> row(const std::string& path, std::string_view key) {
  const auto text = read_file(path, 64u << 10);
  if (!text) return std::nullopt;
  for (const auto& line : split(*text, '\n'))
    if (line.starts_with(key)) return number(std::string_view(line).substr(key.size()));
  return std::nullopt;
}

int percent(uint64_t used, uint64_t all) {
  return static_cast<int>(std::min<uint64_t>(100, used * 100 / std::max<uint64_t>(1, all)));
}

// The nearest group above us that has a limit.
std::optional<MemoryUse> of_container(const std::string& root) {
  const auto text = read_file(root + "/proc/self/cgroup", 4096);
  if (!text) return std::nullopt;
  std::string group;
  for (const auto& line : split(*text, '\n'))
    if (line.starts_with("0::")) group = line.substr(3);
  for (;;) {
    const std::string dir = root + "/sys/fs/cgroup" + (group == "/" ? "" : group);
    const auto most = number_in(dir + "/memory.max"), used = number_in(dir + "/memory.current");
    if (most && used) {
      const uint64_t cache =
          std::min(*used, row(dir + "/memory.stat", "inactive_file ").value_or(0));
      return MemoryUse{percent(*used - cache, *most),
                       fmt::format("the container's {} MB", *most / kMiB)};
    }
    if (group.empty() || group == "/") return std::nullopt;
    group = group.substr(0, group.rfind('/'));
  }
}

bool pressed(const std::string& root) {
  const auto text = read_file(root + "/proc/pressure/memory", 4096);
  if (!text) return false;
  for (const auto& line : split(*text, '\n')) {
    const size_t at = line.find("avg60=");
    if (!line.starts_with("full ") || at == std::string::npos) continue;
    double value = 0;
    const char* from = line.data() + at + 6;
    const auto [end, error] = std::from_chars(from, line.data() + line.size(), value);
    return error == std::errc{} && value >= kPressed;
  }
  return false;
}

}  // namespace

std::optional<MemoryUse> memory_use(const std::string& root) {
  if (auto container = of_container(root)) return container;
  const auto all = row(root + "/proc/meminfo", "MemTotal:");
  const auto free = row(root + "/proc/meminfo", "MemAvailable:");
  if (!all || !free) return std::nullopt;
  const std::string of = fmt::format("the machine's {} MB", *all / 1024);
  if (pressed(root)) return MemoryUse{100, of + ", and programs wait for it"};
  return MemoryUse{percent(*all - std::min(*all, *free), *all), of};
}

std::optional<ProcessMemory> process_memory(pid_t pid, const std::string& proc) {
  const std::string path = proc + "/" + std::to_string(pid) + "/status";
  const auto own = row(path, "RssAnon:");
  if (!own) return std::nullopt;
  return ProcessMemory{*own * 1024, row(path, "RssShmem:").value_or(0) * 1024};
}

void give_back_memory() {
#ifdef __GLIBC__
  if (::mallinfo2().arena <= kTidiedHeap) ::malloc_trim(0);
#endif
}

}  // namespace pawl::os
