#pragma once
// What is too large for a unit of work, in parts of the bucket `blobs`: prompts. Each part is asked for, and asked for again after an
// answer that did not come; what arrives is compared with its digest, which stands in the unit. A key is of one unit alone, so that
// nobody removes what another one needs. doc/fleet.md, "Large prompts", has the rule by which blobs go.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fleet/parts/desk.h"

namespace pawl::fleet {

inline constexpr size_t kMostBlob = 64u << 20;
inline constexpr size_t kMostParts = kMostBlob / kBlobPart;
inline constexpr size_t kPartsAtOnce = 4;  // of one blob, asked and not answered
inline constexpr size_t kBlobsStored = 2;  // at the same time: each is in memory
inline constexpr size_t kBlobsFetched = 16;
inline constexpr Duration kBlobWithin = std::chrono::minutes{5};  // stored or fetched
inline constexpr Duration kPartAgain = std::chrono::seconds{1};
inline constexpr size_t kBlobGoes = 4096;  // parts that are still to be removed

// In a unit's task: "blob".
struct BlobName {
  std::string key;     // of its parts: "<key>.<number>"
  std::string digest;  // of its parts' digests, one behind the other
  size_t size = 0;
  size_t parts() const { return (size + kBlobPart - 1) / kBlobPart; }
  bool operator==(const BlobName&) const = default;
};
Json to_json(const BlobName& blob);
// None: that is no blob's name, whoever wrote it.
std::optional<BlobName> blob_from(const Json& json);

class Blobs {
 public:
  explicit Blobs(Desk& desk) : desk_(desk) {}

  // With the next step it is being stored. `salt`: nobody else's. None, and nothing was begun: there is too much under way.
  bool store(uint64_t ticket, const std::string& salt, std::string value);
  // What became of it. Not stored: what was put is removed again.
  struct Stored {
    uint64_t ticket = 0;
    std::optional<BlobName> name = {};
    std::string because = {};
  };
  std::vector<Stored> take_stored() { return std::exchange(stored_, {}); }

  // The answer is the order BlobCame.
  void fetch(uint64_t ticket, const BlobName& blob);
  void let_go(const BlobName& blob);

  void link_changed();
  void reply(const Question& question, const BusReply& reply);
  void step();
  std::optional<MonoTime> wake_at() const;

 private:
  enum class Asked { no, open, done };
  struct Way {  // of one blob, there or here
    bool stores = false;
    uint64_t ticket = 0;
    BlobName name = {};
    std::string value = {};                            // to be stored
    std::vector<std::string> came = {}, digests = {};  // of the parts
    std::vector<Asked> asked = {};
    MonoTime until{}, again{};
  };
  static std::string key_of(const BlobName& blob, size_t part);
  void ask(uint64_t id, Way& way);
  void came(Way& way, size_t part, const std::string& value);
  void over(uint64_t id, const std::string& because, bool gone = false);
  void end_store(Way& way, const std::string& because);
  void end_fetch(Way& way, const std::string& because, bool gone);
  size_t under_way(bool stores) const;
  void remove_some();

  Desk& desk_;
  uint64_t next_ = 0;
  std::map<uint64_t, Way> ways_;
  std::vector<Stored> stored_;
  std::vector<std::string> going_;  // keys
};

}  // namespace pawl::fleet
