#pragma once
// How a modelled program behaves when nobody tells it: how long it works, and how likely each oddity is on each occasion, from 0
// to 1. All zero by default: it does its work and nothing else. Drawn by whoever makes a world, read by Program. The direct
// orders (Program's own) make the same things happen at once.

#include "base/clock.h"

namespace pawl::sim {

struct Behaviour {
  // Its ordinary life.
  Duration turn_from = std::chrono::seconds{4}, turn_to = std::chrono::seconds{40};
  // From one picture of its turning line to the next. Perception calls a busy program stuck that prints nothing for 30 s, so
  // the pace stays under that.
  Duration pace = std::chrono::seconds{25};
  Duration job_from = std::chrono::minutes{1}, job_to = std::chrono::minutes{20};
  int tokens = 1500;      // that a turn adds to the context
  int context = 200'000;  // when that is full it compacts by itself

  // Of each turn.
  double tool = 0;       // runs a command in it
  double asks = 0;       // asks for permission in it
  double questions = 0;  // asks a question
  double limits = 0;     // ends at the account's limit …
  Duration limit_from = std::chrono::minutes{10}, limit_to = std::chrono::hours{5};
  double limit_menu = 0;  // … with a menu, where it has one
  double continues = 0;   // … and goes on by itself when that is over, as some say they do
  double auth = 0;        // fails of a login
  double overload = 0;    // … of a service that is at its limit
  double context_full = 0;
  double jobs = 0;       // leaves something running behind
  double own_turns = 0;  // starts another one by itself soon after
  double surveys = 0;    // asks how it does, beside its box
  double slow_turn = 0;  // begins 2 s after its prompt
  double crashes = 0;    // dies in the middle
  double hangs = 0;      // stops for good: no output, no reading

  // Of each start.
  double never_opens = 0;  // its interface does not come

  // Of each dialog.
  double deaf_dialogs = 0;  // takes no key

  // Of each text that is typed or pasted.
  double eats_paste = 0;  // wholly
  double eats_part = 0;
  double doubles = 0;
  double slow_echo = 0;  // its pictures come up to 1.5 s late
  double mute = 0;       // the text is there and is not drawn until the next key

  // Of each Enter.
  double lost_enter = 0;
  double early_enter = 0;                          // swallowed when it comes soon after a paste …
  double early_newline = 0;                        // … or made a part of the text
  Duration deaf = std::chrono::milliseconds{120};  // "soon"
  double refuses = 0;                              // its user's hook gives the prompt back
  double forgets = 0;                              // its box empties, and nothing comes of it
  double dialog_at_enter = 0;
  double dies_at_enter = 0;

  // Of each picture.
  double halves = 0;   // in two parts, up to 50 ms apart
  double clears = 0;   // after an emptied screen
  double garbage = 0;  // with bytes that mean nothing in front

  // Of each hook and each report (OSC 7501).
  double hook_lost = 0, hook_doubled = 0, hook_late = 0;  // late: up to 20 s
  double status_absent = 0, status_late = 0;              // late: up to 5 s
  double status_wrong = 0;                                // another state than it is in
};

// The next time there is an occasion, whatever the rates say.
enum class Oddity : unsigned char {
  eat_paste,
  eat_part,
  double_text,
  slow_echo,
  mute,
  lose_enter,
  newline_enter,
  refuse,
  forget,
  dialog_at_enter,
  die_at_enter,
  lose_hook,
  double_hook,
  late_hook,
  no_status,
  late_status,
  wrong_status,
  slow_turn,
  count
};

}  // namespace pawl::sim
