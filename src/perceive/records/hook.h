#pragma once
// One call of a program's lifecycle hook, read by its profile: what it says about the prompt, and what is learnt on the way.
// The JSON comes through `pawl hook RUNTIME` from whatever runs inside the agent's terminal: it may be missing, late, cut,
// or a lie. So it is evidence (Tracker::told), never a verdict, and nothing here is trusted with more than its text.

#include <optional>
#include <string>
#include <string_view>

#include "perceive/evidence.h"

namespace pawl::perceive {

inline constexpr size_t kMaxHookBytes = 1u << 20;

struct HookWord {
  std::string event;  // the program's own name of it
  std::optional<Word>
      word;             // none: it says nothing about the prompt, and what was said before stands
  bool prompt = false;  // a prompt was submitted to the main conversation
  std::string prompt_text;  // … this one, when it says
  // Empty when the hook does not say, or says what no program would.
  std::string session_id;  // of the conversation: letters, digits and "._-", fit for a command line
  std::string transcript;  // absolute path
  std::string cwd;         // absolute path
  // Of a failure.
  std::string error;                 // the program's own word for it
  std::optional<NoticeKind> notice;  // what that means, when it is known
  std::string text;                  // what it showed: may say when a limit resets
  bool kept = false;                 // a stop hook made this turn go on before
  bool operator==(const HookWord&) const = default;
};

// Nothing when it is no hook at all. An event the profile does not know is one without a word.
std::optional<HookWord> read_hook(const Profile& profile, std::string_view json);

// What a failure means, by what was shown and by the program's own word for it.
std::optional<NoticeKind> notice_of(const Profile& profile, const std::string& error,
                                    const std::string& text);

// Text from outside, or empty when it is none of these.
std::string conversation_id(std::string text);
std::string absolute_path(std::string text);

}  // namespace pawl::perceive
