#include "api/journal_check.h"

#include "store/sqlite_journal.h"

namespace pawl::api {

Result<uint64_t> check_journal(const std::string& path) {
  const auto last = store::SqliteJournal::check(path);
  if (!last) return tl::unexpected(last.error());
  return last->value;
}

}  // namespace pawl::api
