#include "scenes.h"

#include <map>

namespace demo {
namespace {

using Scenes = std::map<std::string, std::vector<Step>, std::less<>>;

const Scenes& scenes() {
  static const Scenes all = {
      {"idle", {}},
      {"busy",
       {{Do::prose, 3, "Three files touch the retry queue. I will read them before I change one."},
        {Do::tool, 2, "Read queue/retry.c"},
        {Do::result, 0.2, "214 lines"},
        {Do::tool, 2, "Read queue/retry_test.c"},
        {Do::result, 0.2, "96 lines"},
        {Do::prose, 4,
         "The back-off doubles before the first attempt, so the first wait is twice as long as the "
         "page says. A test for the first wait is missing as well; I add that first."},
        {Do::tool, 6, "Run make check"},
        {Do::result, 0.2, "12 passed, 1 failed: first_wait_is_one_second"},
        {Do::tool, 3, "Edit queue/retry.c"},
        {Do::result, 0.2, "1 line added, 1 removed"},
        {Do::tool, 6, "Run make check"},
        {Do::result, 0.2, "13 passed"},
        {Do::prose, 2, "Done: the first wait is one second again, and a test says so."}}},
      {"dialog",
       {{Do::prose, 2, "The old build directory is in the way; it can be made again at any time."},
        {Do::ask, 0, "rm -r out/old"},
        {Do::tool, 2, "Run rm -r out/old"},
        {Do::result, 0.2, "done"},
        {Do::prose, 1, "Removed. The next build starts from nothing."}}},
      {"question",
       {{Do::prose, 1, "There are two ways to do this."},
        {Do::choose, 0, "which way to go"},
        {Do::tool, 1, "Go that way"},
        {Do::result, 0.2, "done"}}},
      {"limit",
       {{Do::prose, 2, "Reading the change log to see what moved since the last release."},
        {Do::tool, 2, "Read CHANGES"},
        {Do::limit, 0, "3am (UTC)"}}},
      {"crash",
       {{Do::prose, 2, "Counting the lines of every module, largest first."},
        {Do::tool, 4, "Run wc -l on 812 files"},
        {Do::crash, 0, ""}}},
      {"exit",
       {{Do::prose, 2, "Nothing is left on the list. I am leaving the terminal to you."},
        {Do::leave, 0, ""}}},
  };
  return all;
}

}  // namespace

const Question& question(Do what) {
  static const Question may = {
      "May I run this?",
      {"1. Yes, this once", "2. Yes, and do not ask again today", "3. No, say what to do instead"},
      "permission",
      {"Allowed: ", "Allowed: "}};
  static const Question which = {"Which way?",
                                 {"1. The short way", "2. The long way", "3. Neither"},
                                 "question",
                                 {"The short one: ", "The long one: "}};
  return what == Do::choose ? which : may;
}

const std::vector<Step>* scene(std::string_view name) {
  const auto found = scenes().find(name);
  return found == scenes().end() ? nullptr : &found->second;
}

const std::vector<Step>& reply() {
  static const std::vector<Step> steps = {
      {Do::prose, 2, "There is no model behind this program, so the answer is a made-up one."},
      {Do::tool, 2, "Read notes.txt"},
      {Do::result, 0.2, "18 lines"},
      {Do::prose, 2, "What you asked for is on line 7. Ask again and I will say the same."}};
  return steps;
}

std::string scene_names() {
  std::string names;
  for (const auto& [name, steps] : scenes()) names += (names.empty() ? "" : " ") + name;
  return names;
}

}  // namespace demo
