#include "api/feed.h"

#include <fmt/core.h>

#include <utility>

#include "api/look_handlers.h"
#include "api/view.h"
#include "store/journal.h"

namespace pawl::api {

std::string sse_of(const model::Event& event) {
  return fmt::format("id: {}\ndata: {}\n\n", event.seq.value,
                     to_json(event).set("machine", Json()).dump());
}

FeedReader Feed::reader(Seq after, bool from_now, std::string agent, bool views) {
  if (!following_) {
    following_ = true;
    last_ = engine_.fleet().last;
  }
  FeedReader out;
  out.agent = std::move(agent);
  out.views = views;
  out.after = from_now ? last_ : after;
  out.from = end();
  if (from_now) out.at = end();
  return out;
}

void Feed::add(Item item) {
  bytes_ += item.bytes.size();
  ring_.push_back(std::move(item));
  while (bytes_ > kFeedBytes && ring_.size() > 1) {
    bytes_ -= ring_.front().bytes.size();
    ring_.pop_front();
    ++first_;
  }
}

const std::vector<model::Event>& Feed::follow(const Clock& now) {
  fresh_.clear();
  if (!following_) {
    following_ = true;
    last_ = engine_.fleet().last;
  }
  while (last_ < engine_.fleet().last) {
    auto events = engine_.journal().read(last_, kCatchUp);
    if (!events || events->empty()) break;  // tried again after the next turn
    for (auto& event : *events) {
      last_ = event.seq;
      add({event.seq, event.agent, sse_of(event)});
      note(event);
      fresh_.push_back(std::move(event));
    }
  }
  if (views_ && (!look_at_ || *look_at_ <= now.mono)) look(now);
  return fresh_;
}

// The state is the fold of the events: an agent changes by its own ones, and all of them by a gap.
void Feed::note(const model::Event& event) {
  if (std::holds_alternative<model::Gap>(event.fact)) return all_stale();
  removed_ = removed_ || std::holds_alternative<model::Removed>(event.fact) ||
             std::holds_alternative<model::TaskFiled>(event.fact);
  if (const auto it = shown_.find(event.agent); it != shown_.end()) it->second.stale = true;
}

void Feed::all_stale() {
  for (auto& [name, shown] : shown_) shown.stale = true;
}

void Feed::want_views(bool wanted) {
  views_ = wanted;
  if (wanted) return;
  look_at_.reset();
  shown_.clear();
  machines_ = Json::array();
  told_.clear();
  far_.clear();
}

std::optional<MonoTime> Feed::wake_at() const {
  return views_ ? look_at_ : std::nullopt;
}

// A part of the agents, those after the one looked at last.
void Feed::look(const Clock& now) {
  look_at_ = now.mono + kViewsEvery / kViewSteps;
  if (std::string day = model::day_of(now.wall); day != day_) {
    day_ = std::move(day);
    all_stale();
  }
  const auto& agents = engine_.fleet().agents;
  size_t left = agents.size() / kViewSteps + 1;
  auto it = agents.upper_bound(looked_);
  for (; left > 0 && it != agents.end(); --left, ++it) look_at(it->second, now);
  looked_ = it == agents.end() ? "" : std::prev(it)->first;
  if (std::exchange(removed_, false)) tell_gone();
  look_elsewhere();
}

void Feed::tell_gone() {
  const auto& agents = engine_.fleet().agents;
  for (auto gone = shown_.begin(); gone != shown_.end();) {
    if (agents.contains(gone->first)) {
      ++gone;
      continue;
    }
    add({{},
         gone->first,
         fmt::format("event: gone\ndata: {}\n\n", Json::object({{"name", gone->first}}).dump())});
    gone = shown_.erase(gone);
  }
}

// What only says that time goes on is no change.
void Feed::look_at(const model::Agent& agent, const Clock& now) {
  Json line = last_line_of(engine_, agent.spec.name);
  const auto [it, first] = shown_.try_emplace(agent.spec.name);
  Shown& shown = it->second;
  if (!shown.stale && shown.last_line == line) return;
  Json view = view_of(agent, now);
  view.set("last_line", line);
  const Json alive = view["last_alive"];
  view.set("last_alive", nullptr);
  const size_t digest = std::hash<std::string>{}(view.dump());
  const bool same = !first && shown.digest == digest;
  shown = {false, std::move(line), digest};
  if (same) return;
  view.set("last_alive", alive);
  add({{}, agent.spec.name, fmt::format("event: view\ndata: {}\n\n", view.dump())});
}

bool Feed::has_more(const FeedReader& reader) const {
  return !reader.lost && (reader.at == 0 || reader.at < end());
}

Done Feed::read(FeedReader& reader, std::string& out, size_t room) {
  const uint64_t needed = reader.at != 0 ? reader.at : reader.from;
  reader.lost = reader.lost || (reader.views && needed < first_);
  if (reader.lost) return {};
  if (reader.at != 0 && reader.at < first_) reader.at = 0;  // too slow: the ring went on without it
  if (reader.at == 0) {
    if (auto fine = catch_up(reader, out, room); !fine || reader.at == 0) return fine;
  }
  const size_t limit = out.size() + room;
  for (; reader.at < end() && out.size() < limit; ++reader.at) {
    const Item& item = ring_[reader.at - first_];
    if (item.seq.value == 0 ? !reader.views : item.seq <= reader.after) continue;
    if (item.seq.value != 0) reader.after = item.seq;
    if (!reader.agent.empty() && item.agent != reader.agent) continue;
    out += item.bytes;
  }
  return {};
}

// One batch of the journal; into the ring when there is no more before it.
Done Feed::catch_up(FeedReader& reader, std::string& out, size_t room) {
  const size_t limit = out.size() + room;
  while (reader.after < last_ && out.size() < limit) {
    const auto events = engine_.journal().read(reader.after, kCatchUp);
    if (!events) return tl::unexpected(events.error());
    if (events->empty()) reader.after = last_;  // retention took them
    for (const auto& event : *events) {
      if (event.seq > last_ || out.size() >= limit) break;
      reader.after = event.seq;
      if (reader.agent.empty() || event.agent == reader.agent) out += sse_of(event);
    }
    return {};  // the next batch in the next round
  }
  if (reader.after < last_) return {};
  reader.after = last_;  // also when it says it has had more: that was another journal
  reader.at = reader.views ? reader.from : end();
  return {};
}

}  // namespace pawl::api
