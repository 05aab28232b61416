#pragma once
// For tests: what perception makes of a recording at an instant, and of a model that was brought into the same situation.

#include <gtest/gtest.h>

#include <map>
#include <ostream>

#include "base/text.h"
#include "perceive/test_recording.h"
#include "sim/world/agents/test_agent.h"

namespace pawl::sim {

using perceive::TestRecording;

// What perception makes of a picture. White space does not count: lines wrap anywhere.
struct Perceived {
  std::string state, kind, input;
  std::string box;      // "none", "empty", or its text
  std::string dialog;   // "permission | question | cost: row | …"
  std::string subject;  // of it
  std::vector<std::string> notices;
  bool operator==(const Perceived&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const Perceived& its) {
  out << "\n  " << its.state << " kind '" << its.kind << "' input '" << its.input << "' box '"
      << its.box << "'\n  dialog " << its.dialog << "\n  about " << its.subject << "\n  notices";
  for (const auto& notice : its.notices) out << " " << notice;
  return out;
}

inline std::string dialog_text(const model::Dialog& dialog) {
  std::string out =
      dialog.kind + (dialog.known ? "" : "?") + " | " + model::without_space(dialog.question);
  for (const auto& row : dialog.rows)
    out += " | " + std::string(model::word(row.cost)) + ": " + model::without_space(row.text);
  return out;
}

inline std::string notice_text(const perceive::NoticeSeen& seen) {
  std::string out(perceive::word(seen.kind));
  if (const auto reset = perceive::reset_in(seen))
    out += " until " + std::to_string(reset->hour) + ":" + std::to_string(reset->minute) + " " +
           reset->zone;
  if (perceive::notice_of(seen).of > 0)
    out += " of " + std::to_string(perceive::notice_of(seen).of);
  return out;
}

inline Perceived perceived(const perceive::Tracker& tracker) {
  const auto& verdict = tracker.verdict();
  const auto& sight = *tracker.evidence().sight;
  Perceived out{
      std::string(model::word(verdict.state)), verdict.kind, verdict.input, "none", "none", {}, {}};
  const bool gone = verdict.state == model::State::shell || model::ended(verdict.state);
  if (gone) return out;  // what is left of its picture belongs to nobody
  if (sight.box.there) out.box = sight.box.draft ? model::without_space(sight.box.text) : "empty";
  if (const auto dialog = perceive::dialog_in(tracker.evidence())) {
    out.dialog = dialog_text(*dialog);
    out.subject = model::without_space(dialog->subject);
  }
  for (const auto& notice : sight.notices) out.notices.push_back(notice_text(notice));
  return out;
}

// What happens to the model until it is in the situation: orders (program.h), keys, waiting.
struct Situation {
  const char* model;
  const char* recording;
  double at;  // of the recording
  std::vector<std::string> steps = {};
  Launch launch = {};
  double turn = 1000;    // seconds a turn lasts
  bool answers = false;  // the terminal answers the question for reports
};

inline constexpr WallTime kMidnight{std::chrono::seconds{1794700800}};

inline void step(TestAgent& agent, const std::string& words) {
  static const std::map<std::string, std::string> kKeys{{"enter", "\r"},    {"esc", "\x1b"},
                                                        {"down", "\x1b[B"}, {"left", "\x1b[D"},
                                                        {"ctrl-c", "\x03"}, {"line", "\n"}};
  const size_t blank = words.find(' ');
  const std::string verb = words.substr(0, blank);
  const std::string rest = blank == std::string::npos ? "" : words.substr(blank + 1);
  if (verb == "wait") return agent.wait(std::stod(rest));
  if (verb == "until") return agent.until(std::stod(rest));
  if (verb == "limit") {  // until that time of the day
    const auto minutes = std::stoi(rest) * 60 + std::stoi(rest.substr(3));
    EXPECT_TRUE(
        agent.program.fail(agent.now(), Trouble::limit, kMidnight + std::chrono::minutes{minutes}));
  } else if (verb == "type")
    agent.type(rest);
  else if (verb == "paste")
    agent.type("\x1b[200~" + rest + "\x1b[201~");
  else if (kKeys.count(verb))
    agent.type(kKeys.at(verb));
  else
    EXPECT_TRUE(agent.program.order(agent.now(), words)) << words;
  agent.wait(0.4);
}

inline constexpr double kUp = 7;      // seconds until a model has come up and is seen to listen
inline constexpr double kSettle = 3;  // … and until what happened last is seen

inline Perceived of_model(const Situation& its, const TestRecording& recording, Channels channels) {
  Launch launch = its.launch;
  launch.size = recording.header.size;
  launch.hooks = channels.told;
  launch.wall = kMidnight + std::chrono::minutes{20};
  Behaviour behaviour;
  behaviour.turn_from = behaviour.turn_to = Duration{static_cast<int64_t>(its.turn * 1e6)};
  TestAgent agent(*find_model(its.model), behaviour, launch, channels);
  const bool timed = !its.steps.empty() && its.steps[0].starts_with("until");
  if (!timed) agent.until(kUp);
  for (const auto& words : its.steps) step(agent, words);
  if (!timed) agent.wait(kSettle);
  return perceived(agent.tracker());
}

inline Perceived of_recording(const Situation& its, const TestRecording& recording, bool osc) {
  perceive::TrackerOptions options;
  options.runtime = its.model;
  options.channels.osc = osc;
  options.stuck = {};
  perceive::Player player(test_profiles(), recording.header.size, options);
  perceive::test_play(player, recording, its.at);
  for (const auto& label : recording.labels)
    if (label.state == "exited" && label.sub.starts_with("rc=") && label.from <= its.at)
      player.exited(label.from, std::stoi(label.sub.substr(3)));
  player.advance_to(its.at);
  return perceived(player.tracker());
}

inline void alike(const Situation& its) {
  const TestRecording recording = perceive::test_recording(its.recording);
  for (const bool osc : {true, false}) {
    const Perceived real = of_recording(its, recording, osc);
    const std::string name =
        std::string(its.recording) + " at " + std::to_string(its.at) + (osc ? "" : ", screen only");
    EXPECT_EQ(of_model(its, recording, {.osc = osc, .answers = its.answers}), real) << name;
    if (!osc) continue;
    Perceived told = of_model(its, recording, {.osc = osc, .answers = its.answers, .told = true});
    const std::string drawn = of_recording(its, recording, false).subject;
    if (told.subject.ends_with(drawn) && real.subject.ends_with(drawn))
      told.subject =
          real.subject;  // its hook says what is drawn once more, in other words than its report
    EXPECT_EQ(told, real) << name << ", with hooks, processes and files";
  }
}

}  // namespace pawl::sim
