#pragma once
// What a screen shows, read by a profile: the input box and what is in it, signs of work, a dialog, a shell's prompt,
// notices. Structure only: no time, no other channel, no conclusion. The Eye keeps what it read and reads again only the
// rows that changed.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "perceive/profile/profile.h"
#include "term/screen.h"

namespace pawl::perceive {

struct Box {
  bool there = false;
  bool framed = false;      // with a border of its own under it
  bool marked = false;      // … or with one over it, or a row that only this program has there
  bool holds = false;       // text, for certain: a list of completions is open
  int first = 0, last = 0;  // rows with its text
  int column = 0;           // where text begins
  bool draft = false;       // it holds text somebody typed; a dim suggestion is none
  std::string text;         // of the draft, cut
  size_t typed = 0;         // bytes of it that are no suggestion
  bool operator==(const Box&) const = default;
};

struct Seen {
  const Sign* sign = nullptr;
  int row = 0;
  std::string text;
};

struct Menu {
  std::string kind = "other";
  std::string named;     // the row it was known by; buttons side by side stand in it
  std::string question;  // what is asked, above the rows and never one of them; empty: not seen
  std::string subject;   // the rest of what is drawn between its edge and the rows
  std::vector<std::string> rows;
  bool known = false;                // a dialog of the profile, not just the shape of one
  int chosen = -1;                   // of the rows
  const DialogRule* rule = nullptr;  // of the profile, when it is known
  int first = -1;                    // of the rows, on the screen; -1: none was found
  bool whole = true;  // all of the subject is drawn: none is above the screen or left out
};

struct NoticeSeen {
  NoticeKind kind = NoticeKind::limit;
  std::string line;  // the row
  std::string text;  // … and what it goes on with
  int row = 0;
};

struct Sight {
  Box box;
  std::optional<Seen> busy, background, start, listens, done, suspended;
  int behind = 0;                  // of what runs behind a free prompt, its screen counts so many
  const ModeRule* mode = nullptr;  // the keyboard does not reach the prompt
  std::optional<Menu> menu;
  std::string shell;  // the prompt left of the cursor, when it looks like a shell's
  std::vector<NoticeSeen> notices;
  bool blank = true;  // no text at all
};

// What a menu is to the rules of policy: its rows with what each of them means. A row that is not in the table is a question
// for a person. `reported`: what its program says it is about, beside what it draws.
model::Dialog dialog_of(const Profile& profile, const Menu& menu, const std::string& reported = {});
// Rows side by side in the row that names the dialog, each with a key of its own.
std::vector<model::DialogRow> keyed_rows(const Profile& profile, const Menu& menu);
// The row that names the dialog is one of those that can be chosen.
bool is_row(const Profile& profile, const Menu& menu);
// The first row of the table that fits; null: there is none.
const DialogRow* table_row(const Profile& profile, const DialogRule& rule, const std::string& text);

// A row as patterns see it: programs put no-break spaces where a person sees a space; none at the end.
std::string plain_row(std::string text);

// Without a scroll bar at its end, which comes and goes.
std::string without_bar(std::string row);

// A side of a frame; in the middle of a row it may be somebody's text.
bool border(const std::string& cell);

// What the box holds, row by row, without borders; those without text at its end left out.
std::vector<std::string> box_rows(const term::Screen& screen, const Box& box);

// The blanks that somebody typed at the end of a one-row draft: up to the cursor, the terminal's or one that is drawn.
std::string blanks_after(const term::Screen& screen, const Box& box);

class Eye {
 public:
  explicit Eye(const Profile& profile) : profile_(&profile) {}

  struct Moved {
    bool above = false, box = false, below = false;
    bool near = false;     // above, and not far from the box
    bool cleared = false;  // everything vanished, or another screen came up
    bool any() const { return above || box || below; }
  };
  // Text that changed since the last look; colours do not count.
  Moved look(const term::Screen& screen);
  const Sight& sight() const { return sight_; }
  // The sign of work on this row is always there, or not a sign: rows with this text are none from now on.
  // False: there are too many for that.
  bool overlook(const std::string& text);
  // … are signs after all.
  void look_again();
  // The next look is at another terminal: all of it is read.
  void forget_generation() { generation_ = 0; }
  // The rows above the box that have text, as numbers in order: to say how much of a picture is another one.
  std::vector<size_t> rows_above() const;
  bool overlooks() const { return !overlooked_.empty(); }
  const Profile& profile() const { return *profile_; }

 private:
  struct Row {
    std::string text;
    Matches marks;
  };

  std::vector<int> refresh(const term::Screen& screen);
  void read_box(const term::Screen& screen);
  bool box_at(const term::Screen& screen, const BoxShape& shape, int row, Box& box) const;
  bool paragraphs(int last, int cursor) const;
  bool completing(int row, const BoxShape& shape) const;
  bool asks_inside(const Box& box) const;
  bool chosen_in_menu(int row) const;
  void read_draft(const term::Screen& screen, Box& box) const;
  void read_signs(const term::Screen& screen);
  std::optional<Seen> find(const std::vector<Sign>& signs) const;
  bool overlooked(int row) const;
  std::optional<Seen> find_done() const;
  int counted_behind() const;
  bool looks_like_menu(Menu& menu) const;
  int chosen_far_above() const;
  void add_numbered(Menu& menu, int chosen) const;
  bool add_counted(Menu& menu, int under) const;
  void add_unnumbered(Menu& menu, int chosen) const;
  bool has_any(int row, const std::vector<int>& patterns) const;
  bool in(Region region, int row) const;
  const ModeRule* find_mode();
  int question_row(const Menu& menu, int named) const;
  int question_end(int row, int first) const;
  std::optional<int> edge_above(int row) const;
  struct Asked {
    int row, end,
        first;  // the question's first row, the one after its last, the first that can be chosen
  };
  std::optional<std::vector<std::string>> scrolled_off(const term::Screen& screen) const;
  void read_question(Menu& menu, int named, const term::Screen& screen) const;
  void read_subject(Menu& menu, const Asked& at, std::vector<std::string> about,
                    const term::Screen& screen) const;
  int framed_from(int row) const;
  int known_by_rows(Menu& menu) const;
  int next_above() const;
  void read_menu(const term::Screen& screen);
  void read_shell(const term::Screen& screen);
  void read_notices();
  bool turn_since(int row) const;
  const Matches& marks(int row) const { return rows_[static_cast<size_t>(row)].marks; }
  const std::string& text(int row) const { return rows_[static_cast<size_t>(row)].text; }

  const Profile* profile_;
  std::vector<Row> rows_;
  std::vector<int> bottom_;  // the last rows with text, from below
  int above_from_ = 0;       // the first row of Region::above
  uint64_t generation_ = 0;
  bool alternate_ = false;
  int cursor_row_ = -1, cursor_col_ = -1;
  bool cursor_visible_ = true;
  std::set<const ModeRule*> met_;  // whose signs were there once
  std::set<std::string> overlooked_;
  Sight sight_;
};

}  // namespace pawl::perceive
