#include "cli/status_link.h"

#include <algorithm>

#include "cli/table.h"

namespace pawl::cli {
namespace {

using term::BlockedKind;
using term::ProgramState;
using term::StatusRecord;

constexpr std::string_view kAttributesQuery = "\x1b[c";  // every terminal answers this one
constexpr std::string_view kAttributes = "\x1b[?";       // digits and semicolons, then c
constexpr std::string_view kAnswers[] = {term::kStatusQuery, "\x1b]7501;?\a"};
constexpr size_t kMaxAttributes = 64;

// How much of `text` is this answer; `whole` when it is complete.
size_t starts_answer(std::string_view text, std::string_view answer, bool& whole) {
  const size_t shared = std::min(text.size(), answer.size());
  if (text.substr(0, shared) != answer.substr(0, shared)) return 0;
  whole = shared == answer.size();
  return shared;
}

size_t starts_attributes(std::string_view text, bool& whole) {
  const size_t shared = starts_answer(text, kAttributes, whole);
  if (!whole) return shared;
  size_t at = shared;
  while (at < text.size() && at < kMaxAttributes &&
         ((text[at] >= '0' && text[at] <= '9') || text[at] == ';'))
    ++at;
  whole = at < text.size() && text[at] == 'c';
  return whole ? at + 1 : at == text.size() ? at : 0;
}

int urgency(ProgramState state) {
  switch (state) {
    case ProgramState::blocked:
      return 4;
    case ProgramState::error:
      return 3;
    case ProgramState::working:
      return 2;
    case ProgramState::done:
      return 1;
    case ProgramState::idle:
      break;
  }
  return 0;
}

BlockedKind kind_of(const std::string& kind) {
  if (kind == "permission" || kind == "trust") return BlockedKind::permission;
  return kind == "login" ? BlockedKind::auth : BlockedKind::question;
}

std::optional<ProgramState> state_of(const std::string& state, bool worked) {
  if (state == "busy" || state == "starting") return ProgramState::working;
  if (state == "waiting") return ProgramState::blocked;
  if (state == "limited" || state == "stuck" || state == "crashed") return ProgramState::error;
  if (state == "exited") return ProgramState::done;
  if (state == "ready") return worked ? ProgramState::done : ProgramState::idle;
  if (state == "typing" || state == "shell") return ProgramState::idle;
  return std::nullopt;
}

}  // namespace

std::string StatusLink::ask(MonoTime now, std::string_view term) {
  if (term.empty() || term == "dumb" || term == "linux") return "";
  asked_ = true;
  asked_at_ = now;
  return std::string(term::kStatusQuery) + std::string(kAttributesQuery);
}

// The length of an answer, or of what may become one, at this place; 0 when it is none.
size_t StatusLink::answer_at(size_t from, bool& whole) const {
  const std::string_view text = std::string_view(held_).substr(from);
  size_t partly = 0;
  for (const auto answer : kAnswers) {
    const size_t length = starts_answer(text, answer, whole);
    if (whole) return length;
    partly = std::max(partly, length);
  }
  const size_t length = starts_attributes(text, whole);
  return whole ? length : std::max(partly, length);
}

std::string StatusLink::keys(std::string_view bytes, MonoTime now) {
  if (!asked_) return std::string(bytes);
  if (held_.empty()) held_since_ = now;
  held_ += bytes;
  std::string out;
  size_t at = 0;
  while (at < held_.size()) {
    bool whole = false;
    const size_t length = held_[at] == '\x1b' ? answer_at(at, whole) : 0;
    if (!whole && length > 0 && at + length == held_.size()) break;  // the rest may follow
    if (!whole) {
      out += held_[at++];
      continue;
    }
    const bool attributes = std::string_view(held_).substr(at).starts_with(kAttributes);
    if (!attributes && now - asked_at_ <= kStatusAnswer) speaks_ = true;
    if (attributes) asked_ = false;  // the last one
    at += length;
    if (!asked_) {
      out += held_.substr(at);
      at = held_.size();
    }
  }
  if (at > 0) held_since_ = now;
  held_.erase(0, at);
  if (now - asked_at_ > kStatusLate) {
    asked_ = false;
    out += std::exchange(held_, {});
  }
  return out;
}

std::string StatusLink::held_keys(MonoTime now) {
  if (held_.empty() || now - held_since_ < kKeyHeld) return "";
  return std::exchange(held_, {});
}

void StatusLink::want(const std::vector<StatusRecord>& records) {
  wanted_.clear();
  for (const auto& record : records) wanted_[record.id] = term::status_report(record);
}

std::string StatusLink::due(MonoTime now) {
  if (!speaks_ || wanted_ == said_ || (next_ && now < *next_)) return "";
  std::string out;
  for (const auto& [id, sequence] : said_)
    // To clear "" would take all of them with it.
    if (!wanted_.count(id)) out += id.empty() ? term::status_report({}) : term::status_clear(id);
  for (const auto& [id, sequence] : wanted_) {
    const auto before = said_.find(id);
    if (before == said_.end() || before->second != sequence) out += sequence;
  }
  said_ = wanted_;
  next_ = now + kStatusEvery;
  return out;
}

std::optional<MonoTime> StatusLink::wake_at() const {
  std::optional<MonoTime> wake;
  if (!held_.empty()) wake = held_since_ + kKeyHeld;
  if (speaks_ && wanted_ != said_ && next_) wake = wake ? std::min(*wake, *next_) : *next_;
  return wake;
}

std::optional<StatusRecord> StatusPicture::agent(const std::string& name, const std::string& state,
                                                 const std::string& kind) {
  bool& worked = worked_[name];
  if (state == "busy" || state == "waiting") worked = true;
  if (state == "starting" || state == "typing" || state == "shell") worked = false;
  const auto said = state_of(state, worked);
  if (!said) return std::nullopt;
  StatusRecord record;
  record.state = *said;
  if (*said == ProgramState::blocked) record.kind = kind_of(kind);
  record.app = "pawl";
  record.title = name;
  return record;
}

std::vector<StatusRecord> StatusPicture::list(const Json& list) {
  std::vector<StatusRecord> records;
  StatusRecord sum;
  sum.app = "pawl";
  sum.message = summary(list);
  std::map<std::string, bool> worked;
  for (const auto& one : list["agents"].items()) {
    const std::string name = one["name"].as_string();
    auto record = agent(name, one["state"].as_string(), one["kind"].as_string());
    worked[name] = worked_[name];
    if (!record) continue;
    if (urgency(record->state) > urgency(sum.state)) {
      sum.state = record->state;
      sum.kind = record->kind;
    }
    record->id = name;
    if (records.size() < kMaxStatusAgents) records.push_back(std::move(*record));
  }
  worked_ = std::move(worked);  // agents that were removed are forgotten
  records.push_back(std::move(sum));
  return records;
}

}  // namespace pawl::cli
