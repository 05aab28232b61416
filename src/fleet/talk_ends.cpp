#include "fleet/talk_ends.h"

#include <algorithm>

namespace pawl::fleet {

std::string text_of(const TalkValue& value) {
  return value.head.dump() + "\n" + value.bytes;
}

std::optional<TalkValue> talk_value(std::string_view text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const auto head = Json::parse(std::string(text.substr(0, end)));
  if (!head || !head->is_object()) return std::nullopt;
  return TalkValue{*head, std::string(text.substr(std::min(end + 1, text.size())))};
}

// ---- the near end ----

std::optional<NearEnd::Question> NearEnd::next() {
  if (over_) return std::nullopt;
  if (!saying_ && (!part_.empty() || !out_.empty())) {
    if (part_.empty()) {
      part_ = out_.substr(0, kTalkPart);
      out_.erase(0, part_.size());
      ++said_;
    }
    saying_ = true;
    const Json head =
        Json::object({{"talk", id_}, {"who", who_}, {"say", static_cast<int64_t>(said_)}});
    return Question{What::say, text_of({head, part_}), kTalkWithin};
  }
  if (hearing_ || !opened_ || in_.size() >= kTalkOut) return std::nullopt;
  hearing_ = true;
  const Json head = Json::object({{"talk", id_}, {"hear", static_cast<int64_t>(heard_ + 1)}});
  return Question{What::hear, text_of({head}), kTalkHears + kTalkWithin};
}

void NearEnd::answered(What what, const std::optional<std::string>& value) {
  (what == What::say ? saying_ : hearing_) = false;
  if (over_) return;
  int& tries = tries_[what == What::say ? 0 : 1];
  if (!value) {
    if (++tries >= kTalkTries) end({"the other node does not answer any more", "try again"});
    return;
  }
  tries = 0;
  const auto said = talk_value(*value);
  if (!said) return end({"the other node says what makes no sense", "update the pawl there"});
  if (what == What::hear) return heard(*said);
  if (said->head["over"].is_object()) return heard(*said);
  opened_ = true;
  part_.clear();
}

void NearEnd::heard(const TalkValue& value) {
  if (static_cast<uint64_t>(value.head["part"].as_int()) == heard_ + 1 && !value.bytes.empty()) {
    ++heard_;
    in_ += value.bytes;
  }
  const Json& over = value.head["over"];
  if (over.is_object()) end({over["what"].as_string(), over["fix"].as_string()});
}

void NearEnd::end(Error why) {
  if (!over_) over_ = std::move(why);
}

std::string NearEnd::bye() const {
  return text_of({Json::object({{"talk", id_}, {"bye", true}})});
}

// ---- the far end ----

Result<std::string> FarEnd::said(MonoTime now, uint64_t number, std::string bytes) {
  seen_ = now;
  if (number == said_) return std::string();  // again: its answer was lost
  if (number != said_ + 1) return fail("parts of the conversation are missing", "try again");
  said_ = number;
  return bytes;
}

void FarEnd::hears(MonoTime now, uint64_t number, std::string token) {
  seen_ = asked_ = now;
  if (number == part_number_ + 1) part_.clear();  // it has the last one
  wanted_ = number;
  token_ = std::move(token);
}

std::optional<FarEnd::Answer> FarEnd::answer(MonoTime now) {
  if (token_.empty()) return std::nullopt;
  if (part_.empty() && wanted_ == part_number_ + 1 && !out_.empty()) {
    part_ = out_.substr(0, kTalkPart);
    out_.erase(0, part_.size());
    ++part_number_;
  }
  const bool fits = wanted_ == part_number_ && !part_.empty();
  const bool last = finished_ && out_.empty();
  if (!fits && !last && now - asked_ < kTalkHears) return std::nullopt;
  Json head = Json::object({{"part", static_cast<int64_t>(wanted_)}});
  if (!fits && last) {
    head.set("over",
             Json::object({{"what", "the other daemon has ended the conversation"}, {"fix", ""}}));
    told_ = true;
  }
  return Answer{std::exchange(token_, {}), text_of({head, fits ? part_ : ""})};
}

bool FarEnd::gone(MonoTime now) const {
  return told_ || now - seen_ >= kTalkSilent;
}

MonoTime FarEnd::wake_at() const {
  const MonoTime silent = seen_ + kTalkSilent;
  return token_.empty() ? silent : std::min(silent, asked_ + kTalkHears);
}

}  // namespace pawl::fleet
