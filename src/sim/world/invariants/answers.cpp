// A dialog is answered by a person, or by a rule that may: no text lands in it, and no rule pays, widens what the agent may do,
// destroys, or says what only a person knows, unless a person kept that answer. A person's answer goes to the dialog that was
// seen, and to no other.

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "sim/world/invariants/checker.h"

namespace pawl::sim {
namespace {

constexpr Duration kPersons =
    std::chrono::minutes{5};  // what a person began has its effect by then
constexpr Duration kPresses = std::chrono::minutes{2};  // … and an answer of a rule's

class Answers : public Checker {
 public:
  std::string_view name() const override { return "answers"; }
  void person(MonoTime at, const std::string& agent, const std::string&) override {
    ways_[agent].person.push_back(at);
    ways_[agent].keys.push_back(at);
  }
  void asked(MonoTime at, const std::string& agent) override { ways_[agent].person.push_back(at); }
  void answers(MonoTime at, const std::string& agent, size_t dialog) override {
    ways_[agent].meant = {at, dialog};
  }
  void lost_home() override { lost_ = true; }
  void event(const Clock& now, const model::Event& event, const model::Fleet&) override {
    if (const auto* registered = std::get_if<model::Registered>(&event.fact)) {
      ways_[event.agent].permissions = registered->spec.answer_permissions;
      ways_[event.agent].unknown = registered->spec.runtime == "generic";
      ways_[event.agent].dialogs = registered->spec.dialogs != "off";
    }
    if (const auto* kept = std::get_if<model::AnswerKept>(&event.fact))
      ways_[event.agent].kept.insert(kept->answer.choose);
    const auto* decided = std::get_if<model::Decided>(&event.fact);
    if (!decided) return;
    // A stop may press keys that close what is open.
    if (decided->action == model::Action::answer && !decided->rule.empty())
      ways_[event.agent].rule.push_back(now.mono);
    else if (decided->action == model::Action::stop || decided->action == model::Action::restart)
      ways_[event.agent].ends.push_back(now.mono);
  }
  void took(const std::string& agent, const Entry& entry) override {
    if (entry.what != Entry::What::answered || entry.blind) return;
    const Ways& its = ways_[agent];
    if (its.unknown && lost_)
      return;  // see lost_home(): a program nobody knows is typed to as it is
    const MonoTime pressed = entry.written == MonoTime{} ? entry.at : entry.written;
    if (its.meant && its.meant->second != 0 && its.meant->first <= pressed &&
        pressed - its.meant->first <= kPresses && !recent(its.keys, pressed, kPersons) &&
        !recent(its.rule, pressed, kPresses) && entry.dialog != its.meant->second)
      violated(entry.at, agent,
               fmt::format("what was chosen in dialog {} went to dialog {}: {:.80}",
                           its.meant->second, entry.dialog, entry.text));
    if (recent(its.person, pressed, kPersons) || recent(its.ends, pressed, kPresses)) return;
    if (!recent(its.rule, pressed, kPresses))
      return violated(
          entry.at, agent,
          fmt::format("nobody answered, and '{}' was chosen: {:.80}", entry.choice, entry.text));
    if (!its.dialogs) violated(entry.at, agent, "a dialog was answered though dialogs are off");
    if (!allowed(its, entry))
      violated(entry.at, agent,
               fmt::format("a rule chose '{}' ({}): {:.80}", entry.choice, word(entry.cost),
                           entry.subject));
  }

 private:
  struct Ways {
    std::vector<MonoTime> person, keys, rule, ends;    // each time; keys: of the persons
    std::optional<std::pair<MonoTime, size_t>> meant;  // by a person, last
    std::set<std::string> kept;                        // rows that a person made a rule
    std::string permissions = "ask";
    bool dialogs = true, unknown = false;
  };
  static bool recent(const std::vector<MonoTime>& times, MonoTime at, Duration within) {
    return std::any_of(times.rbegin(), times.rend(),
                       [&](MonoTime one) { return one <= at && at - one <= within; });
  }
  static bool allowed(const Ways& its, const Entry& entry) {
    switch (entry.cost) {
      case model::Cost::free:
        return true;
      case model::Cost::allow:
        return its.permissions == "allow";
      case model::Cost::deny:
        return its.permissions == "deny";
      case model::Cost::permission:
      case model::Cost::money:
      case model::Cost::destroys:
        return false;
      case model::Cost::question:
        return its.kept.contains(entry.choice);
    }
    return false;
  }
  std::map<std::string, Ways> ways_;
  bool lost_ = false;
};

}  // namespace

std::unique_ptr<Checker> check_answers() {
  return std::make_unique<Answers>();
}

}  // namespace pawl::sim
