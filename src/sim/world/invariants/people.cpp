// Nothing is typed while a person is at the keyboard, unless a person asked for it; and no key of a person's is lost.

#include <fmt/core.h>

#include <map>
#include <set>

#include "sim/world/invariants/checker.h"

namespace pawl::sim {
namespace {

constexpr Duration kUnderWay =
    std::chrono::seconds{2};  // what was being written when the person came

// … which takes out what it wrote, and puts back what it moved.
constexpr Duration kClearsUp = std::chrono::seconds{15};

constexpr Duration kHeld = std::chrono::minutes{5};  // by a text that is being typed

// A wake-up and what was given as work wait for nobody (doc/delivery.md).
bool eager(const model::Decided& decided, const model::Agent* agent) {
  if (decided.rule == model::kWorkRule) return true;
  if (!agent || decided.item == 0) return false;
  for (const auto& queued : agent->outbox)
    if (queued.item == decided.item) return queued.eager();
  return false;
}

// What a terminal answers when its program asks it, and no key.
bool is_reply(const std::string& bytes) {
  return bytes.size() > 1 && bytes[0] == '\x1b' && !bytes.starts_with("\x1b[200~");
}

class People : public Checker {
 public:
  std::string_view name() const override { return "people"; }
  void person(MonoTime at, const std::string& agent, const std::string& keys) override {
    Desk& its = desks_[agent];
    if (!its.person || at - *its.person > kClearsUp) its.keys.clear();
    its.person = at;
    its.keys += keys;
  }
  void asked(MonoTime at, const std::string& agent) override { desks_[agent].asked = at; }
  void held(MonoTime at, const std::string& agent, const std::string& keys) override {
    desks_[agent].held = keys;
    desks_[agent].since = at;
    holding_.insert(agent);
  }
  void turned(const Look& look) override {
    std::erase_if(holding_, [&](const std::string& name) {
      Desk& desk = desks_[name];
      if (!desk.held.empty() && look.now.mono - desk.since < kHeld) return false;
      if (!desk.held.empty())
        violated(look.now.mono, name, fmt::format("keys of a person are lost: {:.60}", desk.held));
      desk.held.clear();
      return true;
    });
  }
  // Whose key it was about to write down loses the terminal in that moment, and knows it.
  void died(MonoTime at, MonoTime) override {
    for (auto& [name, desk] : desks_) {
      desk.held.clear();
      if (desk.person && at - *desk.person < kUnderWay) desk.person.reset();
    }
  }
  void event(const Clock& now, const model::Event& event, const model::Fleet& before) override {
    Desk& its = desks_[event.agent];
    if (const auto* registered = std::get_if<model::Registered>(&event.fact))
      its.quiet = std::chrono::duration_cast<Duration>(
          std::chrono::duration<double>(registered->spec.human_quiet_s));
    if (std::holds_alternative<model::Finished>(event.fact)) its.began.reset();
    if (const auto* changed = std::get_if<model::StateChanged>(&event.fact);
        changed && model::ended(changed->to))
      its.held.clear();
    const auto* decided = std::get_if<model::Decided>(&event.fact);
    if (!decided) return;
    its.began = now.mono;
    if (decided->action == model::Action::leave && its.person &&
        now.mono - *its.person + kClocks < its.quiet)
      violated(now.mono, event.agent, "what a person opened was to be left while they were near");
    its.eager = eager(*decided, before.find(event.agent));
  }
  void wrote(MonoTime at, const std::string& agent, const std::string& bytes) override {
    Desk& its = desks_[agent];
    if (bytes.find(its.held) != std::string::npos) its.held.clear();
    // What the person pressed while a text was being typed is let through after it.
    if (!its.person || is_reply(bytes) || its.keys.find(bytes) != std::string::npos) return;
    const Duration ago = at - *its.person;
    if (ago < kUnderWay || ago + kClocks >= its.quiet ||
        (its.asked && at - *its.asked <= its.quiet))
      return;
    if (its.eager || (its.began && *its.began <= *its.person && ago < kClearsUp)) return;
    violated(at, agent,
             fmt::format("typed {:.1f} s after a person: {:.60}",
                         std::chrono::duration<double>(ago).count(), bytes));
  }

 private:
  struct Desk {
    std::optional<MonoTime> person, asked, began;  // began: what is under way
    std::string keys = {};
    std::string held = {};  // since then
    MonoTime since{};
    bool eager = false;
    Duration quiet = std::chrono::seconds{120};
  };
  std::map<std::string, Desk> desks_;
  std::set<std::string> holding_;  // that hold keys
};

}  // namespace

std::unique_ptr<Checker> check_people() {
  return std::make_unique<People>();
}

}  // namespace pawl::sim
