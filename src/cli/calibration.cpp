#include "cli/calibration.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "cli/client.h"
#include "os/file.h"
#include "perceive/learn/learn.h"

namespace pawl::cli {
namespace {

using perceive::Shown;
using perceive::Still;

constexpr const char* kSuffix = ".screen";
constexpr size_t kMaxSamples = 60;
constexpr size_t kMostStillBytes = 4u << 20;

Result<Json> ask(const std::string& home, const std::string& verb, const Json& args) {
  auto client = Client::connect(home, Client::Start::yes);
  if (!client) return tl::unexpected(client.error());
  return client->ask(Client::request(verb, args));
}

std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

// What tells this program from others: its process, or the script its interpreter runs.
perceive::LearnHints hints_of(const std::string& profile, const Json& agent, const Json& why) {
  perceive::LearnHints hints{profile, {}, {}};
  const auto plain = [](const std::string& name) {
    return !name.empty() && !perceive::interpreter_name(name) && !perceive::shell_name(name);
  };
  for (const auto& one : why["evidence"].items()) {
    const std::string front = split(one["says"].as_string(), ' ')[0];
    if (one["channel"].as_string() == "foreground" && plain(front)) hints.processes = {front};
  }
  const auto command = agent["spec"]["command"].as_strings();
  if (command.empty() || !hints.processes.empty()) return hints;
  if (plain(base_name(command[0]))) {
    hints.processes = {base_name(command[0])};
    return hints;
  }
  for (size_t i = 1; i < command.size() && hints.arguments.empty(); ++i)
    if (!command[i].starts_with('-')) hints.arguments = {base_name(command[i])};
  return hints;
}

const char* advice(Shown shown) {
  switch (shown) {
    case Shown::idle:
      return "take it again when nothing is in the box and nothing moves, and one more after a "
             "turn";
    case Shown::typing:
      return "take it again with a few words in the box, and one more idle sample";
    case Shown::busy:
      return "take two or three busy samples some seconds apart, and an idle one of the same "
             "conversation";
    case Shown::dialog:
      break;
  }
  return "take it again with the whole question on the screen";
}

// On one line, as every complaint.
std::string misread(const perceive::Trial& trial, const std::vector<NamedStill>& stills) {
  std::string out = fmt::format("{} of {} samples are read rightly ({} by the generic profile)",
                                trial.right, stills.size(), trial.generic_right);
  for (const auto& one : trial.wrong) {
    const NamedStill& still = stills[one.index];
    out += fmt::format("; {} is read as {}, so {}", still.name, model::word(one.verdict.state),
                       advice(still.still.shown));
  }
  return out;
}

std::vector<Still> plain_stills(const std::vector<NamedStill>& named) {
  std::vector<Still> out;
  out.reserve(named.size());
  for (const auto& one : named) out.push_back(one.still);
  return out;
}

Done write_tests(const std::string& folder, const std::vector<NamedStill>& stills) {
  if (auto gone = os::remove_tree(folder); !gone) return gone;
  if (auto made = os::make_private_dir(folder); !made) return made;
  for (const auto& one : stills)
    if (auto written = os::write_atomically(folder + "/" + one.name, to_file(one.still)); !written)
      return written;
  return {};
}

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

}  // namespace

Result<std::vector<NamedStill>> read_stills(const std::string& folder) {
  std::vector<NamedStill> out;
  for (const auto& name : os::list_dir(folder)) {
    if (!name.ends_with(kSuffix)) continue;
    const std::string path = folder + "/" + name;
    const auto text = os::read_file(path, kMostStillBytes);
    if (!text) return tl::unexpected(text.error());
    auto still = perceive::parse_still(*text, path);
    if (!still) return tl::unexpected(still.error());
    out.push_back({name, std::move(*still)});
  }
  return out;
}

Calibration::Calibration(std::string home, std::string agent, std::string out)
    : home_(std::move(home)),
      agent_(std::move(agent)),
      out_(std::move(out)),
      folder_(home_ + "/calibrate/" + agent_) {}

Result<Still> Calibration::look() const {
  const auto screen = ask(home_, "screen", Json::object({{"name", agent_}, {"ansi", true}}));
  if (!screen) return tl::unexpected(screen.error());
  const Json& cursor = (*screen)["cursor"];
  Still still;
  still.size = {static_cast<uint16_t>((*screen)["cols"].as_int()),
                static_cast<uint16_t>((*screen)["rows"].as_int())};
  still.row = static_cast<int>(cursor["row"].as_int()) - 1;
  still.col = static_cast<int>(cursor["col"].as_int()) - 1;
  still.visible = cursor["visible"].as_bool();
  still.title = (*screen)["title"].as_string();
  still.ansi = (*screen)["screen"].as_string();
  return still;
}

Result<size_t> Calibration::take(Shown shown, Still still) const {
  const auto have = samples();
  if (!have) return tl::unexpected(have.error());
  if (have->size() >= kMaxSamples)
    return fail(fmt::format("there are {} samples already", kMaxSamples),
                "write them, or undo some");
  if (auto made = os::make_private_dir(folder_); !made) return tl::unexpected(made.error());
  int number = 0;
  if (!have->empty()) {
    const std::string& last = have->back().name;
    std::from_chars(last.data(), last.data() + last.size(), number);
  }
  still.shown = shown;
  const std::string name = fmt::format("{:02}-{}{}", number + 1, word(shown), kSuffix);
  if (auto done = os::write_atomically(folder_ + "/" + name, to_file(still)); !done)
    return tl::unexpected(done.error());
  return have->size() + 1;
}

Result<std::string> Calibration::undo() const {
  const auto have = samples();
  if (!have) return tl::unexpected(have.error());
  if (have->empty()) return std::string();
  const std::string& last = have->back().name;
  if (auto gone = os::remove_tree(folder_ + "/" + last); !gone) return tl::unexpected(gone.error());
  return last;
}

// A runtime of the user's own gives its name; one that Pawl knows must not be replaced by a guess.
Result<std::string> Calibration::profile_name() const {
  const auto shown = ask(home_, "show", Json::object({{"name", agent_}}));
  if (!shown) return tl::unexpected(shown.error());
  const std::string runtime = (*shown)["agent"]["runtime"].as_string();
  const bool own = !runtime.empty() && !perceive::Catalog::built_in().find(runtime);
  return own ? runtime : agent_;
}

Result<std::string> Calibration::profile_path() const {
  const auto name = profile_name();
  if (!name) return tl::unexpected(name.error());
  if (perceive::Catalog::built_in().find(*name))
    return fail("'" + *name + "' is the name of a built-in profile",
                "give the agent another name: pawl run " + *name + "2 …");
  return out_ + "/profiles/" + *name + ".toml";
}

Result<std::string> Calibration::write(bool force) const {
  const auto path = profile_path();
  if (!path) return tl::unexpected(path.error());
  if (os::exists(*path) && !force)
    return fail(*path + " is there already", "move it away, or use --force", 2);
  const auto named = samples();
  if (!named) return tl::unexpected(named.error());
  const auto shown = ask(home_, "show", Json::object({{"name", agent_}}));
  const auto why = ask(home_, "why", Json::object({{"name", agent_}}));
  if (!shown || !why) return tl::unexpected(shown ? why.error() : shown.error());
  const std::string file = base_name(*path), name = file.substr(0, file.size() - 5);
  const std::vector<Still> stills = plain_stills(*named);
  const auto learnt = perceive::learn(hints_of(name, (*shown)["agent"], *why), stills);
  if (!learnt) return tl::unexpected(learnt.error());
  const auto trial = perceive::try_profile(learnt->toml, *path, stills);
  if (!trial) return tl::unexpected(trial.error());
  std::string report;
  for (const auto& note : learnt->notes) report += "note: " + note + "\n";
  if (!trial->wrong.empty() || trial->generic_right > trial->right) {
    const std::string what = misread(*trial, *named);
    if (!force) return fail(what, "nothing was written: add samples and try again, or use --force");
    report += what + "\n";
  }
  if (auto made = os::make_private_dir(folder_of(*path)); !made)
    return tl::unexpected(made.error());
  const std::string tests = folder_of(*path) + "/tests/" + name;
  if (auto kept = write_tests(tests, *named); !kept) return tl::unexpected(kept.error());
  if (auto written = os::write_atomically(*path, learnt->toml); !written)
    return tl::unexpected(written.error());
  if (auto gone = os::remove_tree(folder_); !gone) return tl::unexpected(gone.error());
  const char* next = in_use(name) ? "it is in use from now on"
                                  : "it will be in use where it is in the configuration directory";
  return report +
         fmt::format(
             "wrote {}\n{} samples are its tests, in {}; {} of them are read rightly ({} by "
             "the generic profile)\n{}\n",
             *path, stills.size(), tests, trial->right, trial->generic_right, next);
}

// The daemon reads its profiles again; the new one is among them unless it was written elsewhere.
bool Calibration::in_use(const std::string& profile) const {
  const auto reloaded = ask(home_, "reload", Json::object());
  if (!reloaded) return false;
  const auto names = (*reloaded)["profiles"].as_strings();
  return std::find(names.begin(), names.end(), profile) != names.end();
}

}  // namespace pawl::cli
