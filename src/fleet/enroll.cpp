#include "fleet/enroll.h"

#include <algorithm>

#include "base/json.h"
#include "fleet/bus_names.h"
#include "os/file.h"
#include "os/private_file.h"

namespace pawl::fleet {
namespace {

constexpr Bucket kEveryBucket[] = {Bucket::nodes,  Bucket::agents,   Bucket::work,
                                   Bucket::leases, Bucket::accounts, Bucket::blobs};
constexpr size_t kMaxRoll = 1u << 20;

std::string quoted_list(const std::vector<std::string>& subjects) {
  std::string out;
  for (const auto& subject : subjects) out += "        \"" + subject + "\"\n";
  return out;
}

std::string user_of(const std::string& fleet, const EnrolledNode& node) {
  return "    # node " + node.name + "\n    { nkey: " + node.key + ", permissions: {\n" +
         "      publish: { allow: [\n" + quoted_list(may_publish(fleet, node.name)) +
         "      ] }\n" + "      subscribe: { allow: [\n" + quoted_list(may_hear(fleet, node.name)) +
         "      ] }\n" + "      allow_responses: { max: 1, expires: \"2m\" }\n    } }\n";
}

Done check_names(const std::string& fleet, const std::string& node) {
  if (!valid_fleet(fleet))
    return fail("\"" + fleet + "\" cannot be a fleet's name",
                "use up to 32 letters, digits, - and _");
  if (!valid_node(node))
    return fail(
        "\"" + node + "\" cannot be a node's name",
        "use up to 64 letters, digits, - and _; of a host name the part before the first dot");
  return {};
}

Json json_of(const Roll& roll) {
  Json nodes = Json::array();
  for (const auto& node : roll.nodes)
    nodes.push(Json::object({{"name", node.name}, {"key", node.key}}));
  return Json::object({{"fleet", roll.fleet}, {"nodes", nodes}});
}

// The configuration first: a node that is in it and not in the roll is only written once more.
Done write(const std::string& dir, const Roll& roll) {
  if (auto made = os::hold_private_dir(dir); !made) return made;
  const std::string config = server_config(roll, new_nkey().key);
  if (auto done = os::write_atomically(server_config_path(dir, roll.fleet), config); !done)
    return done;
  return os::write_atomically(roll_path(dir, roll.fleet), json_of(roll).dump(1) + "\n");
}

}  // namespace

std::vector<std::string> may_publish(const std::string& fleet, const std::string& node) {
  const auto on_bus = [&](const std::string& subject) { return subject_on_bus(fleet, subject); };
  const std::string work = plain_stream(fleet, "work"), inbox = plain_stream(fleet, "inbox"),
                    events = plain_stream(fleet, "events");
  std::vector<std::string> out = {
      bucket_subject(fleet, Bucket::nodes, node),
      bucket_subject(fleet, Bucket::agents, node + ".>"), bucket_subject(fleet, Bucket::work, ">"),
      bucket_subject(fleet, Bucket::leases, ">"), bucket_subject(fleet, Bucket::blobs, ">"),
      bucket_subject(fleet, Bucket::accounts, "*." + node), on_bus("events." + node + ".>"),
      on_bus("work.>"), on_bus("inbox.>"), on_bus("cmd.*." + node), "$JS.API.INFO",
      // A queue's reader is named in the subject, with what it reads: nobody reads another node's inbox off.
      "$JS.API.CONSUMER.CREATE." + work + ".*." + on_bus("work.>"),
      "$JS.API.CONSUMER.MSG.NEXT." + work + ".*", "$JS.ACK." + work + ".>",
      "$JS.API.CONSUMER.CREATE." + inbox + "." + node + "." + on_bus("inbox." + node + ".>"),
      "$JS.API.CONSUMER.MSG.NEXT." + inbox + "." + node, "$JS.ACK." + inbox + "." + node + ".>"};
  std::vector<std::string> read = {events};
  for (const Bucket bucket : kEveryBucket) read.push_back(bucket_stream(fleet, bucket));
  for (const auto& stream : read) {
    out.push_back("$JS.API.CONSUMER.CREATE." + stream);
    out.push_back("$JS.API.CONSUMER.MSG.NEXT." + stream + ".*");
    out.push_back("$JS.API.STREAM.MSG.GET." + stream);
  }
  read.insert(read.end(), {work, inbox});
  for (const auto& stream : read) {
    out.push_back("$JS.API.STREAM.INFO." + stream);
    out.push_back("$JS.API.STREAM.CREATE." + stream);
  }
  return out;
}

std::vector<std::string> may_hear(const std::string& fleet, const std::string& node) {
  return {reply_prefix(fleet, node) + ".>", subject_on_bus(fleet, "cmd." + node + ".*")};
}

std::string server_config(const Roll& roll, const std::string& nobody) {
  std::string users;
  for (const auto& node : roll.nodes) users += user_of(roll.fleet, node);
  return "# Written by `pawl fleet enroll` for the fleet " + roll.fleet +
         "; changes by hand are lost.\n# In the server's configuration:  include \"pawl-" +
         roll.fleet + ".conf\"\nauthorization {\n  users: [\n" + users +
         "    # Nobody has this key: a list without users would let everybody in.\n    { nkey: " +
         nobody +
         ", permissions: { publish: { deny: [\">\"] }, subscribe: { deny: [\">\"] } } }\n" +
         "  ]\n}\n";
}

std::string roll_path(const std::string& dir, const std::string& fleet) {
  return dir + "/" + fleet + ".json";
}

std::string server_config_path(const std::string& dir, const std::string& fleet) {
  return dir + "/pawl-" + fleet + ".conf";
}

Result<Roll> read_roll(const std::string& dir, const std::string& fleet) {
  const std::string path = roll_path(dir, fleet);
  Roll roll{fleet, {}};
  if (!os::exists(path)) return roll;
  const std::string fix = "put back an older one; without it nobody can be enrolled or revoked";
  auto text = os::read_private(path, kMaxRoll);
  if (!text) return tl::unexpected(text.error());
  auto json = Json::parse(*text);
  if (!json || !(*json)["nodes"].is_array() || (*json)["fleet"].as_string() != fleet)
    return fail(path + " is no roll of the fleet " + fleet, fix);
  const Json& nodes = (*json)["nodes"];
  for (const Json& node : nodes.items()) {
    roll.nodes.push_back({node["name"].as_string(), node["key"].as_string()});
    if (!valid_node(roll.nodes.back().name) || !valid_public_key(roll.nodes.back().key))
      return fail(path + " has a node that cannot be one", fix);
  }
  return roll;
}

Result<Enrolled> enroll(const std::string& dir, const std::string& fleet, const std::string& node) {
  if (auto fine = check_names(fleet, node); !fine) return tl::unexpected(fine.error());
  auto roll = read_roll(dir, fleet);
  if (!roll) return tl::unexpected(roll.error());
  for (const auto& other : roll->nodes)
    if (other.name == node)
      return fail(node + " is in the fleet " + fleet + " already, with the key " + other.key,
                  "take another name, or revoke it first: its old file is of no use then");
  if (roll->nodes.size() >= kMaxNodes)
    return fail("the fleet " + fleet + " has " + std::to_string(kMaxNodes) + " nodes already");
  Enrolled made{new_nkey(), ""};
  made.credentials = credentials_of(fleet, node, made.key);
  roll->nodes.push_back({node, made.key.key});
  if (auto done = write(dir, *roll); !done) return tl::unexpected(done.error());
  return made;
}

Done revoke(const std::string& dir, const std::string& fleet, const std::string& node) {
  if (auto fine = check_names(fleet, node); !fine) return fine;
  auto roll = read_roll(dir, fleet);
  if (!roll) return tl::unexpected(roll.error());
  if (std::erase_if(roll->nodes, [&](const EnrolledNode& one) { return one.name == node; }) == 0)
    return fail(node + " is not in the fleet " + fleet, "see who is in " + roll_path(dir, fleet));
  return write(dir, *roll);
}

std::string after_enrolling(const std::string& dir, const std::string& fleet) {
  return "Now let the server read it:  nats-server --signal reload   (once before that: include "
         "\"" +
         server_config_path(dir, fleet) + "\" in its configuration)";
}

}  // namespace pawl::fleet
