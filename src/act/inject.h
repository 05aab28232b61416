#pragma once
// Types a text into an agent's box and sees it taken (W7). The bytes go out in one paste, once; Enter goes out apart, after the
// text was seen in the box and the program's paste window is over, and again only while the text is still there.
//
//   settle   nobody's keys are on their way, the box is there
//   clear    a person's draft, saved first, is removed (only a text that cannot wait gets that far)
//   echo     the paste is out: see it in the box, whole
//   burst    wait past the window in which the program takes Enter for a part of the paste
//   taken    Enter is out: see a witness
//   take_back  it did not work: what we typed is taken out of the box again
//   restore  the draft is put back
//
// While it runs, core holds a person's keys back and gives them to the program after it: nothing of theirs is lost, moved or
// joined with ours.

#include <string>

#include "act/outcome.h"
#include "act/shown.h"
#include "act/view.h"

namespace pawl::act {

inline constexpr Duration kKeysSettle = std::chrono::milliseconds{300};  // after a person's key
inline constexpr Duration kBoxStable = std::chrono::milliseconds{60};    // before it is believed
inline constexpr Duration kSettleLong = std::chrono::seconds{3};
inline constexpr Duration kClearLong = std::chrono::seconds{1};
inline constexpr Duration kEchoLong = std::chrono::seconds{4};  // and a second per 32 KiB
inline constexpr Duration kEchoMost = std::chrono::minutes{1};  // … while more and more of it comes
inline constexpr Duration kAgainAfter = std::chrono::milliseconds{700};  // the text is still there
inline constexpr int kEnters = 3;                                        // at most, together
inline constexpr Duration kTurnLong = std::chrono::seconds{3};  // an emptied box, and no turn
inline constexpr Duration kCommandLong =
    std::chrono::seconds{1};  // before it is believed that a command is known
inline constexpr Duration kTakenLong = std::chrono::seconds{10};
inline constexpr Duration kHooksLong = std::chrono::seconds{20};  // of the program's own hooks
inline constexpr Duration kGoneFor =
    std::chrono::milliseconds{250};         // the box, before it is believed
inline constexpr int kSweeps = 2;           // of the box
inline constexpr size_t kSweptRows = 2000;  // … each
inline constexpr Duration kAsksFor = std::chrono::milliseconds{300};  // before it is a dialog
inline constexpr Duration kRestoreLong = std::chrono::seconds{5};
inline constexpr Duration kPlainYoung =
    std::chrono::milliseconds{1500};  // a program nobody knows comes up
inline constexpr Duration kPlainEcho = std::chrono::milliseconds{500};

struct Order {
  std::string text;
  bool now = false;    // a draft is saved and put back
  bool plain = false;  // the program has no interface that is known: no box, no turn
  Duration burst = std::chrono::milliseconds{200};  // the program's paste window
  bool limit_over = false;                          // its notice of a limit stands there still
  std::string lead = {};    // typed before it, so that it is a prompt and not a command
  std::string cannot = {};  // not empty: it cannot be typed, for this reason
};

class Inject {
 public:
  Inject(Order order, MonoTime now);
  // The text may be in the box, or submitted, by an earlier life of the daemon: look, and type nothing but Enter.
  // `draft`: the person's that it had saved.
  static Inject resumed(Order order, MonoTime now, std::string draft = {});
  // The text was not taken and is in the box: it is taken out again. Not when anything else is there.
  static Inject taking_out(Order order, MonoTime now);

  Step look(const View& view);
  const std::string& text() const { return order_.text; }
  bool plain() const { return order_.plain; }  // it looks at View::line
  // At View::above: for a prompt that its box could not show whole.
  bool looks_above() const { return stage_ == Stage::taken && !seen_whole_; }
  // May the program have taken it? Not before Enter was pressed. One that was found under way may.
  bool sent() const;

 private:
  enum class Stage {
    settle,
    clear,
    echo,
    burst,
    taken,
    take_back,
    restore,
    found,
    left_there,
    plain_echo,
    plain_taken
  };

  Step settle(const View& view);
  Step settle_box(const View& view);
  Step clear(const View& view);
  Step paste(const View& view);
  Step echo(const View& view);
  Step burst(const View& view);
  Step enter(const View& view);
  Step taken(const View& view);
  Step fail(const View& view, std::string witness, Verdict verdict = Verdict::stuck);
  Step sweep(const View& view);
  Step take_back(const View& view);
  Step restore(const View& view);
  Step found(const View& view);
  Step left_there(const View& view);
  bool asks(const View& view);
  std::optional<Step> asked_meanwhile(const View& view);
  Step refused(const View& view);
  Step in_mode(const View& view);
  Step plain_echo(const View& view);
  bool behind_others(const View& view) const;
  Step plain_taken(const View& view);
  Step still_there(const View& view);
  Step turned_down(const View& view, Verdict verdict, const std::string& says);
  Step end(const View& view, Verdict verdict, std::string witness, bool left = false);
  Step to(Stage stage, const View& view, std::string write = {});
  Shown in_box(const View& view) const;
  void watch_box(const View& view);
  bool hook_told(const View& view) const;
  bool began(const View& view) const;
  bool given_back(const View& view) const;
  bool told(const View& view) const;
  bool told_of_another(const View& view) const;
  bool command() const { return order_.text.starts_with('/'); }
  std::vector<std::string> unknown(const View& view) const;
  bool known(const View& view) const;
  std::optional<Outcome> witnessed(const View& view) const;
  Duration reading() const;  // how long a slow program may need for all of it

  Order order_;
  Stage stage_ = Stage::settle;
  MonoTime since_;  // of the stage
  MonoTime first_enter_{}, entered_{};
  int enters_ = 0;
  size_t unknown_ = 0;       // at the first: rows that say it knows no such command
  bool no_before_ = false;   // … and its last word was that a hook refused another prompt
  bool was_busy_ = false;    // before our Enter: a turn that goes on proves nothing
  bool seen_whole_ = false;  // in the box, at Enter
  bool beside_ = false;      // it works at something else, with the text in its box
  MonoTime empty_since_{};   // the box, after Enter
  bool emptied_ = false;     // … and long enough
  bool left_box_ = false;    // … since the last Enter, whatever came into it later
  bool turn_seen_ = false;   // since Enter
  int sweeps_ = 0;
  bool taking_out_ = false;  // that is all there is to do
  MonoTime asks_since_{};    // a dialog stands there
  std::string draft_;        // a person's
  bool putting_back_ = false;
  bool echoed_ = false;  // by a plain program
  bool boxed_ = false;   // … that draws a box
  size_t bare_ = 0;      // bytes in it before ours
  std::string line_;     // … at Enter
  int row_ = -1;
  std::optional<Outcome> outcome_;  // while the draft is put back
};

}  // namespace pawl::act
