#pragma once
// Program Status (OSC 7501): programs that say what they are doing. A bounded set of records, one
// per id. The interpreter feeds it; perception reads it as the first channel among several. All of
// it is untrusted text: a record never authorises anything. Below, the other direction: what Pawl
// itself says to the terminal of a person who asked to see its agents.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::term {

inline constexpr size_t kMaxStatusRecords = 64;        // the least recently updated goes first
inline constexpr size_t kMaxStatusReportBytes = 4096;  // a longer report is discarded
inline constexpr size_t kMaxStatusAppBytes = 32;
inline constexpr size_t kMaxStatusTitleBytes = 192;  // decoded
inline constexpr size_t kMaxStatusMessageBytes = 2048;
inline constexpr size_t kMaxStatusIdBytes = 128;
inline constexpr size_t kMaxStatusIdLevels = 8;

enum class ProgramState : uint8_t { idle, working, done, blocked, error };
enum class BlockedKind : uint8_t { none, permission, question, auth };

struct StatusRecord {
  std::string id;  // "" is the program itself, "a/b" a job of its sub-agent a
  ProgramState state = ProgramState::idle;
  BlockedKind kind = BlockedKind::none;
  std::optional<uint8_t> progress;  // percent
  std::string app, title, message;
  uint64_t updated = 0;  // counts reports: the higher, the later
  bool operator==(const StatusRecord&) const = default;
};

// Whether the terminal reads reports. One that does answers with the same bytes.
inline constexpr std::string_view kStatusQuery = "\x1b]7501;?\x1b\\";
// The sequence that sets this record; empty when its id is none. Title and message lose what has no
// business in a name (control, bidirectional and invisible characters) and are cut at their limits,
// other values lose what the protocol does not allow: what comes out is always a valid report.
std::string status_report(const StatusRecord& record);
// … that removes the record of this id and those below it; "" removes all of them.
std::string status_clear(std::string_view id = {});

const char* name_of(ProgramState state);
const char* name_of(BlockedKind kind);

class StatusRecords {
 public:
  // What stands after "7501;". False when the report was discarded.
  bool report(std::string_view text);
  // The process is gone, or a shell prompt is back: nothing is working or blocked any more.
  void drop_active();
  void clear() { records_.clear(); }

  const std::vector<StatusRecord>& all() const {
    return records_;
  }  // the least recently updated first
  const StatusRecord* find(std::string_view id) const;
  const StatusRecord* root() const { return find(""); }
  uint64_t reports() const { return reports_; }
  // For restore(). False when a limit is broken.
  bool set(std::vector<StatusRecord> records, uint64_t reports);

  bool operator==(const StatusRecords&) const = default;

 private:
  void store(StatusRecord record);
  void remove(std::string_view id);

  std::vector<StatusRecord> records_;
  uint64_t reports_ = 0;
};

}  // namespace pawl::term
