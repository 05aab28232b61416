#include "store/audit.h"

#include <memory>

#include "base/json.h"
#include "base/sha256.h"
#include "store/sqlite.h"

namespace pawl::store {
namespace {

constexpr int kAuditBusyMs = 2000;

// Follows one line after the other.
class Follower {
 public:
  explicit Follower(const AuditVisit& visit) : visit_(visit) {}

  // False: from here on nothing can be said.
  bool line(const std::string& entry) {
    const auto json = Json::parse(entry);
    const int64_t number = json ? (*json)["n"].as_int() : 0;
    if (number <= 0) return breaks("is no entry", report.last + 1);
    if (report.last != 0 && number != report.last + 1)
      return breaks("comes after " + std::to_string(report.last) + ": something is missing between",
                    number);
    const std::string before = (*json)["before"].as_string();
    if (report.last != 0 && before != report.end)
      return breaks("does not go on from the one before: one of the two was changed", number);
    if (number == 1 && !before.empty())
      return breaks("is the first one, and says it is not", number);
    if (report.first == 0) report.first = number;
    report.last = number;
    report.end = audit_hash(entry);
    if (visit_) visit_(entry);
    return true;
  }
  bool breaks(const std::string& what, int64_t number) {
    report.broken = "entry " + std::to_string(number) + " " + what;
    return false;
  }

  AuditReport report;

 private:
  const AuditVisit& visit_;
};

}  // namespace

std::string audit_hash(std::string_view entry) {
  return sha256_hex(entry);
}

void AuditChain::open(sqlite3* db) {
  last_ = query_integer(db, "SELECT seq FROM sqlite_sequence WHERE name='audit'", 0);
  Statement newest(db, "SELECT hash FROM audit ORDER BY n DESC LIMIT 1");
  hash_ = newest.step() == SQLITE_ROW ? newest.text(0) : std::string();
}

bool AuditChain::add(sqlite3* db, const model::Event& event) {
  const auto* asked = std::get_if<model::Requested>(&event.fact);
  if (!asked) return true;
  Json entry = Json::object({{"n", last_ + 1},
                             {"seq", event.seq.value == 0 ? Json() : Json(event.seq.value)},
                             {"at", rfc3339(event.at)},
                             {"agent", event.agent.empty() ? Json() : Json(event.agent)}});
  const Json body = model::body_of(event.fact);
  for (const auto& [key, value] : body.members()) entry.set(key, value);
  entry.set("before", hash_);
  const std::string line = entry.dump(), hash = audit_hash(line);
  Statement insert(db, "INSERT INTO audit(n,entry,hash) VALUES(?,?,?)");
  if (insert.bind(1, last_ + 1).bind(2, line).bind(3, hash).step() != SQLITE_DONE) return false;
  ++last_;
  hash_ = hash;
  return true;
}

bool AuditChain::trim(sqlite3* db) const {
  Statement old(db, "DELETE FROM audit WHERE n<=?");
  return old.bind(1, last_ - kAuditKept).step() == SQLITE_DONE;
}

AuditReport follow_audit(std::string_view lines, const AuditVisit& visit) {
  Follower follower(visit);
  while (!lines.empty()) {
    const size_t end = lines.find('\n');
    if (end == std::string_view::npos) {
      follower.report.torn = "the last line is not whole: it was cut while it was written";
      break;
    }
    if (!follower.line(std::string(lines.substr(0, end)))) break;
    lines.remove_prefix(end + 1);
  }
  return follower.report;
}

Result<AuditReport> read_audit(const std::string& journal, const AuditVisit& visit) {
  sqlite3* raw = nullptr;
  const int opened = sqlite3_open_v2(journal.c_str(), &raw, SQLITE_OPEN_READONLY, nullptr);
  const std::unique_ptr<sqlite3, decltype(&sqlite3_close)> db(raw, &sqlite3_close);
  if (opened != SQLITE_OK)
    return fail("cannot read " + journal + ": " + sqlite3_errmsg(raw),
                "pawl has no journal here yet, or PAWL_HOME is another: pawl doctor");
  sqlite3_busy_timeout(raw, kAuditBusyMs);
  sqlite3_exec(raw, "BEGIN", nullptr, nullptr, nullptr);  // one moment for all of it
  Statement rows(raw, "SELECT entry,hash FROM audit ORDER BY n");
  Follower follower(visit);
  AuditReport& report = follower.report;
  int got = SQLITE_DONE;
  while ((got = rows.step()) == SQLITE_ROW) {
    if (!follower.line(rows.text(0))) return report;
    if (rows.text(1) != report.end) {
      follower.breaks("was changed", report.last);
      return report;
    }
  }
  if (got != SQLITE_DONE)
    return fail("cannot read the audit in " + journal + ": " + sqlite3_errmsg(raw),
                "a daemon of this version makes it when it starts: pawl ls");
  const int64_t made =
      query_integer(raw, "SELECT seq FROM sqlite_sequence WHERE name='audit'", report.last);
  if (made > report.last)
    report.broken = "its end is cut off: the last entry is " + std::to_string(report.last) +
                    " of " + std::to_string(made);
  return report;
}

}  // namespace pawl::store
