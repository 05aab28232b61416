#pragma once
// Words that more than one layer compares. In JSON, in the journal and in files they are words; in between they are these.

#include <optional>
#include <string>
#include <string_view>

namespace pawl::model {

// How much a person has to care.
enum class Severity { info, warning, error };
std::string_view word(Severity severity);
std::optional<Severity> severity_from(std::string_view text);

// The channel that says what an agent is doing. Best first (C7).
enum class Tier { process, status, hook, file, osc, screen, silence, pattern };
std::string_view word(Tier tier);
std::optional<Tier> tier_from(std::string_view text);

// What is done when an agent ended by itself.
enum class Restart { never, fresh, resume };
std::string_view word(Restart restart);
std::optional<Restart> restart_from(std::string_view text);

// The rest are what `how` of a decision says (event.h), where it is one of a few words.

// How a program is started.
enum class Launch {
  fresh,   // in a new conversation
  resume,  // in its own
  reset,   // in a new one, with all its others put away
  typed,   // by its command line, into the shell that it left behind
  first    // it was not known before: if this fails, it never was
};
std::string_view word(Launch launch);
std::optional<Launch> launch_from(std::string_view text);

// What a rule's text is about; any other word: the agent's own prompt.
enum class Topic { limit, auth, outage, compact };
std::string_view word(Topic topic);
std::optional<Topic> topic_from(std::string_view text);

// What is put away.
enum class Archived { conversation, all };
std::string_view word(Archived archived);
std::optional<Archived> archived_from(std::string_view text);

// What a person is told of a budget.
enum class BudgetMark { soft, hard, unpriced };
std::string_view word(BudgetMark mark);
std::optional<BudgetMark> budget_mark_from(std::string_view text);

// A word as somebody wrote it. One that is not known is kept for whoever complains about it; until then it counts as the first of
// its kind, which does the least.
template <class Enum>
class Written {
 public:
  Written(Enum value = {}) : value_(value) {}
  Written(std::string_view text, std::optional<Enum> meant) : value_(meant.value_or(Enum{})) {
    if (!meant) unknown_ = text;
  }
  operator Enum() const { return value_; }
  bool known() const { return !unknown_; }
  std::string text() const { return unknown_ ? *unknown_ : std::string(word(value_)); }
  bool operator==(const Written&) const = default;
  bool operator==(Enum other) const { return value_ == other; }

 private:
  Enum value_;
  std::optional<std::string> unknown_ = {};
};

inline Written<Restart> written_restart(std::string_view text) {
  return {text, restart_from(text)};
}

}  // namespace pawl::model
