#pragma once
// What is kept on the server: the streams of doc/fleet.md's table, their limits, and how each is asked for. Pure.
//
// A stream that is there already is used as it is, when it is what we would have made: whoever may make a missing stream could make
// one that copies, forwards or forgets.

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "fleet/bus.h"

namespace pawl::bus {

inline constexpr Duration kAckWait = std::chrono::seconds{30};
inline constexpr int64_t kMiB = 1 << 20;

struct Stream {
  std::string name;
  std::string subjects;  // all of it
  bool bucket = false;   // the newest of each subject only
  bool queue = false;    // gone when it was done
  Duration max_age{};
  int64_t max_bytes = 0;
};

std::vector<Stream> streams_of(const std::string& fleet, Duration lease);
// That of a subject of ours, with wildcards: "events.>".
std::optional<Stream> stream_with(const std::string& fleet, std::string_view subject);

// The body of STREAM.CREATE.
Json wish_of(const Stream& stream, int replicas);
// What is wrong with the configuration of one that is there.
Done check(const Stream& stream, const Json& config);

// A reader of what comes, in windows, that is gone when it is not asked any more. `after`: from behind that sequence on.
enum class From { newest_of_each, after, now };
Json reader_wish(const std::string& stream, const std::string& filter, From from, uint64_t after);
// The reader of a queue: one for all who take from it.
struct QueueReader {
  std::string stream, name, filter;  // all on the bus
};
// Nothing: that is no queue, or another node's.
std::optional<QueueReader> queue_reader(const std::string& fleet, const std::string& node,
                                        std::string_view subject);
Json queue_wish(const QueueReader& reader);

// Of what the server answers: {"error": …}. `code`: JetStream's own number.
struct Refusal {
  int64_t code = 0, status = 0;
  std::string words;
};
std::optional<Refusal> refusal_in(const Json& answer);
// For people, and whether the store is full.
std::string sentence_of(const Refusal& refusal);

// The reply subject of a message that a reader was given: "$JS.ACK.<stream>.<reader>.1.<sequence>.<number>.<time>.<left>".
struct Given {
  std::string reader;
  uint64_t sequence = 0, number = 0;
};
std::optional<Given> given(std::string_view reply);

}  // namespace pawl::bus
