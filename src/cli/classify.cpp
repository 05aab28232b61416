#include "cli/classify.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>

#include "api/profiles.h"
#include "base/text.h"
#include "os/file.h"
#include "os/home.h"
#include "os/zstd.h"
#include "perceive/player.h"
#include "term/cast.h"

namespace pawl::cli {
namespace {

using perceive::Player;

constexpr size_t kMaxLineBytes = 64u << 20;   // of a recording
constexpr size_t kMaxStillBytes = 16u << 20;  // of a screen
constexpr size_t kMaxUnpackedBytes = 256u << 20;

std::string rounded(double t) {
  return fmt::format("{:.3f}", t);
}

Json to_json(const perceive::Verdict& verdict) {
  return Json::object({{"state", model::word(verdict.state)},
                       {"kind", verdict.kind.empty() ? Json() : Json(verdict.kind)},
                       {"tier", word(verdict.tier)},
                       {"because", verdict.because},
                       {"confidence", verdict.confidence},
                       {"input", model::input_word(verdict.state, verdict.input)},
                       {"background", verdict.background}});
}

void print_edge(double t, const perceive::Verdict& verdict) {
  const std::string body = to_json(verdict).dump();
  std::printf("{\"t\":%s,%s\n", rounded(t).c_str(), body.c_str() + 1);
}

Json screen_members(Json object, const term::Screen& screen) {
  const term::Cursor cursor = screen.cursor();
  object.set("screen", screen.text());
  object.set("cursor",
             Json::object(
                 {{"row", cursor.row + 1}, {"col", cursor.col + 1}, {"visible", cursor.visible}}));
  return object;
}

// Lines of a file, with their numbers. It may be compressed (zstd).
class Lines {
 public:
  static Result<Lines> open(const std::string& path) {
    if (os::is_dir(path)) return fail(path + " is a directory", "name a file");
    Lines lines(path);
    if (!*lines.stream_) return fail("cannot open " + path, "is the name right?");
    if (!path.ends_with(".zst")) return lines;
    auto unpacked = lines.unpack();
    if (!unpacked) return tl::unexpected(unpacked.error());
    return lines;
  }
  // False at the end.
  Result<bool> next() {
    if (!std::getline(*stream_, line_)) {
      if (damage_.empty()) return false;
      return fail(path_ + " is " + damage_, "what came before was read");
    }
    if (stream_->eof() && !damage_.empty()) return next();  // half a line
    ++number_;
    if (line_.size() > kMaxLineBytes) return fail(where() + ": the line is too long");
    return true;
  }
  const std::string& line() const { return line_; }
  int number() const { return number_; }
  std::string where() const { return fmt::format("{}:{}", path_, number_); }

 private:
  explicit Lines(const std::string& path)
      : path_(path), stream_(std::make_unique<std::ifstream>(path, std::ios::binary)) {}
  Done unpack() {
    const auto packed = os::read_stream(path_, kMaxUnpackedBytes);
    if (!packed) return tl::unexpected(packed.error());
    auto unpacked = os::zstd_text(*packed, kMaxUnpackedBytes);
    damage_ = std::move(unpacked.damage);
    stream_ = std::make_unique<std::istringstream>(std::move(unpacked.text));
    return {};
  }
  std::string path_;
  std::unique_ptr<std::istream> stream_;
  std::string line_, damage_;  // of a compressed file: why it ends too early
  int number_ = 0;
};

// The facts beside a recording, handed out as time goes on.
class FactsFile {
 public:
  static Result<FactsFile> open(const std::string& path) {
    auto lines = Lines::open(path);
    if (!lines) return tl::unexpected(lines.error());
    FactsFile file(std::move(*lines));
    if (const auto read = file.read(); !read) return tl::unexpected(read.error());
    return file;
  }
  Done play(Player& player, double until) {
    while (next_ && next_->t <= until) {
      player.facts(next_->t, next_->facts);
      if (const auto done = read(); !done) return done;
    }
    return {};
  }

 private:
  explicit FactsFile(Lines lines) : lines_(std::move(lines)) {}
  Done read() {
    next_.reset();
    while (true) {
      const auto more = lines_.next();
      if (!more) return tl::unexpected(more.error());
      if (!*more) return {};
      if (trim(lines_.line()).empty()) continue;
      auto facts = perceive::parse_facts_line(lines_.line());
      if (!facts) return fail(lines_.where() + ": " + facts.error().what);
      next_ = std::move(*facts);
      return {};
    }
  }
  Lines lines_;
  std::optional<perceive::FactsLine> next_;
};

struct Wish {
  std::string file, facts;
  perceive::TrackerOptions tracker;
  std::optional<Size> size;
  std::optional<double> at;
  std::optional<std::pair<int, int>> cursor;
  bool still = false;
};

std::optional<int> number(const std::string& text, int low, int high) {
  if (text.empty() || text.size() > 6 || text.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  const int value = std::stoi(text);
  return value >= low && value <= high ? std::optional(value) : std::nullopt;
}

Result<Wish> wish_of(const Json& args) {
  Wish wish;
  wish.file = args["file"].as_string();
  wish.facts = args["facts"].as_string();
  wish.still = args["screen"].as_bool();
  wish.tracker.runtime = args["runtime"].as_string("auto");
  const std::string channels = args["channels"].as_string("all");
  if (channels != "all" && channels != "no-process" && channels != "screen")
    return fail("--channels " + channels + " is unknown", "use all, no-process or screen", 2);
  wish.tracker.channels = {.process = channels == "all", .osc = channels != "screen"};
  if (args.has("rows") || args.has("cols")) {
    const auto rows = number(args["rows"].as_string("40"), 1, term::kMaxRows);
    const auto cols = number(args["cols"].as_string("120"), 1, term::kMaxCols);
    if (!rows || !cols)
      return fail("--rows and --cols must be whole numbers",
                  fmt::format("from 1 to {}", term::kMaxRows), 2);
    wish.size = Size{static_cast<uint16_t>(*cols), static_cast<uint16_t>(*rows)};
  }
  if (args.has("at")) {
    const auto at = parse_duration_s(args["at"].as_string());
    if (!at)
      return fail("--at " + args["at"].as_string() + " is not a duration", "use seconds, or 5m, 2h",
                  2);
    wish.at = at;
  }
  if (args.has("cursor")) {
    const auto parts = split(args["cursor"].as_string(), ',');
    const auto row = number(parts[0], 1, term::kMaxRows);
    const auto col = parts.size() == 2 ? number(parts[1], 1, term::kMaxCols) : std::nullopt;
    if (!row || !col)
      return fail("--cursor " + args["cursor"].as_string() + " is no place", "ROW,COL from 1,1", 2);
    wish.cursor = {*row, *col};
  }
  return wish;
}

Done play_event(Player& player, term::CastDecoder& decoder, const term::CastEvent& event,
                const std::string& where) {
  if (event.code == 'r') {
    const auto parts = split(event.data, 'x');
    const auto cols = number(parts[0], 1, 10000);
    const auto rows = parts.size() == 2 ? number(parts[1], 1, 10000) : std::nullopt;
    if (!cols || !rows) return fail(where + ": '" + event.data + "' is no size");
    player.resize(event.t, {static_cast<uint16_t>(*cols), static_cast<uint16_t>(*rows)});
  } else if (event.code == 'x') {
    player.exited(event.t, number(event.data, 0, 255).value_or(-1));
  } else if (const auto bytes = decoder.output(event)) {
    player.output(event.t, *bytes);
  }
  return {};
}

std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words;
  for (auto& word : split(command, ' '))
    if (!word.empty()) words.push_back(std::move(word));
  return words;
}

void print_edges(Player& player, bool quiet) {
  for (const auto& edge : player.take())
    if (!quiet) print_edge(edge.t, edge.verdict);
}

// Feeds the rest of an open recording; stops at `wish.at`.
Done play(Player& player, Lines& lines, int version, const Wish& wish) {
  std::optional<FactsFile> facts;
  if (!wish.facts.empty()) {
    auto opened = FactsFile::open(wish.facts);
    if (!opened) return tl::unexpected(opened.error());
    facts = std::move(*opened);
  }
  const double stop = wish.at.value_or(std::numeric_limits<double>::infinity());
  term::CastDecoder decoder;
  double clock = 0;
  while (true) {
    const auto more = lines.next();
    if (!more) return tl::unexpected(more.error());
    if (!*more) break;
    if (trim(lines.line()).empty() || lines.line()[0] == '#') continue;
    auto event = term::parse_cast_event(lines.line());
    if (!event)
      return fail(lines.where() + ": " + event.error().what.substr(0, 200),
                  "the recording is cut or is none; what came before was read");
    clock = version == 3 ? clock + event->t : event->t;
    event->t = clock;
    if (clock > stop) break;
    if (facts)
      if (const auto done = facts->play(player, clock); !done) return done;
    if (const auto done = play_event(player, decoder, *event, lines.where()); !done) return done;
    print_edges(player, wish.at.has_value());
  }
  if (facts)
    if (const auto done = facts->play(player, wish.at ? stop : clock + 3600); !done) return done;
  if (wish.at)
    player.advance_to(stop);
  else
    player.finish();
  print_edges(player, wish.at.has_value());
  return {};
}

int classify_recording(const perceive::Catalog& catalog, Wish wish) {
  auto lines = Lines::open(wish.file);
  if (!lines) return complain(lines.error());
  const auto more = lines->next();
  if (!more) return complain(more.error());
  if (!*more)
    return complain({wish.file + ":1: the file is empty", "an asciicast recording is expected"});
  const auto header = term::parse_cast_header(lines->line());
  if (!header)
    return complain(
        {lines->where() + ": " + header.error().what,
         header.error().fix.empty() ? "use --screen for a still screen" : header.error().fix});
  if (wish.tracker.argv.empty()) wish.tracker.argv = words_of(header->command);
  Player player(catalog, wish.size.value_or(header->size), wish.tracker);
  const auto done = play(player, *lines, header->version, wish);
  if (!done) {
    player.advance_to(player.now() + 0.05);  // what was read still counts
    print_edges(player, wish.at.has_value());
    std::fflush(stdout);
    return complain(done.error());
  }
  if (!wish.at) return 0;
  const auto& tracker = player.tracker();
  Json object = Json::object({{"t", *wish.at}});
  const Json verdict = to_json(tracker.verdict());
  for (const auto& [key, value] : verdict.members()) object.set(key, value);
  const auto dialog = perceive::dialog_in(tracker.evidence());
  const bool asks = dialog && tracker.verdict().state == model::State::waiting;
  object.set("dialog", asks ? model::to_json(*dialog) : Json());
  std::printf("%s\n", screen_members(std::move(object), player.terminal().screen()).dump().c_str());
  return 0;
}

// A still has no time: it is looked at as if it had stood there long enough.
int classify_still(const perceive::Catalog& catalog, const Wish& wish) {
  auto text = os::read_stream(wish.file, kMaxStillBytes);
  if (!text) return complain(text.error());
  Size size = wish.size.value_or(Size{120, 40});
  if (!wish.size) {
    size_t widest = 0;
    const auto rows = split(*text, '\n');
    for (const auto& row : rows) widest = std::max(widest, row.size());
    size.rows = static_cast<uint16_t>(std::clamp<size_t>(rows.size(), 24, term::kMaxRows));
    size.cols = static_cast<uint16_t>(std::clamp<size_t>(widest, 80, 500));
  }
  std::string bytes;
  if (!text->empty() && text->back() == '\n') text->pop_back();
  for (const char c : *text) (c == '\n' ? bytes += "\r\n" : bytes += c);
  if (wish.cursor) bytes += fmt::format("\x1b[{};{}H", wish.cursor->first, wish.cursor->second);
  perceive::TrackerOptions options = wish.tracker;
  options.still = true;
  Player player(catalog, size, options);
  player.output(0, bytes);
  player.advance_to(600);
  Json object = to_json(player.tracker().verdict());
  object.set("runtime", player.tracker().profile().name);
  std::printf("%s\n", object.dump().c_str());
  return 0;
}

}  // namespace

int classify(const Command& command) {
  const auto wish = wish_of(command.args());
  if (!wish) return complain(wish.error());
  const auto profiles = api::load_profiles(os::config_dir());
  for (const auto& error : profiles.complaints) complain(error);
  const std::string& runtime = wish->tracker.runtime;
  if (runtime.empty()) return complain({"--runtime needs a name", "", 2});
  if (runtime != "auto" && !profiles.catalog.find(runtime))
    std::fprintf(stderr, "pawl: no profile is named '%s': what it shows is guessed; profiles: %s\n",
                 runtime.c_str(), join(profiles.catalog.names(), ", ").c_str());
  return wish->still ? classify_still(profiles.catalog, *wish)
                     : classify_recording(profiles.catalog, *wish);
}

}  // namespace pawl::cli
