#pragma once
// A question on an agent's screen, as rules see it: its rows and what choosing each of them would mean.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace pawl::model {

// What a row does when it is chosen.
enum class Cost {
  free,        // closes the dialog and changes nothing
  allow,       // lets this one request pass
  deny,        // refuses it
  permission,  // widens what the agent may do from now on
  money,       // pays, or agrees to pay
  destroys,    // work or a conversation is lost
  question     // only a person knows
};
std::string_view word(Cost cost);
std::optional<Cost> cost_from(std::string_view text);

struct DialogRow {
  std::string text;  // as it stands on the screen, without pointer and number
  Cost cost = Cost::question;
  std::string key = {};  // that chooses it; empty: it is gone to with the arrow keys
  bool operator==(const DialogRow&) const = default;
};
struct Dialog {
  std::string question;  // what is asked, never one of the rows; empty: not seen
  std::vector<DialogRow> rows;
  bool known = false;  // its profile knows it; else it only has the shape of one
  std::string kind = {};
  std::string subject = {};  // the command, path, URL or diff it is about; empty: not seen
  std::string id = {};       // its fingerprint, see identify()

  const DialogRow* row(Cost cost) const;  // the first such row, null when there is none
  // "Do you want to proceed?", or its kind when no question was seen.
  std::string asks() const;
  // What people are told of once: another command under the same question is another matter.
  std::string matter() const;
  bool operator==(const Dialog&) const = default;
};
inline constexpr size_t kMaxDialogRows = 200;          // shown; the id covers all of them
inline constexpr size_t kMaxDialogBytes = 200;         // of a row or a question
inline constexpr size_t kMaxSubjectBytes = 16 * 1024;  // of what it is about

// A longer text without its middle. A line says how much is left out, with a fingerprint of the whole text: two texts that differ
// in their middles differ here, too.
std::string without_middle(const std::string& text, size_t limit = kMaxSubjectBytes);

// Two dialogs have the same id when kind, question, `about` and rows are the same; white space does not count, for lines wrap
// anywhere. `about` is all that tells it from others: its subject as it is drawn, and what its program says of it where not all of
// that is on the screen.
void identify(Dialog& dialog, const std::string& about);
// The same letters in the same order, whatever the white space.
std::string without_space(std::string_view text);

// What a person chose in a dialog. Kept, it is a rule: the same question about the same with the same rows is answered the same way.
struct Answer {
  std::string kind;  // of the question, see State::waiting
  std::string question;
  std::vector<std::string> rows;
  std::string choose;  // one of them
  Cost cost = Cost::question;
  std::string subject = {};
  std::string about = {};  // a pattern for the subject, * is anything; empty: just that subject
  bool unbound = false;    // kept before subjects were known: it fits nothing any more

  bool fits(const Dialog& dialog) const;
  bool operator==(const Answer&) const = default;
};
inline constexpr size_t kMaxAnswers = 32;  // kept, of one agent
Answer answer_to(const std::string& kind, const Dialog& dialog, const DialogRow& row);
// Does this row let something happen? By what it costs; in a dialog nobody described also by how it begins.
bool permits(const std::string& kind, const std::string& row, Cost cost);
// Why it cannot be a rule, and what is there instead; empty: it can.
std::string unfit_for_a_rule(const Answer& answer);

// Does the text fit the pattern, in which * stands for anything? White space does not count.
bool fits_pattern(std::string_view pattern, std::string_view text);

// A row of a menu without frame, pointer and number: what it says.
std::string row_text(const std::string& row);

Json to_json(const Dialog& dialog);
Dialog dialog_from(const Json& json);
Json to_json(const Answer& answer);
Answer answer_from(const Json& json);

}  // namespace pawl::model
