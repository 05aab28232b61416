#pragma once
// The audit: everything somebody asked for, in a chain. Every entry is a line of JSON that carries the hash of the one before, so that
// one that was changed, taken out or cut off is found. It is a table of the journal's file, written in the same transaction as the
// events, and kept longer than they are.
//
// It shows what was changed by accident, or by somebody who did not take care. Who may write the file can make a whole new chain: a
// copy elsewhere (`pawl audit --export`) is compared with the end that was printed then.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/event.h"
#include "store/journal.h"

struct sqlite3;

namespace pawl::store {

inline constexpr int64_t kAuditKept = 1'000'000;  // entries; older ones go
inline constexpr const char* kAuditTable =
    "CREATE TABLE audit(n INTEGER PRIMARY KEY AUTOINCREMENT, entry TEXT NOT NULL, hash TEXT NOT "
    "NULL) STRICT;";

// SHA-256, in hex.
std::string audit_hash(std::string_view entry);

// The writer's end: used by the journal inside its own transactions.
class AuditChain {
 public:
  // What is there already goes on.
  void open(sqlite3* db);
  // False: it could not be written. Events that nobody asked for are passed over.
  bool add(sqlite3* db, const model::Event& event);
  void rolled_back(sqlite3* db) { open(db); }
  bool trim(sqlite3* db) const;

 private:
  int64_t last_ = 0;
  std::string hash_;  // of the last one; empty: there is none
};

// What is found when the chain is followed.
struct AuditReport {
  int64_t first = 0, last = 0;  // entries; 0: there is none
  std::string end;              // the hash of the last one
  std::string broken;           // what is wrong, and where; empty: nothing
  std::string torn;             // a last line that is not whole; empty: it is
};

using AuditVisit = std::function<void(const std::string& entry)>;
// From the journal's file, which a daemon may write meanwhile. Changes nothing.
Result<AuditReport> read_audit(const std::string& journal, const AuditVisit& visit = {});
// … and from what `pawl audit --export` wrote.
AuditReport follow_audit(std::string_view lines, const AuditVisit& visit = {});

}  // namespace pawl::store
