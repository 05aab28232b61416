#include "bus/stores.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "fleet/bus_names.h"
#include "fleet/bus_wire.h"

namespace pawl::bus {
namespace {

using fleet::Bucket;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr Duration kDuplicates = minutes{2};
constexpr Duration kReaderStays = minutes{1};
constexpr size_t kHeaders = 4u << 10;
constexpr int64_t kFull = 10077, kNoRoom = 10047, kNoMemory = 10028, kNoResources = 10023,
                  kTooMuchForAccount = 10002, kMessageTooLarge = 10054, kNotEnabled = 10076,
                  kNotEnabledForAccount = 10039;

int64_t nanoseconds(Duration time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

Stream bucket_of(const std::string& fleet, Bucket bucket, Duration max_age, int64_t max_bytes) {
  Stream stream{fleet::bucket_stream(fleet, bucket), fleet::bucket_subject(fleet, bucket, ">")};
  stream.bucket = true;
  stream.max_age = max_age;
  stream.max_bytes = max_bytes;
  return stream;
}

Stream plain_of(const std::string& fleet, const std::string& name, int64_t max_bytes) {
  Stream stream{fleet::plain_stream(fleet, name), fleet::subject_on_bus(fleet, name + ".>")};
  stream.queue = name != "events";
  stream.max_age = hours{24 * 7};
  stream.max_bytes = max_bytes;
  return stream;
}

std::string code_of(const Refusal& refusal) {
  return refusal.code == 0 ? "" : " (" + std::to_string(refusal.code) + ")";
}

}  // namespace

std::vector<Stream> streams_of(const std::string& fleet, Duration lease) {
  const Duration month = hours{24 * 30};
  return {bucket_of(fleet, Bucket::nodes, month, 8 * kMiB),
          bucket_of(fleet, Bucket::agents, month, 64 * kMiB),
          bucket_of(fleet, Bucket::work, month, 128 * kMiB),
          bucket_of(fleet, Bucket::leases, lease, 8 * kMiB),
          bucket_of(fleet, Bucket::accounts, month, 16 * kMiB),
          bucket_of(fleet, Bucket::blobs, 2 * month, 512 * kMiB),
          plain_of(fleet, "events", 512 * kMiB),
          plain_of(fleet, "work", 64 * kMiB),
          plain_of(fleet, "inbox", 64 * kMiB)};
}

std::optional<Stream> stream_with(const std::string& fleet, std::string_view subject) {
  const auto name = std::string(subject.substr(0, subject.find('.')));
  for (auto& stream : streams_of(fleet, seconds{30}))
    if (!stream.bucket && stream.name == fleet::plain_stream(fleet, name)) return stream;
  return std::nullopt;
}

// What is full refuses what comes, so that nothing is lost in silence; events make room, because they are in the journals.
Json wish_of(const Stream& stream, int replicas) {
  Json wish =
      Json::object({{"name", stream.name},
                    {"subjects", Json(Json::Array{Json(stream.subjects)})},
                    {"retention", stream.queue ? "workqueue" : "limits"},
                    {"storage", "file"},
                    {"max_age", nanoseconds(stream.max_age)},
                    {"max_bytes", stream.max_bytes},
                    {"max_msgs", -1},
                    {"max_msg_size", static_cast<int64_t>(fleet::kMaxBusValue + kHeaders)},
                    {"max_consumers", -1},
                    {"max_msgs_per_subject", stream.bucket ? 1 : -1},
                    {"discard", stream.bucket || stream.queue ? "new" : "old"},
                    {"duplicate_window", nanoseconds(std::min(kDuplicates, stream.max_age))},
                    {"num_replicas", replicas},
                    {"deny_delete", true},
                    {"deny_purge", !stream.bucket}});
  return wish;
}

Done check(const Stream& stream, const Json& config) {
  const auto wrong = [&](const std::string& what) {
    return fail("the bus's stream " + stream.name + " is not as pawl makes it: " + what,
                "see who made it; remove it on the server, and pawl makes it again");
  };
  const auto subjects = config["subjects"].as_strings();
  if (subjects != std::vector<std::string>{stream.subjects}) return wrong("it has other subjects");
  for (const char* key : {"mirror", "sources", "republish", "subject_transform"})
    if (!config[key].is_null()) return wrong(std::string("it has \"") + key + "\"");
  if (config["sealed"].as_bool()) return wrong("it is sealed");
  if ((config["retention"].as_string() == "workqueue") != stream.queue)
    return wrong("it keeps what it should not, or does not keep what it should");
  if ((config["max_msgs_per_subject"].as_int() == 1) != stream.bucket)
    return wrong("it keeps another number of messages for each subject");
  if (stream.name.ends_with("_leases") && config["max_age"].as_int() != nanoseconds(stream.max_age))
    return fail("the leases of this fleet last " +
                    short_duration(Duration{config["max_age"].as_int() / 1000}) +
                    ", and this node wants them to last " + short_duration(stream.max_age),
                "use one time in the whole fleet");
  return {};
}

Json reader_wish(const std::string& stream, const std::string& filter, From from, uint64_t after) {
  Json config = Json::object({{"filter_subject", filter},
                              {"ack_policy", "none"},
                              {"replay_policy", "instant"},
                              {"max_deliver", -1},
                              {"mem_storage", true},
                              {"num_replicas", 1},
                              {"inactive_threshold", nanoseconds(kReaderStays)}});
  switch (from) {
    case From::newest_of_each:
      config.set("deliver_policy", "last_per_subject");
      break;
    case From::after:
      config.set("deliver_policy", "by_start_sequence");
      config.set("opt_start_seq", after + 1);
      break;
    case From::now:
      config.set("deliver_policy", "new");
      break;
  }
  return Json::object({{"stream_name", stream}, {"config", config}});
}

std::optional<QueueReader> queue_reader(const std::string& fleet, const std::string& node,
                                        std::string_view subject) {
  const auto tokens = split(subject, '.');
  if (tokens.size() == 2 && tokens[0] == "work" && fleet::valid_node(tokens[1]))
    return QueueReader{fleet::plain_stream(fleet, "work"), tokens[1],
                       fleet::subject_on_bus(fleet, subject)};
  if (subject == "inbox." + node + ".>")
    return QueueReader{fleet::plain_stream(fleet, "inbox"), node,
                       fleet::subject_on_bus(fleet, subject)};
  return std::nullopt;
}

Json queue_wish(const QueueReader& reader) {
  const Json config = Json::object({{"durable_name", reader.name},
                                    {"name", reader.name},
                                    {"filter_subject", reader.filter},
                                    {"ack_policy", "explicit"},
                                    {"ack_wait", nanoseconds(kAckWait)},
                                    {"deliver_policy", "all"},
                                    {"replay_policy", "instant"},
                                    {"max_deliver", -1},
                                    {"max_ack_pending", 10000}});
  return Json::object({{"stream_name", reader.stream}, {"config", config}});
}

std::optional<Refusal> refusal_in(const Json& answer) {
  const Json& error = answer["error"];
  if (!error.is_object()) return std::nullopt;
  return Refusal{error["err_code"].as_int(), error["code"].as_int(),
                 error["description"].as_string().substr(0, 200)};
}

std::string sentence_of(const Refusal& refusal) {
  switch (refusal.code) {
    case kFull:
      return "the bus's store is full (" + refusal.words +
             "): remove what is not needed any more, or give its stream more room";
    case kNoRoom:
    case kNoMemory:
    case kNoResources:
    case kTooMuchForAccount:
      return "the bus has no room for what a fleet keeps (" + refusal.words +
             "): give nats-server a larger disk, or a larger max_file_store in its jetstream block";
    case kMessageTooLarge:
      return "it is larger than the bus takes";
    case kNotEnabled:
    case kNotEnabledForAccount:
      return "the bus keeps nothing: write  jetstream { store_dir: \"/var/lib/nats\" }  into "
             "nats-server's configuration";
    default:
      return "the bus says: " + refusal.words + code_of(refusal);
  }
}

std::optional<Given> given(std::string_view reply) {
  const auto tokens = split(reply, '.');
  if (tokens.size() < 9 || tokens[0] != "$JS" || tokens[1] != "ACK") return std::nullopt;
  const size_t at = tokens.size() == 9 ? 3 : 5;  // newer servers name a domain and an account first
  if (tokens.size() < at + 6) return std::nullopt;
  Given found{tokens[at]};
  const auto number = [&](const std::string& text, uint64_t& out) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc{} && end == text.data() + text.size();
  };
  if (!number(tokens[at + 2], found.sequence) || !number(tokens[at + 3], found.number))
    return std::nullopt;
  return found;
}

}  // namespace pawl::bus
