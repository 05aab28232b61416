#include "model/words.h"

#include <initializer_list>

namespace pawl::model {
namespace {

template <class Enum>
std::optional<Enum> find(std::initializer_list<Enum> all, std::string_view text) {
  for (const Enum one : all)
    if (word(one) == text) return one;
  return std::nullopt;
}

}  // namespace

std::string_view word(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "";
}

std::optional<Severity> severity_from(std::string_view text) {
  return find({Severity::info, Severity::warning, Severity::error}, text);
}

std::string_view word(Tier tier) {
  switch (tier) {
    case Tier::process:
      return "process";
    case Tier::status:
      return "status";
    case Tier::hook:
      return "hook";
    case Tier::file:
      return "file";
    case Tier::osc:
      return "osc";
    case Tier::screen:
      return "screen";
    case Tier::silence:
      return "silence";
    case Tier::pattern:
      return "pattern";
  }
  return "";
}

std::optional<Tier> tier_from(std::string_view text) {
  return find({Tier::process, Tier::status, Tier::hook, Tier::file, Tier::osc, Tier::screen,
               Tier::silence, Tier::pattern},
              text);
}

std::string_view word(Restart restart) {
  switch (restart) {
    case Restart::never:
      return "never";
    case Restart::fresh:
      return "fresh";
    case Restart::resume:
      return "resume";
  }
  return "";
}

std::optional<Restart> restart_from(std::string_view text) {
  return find({Restart::never, Restart::fresh, Restart::resume}, text);
}

std::string_view word(Launch launch) {
  switch (launch) {
    case Launch::fresh:
      return "fresh";
    case Launch::resume:
      return "resume";
    case Launch::reset:
      return "reset";
    case Launch::typed:
      return "typed";
    case Launch::first:
      return "first";
  }
  return "";
}

std::optional<Launch> launch_from(std::string_view text) {
  return find({Launch::fresh, Launch::resume, Launch::reset, Launch::typed, Launch::first}, text);
}

std::string_view word(Topic topic) {
  switch (topic) {
    case Topic::limit:
      return "limit";
    case Topic::auth:
      return "auth";
    case Topic::outage:
      return "outage";
    case Topic::compact:
      return "compact";
  }
  return "";
}

std::optional<Topic> topic_from(std::string_view text) {
  return find({Topic::limit, Topic::auth, Topic::outage, Topic::compact}, text);
}

std::string_view word(Archived archived) {
  switch (archived) {
    case Archived::conversation:
      return "conversation";
    case Archived::all:
      return "all";
  }
  return "";
}

std::optional<Archived> archived_from(std::string_view text) {
  return find({Archived::conversation, Archived::all}, text);
}

std::string_view word(BudgetMark mark) {
  switch (mark) {
    case BudgetMark::soft:
      return "soft";
    case BudgetMark::hard:
      return "hard";
    case BudgetMark::unpriced:
      return "unpriced";
  }
  return "";
}

std::optional<BudgetMark> budget_mark_from(std::string_view text) {
  return find({BudgetMark::soft, BudgetMark::hard, BudgetMark::unpriced}, text);
}

}  // namespace pawl::model
