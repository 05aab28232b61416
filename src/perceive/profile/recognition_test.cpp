// Nobody has to say whose program it is: on the recordings of test/corpus `auto` gives what the named runtime gives.

#include <gtest/gtest.h>

#include <algorithm>

#include "perceive/player.h"
#include "perceive/test_screen.h"

namespace pawl::perceive {
namespace {

using test::load_tape;
using test::options_of;
using test::Tape;
using test::tape_names;

std::vector<std::string> verdicts(const Catalog& catalog, const Tape& tape,
                                  const std::string& runtime, bool command) {
  std::vector<std::string> argv;
  if (command)
    for (auto& word : split(tape.command, ' ')) argv.push_back(word);
  Player player(catalog, tape.size, options_of(runtime, {}, argv));
  for (const auto& piece : tape.pieces) player.output(piece.t, piece.bytes);
  player.finish();
  std::vector<std::string> out;
  std::string last = "starting ";
  for (const auto& [t, verdict] : player.take()) {
    // What nobody knows yet is not known to start either.
    const auto state =
        verdict.state == model::State::unknown ? model::State::starting : verdict.state;
    const std::string now = std::string(model::word(state)) + " " + verdict.kind;
    if (now != last) out.push_back(std::to_string(t) + " " + now);
    last = now;
  }
  return out;
}

// The share of recordings with the very same lines, in percent.
double same(bool command, std::string& different) {
  const Catalog catalog = Catalog::built_in();
  size_t all = 0, equal = 0;
  for (const auto& name : tape_names()) {
    if (name.starts_with("controls/")) continue;
    const Tape tape = load_tape(name);
    const std::string runtime = name.substr(0, name.find_first_of("/-"));
    ++all;
    if (verdicts(catalog, tape, "auto", command) == verdicts(catalog, tape, runtime, command))
      ++equal;
    else
      different += name + " ";
  }
  EXPECT_GT(all, 100u);
  testing::Test::RecordProperty("same", std::to_string(equal) + " of " + std::to_string(all));
  return 100 * static_cast<double>(equal) / static_cast<double>(all);
}

TEST(Recognition, AutoIsAsGoodAsTheName) {
  std::string different;
  EXPECT_GE(same(true, different), 95) << different;
}

TEST(Recognition, EvenWithoutTheCommandLine) {
  std::string different;
  EXPECT_GE(same(false, different), 85) << different;
}

}  // namespace
}  // namespace pawl::perceive
