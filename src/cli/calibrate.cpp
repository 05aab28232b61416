#include "cli/calibrate.h"

#include <fmt/core.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "base/text.h"
#include "cli/calibration.h"
#include "cli/style.h"
#include "cli/terminal_guard.h"
#include "os/file.h"
#include "os/home.h"
#include "perceive/learn/learn.h"
#include "term/paint.h"

namespace pawl::cli {
namespace {

using perceive::Shown;
using perceive::Still;

constexpr int kRefreshMs = 500;
constexpr int kHelpRows = 5;     // under the agent's screen
constexpr size_t kNoteRows = 6;  // for what the last key led to

struct Key {
  char key;
  Shown shown;
  const char* says;
};
constexpr std::array kKeys{Key{'i', Shown::idle, "it is idle with an empty box"},
                           Key{'t', Shown::typing, "text is in its box, not sent"},
                           Key{'b', Shown::busy, "it is working"},
                           Key{'d', Shown::dialog, "a dialog is open"}};

std::string counts(const std::vector<NamedStill>& samples) {
  std::vector<std::string> out;
  for (const Key& key : kKeys) {
    int number = 0;
    for (const auto& one : samples) number += one.still.shown == key.shown ? 1 : 0;
    out.push_back(fmt::format("{} {}", number, word(key.shown)));
  }
  return join(out, ", ");
}

// Words in rows of at most this many columns.
std::vector<std::string> wrapped(const std::string& text, int columns) {
  std::vector<std::string> out;
  for (const auto& word : split(text, ' ')) {
    if (word.empty()) continue;
    const bool fits = !out.empty() && columns_of(out.back()) + 1 + columns_of(word) <= columns;
    if (fits)
      out.back() += " " + word;
    else if (out.size() < kNoteRows)
      out.push_back(columns_of(word) > columns ? fit(word, columns) : word);
    else
      break;
  }
  return out;
}

class Showing {
 public:
  Showing(Calibration calibration, std::string agent)
      : calibration_(std::move(calibration)), agent_(std::move(agent)) {}

  Farewell run(int winch_fd) {
    print("\x1b[?1049h\x1b[?25l\x1b[2J");
    for (;;) {
      paint_all();
      pollfd fds[2] = {{STDIN_FILENO, POLLIN, 0}, {winch_fd, POLLIN, 0}};
      ::poll(fds, 2, kRefreshMs);
      if (fds[1].revents) drain(winch_fd);
      if (!fds[0].revents) continue;
      char key = 0;
      if (::read(STDIN_FILENO, &key, 1) <= 0 || key == 'q' || key == 3 || key == 0x1c)
        return {0, "nothing was written; the samples are kept: pawl calibrate " + agent_ +
                       " goes on with them"};
      if (auto done = pressed(key)) return *done;
    }
  }

 private:
  static void print(std::string_view text) {
    (void)!::write(STDOUT_FILENO, text.data(), text.size());
  }
  static void drain(int fd) {
    signalfd_siginfo info{};
    while (::read(fd, &info, sizeof info) > 0) {
    }
  }

  std::optional<Farewell> pressed(char key) {
    for (const Key& one : kKeys)
      if (one.key == key) {
        take(one);
        return std::nullopt;
      }
    if (key == 'u') {
      const auto gone = calibration_.undo();
      message_ = !gone           ? text_of(gone.error())
                 : gone->empty() ? "there is no sample"
                                 : *gone + " is gone";
    }
    if (key != 'w' && key != 'W') return std::nullopt;
    auto report = calibration_.write(key == 'W');
    if (report) return Farewell{0, std::string(trim(*report))};
    message_ = text_of(report.error());
    if (report.error().exit_code == 2) message_ += "; W writes over it";
    return std::nullopt;
  }

  void take(const Key& key) {
    auto still = calibration_.look();
    const auto number = still ? calibration_.take(key.shown, std::move(*still))
                              : Result<size_t>(tl::unexpected(still.error()));
    message_ = number ? fmt::format("sample {}: {}", *number, key.says) : text_of(number.error());
  }

  // The agent's last rows, then what to press.
  void paint_all() const {
    const Look look = look_of(STDOUT_FILENO);
    const auto note = wrapped(safe(message_), look.width - 1);
    const int room = std::max(1, look.height - kHelpRows - static_cast<int>(note.size()));
    std::string out = "\x1b[?2026h\x1b[H";
    int used = 0;
    if (const auto still = calibration_.look()) {
      const term::Terminal terminal = terminal_of(*still);
      const auto& screen = terminal.screen();
      int last = screen.size().rows - 1;
      while (last > 0 && trim(screen.row_text(last)).empty()) --last;
      for (int row = std::max(0, last - room + 1); row <= last; ++row, ++used)
        out += term::paint_row(screen, row, look.width) + "\x1b[0m\x1b[K\r\n";
    } else {
      out += text_of(still.error()) + "\x1b[K\r\n";
      used = 1;
    }
    for (; used < room; ++used) out += "\x1b[K\r\n";
    const auto samples = calibration_.samples();
    const std::array lines{
        std::string(static_cast<size_t>(std::max(1, look.width - 1)), '='),
        fmt::format("Bring {0} into a state (another terminal: pawl attach {0}), then press:",
                    agent_),
        std::string("i idle, empty box   t text typed, not sent   b working   d dialog open"),
        std::string("u undo   w write the profile and leave   q leave without writing"),
        "samples: " + (samples ? counts(*samples) : text_of(samples.error()))};
    for (const auto& line : lines) out += fit(line, look.width - 1) + "\x1b[K\r\n";
    for (const auto& line : note) out += paint(look, "1", line) + "\x1b[K\r\n";
    out.resize(out.size() - 2);  // the last row must not scroll
    print(out + "\x1b[J\x1b[?2026l");
  }

  Calibration calibration_;
  std::string agent_, message_;
};

int check(const std::string& given) {
  const std::string path = os::absolute(given, os::current_dir());
  const auto text = os::read_stream(path);
  if (!text) return complain(text.error());
  const auto profile = perceive::parse_profile(*text, path);
  if (!profile) return complain(profile.error());
  const std::string folder = path.substr(0, path.rfind('/')) + "/tests/" + profile->name;
  const auto named = read_stills(folder);
  if (!named) return complain(named.error());
  if (named->empty())
    return complain({"no stored screens in " + folder, "pawl calibrate NAME makes them"});
  perceive::Catalog catalog = perceive::Catalog::built_in();
  if (const auto added = catalog.add(*text, path); !added) return complain(added.error());
  const Look look = look_of(STDOUT_FILENO);
  std::printf("%s\n", paint(look, "1",
                            fit("SCREEN", 22) + fit("WANTED", 10) + fit("READ AS", 10) + "BECAUSE")
                          .c_str());
  size_t wrong = 0;
  for (const auto& one : *named) {
    const auto verdict = perceive::read_still(catalog, profile->name, one.still);
    const auto wanted = perceive::state_of(one.still.shown);
    const std::string said(model::word(verdict.state));
    wrong += verdict.state == wanted ? 0 : 1;
    std::printf("%s%s%s %s%s\n", fit(one.name, 22).c_str(), fit(model::word(wanted), 10).c_str(),
                paint(look, state_colour(said), fit(said, 9)).c_str(),
                safe(verdict.because).c_str(), verdict.state == wanted ? "" : "   WRONG");
  }
  std::printf("%zu of %zu are read rightly\n", named->size() - wrong, named->size());
  return wrong == 0 ? 0 : 1;
}

int take_one(const Calibration& calibration, const std::string& kind) {
  const auto shown = perceive::shown_from(kind);
  if (!shown)
    return complain({"--sample " + kind + " is unknown", "use idle, typing, busy or dialog", 2});
  auto still = calibration.look();
  if (!still) return complain(still.error());
  const auto number = calibration.take(*shown, std::move(*still));
  if (!number) return complain(number.error());
  std::printf("sample %zu: %s\n", *number, kind.c_str());
  return 0;
}

}  // namespace

int calibrate(const Command& command) {
  const Json& args = command.args();
  if (args["check"].is_string()) return check(args["check"].as_string());
  const std::string name = args["name"].as_string();
  if (name.empty())
    return complain({"calibrate: no agent", "pawl calibrate NAME, or --check FILE", 2});
  const std::string out = args["out"].is_string()
                              ? os::absolute(args["out"].as_string(), os::current_dir())
                              : os::config_dir();
  const Calibration calibration(command.home, name, out);
  // Names an agent that is there, and a place that may be written to, before anybody takes the trouble.
  if (const auto path = calibration.profile_path(); !path) return complain(path.error());
  if (args["sample"].is_string()) return take_one(calibration, args["sample"].as_string());
  if (args["write"].as_bool()) {
    const auto report = calibration.write(args["force"].as_bool());
    if (!report) return complain(report.error());
    std::fputs(report->c_str(), stdout);
    return 0;
  }
  if (!::isatty(STDIN_FILENO) || !::isatty(STDOUT_FILENO))
    return complain({"calibrate needs a terminal", "or use --sample KIND and --write", 2});
  return with_raw_terminal([&](int winch_fd) { return Showing(calibration, name).run(winch_fd); });
}

}  // namespace pawl::cli
