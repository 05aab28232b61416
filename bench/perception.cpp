// What perception costs, on the recordings of test/corpus. Prints measured, target, verdict per row.
//   bench_perception [--check]     with --check a missed target is exit status 1
//
// Ten hours classified: the corpus again and again until 36,000 s of recorded time have passed, in this process and through
// `pawl classify` itself. 200 busy agents: the stretches where agents work, each at its own pace, all of them in turn as a
// daemon would see them; CPU as a share of one core.

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/source_dir.h"
#include "perceive/player.h"
#include "term/cast.h"

namespace {

using pawl::Json;
using pawl::Size;
using pawl::perceive::Catalog;
using pawl::perceive::FactsLine;
using pawl::perceive::Player;
using pawl::term::Terminal;

const std::filesystem::path kCorpus = std::filesystem::path(pawl::source_dir()) / "test/corpus";
constexpr double kTenHours = 36000, kTenHoursTarget = 10;
constexpr size_t kAgents = 200;
constexpr double kAgentSeconds = 20, kShareTarget = 5;
constexpr double kShortestStretch = 3;

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Piece {
  double t = 0;
  std::string bytes;
};

struct Recording {
  std::string runtime, name;
  Size size;
  double seconds = 0;
  std::vector<Piece> output;
  std::vector<FactsLine> facts;
  std::vector<std::pair<double, double>> busy;
};

std::string unpacked(const std::filesystem::path& path) {
  std::string out;
  FILE* pipe = popen(("gzip -dc '" + path.string() + "'").c_str(), "r");
  char buffer[1 << 16];
  for (size_t n = 0; pipe && (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    out.append(buffer, n);
  if (pipe) pclose(pipe);
  return out;
}

void read_output(Recording& r, const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  if (const auto header = pawl::term::parse_cast_header(line)) r.size = header->size;
  pawl::term::CastDecoder decoder;
  while (std::getline(file, line)) {
    const auto event = pawl::term::parse_cast_event(line);
    if (!event) continue;
    if (auto bytes = decoder.output(*event)) r.output.push_back({event->t, std::move(*bytes)});
  }
}

void read_facts(Recording& r, const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (auto line = pawl::perceive::parse_facts_line(std::string_view(text).substr(at, end - at)))
      r.facts.push_back(std::move(*line));
    at = end + 1;
  }
}

std::vector<Recording> load() {
  std::vector<Recording> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kCorpus)) {
    if (entry.path().extension() != ".cast") continue;
    if (entry.path().string().find("/modes/") != std::string::npos) continue;
    Recording r;
    const std::string stem = entry.path().string().substr(0, entry.path().string().size() - 5);
    const std::string folder = entry.path().parent_path().filename();
    r.runtime = folder == "controls" ? "auto" : folder.substr(0, folder.find('-'));
    r.name = folder + "/" + entry.path().stem().string();
    read_output(r, entry.path());
    read_facts(r, unpacked(stem + ".feat.jsonl.gz"));
    std::ifstream labels(stem + ".labels.json");
    const std::string text{std::istreambuf_iterator<char>(labels), {}};
    const Json meta = Json::parse(text).value_or(Json{});
    r.seconds = meta["duration"].as_double();
    for (const Json& label : meta["labels"].items())
      if (label["state"].as_string() == "busy" &&
          label["t_end"].as_double() - label["t_start"].as_double() >= kShortestStretch)
        r.busy.emplace_back(label["t_start"].as_double(), label["t_end"].as_double());
    all.push_back(std::move(r));
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

pawl::perceive::TrackerOptions options_of(const Recording& r) {
  pawl::perceive::TrackerOptions options;
  options.runtime = r.runtime;
  return options;
}

bool g_missed = false;

void report(const char* what, double measured, const char* unit, double target) {
  const bool ok = measured <= target;
  g_missed |= !ok;
  std::printf("%-58s %8.2f %-4s target <= %6.2f  %s\n", what, measured, unit, target,
              ok ? "ok" : "MISS");
}

void note(const char* what, double measured, const char* unit) {
  std::printf("%-58s %8.2f %s\n", what, measured, unit);
}

void play(const Catalog& catalog, const Recording& r, bool facts) {
  Player player(catalog, r.size, options_of(r));
  size_t next = 0;
  for (const Piece& piece : r.output) {
    for (; facts && next < r.facts.size() && r.facts[next].t <= piece.t; ++next)
      player.facts(r.facts[next].t, r.facts[next].facts);
    player.output(piece.t, piece.bytes);
  }
  for (; facts && next < r.facts.size(); ++next) player.facts(r.facts[next].t, r.facts[next].facts);
  player.finish();
}

void ten_hours(const Catalog& catalog, const std::vector<Recording>& all) {
  for (const bool facts : {false, true}) {
    double recorded = 0;
    const double start = cpu_seconds();
    while (recorded < kTenHours)
      for (const Recording& r : all) {
        play(catalog, r, facts);
        recorded += r.seconds;
      }
    const double taken = (cpu_seconds() - start) * kTenHours / recorded;
    report(facts ? "10 h of recording, with facts ten times a second"
                 : "10 h of recording, output alone",
           taken, "s", kTenHoursTarget);
  }
  double recorded = 0, bytes = 0;
  const double start = cpu_seconds();
  for (const Recording& r : all) {
    Terminal terminal(r.size, {.answers = false, .scrollback_lines = 0});
    for (const Piece& piece : r.output)
      terminal.feed(piece.bytes), bytes += static_cast<double>(piece.bytes.size());
    recorded += r.seconds;
  }
  note("  of that the terminal", (cpu_seconds() - start) * kTenHours / recorded, "s");
  note("  bytes in 10 h", bytes * kTenHours / recorded / 1e6, "MB");
}

// One agent's recordings after each other, as one file of ten hours. A reset of the terminal stands between two of them.
void write_ten_hours(const std::vector<Recording>& all, const std::string& cast,
                     const std::string& facts) {
  std::ofstream out(cast), samples(facts);
  pawl::term::CastHeader header;
  header.size = {120, 40};
  out << pawl::term::cast_line(header);
  double shift = 0;
  while (shift < kTenHours)
    for (const Recording& r : all) {
      if (r.runtime != "claude" || shift >= kTenHours) continue;
      out << pawl::term::cast_line(shift, 'r',
                                   std::to_string(r.size.cols) + "x" + std::to_string(r.size.rows));
      out << pawl::term::cast_line(shift, 'o',
                                   "\x1b"
                                   "c");
      for (const Piece& piece : r.output)
        out << pawl::term::cast_line(shift + piece.t, 'o', piece.bytes);
      for (const FactsLine& line : r.facts)
        if (line.t <= r.seconds)
          samples << Json::object({{"t", shift + line.t},
                                   {"icanon", line.facts.canonical},
                                   {"isig", line.facts.signals},
                                   {"fg_comm", line.facts.front},
                                   {"mcomm", line.facts.busiest},
                                   {"fgn", line.facts.front_count}})
                         .dump()
                  << "\n";
      shift += r.seconds;
    }
}

double run_classify(const std::vector<std::string>& words) {
  std::string command = PAWL_BINARY " classify --runtime claude";
  for (const auto& word : words) command += " '" + word + "'";
  const double start = wall_seconds();
  const int status = std::system((command + " >/dev/null").c_str());
  const double taken = wall_seconds() - start;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::printf("pawl classify failed\n");
    g_missed = true;
  }
  return taken;
}

void through_classify(const std::vector<Recording>& all) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("pawl-bench-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string cast = folder / "night.cast", facts = folder / "night.jsonl";
  write_ten_hours(all, cast, facts);
  note("  a cast of 10 h", static_cast<double>(std::filesystem::file_size(cast)) / 1e6, "MB");
  report("pawl classify, a cast of 10 h, wall time", run_classify({cast}), "s", kTenHoursTarget);
  report("pawl classify, with facts ten times a second", run_classify({"--facts", facts, cast}),
         "s", kTenHoursTarget);
  std::filesystem::remove_all(folder);
}

// An agent that works without end: the start of its recording once, then the stretch again and again.
class Agent {
 public:
  Agent(const Catalog& catalog, const Recording& r, std::pair<double, double> stretch)
      : terminal_(r.size, {.answers = false, .scrollback_lines = 0}),
        player_(catalog, r.size, options_of(r)) {
    for (const Piece& piece : r.output) {
      if (piece.t < stretch.first) {
        terminal_.feed(piece.bytes);
        player_.output(piece.t, piece.bytes);
      } else if (piece.t < stretch.second) {
        pieces_.push_back({piece.t - stretch.first, piece.bytes});
      }
    }
    start_ = stretch.first;
    length_ = stretch.second - stretch.first;
    player_.advance_to(start_);
  }
  // What it writes up to then goes to `use(t, bytes)`.
  template <class Use>
  void write(double until, Use use) {
    while (!pieces_.empty() && shift_ + pieces_[next_].t <= until) {
      use(start_ + shift_ + pieces_[next_].t, pieces_[next_].bytes);
      if (++next_ < pieces_.size()) continue;
      next_ = 0;
      shift_ += length_;
    }
  }
  void emulate(double until) {
    write(until, [&](double, const std::string& bytes) { terminal_.feed(bytes); });
  }
  void perceive(double until) {
    write(until, [&](double t, const std::string& bytes) { player_.output(t, bytes); });
    player_.advance_to(start_ + until);
  }
  void rewind() { next_ = 0, shift_ = 0; }
  pawl::model::State state() const { return player_.tracker().verdict().state; }

 private:
  Terminal terminal_;
  Player player_;
  std::vector<Piece> pieces_;
  double start_ = 0, length_ = 0, shift_ = 0;
  size_t next_ = 0;
};

void busy_agents(const Catalog& catalog, const std::vector<Recording>& all) {
  std::vector<std::unique_ptr<Agent>> agents;
  while (agents.size() < kAgents)
    for (const Recording& r : all)
      for (const auto& stretch : r.busy)
        if (agents.size() < kAgents && r.runtime != "auto")
          agents.push_back(std::make_unique<Agent>(catalog, r, stretch));
  const auto share = [&](auto&& step) {
    const double start = cpu_seconds();
    for (double t = 0.02; t < kAgentSeconds; t += 0.02)
      for (auto& agent : agents) step(*agent, t);
    for (auto& agent : agents) agent->rewind();
    return 100 * (cpu_seconds() - start) / kAgentSeconds;
  };
  const double terminal = share([](Agent& agent, double t) { agent.emulate(t); });
  const double both = share([](Agent& agent, double t) { agent.perceive(t); });
  note("200 busy agents, the terminals", terminal, "%");
  report("200 busy agents, terminals and perception, of one core", both, "%", kShareTarget);
  note("200 busy agents, perception alone", both - terminal, "%");
  const auto busy = std::count_if(agents.begin(), agents.end(), [](const auto& agent) {
    return agent->state() == pawl::model::State::busy;
  });
  note("  of the 200, called busy at the end", static_cast<double>(busy), "");
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<Recording> all = load();
  const double start = cpu_seconds();
  const Catalog catalog = Catalog::built_in();
  note("all built-in profiles, compiled", 1000 * (cpu_seconds() - start), "ms");
  ten_hours(catalog, all);
  through_classify(all);
  busy_agents(catalog, all);
  return g_missed && argc > 1 && std::strcmp(argv[1], "--check") == 0;
}
