#pragma once
// Puts a person's terminal into raw mode and back, whatever happens: a guard process waits beside the one that works, and
// repairs the terminal when that one is killed; the working one repairs it when the guard is.

#include <functional>
#include <string>

namespace pawl::cli {

// Every mode our painter may have set, undone; harmless on a terminal that has none of them.
std::string terminal_reset();

struct Farewell {
  int code = 0;
  std::string text = {};  // a line for the person, printed when the terminal is itself again
};

// From now on undoing includes taking back what was reported about programs (term/status.h), whoever does it. For `work`.
void reports_to_terminal();

// For `work`: the terminal is in its old mode while `lent` has it, and raw again after it.
void lend_terminal(const std::function<void()>& lent);

// Runs `work` with the terminal raw in a child process; returns its exit code (1 when it was killed).
// `work` sees SIGWINCH as readability of the descriptor it is given.
int with_raw_terminal(const std::function<Farewell(int winch_fd)>& work);

}  // namespace pawl::cli
