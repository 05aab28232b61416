#pragma once
// What each of those who ask was last told of an agent's dialog. An answer that names no dialog is meant for that one: when another is
// there, nothing is pressed. The next daemon reads it from a file (store::kShownName).

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace pawl::core {

inline constexpr size_t kMaxWorlds = 64;  // of one agent; further ones are not remembered

// `world`: those who see the same, all people at this machine, or one agent, or one credential from one address.
class Showings {
 public:
  // Question and subject of this dialog were shown; empty: that it asks nothing.
  void shown(const std::string& world, const std::string& agent, const std::string& dialog) {
    if (Told* it = told_of(world, agent)) change(*it, {dialog, true});
  }
  // Only that it asks this one, and not what: that is no look at another dialog than the one that was shown. Empty: that it asks
  // nothing. Nothing: that it asks, when what was not drawn yet.
  void told(const std::string& world, const std::string& agent,
            const std::optional<std::string>& dialog) {
    Told* it = told_of(world, agent);
    if (!it || (it->shown && !it->dialog.empty() && dialog != "")) return;
    change(*it, {dialog.value_or(""), false});
    if (!dialog) last_[agent].erase(world);
  }
  // The id of the dialog; empty: that it asks nothing; nothing: not a word.
  std::optional<std::string> last(const std::string& world, const std::string& agent) const {
    const auto of_agent = last_.find(agent);
    if (of_agent == last_.end()) return std::nullopt;
    const auto it = of_agent->second.find(world);
    return it == of_agent->second.end() ? std::nullopt : std::optional(it->second.dialog);
  }
  // An answer of theirs is on its way; and it was taken, or not: whoever knows that a dialog is gone is not held to it.
  void answers(const std::string& world, const std::string& agent) {
    if (Told* it = told_of(world, agent)) it->answers = true;
  }
  void answered(const std::string& agent, bool taken) {
    const auto of_agent = last_.find(agent);
    if (of_agent == last_.end()) return;
    changed_ |= std::erase_if(of_agent->second,
                              [&](const auto& one) { return one.second.answers && taken; }) > 0;
    for (auto& [world, it] : of_agent->second) it.answers = false;
  }
  void forget(const std::string& agent) { changed_ |= last_.erase(agent) > 0; }

  // A line for each world that was told of a dialog. Who was told that nothing is asked is as if not told.
  std::string text() const;
  // What the daemon before us wrote; lines that are none are left out.
  void read(const std::string& text);
  // Something in text() may be new since it was kept.
  bool changed() const { return changed_; }
  void kept() { changed_ = false; }

 private:
  struct Told {
    std::string dialog;
    bool shown = false;
    bool answers = false;
  };
  void change(Told& it, Told now) {
    changed_ |= it.dialog != now.dialog || (it.shown != now.shown && !now.dialog.empty());
    it = std::move(now);
  }
  Told* told_of(const std::string& world, const std::string& agent) {
    auto& worlds = last_[agent];
    const auto it = worlds.find(world);
    if (it == worlds.end() && worlds.size() >= kMaxWorlds) return nullptr;
    return &worlds[world];
  }
  std::map<std::string, std::map<std::string, Told>> last_;  // by agent, then by world
  bool changed_ = false;
};

}  // namespace pawl::core
