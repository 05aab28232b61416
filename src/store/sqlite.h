#pragma once
// SQLite as this folder uses it: statements that are finalised, and a query for one number.

#include <sqlite3.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace pawl::store {

class Statement {
 public:
  Statement(sqlite3* db, const char* sql) : db_(db) {
    sqlite3_prepare_v2(db, sql, -1, &statement_, nullptr);
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(int at, int64_t value) {
    if (statement_) sqlite3_bind_int64(statement_, at, value);
    return *this;
  }
  Statement& bind(int at, std::string_view value) {
    if (statement_)
      sqlite3_bind_text(statement_, at, value.data(), static_cast<int>(value.size()),
                        SQLITE_TRANSIENT);
    return *this;
  }
  int step() { return statement_ ? sqlite3_step(statement_) : sqlite3_errcode(db_); }
  void reset() { sqlite3_reset(statement_); }
  int64_t integer(int column) { return sqlite3_column_int64(statement_, column); }
  std::string text(int column) {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return bytes ? std::string(bytes, static_cast<size_t>(sqlite3_column_bytes(statement_, column)))
                 : "";
  }

 private:
  sqlite3* db_;
  sqlite3_stmt* statement_ = nullptr;
};

inline int64_t query_integer(sqlite3* db, const char* sql, int64_t otherwise) {
  Statement statement(db, sql);
  return statement.step() == SQLITE_ROW ? statement.integer(0) : otherwise;
}

}  // namespace pawl::store
