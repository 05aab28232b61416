#pragma once
// How things are called on the bus (doc/fleet.md): streams, subjects, buckets and their keys. Pure. pawl-bus speaks them, and enroll
// says who may.

#include <string>
#include <string_view>

#include "fleet/bus.h"

namespace pawl::fleet {

inline constexpr size_t kMaxFleetName = 32, kMaxNodeName = 64;
inline constexpr size_t kMaxSubject = 240;  // of ours, without the prefix; also of a key

// One token of a subject: letters, digits, '-' and '_'. A host name's dots are not in it.
bool valid_fleet(std::string_view name);
bool valid_node(std::string_view name);
// Tokens with dots between them; "*" and at the end ">" where there may be wildcards.
enum class Wildcards { none, some };
bool valid_subject(std::string_view subject, Wildcards wildcards);
bool valid_key(std::string_view key);

std::string_view word(Bucket bucket);
std::string subject_on_bus(const std::string& fleet, std::string_view subject);  // "pawl.home.…"
std::string bucket_stream(const std::string& fleet, Bucket bucket);  // "KV_pawl_home_nodes"
std::string bucket_subject(const std::string& fleet, Bucket bucket, std::string_view key);
std::string plain_stream(const std::string& fleet, std::string_view name);  // "pawl_home_events"
// Where answers to us arrive, and nothing else may listen.
std::string reply_prefix(const std::string& fleet, const std::string& node);

}  // namespace pawl::fleet
