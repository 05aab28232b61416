#pragma once
// For tests: an engine that delivers texts to made-up agent programs (rough_tui.h), in virtual time: the world jumps to the
// next moment at which anybody wants to do something.

#include <array>
#include <map>
#include <string>
#include <vector>

#include "base/test_sanitized.h"
#include "core/engine_world.h"
#include "core/rough_tui.h"
#include "perceive/profile/catalog.h"
#include "term/keys.h"

namespace pawl::core {

// Its files are in memory: they are not what is tested here, and looking at real ones took more than all the rest.
struct RoughFiles {
  store::MemoryDisk files;
};

class RoughWorld : private RoughFiles, public EngineWorld {
 public:
  RoughWorld() : EngineWorld(&profiles(), TestDir::memory(), &files) {}

  static const perceive::Catalog& profiles() {
    static const perceive::Catalog catalog = perceive::Catalog::built_in();
    return catalog;
  }
  // What became of an item, by the journal.
  struct Fate {
    std::string text;
    uint64_t item = 0;
    size_t ends = 0;     // outcomes that were the last word
    size_t put_off = 0;  // … that left it where it was
    bool alerted = false;
    model::Verdict verdict = model::Verdict::unverified;
    std::string witness = {};
  };
  struct Program {
    RoughTui tui;
    SessionId session;
    std::vector<std::string> sent;
  };

  RoughTui& start(const std::string& name, const Faults& faults = {}, uint32_t seed = 1) {
    RunAsked ask;
    ask.spec.name = name;
    ask.spec.runtime = "claude";
    ask.spec.command = {"claude"};
    ask.spec.dir = "/";
    ask.spec.human_quiet_s = 0;
    engine->submit(ask);
    programs.try_emplace(name, Program{RoughTui(faults, seed), {}, {}});
    turn();
    come_up(name);
    return tui(name);
  }
  void come_up(const std::string& name) {
    Program& its = programs.at(name);
    its.session = session(name);
    host.runs(its.session);
    its.tui.starts(now.mono);
  }
  // Dead programs are started again.
  void revive() {
    for (auto& [name, its] : programs) {
      if (!agent(name) || agent(name)->running() || agent(name)->intent) continue;
      ask<RestartAsked>(name);
      turn();
      come_up(name);
    }
  }
  RoughTui& tui(const std::string& name = "a") { return programs.at(name).tui; }

  void send(const std::string& name, const std::string& text, bool at_once = false) {
    SendAsked ask;
    ask.agent = name;
    ask.item.now = at_once;
    ASSERT_TRUE(engine->send(now, ask, text));
    programs.at(name).sent.push_back(text);
    step(std::chrono::milliseconds{1});
  }

  // To the next moment, or to `at_most` when nobody wants anything before.
  void step(Duration at_most = std::chrono::seconds{1}) {
    MonoTime next = now.mono + at_most;
    if (const auto wake = engine->wake_at()) next = std::min(next, *wake);
    for (const auto& [name, its] : programs)
      if (const auto due = its.tui.next(); due && !its.tui.dead()) next = std::min(next, *due);
    const Duration passed =
        std::clamp(next - now.mono, Duration{std::chrono::milliseconds{1}}, at_most);
    programs_live(now.mono + passed);
    turn(passed);
    hand_over();
  }
  // kill -9, and after `gone` another life; meanwhile the programs go on, also with what they were given last.
  void kill(Duration gone) {
    host.written = {};
    journal.deadly = SIZE_MAX;
    hand_over();
    for (const MonoTime end = now.mono + gone; now.mono < end;) {
      const Duration step = std::min(end - now.mono, Duration{std::chrono::milliseconds{5}});
      now = {now.mono + step, now.wall + step};
      programs_live(now.mono);
    }
    live();
  }
  void pass(Duration time) {
    for (const MonoTime end = now.mono + time; now.mono < end;) step(end - now.mono);
  }
  template <class Done>
  bool until(Done done, Duration limit) {
    for (const MonoTime end = now.mono + limit; !done() && now.mono < end;) step();
    return done();
  }
  bool idle(const std::string& name = "a") const {
    return agent(name)->outbox.empty() && !agent(name)->intent;
  }
  bool all_idle() const {
    return std::all_of(programs.begin(), programs.end(),
                       [&](const auto& its) { return idle(its.first); });
  }

  void programs_live(MonoTime when) {
    for (auto& [name, its] : programs) {
      const auto session = host.sessions.find(its.session);
      if (session == host.sessions.end() || session->second.end) continue;
      if (const std::string bytes = its.tui.prints(when); !bytes.empty())
        host.prints(its.session, bytes);
      if (its.tui.dead()) host.ends(its.session, 1);
    }
  }
  // What was written to their terminals reaches the programs.
  void hand_over() {
    for (auto& [name, its] : programs) {
      const auto session = host.sessions.find(its.session);
      if (session == host.sessions.end()) continue;
      its.tui.reads(now.mono, std::exchange(session->second.written, {}));
    }
  }

  // In the order they were sent.
  std::vector<Fate> fates(const std::string& name = "a") const {
    std::vector<Fate> out;
    std::map<Seq, size_t> decided;  // to the index
    size_t last = SIZE_MAX;         // the one that just ended badly
    for (const auto& event : journal.events) {
      if (event.agent != name) continue;
      if (const auto* queued = std::get_if<model::Queued>(&event.fact)) {
        out.push_back({programs.at(name).sent.at(out.size()), queued->item});
      } else if (const auto* choice = std::get_if<model::Decided>(&event.fact)) {
        for (size_t i = 0; i < out.size() && choice->item != 0; ++i)
          if (out[i].item == choice->item) decided[event.seq] = i;
      } else if (const auto* end = std::get_if<model::Finished>(&event.fact)) {
        const auto it = decided.find(end->decision);
        if (it == decided.end()) continue;
        Fate& fate = out[last = it->second];
        ++(end->kept ? fate.put_off : fate.ends);
        fate.verdict = end->verdict;
        fate.witness = end->witness;
      } else if (const auto* alert = std::get_if<model::Alerted>(&event.fact)) {
        if (last < out.size() && alert->text.find("may not have arrived") != std::string::npos)
          out[last].alerted = true;
      }
    }
    return out;
  }

  std::map<std::string, Program> programs;
};

// What a program is to take a text for: as a paste leaves it, and without blanks at its end, which every box drops.
inline std::string as_taken(const std::string& text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if (c == '\r' && next == '\n') continue;
    if (c == '\r') out += '\n';
    if (c == 0xC2 && next < 0xA0) {
      ++i;
      continue;
    }
    if (c == '\n' || c == '\t' || (c >= 0x20 && c != 0x7F)) out += text[i];
  }
  return without_end_blanks(out);
}

}  // namespace pawl::core
