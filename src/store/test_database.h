#pragma once
// For tests: a journal's file seen through another connection, and made-up lives to write into it.

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "model/everything.h"

namespace pawl::store {

class Database {
 public:
  explicit Database(const std::string& path) {
    EXPECT_EQ(sqlite3_open(path.c_str(), &db_), SQLITE_OK);
    sqlite3_busy_timeout(db_, 2000);
  }
  ~Database() { sqlite3_close(db_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void run(const std::string& sql) {
    EXPECT_EQ(sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sql << sqlite3_errmsg(db_);
  }
  int64_t number(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(db_, sql.c_str(), -1, &statement, nullptr);
    const int64_t value =
        sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
    sqlite3_finalize(statement);
    return value;
  }
  void insert(const model::Event& event) {
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(db_, "INSERT INTO events VALUES(?,?,?,?,?)", -1, &statement, nullptr);
    const std::string type(model::type_of(event.fact)), body = model::body_of(event.fact).dump();
    sqlite3_bind_int64(statement, 1, static_cast<int64_t>(event.seq.value));
    sqlite3_bind_int64(statement, 2, event.at.time_since_epoch().count());
    sqlite3_bind_text(statement, 3, event.agent.c_str(), -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(statement, 4, type.c_str(), -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(statement, 5, body.c_str(), -1, SQLITE_TRANSIENT);
    EXPECT_EQ(sqlite3_step(statement), SQLITE_DONE) << sqlite3_errmsg(db_);
    sqlite3_finalize(statement);
  }

 private:
  sqlite3* db_ = nullptr;
};

inline WallTime at(int64_t seconds) {
  return model::wall(seconds * 1'000'000);
}

// `count` events, one a second from 1 on: an agent that is started, works, ends and is started again.
inline std::vector<model::Event> some_life(const std::string& agent, uint64_t count) {
  using namespace model;
  std::vector<Event> events;
  Seq decision;
  for (uint64_t seq = 1; seq <= count; ++seq) {
    Fact fact;
    switch (seq % 6) {
      case 1:
        fact = Registered{full_spec(agent)};
        break;
      case 2:
        fact = Decided{seq > 6 ? Action::restart : Action::start, "asked", 1};
        decision = Seq{seq};
        break;
      case 3:
        fact = StateChanged{State::unknown, State::starting, "", {}, "opening", 1, {}};
        break;
      case 4:
        fact = Finished{Action::start, decision, Verdict::confirmed, "", 5, Process{7, seq}};
        break;
      case 5:
        fact = HumanSeen{"attach"};
        break;
      default:
        fact = StateChanged{State::unknown, State::crashed, "", {}, "over", 1, Ending{3, 0, true}};
    }
    events.push_back({Seq{seq}, at(static_cast<int64_t>(seq)), agent, fact});
  }
  return events;
}

inline model::Fleet fold(const std::vector<model::Event>& events) {
  model::Fleet fleet;
  for (const auto& event : events) model::apply(fleet, event);
  return fleet;
}

}  // namespace pawl::store
