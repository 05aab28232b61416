#pragma once
// How the runs of a task go when nobody tells them: how long they work, and how likely each way of going wrong is, of each run, from 0
// to 1. All zero by default: it works, says so now and then, and comes to a good end. Drawn with a night, read by TaskProgram.

#include "base/clock.h"

namespace pawl::sim {

struct TaskWays {
  Duration works_from = std::chrono::seconds{20}, works_to = std::chrono::minutes{10};
  Duration says_every = std::chrono::seconds{20};  // at most, between two things it prints

  double fails = 0;    // ends with another code than 0, and says why
  double crashes = 0;  // dies of a signal in the middle
  double hangs = 0;    // stops for good: no output, no end
  double silent = 0;   // works for a long while without a word: the processor tells
  double floods = 0;   // prints a lot at once
  double deaf = 0;     // is not ended by TERM
  double asks = 0;     // of a plain one: asks something on its terminal, and waits for ever
  // Of one that tells of its turn in records.
  double vanishes = 0;  // ends with 0, and without a result
  double lingers = 0;   // says its result and does not end
  double denied = 0;    // was refused something, and came to its end
  double limits = 0;    // its account's limit, for up to two hours
  double overload = 0;  // its service does not answer
  double auth = 0;      // its login does not work
  double forgets = 0;   // the conversation it is to go on with is not there
};

// The one list of its keys: stories are written, read and shortened by it.
template <class Visit>
void each_rate(TaskWays& ways, Visit&& visit) {
  visit("fails", ways.fails);
  visit("crashes", ways.crashes);
  visit("hangs", ways.hangs);
  visit("silent", ways.silent);
  visit("floods", ways.floods);
  visit("deaf", ways.deaf);
  visit("vanishes", ways.vanishes);
  visit("lingers", ways.lingers);
  visit("denied", ways.denied);
  visit("limits", ways.limits);
  visit("overload", ways.overload);
  visit("auth", ways.auth);
  visit("forgets", ways.forgets);
  visit("asks", ways.asks);
}

template <class Visit>
void each_span(TaskWays& ways, Visit&& visit) {
  visit("works_from_s", ways.works_from);
  visit("works_to_s", ways.works_to);
  visit("says_every_s", ways.says_every);
}

}  // namespace pawl::sim
