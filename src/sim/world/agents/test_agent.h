#pragma once
// For tests: a modelled program in a terminal that perception looks at, in virtual time, with as many channels as the test wants.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/zone.h"
#include "perceive/player.h"
#include "perceive/records/hook.h"
#include "perceive/records/session_file.h"
#include "perceive/screen/notice.h"
#include "sim/test_profiles.h"
#include "sim/world/agents/program.h"

namespace pawl::sim {

inline MonoTime at_s(double seconds) {
  return MonoTime{Duration{static_cast<int64_t>(std::llround(seconds * 1e6))}};
}

// Which channels reach perception.
struct Channels {
  bool osc = true;       // titles, progress, reports
  bool answers = false;  // the terminal answers the question for reports
  bool told = false;     // hooks, processes and its own file
};

class TestAgent {
 public:
  TestAgent(const Model& model, const Behaviour& behaviour, Launch launch, Channels channels,
            uint64_t seed = 1)
      : program(model, behaviour, seed),
        terminal(launch.size, {.answers = false, .scrollback_lines = 0}),
        channels_(channels),
        tracker_(test_profiles(), options(model, channels), MonoTime{}) {
    program.start(MonoTime{}, std::move(launch));
  }

  // Lives on until then.
  void until(double seconds) {
    const MonoTime end = at_s(seconds);
    while (now_ < end) {
      MonoTime next = end;
      if (const auto wake = program.wake_at()) next = std::min(next, std::max(*wake, now_));
      if (const auto wake = tracker_.wake_at()) next = std::min(next, std::max(*wake, now_));
      if (drawn_) next = std::min(next, now_ + perceive::kLookGrid);
      if (channels_.told) next = std::min(next, facts_at_ + kFactsEvery);
      now_ = next;
      turn();
    }
  }
  void wait(double seconds) {
    until(std::chrono::duration<double>(now_.time_since_epoch()).count() + seconds);
  }
  void type(std::string_view bytes) { program.read(now_, bytes); }

  MonoTime now() const { return now_; }
  const perceive::Tracker& tracker() const { return tracker_; }

  Program program;
  term::Terminal terminal;
  std::vector<std::string> hooks;  // all that were called
  size_t printed = 0, prints = 0;

 private:
  static constexpr Duration kFactsEvery = std::chrono::seconds{1};

  static perceive::TrackerOptions options(const Model& model, Channels channels) {
    perceive::TrackerOptions out;
    out.runtime = model.name == "plain" ? "generic" : std::string(model.name);
    out.channels.osc = channels.osc;
    out.channels.process = channels.told;
    return out;
  }

  void turn() {
    const std::string bytes = program.print(now_);
    if (!bytes.empty()) {
      printed += bytes.size();
      ++prints;
      terminal.feed(bytes);
      drawn_ = true;
      if (channels_.answers && bytes.find(term::kStatusQuery) != std::string::npos)
        program.read(now_, term::kStatusQuery);
    }
    for (auto& hook : program.take_hooks(now_)) {
      const auto word = perceive::read_hook(tracker_.profile(), hook);
      if (channels_.told && word && word->word) tracker_.told(now_, true, *word->word);
      hooks.push_back(std::move(hook));
    }
    if (channels_.told && now_ >= facts_at_ + kFactsEvery) look_at_processes();
    if (program.ended()) tracker_.ended(now_, *program.ended());
    if (drawn_) drawn_ = !tracker_.screen(now_, terminal.screen());
    tracker_.read(now_);
  }
  void look_at_processes() {
    facts_at_ = now_;
    const auto facts = program.facts(now_);
    tracker_.facts(now_, facts);
    for (const auto& file : program.files(now_))
      if (const auto read = perceive::read_session_file(file.text, facts.processes[0]))
        tracker_.told(now_, false, read->word);
  }

  Channels channels_;
  perceive::Tracker tracker_;
  MonoTime now_{}, facts_at_{};
  bool drawn_ = false;
};

inline Behaviour quick_turns() {
  Behaviour behaviour;
  behaviour.turn_from = behaviour.turn_to = std::chrono::seconds{2};
  return behaviour;
}

inline void paste(TestAgent& agent, const std::string& text) {
  agent.type("\x1b[200~" + text + "\x1b[201~");
  agent.wait(0.4);
}

inline void enter(TestAgent& agent) {
  agent.type("\r");
  agent.wait(0.4);
}

inline void say(TestAgent& agent, const std::string& text) {
  paste(agent, text);
  enter(agent);
}

// Of what it logged since the last time somebody asked.
inline std::vector<Entry> entries(TestAgent& agent, Entry::What what) {
  std::vector<Entry> out;
  for (auto& entry : agent.program.take_log())
    if (entry.what == what) out.push_back(std::move(entry));
  return out;
}

}  // namespace pawl::sim
