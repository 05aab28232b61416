#pragma once
// What a short program says: run, waited for, listened to. For verbs that ask git or tmux.

#include <string>
#include <vector>

namespace pawl::cli {

struct Said {
  bool fine = false;
  std::string text;  // both outputs, without blanks at the ends
};

// The words are quoted: names of folders may be anything.
Said said_by(const std::vector<std::string>& words);

}  // namespace pawl::cli
