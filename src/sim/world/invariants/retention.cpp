// Keeping and forgetting: a task that is not over never goes, and a result that nobody has read never without a word a while before.

#include <map>
#include <optional>
#include <utility>

#include "policy/forget.h"
#include "sim/world/invariants/checker.h"

namespace pawl::sim {
namespace {

class Keeping : public Checker {
 public:
  explicit Keeping(Duration word_before) : word_before_(word_before) {}
  std::string_view name() const override { return "retention"; }

  void event(const Clock& now, const model::Event& event, const model::Fleet& before) override {
    if (const auto* gap = std::get_if<model::Gap>(&event.fact); gap && gap->clock != Duration{})
      clock_ = true;
    if (const auto* gone = std::get_if<model::Forgotten>(&event.fact))
      return forgotten(now, *gone, before);
    if (const auto* alert = std::get_if<model::Alerted>(&event.fact);
        alert && alert->matter == "unread results" && word_)
      words_.push_back(*std::exchange(word_, std::nullopt));
    Task& its = tasks_[event.agent];
    if (std::holds_alternative<model::TaskGiven>(event.fact)) its = {};
    if (std::holds_alternative<model::TaskRead>(event.fact)) its.read = true;
    if (std::holds_alternative<model::TaskRecalled>(event.fact)) its.filed = false;
    if (std::holds_alternative<model::TaskFiled>(event.fact)) its.filed = true;
    if (std::holds_alternative<model::TaskEnded>(event.fact)) its.over = event.at;
  }
  // It could not write down how long nobody was there.
  void died(MonoTime, MonoTime) override { forgot_ = forgot_ || full_; }
  // A reader's word may be lost with the daemon, and the row has it.
  void turned(const Look& look) override {
    full_ = look.full;
    if (!look.filed) return;
    for (auto& [agent, its] : tasks_) {
      if (its.read || !its.filed) continue;
      const auto row = look.filed->row(agent);
      its.read = row && *row && (*row)->read;
    }
  }

 private:
  struct Task {
    std::optional<WallTime> over;
    bool filed = false, read = false;
  };
  struct Word {
    MonoTime at{};
    WallTime upto{};
  };

  void forgotten(const Clock& now, const model::Forgotten& gone, const model::Fleet& before) {
    if (gone.upto) word_ = Word{now.mono, *gone.upto};
    if (gone.upto || gone.what != model::Forget::tasks) return;
    for (const auto& agent : gone.names) {
      const Task its = tasks_[agent];
      tasks_.erase(agent);
      if (before.find(agent) || !its.over || !its.filed)
        violated(now.mono, agent, "forgotten, and it is not over");
      else if (!its.read && !told(now.mono, *its.over))
        violated(now.mono, agent, "its result was forgotten unread, and nobody was told before");
    }
  }
  // Where the clock was set, times of the world say nothing.
  bool told(MonoTime now, WallTime over) const {
    for (const auto& word : words_)
      if ((forgot_ || word.at + word_before_ <= now + kClocks) && (clock_ || over <= word.upto))
        return true;
    return false;
  }

  Duration word_before_;
  std::map<std::string, Task> tasks_;
  std::optional<Word> word_;  // written, and nobody was told yet
  std::vector<Word> words_;
  bool clock_ = false, full_ = false, forgot_ = false;
};

}  // namespace

model::Retention night_retention() {
  model::Retention keep;
  keep.tasks_days = 0.02;  // half an hour
  keep.tasks_max = 3;
  keep.unread_days = 0.06;
  keep.recordings_days = 0.1;
  keep.archive_days = 0.1;
  return keep;
}

std::unique_ptr<Checker> check_retention(const model::Retention& keep) {
  return std::make_unique<Keeping>(policy::word_before(keep));
}

}  // namespace pawl::sim
