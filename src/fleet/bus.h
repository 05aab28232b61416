#pragma once
// What a node says to the fleet's bus, and what it hears, as values. Behind this seam stand `pawl-bus` with a real NATS server
// (bus_process.h) and the modelled bus of the simulated world, which loses, repeats and delays. doc/fleet.md says what is in which bucket.
//
// Subjects are without their prefix "pawl.<fleet>.". Nothing here waits: whatever is asked is answered once by a BusReply, or never
// when the bus process ends first; then BusLink says that it is down, and everything unanswered counts as `unknown`.
// News come in the order in which the server sent them: with one server the reply to a `get` comes after every BusEntry of what was
// stored before it was answered (member.h's takeover rests on that). In a cluster answers and entries come from different servers: only
// the entries of one bucket are in an order there, the one that all servers keep (parts/jobs_told.cpp rests on that). A link that went down forgets its follows, takes and questions: they are asked anew.

#include <cstdint>
#include <string>
#include <variant>

#include "base/clock.h"

namespace pawl::fleet {

enum class Bucket { nodes, agents, work, leases, accounts, blobs };

enum class BusOp {
  create,  // bucket, key, value: `taken` when the key is there
  put,     // bucket, key, value: whatever is there
  update,  // bucket, key, value, revision: `stale` when it has another revision, or is gone
  remove,  // bucket, key; revision: only that one (0: whichever)
  get,     // bucket, key: value and revision, or `missing`
  publish,  // subject, value, message_id: into the stream of that subject; one with the same id is kept once
  last,  // subject, with wildcards: the newest message of its stream, or `missing`
  // BusMessages come after the reply; its revision is what they come behind, and smaller than asked for when the server lost what it had.
  follow,  // subject, with wildcards; revision: after that sequence of its stream (0: from now on)
  unfollow,  // key: the id of the follow
  request,  // subject, value, limit: a question to another node; its answer is the reply's value; `missing`: nobody listens there
  answer,   // key: the token of a BusAsked; value
  // "work.<queue>" or "inbox.<our name>.>": one message comes as BusMessage with a token, and then the reply; or `missing` within the limit.
  take,
  done,  // key: the token of what was taken: it is off the queue
  back  // … it is given to somebody, perhaps to us again, after its limit: sooner, who cannot use it would turn in circles
};

struct BusAsk {
  uint64_t id = 0;  // the reply names it; 0: nobody waits for one
  BusOp op = BusOp::get;
  Bucket bucket = Bucket::nodes;
  std::string subject = {};
  std::string key = {};
  std::string value = {};
  uint64_t revision = 0;
  std::string message_id = {};
  Duration limit = std::chrono::seconds{5};
  bool operator==(const BusAsk&) const = default;
};

enum class BusEnd {
  done,
  taken,    // create: somebody else's
  stale,    // update, remove: not that revision any more
  missing,  // nothing is there
  refused,  // the server or the other node does not allow it: it was not done, and will not be
  unknown   // no answer came: it may have been done or not
};

struct BusReply {
  uint64_t id = 0;
  BusEnd end = BusEnd::unknown;
  uint64_t revision = 0;  // of the entry, or the sequence in the stream
  std::string value = {};
  std::string because = {};  // it was not done, for people
  bool operator==(const BusReply&) const = default;
};

// One key of a watched bucket (all but blobs): as it is when the link comes up, then at every change. A key that expired is not told.
struct BusEntry {
  Bucket bucket = Bucket::nodes;
  std::string key = {};
  std::string value = {};
  uint64_t revision = 0;
  bool removed = false;
  bool gap =
      false;  // something of the bucket was written over before we were told, just before this
  bool operator==(const BusEntry&) const = default;
};
// Everything of the bucket that was there when the link came up has been told. Entries not told since BusLink are gone.
struct BusCaughtUp {
  Bucket bucket = Bucket::nodes;
  bool operator==(const BusCaughtUp&) const = default;
};

struct BusLink {
  bool up = false;
  std::string because = {};  // it is down, and what to do
  std::string server = {};   // its version: "2.9.10"
  std::string note = {};     // something about it that people should know
  // Several servers: of two that wrote a key at the same time both may have been told `done`, and a change of leader may lose that.
  bool cluster = false;
  bool operator==(const BusLink&) const = default;
};

struct BusMessage {
  uint64_t follow = 0;  // the id of the ask: a follow, or a take
  uint64_t sequence = 0;
  std::string subject;
  std::string value;
  std::string token = {};  // of one that was taken
  bool operator==(const BusMessage&) const = default;
};

// Another node asks. It is answered by BusOp::answer, or the other side's limit ends it.
struct BusAsked {
  std::string token;
  std::string subject;  // "cmd.gpu.lap": to gpu, from lap; the server has seen to it that it is lap
  std::string value;
  bool operator==(const BusAsked&) const = default;
};

using BusNews = std::variant<BusReply, BusEntry, BusCaughtUp, BusLink, BusMessage, BusAsked>;

// What pawl-bus needs to get there.
struct BusJoin {
  std::string urls;        // "nats://a:4222,nats://b:4222" or tls://
  std::string fleet;       // the prefix: "home"
  std::string node;        // our name in it
  std::string creds = {};  // file with the node's NKey seed; empty: none
  std::string ca = {};     // file; empty: the system's
  Duration lease = std::chrono::seconds{30};
  bool operator==(const BusJoin&) const = default;
};

}  // namespace pawl::fleet
