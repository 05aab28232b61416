#pragma once
// What follows from one input: events for the journal, effects to perform once they are written, answers to whoever asked. Made by
// the functions of plan/inputs.h, carried out by the engine, remembered by the supervisor (commit).

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "core/effect.h"
#include "model/event.h"

namespace pawl::core {

// What became of a text: "queued" is an answer too.
struct Receipt {
  std::string verdict;  // confirmed, stuck, unverified, queued
  std::string witness;  // how it is known, or why it waits
  int64_t took_ms = 0;
  size_t position = 0;                 // in the outbox, from 1
  std::optional<WallTime> until = {};  // queued: it waits for this time
  bool person = false;                 // queued: somebody has to do something first
  bool keepable = false;               // what was chosen could be kept as a rule, and is not
  bool plain = false;                  // to a program without an interface that is known
};

struct Answer {
  RequestId request;
  Done done;
  std::optional<Receipt> receipt = {};
};

struct Sender {
  RequestId request;
  bool patient = false;  // waits for an end, however many tries that takes
};

// A task that came to its end, for whoever watches its folders.
struct OverTask {
  std::string agent, dir;
  std::vector<std::string> work;  // folders
  bool given_up = false;          // it has no result: somebody may want it gone on with
};

// What is known of a task's lease from now on (Pending::leases).
enum class LeaseStage {
  unheard,    // of a life before: nobody has confirmed it
  confirmed,  // … until then
  stopping,   // not renewed in time: its program was told to end
  over        // … or was killed
};
struct LeaseNews {
  std::string agent;
  BootTime until;
  LeaseStage stage = LeaseStage::confirmed;
  bool guessed = false;  // nobody knows how long it lasts: so long is waited
};

struct Plan {
  std::vector<model::Event> events;
  std::vector<Effect> effects;
  std::vector<Answer> answers;
  std::vector<std::pair<Seq, RequestId>> waits;      // who waits for the outcome of which intent
  std::vector<Seq> escalated;                        // stops that got their KILL
  std::vector<std::pair<uint64_t, Sender>> senders;  // who waits for the outcome of which item
  std::vector<uint64_t> told;                        // items whose senders were answered
  std::vector<std::string> put_off;                  // agents whose next delivery waits a while
  std::string consulted;                             // the agent that rules looked at; empty: none
  std::optional<WallTime> consult_again;             // … and want to look at again
  std::vector<LeaseNews> leases;
  std::vector<size_t> shown;    // alerts of those events: the end of their agent's screen is added
  bool adopts_intents = false;  // intents of an earlier life get their time from now on
};

}  // namespace pawl::core
