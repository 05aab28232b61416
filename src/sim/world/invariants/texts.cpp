// A text that the daemon took reaches the model once, whole and alone, or whoever sent it is told otherwise; nothing of it is run as a
// command, and what is called confirmed was taken. Texts of the world carry a number of their own: "#7#" (mark_of).

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "act/gate.h"
#include "sim/world/invariants/checker.h"
#include "sim/world/night/marks.h"

namespace pawl::sim {
namespace {

// It was said that it may be there.
bool left_there(const std::string& witness) {
  return witness.find("may still be in the box") != std::string::npos ||
         witness.ends_with("still in the box after Enter");
}

class Texts : public Checker {
 public:
  std::string_view name() const override { return "texts"; }

  void sent(MonoTime at, const std::string& agent, const std::string& text) override {
    const auto marks = marks_in(text);
    const uint64_t mark = marks.empty() ? ++unmarked_ : marks.front();
    known_[mark] = {agent, text, at};
    untaken_[agent].insert(mark);
    unqueued_[agent].push_back(mark);
  }
  void person(MonoTime, const std::string&, const std::string& keys) override {
    for (const uint64_t mark : marks_in(keys)) persons_.insert(mark);
  }
  void refused(const std::string& agent, const std::string& text) override {
    const auto is_it = [&](uint64_t mark) { return known_[mark].text == text; };
    auto& waiting = unqueued_[agent];
    std::vector<uint64_t> marks = marks_in(text);
    if (marks.empty())
      std::copy_if(waiting.begin(), waiting.end(), std::back_inserter(marks), is_it);
    for (const uint64_t mark : marks) {
      known_[mark].told = true;
      std::erase(waiting, mark);
    }
  }
  void lost_home() override { lost_ = true; }  // what is in a box is not known to the next daemon
  void died(MonoTime, MonoTime) override {
    // The senders' connections break: they know that they do not know.
    for (auto& [agent, marks] : unqueued_)
      for (const uint64_t mark : marks) known_[mark].told = true;
    unqueued_.clear();
  }

  void event(const Clock&, const model::Event& event, const model::Fleet& before) override {
    if (const auto* queued = std::get_if<model::Queued>(&event.fact)) {
      auto& waiting = unqueued_[event.agent];
      if (queued->action != model::Action::send || waiting.empty()) return;
      items_[{event.agent, queued->item}] = waiting.front();
      known_[waiting.front()].eager = queued->eager();
      waiting.pop_front();
    } else if (const auto* dropped = std::get_if<model::Dropped>(&event.fact)) {
      tell(event.agent, dropped->item);
    } else if (const auto* finished = std::get_if<model::Finished>(&event.fact)) {
      const auto* agent = before.find(event.agent);
      if (!agent || !agent->intent || agent->intent->item == 0 || finished->kept) return;
      if (finished->witness.find("echoed") != std::string::npos)
        plain_.emplace(event.agent, agent->intent->item);
      if (finished->verdict == model::Verdict::confirmed)
        confirmed_.emplace_back(event.agent, agent->intent->item);
      else if (finished->verdict == model::Verdict::unverified && act::plain(*agent))
        tell(event.agent, agent->intent->item);  // nobody can know, and its sender was told so
      else
        failed_[event.agent] = agent->intent->item;
      if (finished->verdict == model::Verdict::refused)
        refused_.emplace_back(event.agent, agent->intent->item);
      if (model::in_vain(finished->verdict) && !left_there(finished->witness))
        swept_.emplace_back(event.agent, agent->intent->item);
    } else if (std::holds_alternative<model::Alerted>(event.fact)) {
      if (const auto it = failed_.find(event.agent); it != failed_.end())
        tell(event.agent, it->second);
    } else if (const auto* registered = std::get_if<model::Registered>(&event.fact)) {
      const auto& spec = registered->spec;  // only Claude Code shows what runs while it rests
      patient_[event.agent] = spec.background == "wait" && spec.runtime == "claude";
    } else if (std::holds_alternative<model::Removed>(event.fact) ||
               std::holds_alternative<model::TaskFiled>(event.fact)) {
      for (auto& [mark, text] : known_)
        if (text.agent == event.agent) text.told = true;
    }
  }

  void took(const std::string& agent, const Entry& entry) override {
    if (entry.what != Entry::What::took) return;
    const auto marks = marks_in(entry.text);
    const std::set<uint64_t> different(marks.begin(), marks.end());
    bool ours = false;
    for (const uint64_t mark : different) ours = ours || known_.contains(mark);
    if (!ours) return part_taken(agent, entry);
    if (different.size() > 1 && (joined_by_a_person(marks) || lost_)) return;
    for (const uint64_t mark : different)
      if (known_.contains(mark)) one_taken(entry, agent, mark);
    if (different.size() > 1)
      violated(entry.at, agent, fmt::format("two texts were sent as one: {:.120}", entry.text));
  }

  void turned(const Look& look) override {
    full_ = look.full;
    for (const auto& [agent, item] : std::exchange(swept_, {})) {
      const auto it = items_.find({agent, item});
      if (it == items_.end() || !look.box || lost_) continue;
      for (const uint64_t mark : marks_in(look.box(agent)))
        if (mark == it->second)
          violated(look.now.mono, agent,
                   fmt::format("a text that was given up is still in its box: {:.80}",
                               known_[mark].text));
    }
    for (const auto& [agent, item] : std::exchange(confirmed_, {})) {
      const auto it = items_.find({agent, item});
      if (it == items_.end()) continue;
      Text& text = known_[it->second];
      text.told = true;
      if (!text.taken && !lost_)
        violated(look.now.mono, agent,
                 fmt::format("a text was called confirmed and nobody took it: {:.80}", text.text));
      if (text.forgotten && !text.arrived && !lost_ && !plain_.contains({agent, item}))
        violated(
            look.now.mono, agent,
            fmt::format("a text was called confirmed and nothing came of it: {:.80}", text.text));
      if (text.refused && !text.arrived && !lost_)
        violated(look.now.mono, agent,
                 fmt::format("a text was called confirmed and a hook had refused it: {:.80}",
                             text.text));
    }
    for (const auto& [agent, item] : std::exchange(refused_, {})) {
      const auto it = items_.find({agent, item});
      if (it != items_.end() && known_[it->second].arrived)
        violated(look.now.mono, agent,
                 fmt::format("a text was called refused and it arrived: {:.80}",
                             known_[it->second].text));
    }
  }

  void ended(const Look& look) override {
    std::set<uint64_t> waiting;
    for (const auto& [name, agent] : look.live.agents)
      for (const auto& queued : agent.outbox)
        if (const auto it = items_.find({name, queued.item}); it != items_.end())
          waiting.insert(it->second);
    for (const auto& [mark, text] : known_)
      if (!text.taken && !text.told && !waiting.contains(mark))
        violated(look.now.mono, text.agent, fmt::format("a text is lost: {:.80}", text.text));
  }

 private:
  struct Text {
    std::string agent, text;
    MonoTime sent{};
    bool taken = false, told = false;  // taken: by anybody, also one who refused it
    bool arrived = false;              // … by the model
    bool refused = false;              // … by a hook, at least once
    bool forgotten = false;            // … by a program that did nothing with it
    bool eager = false;
  };
  void tell(const std::string& agent, uint64_t item) {
    if (const auto it = items_.find({agent, item}); it != items_.end())
      known_[it->second].told = true;
  }
  void one_taken(const Entry& entry, const std::string& agent, uint64_t mark) {
    Text& text = known_[mark];
    if (text.agent != agent)
      violated(entry.at, agent, fmt::format("a text for {} went to {}", text.agent, agent));
    switch (entry.reached) {
      case Reached::shell:
      case Reached::memory:
      case Reached::agents:
      case Reached::search:
      case Reached::command:
        if (!entry.blind)
          violated(entry.at, agent,
                   fmt::format("a text went to its {}: {:.80}", word(entry.reached), entry.text));
        break;
      case Reached::model:
        if (std::exchange(text.arrived, true))
          violated(entry.at, agent, fmt::format("a text arrived twice: {:.80}", entry.text));
        if (entry.jobs > 0 && !entry.working && patient_[agent] && !text.eager)
          violated(entry.at, agent,
                   fmt::format("a text did not wait for its background jobs: {:.80}", entry.text));
        break;
      case Reached::refused:
        text.refused = true;
        break;
      case Reached::nothing:
        text.forgotten = true;
        break;
    }
    text.taken = true;
  }
  // Something of ours was left in the box, its sender was told, or is as soon as that can be written, and a person wrote behind it.
  bool joined_by_a_person(const std::vector<uint64_t>& marks) const {
    const auto ours = known_.find(marks.front());
    return ours != known_.end() && (ours->second.told || full_) &&
           std::all_of(marks.begin(), marks.end(), [&](uint64_t mark) {
             return mark == marks.front() || persons_.contains(mark);
           });
  }
  // The program ate a part of it, and the number with that; or it never had one.
  void part_taken(const std::string& agent, const Entry& entry) {
    if (entry.text.size() < 4) return;
    std::erase_if(untaken_[agent], [&](uint64_t mark) {
      Text& text = known_[mark];
      if (text.text == entry.text && entry.reached == Reached::command)
        violated(entry.at, agent, fmt::format("a text was a command of its: {:.80}", entry.text));
      text.taken = text.taken || text.text.find(entry.text) != std::string::npos;
      return text.taken;
    });
  }

  std::map<std::string, bool> patient_;  // by agent: its background jobs are to end first
  std::map<uint64_t, Text> known_;       // by mark
  std::map<std::string, std::deque<uint64_t>> unqueued_;        // by agent
  std::map<std::string, std::set<uint64_t>> untaken_;           // … and not taken by anybody
  std::map<std::pair<std::string, uint64_t>, uint64_t> items_;  // of outboxes
  std::vector<std::pair<std::string, uint64_t>> confirmed_, swept_, refused_;
  std::set<std::pair<std::string, uint64_t>> plain_;  // items: what came of them nobody can see
  std::map<std::string, uint64_t> failed_;            // items, of whose fate a person is to be told
  std::set<uint64_t> persons_;
  uint64_t unmarked_ = uint64_t{1} << 40;  // the number of the last text that has none
  bool lost_ = false, full_ = false;
};

}  // namespace

std::unique_ptr<Checker> check_texts() {
  return std::make_unique<Texts>();
}

}  // namespace pawl::sim
