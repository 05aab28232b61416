#include "store/task_files.h"

#include <fmt/core.h>

#include <cstdio>

#include "os/digest.h"

namespace pawl::store {
namespace {

constexpr const char* kGoOn =
    "Your run was cut short. Go on with your task where you stopped, and bring it to its end.\n";
constexpr Duration kLeftAtMost = std::chrono::hours{1};
constexpr const char* kPlaceName = ".output.place";  // how far output.log has come

// One line of a manifest has no other line in it.
std::string line(std::string_view key, std::string_view value) {
  std::string out = std::string(key) + "=";
  for (const char c : value) out += c == '\n' || c == '\r' ? ' ' : c;
  return out + "\n";
}

std::string line(std::string_view key, const std::optional<WallTime>& time) {
  return time ? line(key, rfc3339(*time)) : std::string();
}

std::string ending_lines(const model::Agent& agent) {
  const model::Task& task = *agent.task;
  const auto status = model::shown_status(agent);
  std::string out;
  if (task.exit_code) out += line("exit_code", std::to_string(*task.exit_code));
  if (model::has_result(status)) out += line("finished_at", task.finished);
  if (status == model::TaskStatus::abandoned || status == model::TaskStatus::cancelled) {
    out += line("abandoned_at", task.finished);
    out += line("abandon_reason", task.reason);
    if (!task.detail.empty()) out += line("detail", task.detail);
  } else if (!task.reason.empty()) {
    out += line("reason", task.reason);
  }
  return out;
}

// Only what the command line left, and only a file.
Result<std::string> prompt_bytes(Disk& disk, const std::string& home, const Prompt& prompt) {
  if (prompt.left.empty() && prompt.bytes.empty())
    return fail("the prompt is empty", "give --prompt-file F, or - for standard input", 2);
  if (prompt.bytes.size() > model::kPromptBytes)
    return fail("the prompt is larger than 64 MiB", "put it into files and name them", 2);
  if (prompt.left.empty()) return prompt.bytes;
  const std::string begins = model::prompt_place(home, "");
  const auto entry = disk.plain_file(prompt.left);
  if (!prompt.left.starts_with(begins) ||
      prompt.left.find('/', begins.size()) != std::string::npos || !entry)
    return fail("the prompt was not left where prompts are left: " + prompt.left,
                "give it with --prompt-file", 2);
  auto bytes = disk.read(prompt.left, model::kPromptBytes);
  if (!bytes) return tl::unexpected(bytes.error());
  return prompt_bytes(disk, home, Prompt{std::move(*bytes), ""});
}

}  // namespace

void drop_left_prompts(Disk& disk, const std::string& home, WallTime now) {
  const std::string place = model::prompt_place(home, "");
  const std::string dir = place.substr(0, place.rfind('/'));
  const std::string begins = place.substr(place.rfind('/') + 1);
  for (const auto& name : disk.list_dir(dir)) {
    if (!name.starts_with(begins)) continue;
    const auto entry = disk.plain_file(dir + "/" + name);
    if (entry && entry->modified + kLeftAtMost < now) disk.remove_file(dir + "/" + name);
  }
}

Result<TaskDir> make_task_dir(Disk& disk, const std::string& home, const std::string& task,
                              const Prompt& prompt) {
  const auto bytes = prompt_bytes(disk, home, prompt);
  if (!bytes) return tl::unexpected(bytes.error());
  const std::string parent = home + "/tasks";
  if (auto made = disk.make_private_dir(parent); !made) return tl::unexpected(made.error());
  const auto made = disk.make_unique_dir(parent + "/" + task);
  if (!made)
    return fail("cannot make a folder in " + parent, "free some space, or look at its permissions");
  const std::string& dir = *made;
  const std::string path = dir + "/" + kPromptName;
  Done written;
  if (prompt.left.empty() || !disk.move_file(prompt.left, path))
    written = disk.write_atomically(path, *bytes);
  if (written) written = disk.write_atomically(dir + "/" + kGoOnName, kGoOn);
  if (written && !disk.open_append(dir + "/" + kOutputName))
    written = fail("cannot write into " + dir, "free some space");
  if (written) return TaskDir{dir, os::hex(os::sha256(*bytes))};
  (void)disk.remove_tree(dir);
  return tl::unexpected(written.error());
}

bool removed_task_dir(Disk& disk, const std::string& dir) {
  return !disk.exists(dir) && disk.is_dir(dir.substr(0, dir.rfind('/')));
}

Done make_task_dir_again(Disk& disk, const std::string& dir) {
  if (auto made = disk.make_private_dir(dir); !made) return made;
  Done written = disk.write_atomically(dir + "/" + kGoOnName, kGoOn);
  if (written && !disk.open_append(dir + "/" + kOutputName))
    written = fail("cannot write into " + dir, "free some space");
  if (!written) (void)disk.remove_tree(dir);  // with half of it nobody would miss the rest
  return written;
}

Done remove_task_dir(Disk& disk, const std::string& home, const std::string& dir) {
  const std::string parent = home + "/tasks/";
  if (!dir.starts_with(parent) || dir.find('/', parent.size()) != std::string::npos ||
      dir.size() == parent.size() || dir[parent.size()] == '.')
    return fail(dir + " is no task's folder");
  return disk.remove_tree(dir);
}

std::string manifest_of(const model::Agent& agent, WallTime now) {
  const model::Task& task = *agent.task;
  std::string out = line("task_name", task.order.name);
  out += line("runtime", agent.runtime());
  out += line("model", agent.spec.model);
  out += line("project_dir", agent.spec.dir);
  out += line("session_name", agent.spec.name);
  const bool alive = agent.running() && agent.process;
  out += line("pid", alive ? std::to_string(agent.process->pid) : "0");
  out += line("tmpdir", task.order.dir);
  out += line("started_at", std::optional(task.started));
  out += line("status", word(model::shown_status(agent)));
  if (!agent.session_id.empty()) out += line("session_id", agent.session_id);
  out += line("retry_count", std::to_string(task.retries));
  out += line("last_checked_at", std::optional(now));
  if (alive) out += line("pane_state", model::pane_state(agent));
  if (task.report.trouble == "limit") out += line("limited_until", task.report.until);
  if (task.report.denials > 0) out += line("denials", std::to_string(task.report.denials));
  if (task.all_tokens() > 0) out += line("tokens", std::to_string(task.all_tokens()));
  if (task.all_cost() > 0) out += line("cost_usd", fmt::format("{:.4f}", task.all_cost()));
  if (!task.order.worktree.empty()) out += line("worktree", task.order.worktree);
  if (!task.order.prompt_sha256.empty()) out += line("prompt_sha256", task.order.prompt_sha256);
  if (const model::Lease& lease = task.order.lease; lease.held())
    out += line("fleet_unit", lease.unit) + line("fleet_node", lease.node) +
           line("fence", std::to_string(lease.token));
  return out + ending_lines(agent);
}

Done save_task(Disk& disk, const model::Agent& agent, WallTime now) {
  const model::Task& task = *agent.task;
  const std::string& dir = task.order.dir;
  if (!disk.is_dir(dir)) return {};  // somebody removed it: nobody waits there any more
  if (disk.exists(dir + "/" + kDoneName)) return {};
  const bool alive = agent.running() && agent.process;
  Done fine;
  if (alive)
    fine = disk.write_atomically(dir + "/pid", std::to_string(agent.process->pid) + "\n");
  else
    disk.remove_file(dir + "/pid");
  if (fine && task.exit_code)
    fine = disk.write_atomically(dir + "/exit_code", std::to_string(*task.exit_code) + "\n");
  if (fine) fine = disk.write_atomically(dir + "/manifest", manifest_of(agent, now));
  if (fine && model::has_result(task.status))
    fine = disk.write_atomically(dir + "/" + kDoneName, "");
  return fine;
}

void note_in_monitor_log(Disk& disk, const std::string& dir, WallTime now,
                         const std::string& text) {
  const std::string path = dir + "/monitor.log";
  if (!disk.is_dir(dir)) return;
  if (const auto file = disk.open_append(path))
    (void)(*file)->append(rfc3339(now) + " " + text + "\n");
}

Done keep_result(Disk& disk, const std::string& dir, std::string_view message) {
  if (!disk.is_dir(dir)) return {};  // somebody removed it
  return disk.write_atomically(dir + "/" + kResultName, message);
}

bool take_resume_file(Disk& disk, const std::string& dir) {
  return disk.remove_file(dir + "/" + kResumeName);
}

TaskLog::TaskLog(Disk& disk, std::string dir) : disk_(&disk), dir_(std::move(dir)) {
  const auto kept = disk.read(dir_ + "/" + kPlaceName, 256);
  unsigned long long session = 0, offset = 0, length = 0;
  if (!kept || std::sscanf(kept->c_str(), "%llu %llu %llu", &session, &offset, &length) != 3)
    return;
  session_ = SessionId{session};
  offset_ = Offset{offset};
  length_ = length;
}

void TaskLog::follow(SessionId session) {
  if (session_ == session) return;
  session_ = session;
  offset_ = Offset{};
}

Done TaskLog::append(std::string_view text, Offset upto) {
  const std::string path = dir_ + "/" + kOutputName;
  if (!disk_->is_dir(dir_)) return {};
  if (!text.empty()) {
    const auto file = disk_->open_append(path);
    if (!file) return tl::unexpected(file.error());
    const uint64_t size = disk_->file_size(path);
    if (size < length_) length_ = size;  // somebody shortened it
    // What an earlier life wrote and had not counted is written again.
    if (size > length_ && !(*file)->cut(length_))
      return fail("cannot write " + path, "free some space");
    if (auto written = (*file)->append(text); !written) return written;
  }
  const uint64_t before = length_;
  const Offset place = offset_;
  length_ += text.size();
  offset_ = upto;
  auto kept = keep();
  if (!kept) {
    length_ = before;
    offset_ = place;
  }
  return kept;
}

Done TaskLog::keep() {
  return disk_->write_in_place(
      dir_ + "/" + kPlaceName,
      fmt::format("{:20} {:20} {:20}\n", session_.value, offset_.value, length_));
}

}  // namespace pawl::store
