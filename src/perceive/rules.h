#pragma once
// The one ordered table: evidence in, verdict out. The first rule that speaks wins; its words are the explanation.

#include <span>
#include <string_view>

#include "perceive/evidence.h"
#include "perceive/verdict.h"

namespace pawl::perceive {

inline constexpr std::string_view kWorkingRule = "working", kMovingRule = "moving",
                                  kDraftRule = "draft", kModeRule = "mode", kPromptRule = "prompt",
                                  kLostRule = "lost";

using Rule = std::optional<Reading> (*)(const Evidence&);
struct RuleRow {
  const char* name;
  Rule rule;
  const char* says;     // for people: what this row is for
  const char* changes;  // … and what would end its rule
};
std::span<const RuleRow> rules();

Reading judge(const Evidence& evidence);

// When it is known that it listens, so that the Tracker can remember it.
bool listening(const Evidence& evidence);

}  // namespace pawl::perceive
