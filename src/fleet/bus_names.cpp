#include "fleet/bus_names.h"

#include <algorithm>

#include "base/text.h"

namespace pawl::fleet {
namespace {

bool letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool one_token(std::string_view text, size_t most) {
  return !text.empty() && text.size() <= most && std::all_of(text.begin(), text.end(), [](char c) {
    return letter_or_digit(c) || c == '-' || c == '_';
  });
}

// What NATS takes in a key. Subjects get no other letters either: nothing has to be quoted anywhere.
bool plain(char c) {
  return letter_or_digit(c) || std::string_view("-_=/").find(c) != std::string_view::npos;
}

}  // namespace

bool valid_fleet(std::string_view name) {
  return one_token(name, kMaxFleetName);
}

bool valid_node(std::string_view name) {
  return one_token(name, kMaxNodeName);
}

bool valid_subject(std::string_view subject, Wildcards wildcards) {
  if (subject.empty() || subject.size() > kMaxSubject) return false;
  const auto tokens = split(subject, '.');
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::string& token = tokens[i];
    const bool wild = token == "*" || (token == ">" && i + 1 == tokens.size());
    if (wild && wildcards == Wildcards::some) continue;
    if (token.empty() || !std::all_of(token.begin(), token.end(), plain)) return false;
  }
  return true;
}

bool valid_key(std::string_view key) {
  return valid_subject(key, Wildcards::none);
}

std::string_view word(Bucket bucket) {
  switch (bucket) {
    case Bucket::nodes:
      return "nodes";
    case Bucket::agents:
      return "agents";
    case Bucket::work:
      return "work";
    case Bucket::leases:
      return "leases";
    case Bucket::accounts:
      return "accounts";
    case Bucket::blobs:
      return "blobs";
  }
  return "nodes";
}

std::string subject_on_bus(const std::string& fleet, std::string_view subject) {
  return "pawl." + fleet + "." + std::string(subject);
}

std::string bucket_stream(const std::string& fleet, Bucket bucket) {
  return "KV_pawl_" + fleet + "_" + std::string(word(bucket));
}

std::string bucket_subject(const std::string& fleet, Bucket bucket, std::string_view key) {
  return "$KV.pawl_" + fleet + "_" + std::string(word(bucket)) + "." + std::string(key);
}

std::string plain_stream(const std::string& fleet, std::string_view name) {
  return "pawl_" + fleet + "_" + std::string(name);
}

std::string reply_prefix(const std::string& fleet, const std::string& node) {
  return subject_on_bus(fleet, "reply." + node);
}

}  // namespace pawl::fleet
