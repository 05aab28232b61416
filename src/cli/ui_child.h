#pragma once
// A verb that the interface runs: `pawl WORDS…` as a process of its own, so that it is exactly what a person would have typed, with that
// person's rights. Its output is kept for the caller; it has no terminal.

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/fd.h"

namespace pawl::cli {

class UiChild {
 public:
  // `input`: what it reads.
  static Result<UiChild> start(const std::vector<std::string>& words, const std::string& input);
  UiChild(UiChild&& other) noexcept;
  UiChild& operator=(UiChild&&) = delete;
  ~UiChild();  // what still runs is told to end

  int fd() const { return output_.get(); }
  // What it has printed since; nothing: its output has ended, and so has it.
  std::optional<std::string> read();
  int exit_code();  // waits for its end

 private:
  UiChild(pid_t pid, os::Fd output) : pid_(pid), output_(std::move(output)) {}
  pid_t pid_;  // 0: it has ended
  os::Fd output_;
};

// `pawl WORDS…` at this terminal, until it ends. Its exit code.
int run_at_terminal(const std::vector<std::string>& words);

}  // namespace pawl::cli
