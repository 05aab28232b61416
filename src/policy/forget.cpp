#include "policy/forget.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"

namespace pawl::policy {
namespace {

using model::Bound;
using model::Forget;
using model::Held;
using model::Retention;
using model::TaskRow;

constexpr double kDay = 86400;
constexpr uint64_t kMb = uint64_t{1} << 20;
constexpr Duration kEvery = std::chrono::hours{1};

double days(Duration time) {
  return std::chrono::duration<double>(time).count() / kDay;
}

// 0 is no limit.
bool older(WallTime now, WallTime then, double limit_days) {
  return limit_days > 0 && days(now - then) > limit_days;
}

bool by_time(const Held* a, const Held* b) {
  return std::tie(a->changed, a->agent, a->name) < std::tie(b->changed, b->agent, b->name);
}

// One decision in the making: what is left, and what goes.
class Chosen {
 public:
  explicit Chosen(const ToForget& ask) : ask_(ask) {
    for (const auto& row : ask.finished) {
      row_of_folder_.emplace(row.folder, &row);
      row_of_agent_.emplace(row.agent, &row);
    }
    for (const auto& one : ask.held.tasks) folder_bytes_[one.name] = one.bytes;
    for (const auto& one : ask.held.recordings) {
      recordings_.push_back(&one);
      recorded_bytes_[one.agent] += one.bytes;
    }
    for (const auto& one : ask.held.archive) archive_.push_back(&one);
    std::sort(recordings_.begin(), recordings_.end(), by_time);
    std::sort(archive_.begin(), archive_.end(), by_time);
    if (!ask.held.elsewhere)
      for (const auto& row : ask.finished) (row.read ? read_ : unread_).push_back(&row);
    left_ = model::bytes_of(ask.held).total();
  }

  Forgetting made() {
    old_recordings();
    old_tasks();
    nobodys_folders();
    old_archive();
    too_much();
    unread();
    return std::move(out_);
  }

 private:
  const Retention& keep() const { return ask_.keep; }

  void go(Forget what, Bound why, const Held& held) {
    if (what == Forget::recordings) {
      if (!gone_parts_.insert(&held).second) return;
      recorded_bytes_[held.agent] -= held.bytes;
    }
    left_ -= std::min(left_, held.bytes);
    out_.going.push_back({what, why, held});
  }

  // With its folder and what was recorded of it.
  void go(Bound why, const TaskRow& row) {
    const uint64_t bytes = folder_bytes_[row.folder] + recorded_bytes_[row.agent];
    left_ -= std::min(left_, bytes);
    gone_agents_.insert(row.agent);
    out_.going.push_back({Forget::tasks, why, {row.agent, row.folder, bytes, row.over}, row});
  }

  bool kept(const Held* part) const {
    return ask_.in_use.contains(part->agent) || gone_parts_.contains(part) ||
           gone_agents_.contains(part->agent);
  }

  void old_recordings() {
    for (const Held* part : recordings_)
      if (!kept(part) && older(ask_.now, part->changed, keep().recordings_days))
        go(Forget::recordings, Bound::age, *part);
  }

  void old_tasks() {
    size_t first = 0;
    for (; first < read_.size() && older(ask_.now, read_[first]->over, keep().tasks_days); ++first)
      go(Bound::age, *read_[first]);
    for (; first < read_.size() && too_many(read_.size() - first + unread_.size()); ++first)
      go(Bound::count, *read_[first]);
    read_.erase(read_.begin(), read_.begin() + static_cast<ptrdiff_t>(first));
    const Duration soon = word_before(keep());
    for (const TaskRow* row : unread_) {
      if (older(ask_.now + soon, row->over, keep().unread_days))
        due_.push_back({row, Bound::age, older(ask_.now, row->over, keep().unread_days)});
      else if (too_many(read_.size() + unread_.size() - due_.size()))
        due_.push_back({row, Bound::count, true});
    }
  }
  bool too_many(size_t count) const {
    return keep().tasks_max > 0 && count > static_cast<size_t>(keep().tasks_max);
  }

  // Left by a kill, or by a journal that was lost: nobody can say whether anybody read them.
  void nobodys_folders() {
    for (const auto& one : ask_.held.tasks)
      if (!row_of_folder_.contains(one.name) && !ask_.of_fleet.contains(one.name) &&
          older(ask_.now, one.changed, keep().unread_days) && ask_.now - one.changed > kEvery)
        go(Forget::folders, Bound::age, one);
  }

  void old_archive() {
    uint64_t bytes = 0;
    for (const Held* one : archive_) bytes += one->bytes;
    const uint64_t most = static_cast<uint64_t>(keep().archive_mb) * kMb;
    std::vector<const Held*> stay;
    for (const Held* one : archive_) {
      const bool old = older(ask_.now, one->changed, keep().archive_days);
      if (!old && (most == 0 || bytes <= most)) {
        stay.push_back(one);
        continue;
      }
      bytes -= one->bytes;
      go(Forget::archive, old ? Bound::age : Bound::total, *one);
    }
    archive_ = std::move(stay);
  }

  bool over_total() const {
    return keep().total_mb > 0 && left_ > static_cast<uint64_t>(keep().total_mb) * kMb;
  }

  void recordings_go(bool of_tasks) {
    for (const Held* part : recordings_) {
      if (!over_total()) return;
      if (!kept(part) && row_of_agent_.contains(part->agent) == of_tasks)
        go(Forget::recordings, Bound::total, *part);
    }
  }

  void too_much() {
    recordings_go(/*of_tasks=*/true);
    for (const TaskRow* row : read_)
      if (over_total()) go(Bound::total, *row);
    for (const Held* one : archive_)
      if (over_total()) go(Forget::archive, Bound::total, *one);
    recordings_go(/*of_tasks=*/false);
    uint64_t later = 0;  // what unread results that are due already will give back
    for (const Due& one : due_) later += folder_bytes_[one.row->folder];
    for (size_t i = due_.size(); i < unread_.size(); ++i) {
      const uint64_t most = static_cast<uint64_t>(keep().total_mb) * kMb;
      if (!over_total() || left_ - std::min(left_, later) <= most) return;
      due_.push_back({unread_[i], Bound::total, true});
      later += folder_bytes_[unread_[i]->folder];
    }
  }

  // Nobody loses one without a word.
  void unread() {
    const auto& told = ask_.told;
    const bool waited = told && ask_.now >= told->told + word_before(keep());
    ToTell word;
    for (const Due& one : due_) {
      if (waited && one.now && one.row->over <= told->upto) {
        go(one.why, *one.row);
        continue;
      }
      if (told && one.row->over <= told->upto) continue;  // told already
      if (word.count++ == 0) word.why = one.why;
      word.upto = std::max(word.upto, one.row->over);
      word.bytes += folder_bytes_[one.row->folder] + recorded_bytes_[one.row->agent];
      if (word.tasks.size() == kNamesTold) continue;
      word.tasks.push_back(one.row->task);
      word.agents.push_back(one.row->agent);
    }
    word.goes_at = ask_.now + word_before(keep());
    if (word.count > 0 && (!told || waited)) out_.tell = std::move(word);
  }

  struct Due {
    const TaskRow* row;
    Bound why;
    bool now;  // not only soon
  };

  const ToForget& ask_;
  Forgetting out_;
  std::unordered_map<std::string_view, const TaskRow*> row_of_folder_, row_of_agent_;
  std::unordered_map<std::string_view, uint64_t> folder_bytes_, recorded_bytes_;
  std::vector<const Held*> recordings_, archive_;  // the oldest first
  std::vector<const TaskRow*> read_, unread_;
  std::vector<Due> due_;  // the first of unread_
  std::unordered_set<const Held*> gone_parts_;
  std::unordered_set<std::string_view> gone_agents_;
  uint64_t left_ = 0;
};

}  // namespace

Forgetting to_forget(const ToForget& ask) {
  return Chosen(ask).made();
}

Duration word_before(const Retention& keep) {
  const double most = days(kWordBefore);
  if (keep.unread_days == 0 || keep.unread_days >= most) return kWordBefore;
  return std::chrono::duration_cast<Duration>(
      std::chrono::duration<double>(keep.unread_days * kDay));
}

Duration look_every(const Retention& keep) {
  double shortest = 2 * days(kEvery);
  for (const double limit :
       {keep.recordings_days, keep.tasks_days, keep.unread_days, keep.archive_days})
    if (limit > 0) shortest = std::min(shortest, limit);
  const auto half =
      std::chrono::duration_cast<Duration>(std::chrono::duration<double>(shortest * kDay / 2));
  return std::clamp(half, Duration{std::chrono::seconds{1}}, kEvery);
}

std::string text_of(const ToTell& word, WallTime now) {
  const char* why = word.why == Bound::age     ? "nobody has read them"
                    : word.why == Bound::count ? "there are more tasks than tasks_max"
                                               : "PAWL_HOME holds more than total_mb";
  return fmt::format("{} unread task result{} will be removed in {} ({}): {}{}", word.count,
                     word.count == 1 ? "" : "s", short_duration(word.goes_at - now), why,
                     join(word.tasks, ", "), word.count > word.tasks.size() ? ", …" : "");
}

}  // namespace pawl::policy
