#pragma once
// A task's folder: files that cat, grep and touch can drive (doc/task.md). The journal is the truth; what is here is written
// from it, again and again if need be, and `done` always last. Everything is 0600 in 0700.

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"
#include "model/fleet.h"
#include "store/disk.h"

namespace pawl::store {

inline constexpr const char* kResumeName = "resume";  // others create it: go on with the task
inline constexpr const char* kPromptName = "prompt";
inline constexpr const char* kGoOnName = "resume_prompt";  // what a run that goes on is told
inline constexpr const char* kOutputName = "output.log";
inline constexpr const char* kDoneName = "done";

inline constexpr const char* kResultName = "result";  // the agent's last message alone

// A prompt on its way: its bytes, or a file that the command line left (HOME/tasks/.prompt.NAME), which is moved as it is.
struct Prompt {
  std::string bytes = {};
  std::string left = {};  // the file's path
};
// Those that nobody came for.
void drop_left_prompts(Disk& disk, const std::string& home, WallTime now);

struct TaskDir {
  std::string path;
  std::string prompt_sha256;
};
// A new folder with the prompt in it, below HOME/tasks.
Result<TaskDir> make_task_dir(Disk& disk, const std::string& home, const std::string& task,
                              const Prompt& prompt);

// Somebody removed it, and nothing else: the folder of all of them is there.
bool removed_task_dir(Disk& disk, const std::string& dir);
// … and there it is again, without its prompt.
Done make_task_dir_again(Disk& disk, const std::string& dir);

// Refuses what is not below HOME/tasks.
Done remove_task_dir(Disk& disk, const std::string& home, const std::string& dir);

// The manifest's lines: key=value, one each.
std::string manifest_of(const model::Agent& agent, WallTime now);
// manifest, pid and exit_code as the agent is; then, when the task has its result, `done`.
Done save_task(Disk& disk, const model::Agent& agent, WallTime now);
// One line about what was seen or done, with its time.
void note_in_monitor_log(Disk& disk, const std::string& dir, WallTime now, const std::string& line);
bool take_resume_file(Disk& disk, const std::string& dir);  // true: it was there

// What the agent said last, so far.
Done keep_result(Disk& disk, const std::string& dir, std::string_view message);

// The text of output.log, each byte of the terminal's once, whatever is killed in between.
class TaskLog {
 public:
  TaskLog(Disk& disk, std::string dir);

  // Everything before is in the log; of which terminal.
  SessionId session() const { return session_; }
  Offset offset() const { return offset_; }
  // Begins at the terminal's first byte when it is another one than before.
  void follow(SessionId session);
  Done append(std::string_view text, Offset upto);

 private:
  Done keep();

  Disk* disk_;
  std::string dir_;
  SessionId session_;
  Offset offset_;
  uint64_t length_ = 0;  // of output.log
};

}  // namespace pawl::store
