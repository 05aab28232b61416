#pragma once
// What the kernel says about the processes of one terminal, at one instant: who is in front, in which mode the terminal is,
// what it all costs. Read off the loop by os/, or from a file beside a recording (`pawl classify --facts`).

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace pawl::perceive {

struct Facts {
  bool canonical = false;  // lines are edited by the kernel: no program draws an interface
  bool echo = false;
  bool signals = false;              // Ctrl-C makes a signal
  std::string front;                 // name of the foreground group's leader; empty: gone
  std::string busiest;               // … and of its busiest member
  int front_count = 0;               // members of that group
  bool zombie = false;               // the leader has ended and nobody has asked yet
  std::vector<std::string> outside;  // descendants in other groups: tools, background jobs
  std::vector<std::string> argv;     // of the leader, when it is known
  double cpu_s = 0;                  // used so far by the whole tree
  bool operator==(const Facts&) const = default;
};

// A shell alone in front. A script that runs a program is not.
bool shell_in_front(const Facts& facts);
bool shell_name(std::string_view process);
bool interpreter_name(std::string_view process);

struct FactsLine {
  double t = 0;  // seconds since the start of the recording
  Facts facts;
};
// One line of a .feat.jsonl file; the names of its fields are the corpus' own.
Result<FactsLine> parse_facts_line(std::string_view line);

}  // namespace pawl::perceive
