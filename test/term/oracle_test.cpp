// Every recording at 20 instants against another terminal's golden file.
//   oracle_test NAME GOLDEN EXCEPTIONS     NAME is the oracle's name in the exceptions file
//   oracle_test --show RECORDING OFFSET    our rows at one instant
// An exception is a line "oracle recording offset reason"; one that no longer occurs is a failure
// too.

#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>

#include "base/text.h"
#include "recording.h"
#include "term/terminal.h"

namespace {

using pawl::term::Terminal;
using Instant = std::pair<std::string, size_t>;  // recording, offset

std::string hash_of(const std::string& text) {
  uint64_t h = 0xcbf29ce484222325u;
  for (unsigned char b : text) h = (h ^ b) * 0x100000001b3u;
  char out[17];
  std::snprintf(out, sizeof out, "%016llx", static_cast<unsigned long long>(h));
  return out;
}

std::map<Instant, std::string> load_exceptions(const char* path, const std::string& oracle) {
  std::map<Instant, std::string> exceptions;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream in(line);
    std::string name, recording, reason;
    size_t offset = 0;
    in >> name >> recording >> offset;
    std::getline(in >> std::ws, reason);
    if (name == oracle) exceptions[{recording, offset}] = reason;
  }
  return exceptions;
}

struct Tally {
  int instants = 0, recordings = 0, bad = 0;
  std::set<Instant> seen;  // exceptions that did occur
};

struct Replay {
  pawl::test::Recording recording;
  Terminal terminal;
  size_t at = 0;

  explicit Replay(pawl::test::Recording r) : recording(std::move(r)), terminal(recording.size) {}
  void go_to(size_t offset) {
    terminal.feed(std::string_view(recording.output).substr(at, offset - at));
    at = offset;
  }
};

// "C base64 hash col row": one case of sequences.py; its number stands for the recording's name.
pawl::test::Recording load_case(const std::string& line, int number) {
  const std::string bytes = pawl::from_base64(line.substr(2, line.find(' ', 2) - 2)).value_or("");
  return {"case-" + std::to_string(number), {20, 6}, bytes, {}};
}

void compare(Replay& replay, const std::string& line,
             const std::map<Instant, std::string>& exceptions, Tally& tally) {
  std::istringstream in(line);
  size_t offset = 0;
  std::string hash;
  int col = 0, row = 0;
  in >> offset >> hash >> col >> row;
  replay.go_to(offset);
  ++tally.instants;
  const auto& screen = replay.terminal.screen();
  const bool text = hash_of(screen.text()) == hash;
  const bool cursor = screen.cursor().col == col && screen.cursor().row == row;
  if (text && cursor) return;
  const Instant instant{replay.recording.name, offset};
  if (auto it = exceptions.find(instant); it != exceptions.end()) {
    tally.seen.insert(instant);
    std::printf("exception %s %zu: %s\n", instant.first.c_str(), offset, it->second.c_str());
    return;
  }
  ++tally.bad;
  std::printf("DIFFERS %s %zu:%s%s (cursor ours %d,%d theirs %d,%d)\n", instant.first.c_str(),
              offset, text ? "" : " text", cursor ? "" : " cursor", screen.cursor().col,
              screen.cursor().row, col, row);
}

int run(const std::string& oracle, const char* golden, const char* exceptions_path) {
  const auto exceptions = load_exceptions(exceptions_path, oracle);
  Tally tally;
  std::ifstream file(golden);
  std::unique_ptr<Replay> replay;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("C ", 0) == 0) {
      replay = std::make_unique<Replay>(load_case(line, ++tally.recordings));
      compare(*replay,
              std::to_string(replay->recording.output.size()) + line.substr(line.find(' ', 2)),
              exceptions, tally);
    } else if (line.rfind("R ", 0) == 0) {
      replay = std::make_unique<Replay>(
          pawl::test::load_recording(line.substr(2, line.find(' ', 2) - 2)));
      ++tally.recordings;
    } else if (replay) {
      compare(*replay, line, exceptions, tally);
    }
  }
  for (const auto& [instant, reason] : exceptions) {
    if (tally.seen.count(instant)) continue;
    std::printf("STALE exception %s %zu: %s\n", instant.first.c_str(), instant.second,
                reason.c_str());
    ++tally.bad;
  }
  std::printf("%s: %d recordings, %d instants, %zu exceptions, %d failures\n", oracle.c_str(),
              tally.recordings, tally.instants, tally.seen.size(), tally.bad);
  if (tally.recordings == 0) std::printf("no recording compared: %s is empty or missing\n", golden);
  return tally.bad > 0 || tally.recordings == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "--show") == 0) {
    Replay replay(pawl::test::load_recording(argv[2]));
    replay.go_to(std::stoul(argv[3]));
    const auto cursor = replay.terminal.screen().cursor();
    std::printf("%s\ncursor %d %d\n", replay.terminal.screen().text().c_str(), cursor.col,
                cursor.row);
    return 0;
  }
  if (argc != 4) {
    std::fprintf(stderr, "usage: oracle_test NAME GOLDEN EXCEPTIONS | --show RECORDING OFFSET\n");
    return 2;
  }
  return run(argv[1], argv[2], argv[3]);
}
