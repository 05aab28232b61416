#include "fleet/parts/desk.h"

namespace pawl::fleet {

uint64_t Desk::ask(BusAsk what, Question question) {
  const uint64_t id = ++next_;
  what.id = id;
  late_.set(id, mono() + what.limit + kAnswerGrace);
  open_.emplace(id, std::move(question));
  asks_.push_back(std::move(what));
  return id;
}

void Desk::tell(BusAsk what) {
  what.id = 0;
  asks_.push_back(std::move(what));
}

void Desk::people(model::Severity severity, std::string matter, std::string text,
                  std::string todo) {
  std::erase_if(told_, [&](const auto& one) { return one.second <= mono(); });
  if (told_.size() >= kMostMatters || !told_.emplace(matter, mono() + kTellsAgain).second) return;
  order(TellPeople{severity, std::move(matter), std::move(text), std::move(todo)});
}

std::optional<Question> Desk::find(uint64_t id) const {
  const auto it = open_.find(id);
  return it == open_.end() ? std::nullopt : std::optional(it->second);
}

std::optional<Question> Desk::take(uint64_t id) {
  const auto it = open_.find(id);
  if (it == open_.end()) return std::nullopt;
  Question out = std::move(it->second);
  open_.erase(it);
  late_.drop(id);
  return out;
}

std::vector<std::pair<uint64_t, Question>> Desk::give_up_all() {
  std::vector<std::pair<uint64_t, Question>> out(open_.begin(), open_.end());
  for (const auto& [id, question] : out) late_.drop(id);
  open_.clear();
  return out;
}

std::vector<std::pair<uint64_t, Question>> Desk::give_up_late() {
  std::vector<std::pair<uint64_t, Question>> out;
  for (const uint64_t id : late_.due(mono()))
    if (auto question = take(id)) out.emplace_back(id, std::move(*question));
  return out;
}

// FNV-1a, and splitmix64's last steps so that names that differ in one letter are far apart.
uint64_t digest_of(std::string_view a, std::string_view b, uint64_t salt) {
  uint64_t hash = 0xcbf29ce484222325u ^ salt;
  const auto add = [&hash](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    hash = (hash ^ 0xff) * 0x100000001b3u;
  };
  add(a);
  add(b);
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
  return hash ^ (hash >> 31);
}

}  // namespace pawl::fleet
