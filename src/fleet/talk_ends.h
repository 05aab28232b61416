#pragma once
// A conversation with another node's daemon, carried by questions and answers of the bus: what the local socket's bytes are in pieces
// that are numbered, so that each arrives once and in order although a question or its answer may be lost. Pure, both ends of it.
//
// The near end asks two kinds of questions, one of each at a time: "say" brings bytes, "hear" waits at the far end until there are some.
// One that got no answer is asked again with the same number. A value is a line of JSON, and behind its line end the bytes.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/json.h"

namespace pawl::fleet {

inline constexpr size_t kTalkPart = 192u << 10;  // bytes of one value; a bus takes 1 MiB
inline constexpr size_t kTalkOut = 1u << 20;     // kept at the far end until they were heard
inline constexpr int kTalkTries = 3;             // of one question, then the conversation is over
inline constexpr Duration kTalkHears =
    std::chrono::seconds{10};  // a "hear" waits so long at the far end
inline constexpr Duration kTalkWithin = std::chrono::seconds{5};   // … and this is for the way
inline constexpr Duration kTalkSilent = std::chrono::seconds{45};  // the near end has gone

struct TalkValue {
  Json head;
  std::string bytes = {};
};
std::string text_of(const TalkValue& value);
// Nothing: somebody else's words.
std::optional<TalkValue> talk_value(std::string_view text);

class NearEnd {
 public:
  // `who` asks, as this machine knows: "person", "agent docs".
  NearEnd(std::string id, std::string who) : id_(std::move(id)), who_(std::move(who)) {}

  void say(std::string_view bytes) { out_ += bytes; }
  size_t saying() const { return out_.size() + part_.size(); }
  std::string hear() { return std::exchange(in_, {}); }
  const std::optional<Error>& over() const { return over_; }

  // What is to be asked now, until there is nothing.
  enum class What { say, hear };
  struct Question {
    What what;
    std::string value;
    Duration limit;
  };
  std::optional<Question> next();
  // What became of it; nothing: no answer came, and it may have been heard.
  void answered(What what, const std::optional<std::string>& value);
  // The other node said no, or is gone.
  void end(Error why);
  // The last word, for an end that is let go.
  std::string bye() const;

 private:
  void heard(const TalkValue& value);

  std::string id_, who_;
  std::string out_, part_, in_;  // `part_` is being said
  uint64_t said_ = 0, heard_ = 0;
  bool saying_ = false, hearing_ = false, opened_ = false;
  int tries_[2] = {0, 0};
  std::optional<Error> over_;
};

class FarEnd {
 public:
  explicit FarEnd(MonoTime now) : seen_(now) {}

  // Bytes that are new. An error: pieces are missing, nothing can be made of it.
  Result<std::string> said(MonoTime now, uint64_t number, std::string bytes);
  // It waits for part `number`, which says that it has all before it.
  void hears(MonoTime now, uint64_t number, std::string token);
  void put(std::string_view bytes) { out_ += bytes; }
  size_t room() const { return out_.size() < kTalkOut ? kTalkOut - out_.size() : 0; }
  void finish() { finished_ = true; }  // nothing more is put

  struct Answer {
    std::string token, value;
  };
  std::optional<Answer> answer(MonoTime now);
  // The near end has heard everything, or was not heard of for kTalkSilent.
  bool gone(MonoTime now) const;
  MonoTime wake_at() const;

 private:
  std::string out_, part_;  // `part_`: number part_number_, not known to have arrived
  uint64_t said_ = 0, part_number_ = 0;
  uint64_t wanted_ = 0;
  std::string token_;  // of the question that waits
  MonoTime seen_, asked_{};
  bool finished_ = false, told_ = false;
};

}  // namespace pawl::fleet
