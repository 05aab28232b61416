#pragma once
// What is asked of a machine that is not reached, and can wait: mode, pause, resume, wake, inbox add (O14). Kept in HOME/later/MACHINE, a file
// each, in the order it was asked, and done when that machine is reached again, in the name of who asked. What is done, refused or too
// old is said in an alert, so that nothing that was kept ends in silence.
//
// What could not be heard of is done again only where that changes nothing; a wake-up or an item that may have arrived is not sent twice,
// and people are told that nobody knows.

#include <deque>
#include <map>
#include <optional>
#include <string>

#include "api/line.h"
#include "api/verb.h"

namespace pawl::api {

inline constexpr size_t kMaxLater = 100;                            // for one machine
inline constexpr size_t kMaxLaterBytes = 1u << 20;                  // of one request
inline constexpr Duration kLaterKept = std::chrono::hours{24 * 3};  // then it is given up
inline constexpr Duration kLaterAnswers = std::chrono::seconds{30};

// Can it wait for a machine that is not there?
bool can_wait(const Verb& row);

class Later {
 public:
  Later(core::Engine& engine, Server& server, std::string home);

  // As the daemon before had them.
  void begin_again();
  // It waits now; an error: it cannot.
  Result<Json> keep(const Clock& now, const std::string& machine, const Json& request,
                    const model::Asker& by, const Error& why);
  void turn(const Clock& now);
  std::optional<MonoTime> wake_at() const;
  size_t waiting(const std::string& machine) const;

 private:
  struct One {
    std::string path;
    Json request;
    std::string from, by;
    WallTime at;
    bool sent = false;  // somebody may have heard it
  };
  struct Desk {
    std::deque<One> all;  // the next one first
    std::optional<Line> line;
    MonoTime answer_by{}, next{};
  };
  void go_on(const Clock& now, const std::string& machine, Desk& desk);
  void heard(const Clock& now, const std::string& machine, Desk& desk, const Json& reply);
  void lost(const Clock& now, const std::string& machine, Desk& desk, const std::string& why);
  void over(const std::string& machine, Desk& desk, bool fine, const std::string& what);
  void tell(bool fine, const std::string& text);

  core::Engine& engine_;
  Server& server_;
  std::string home_;
  std::map<std::string, Desk> desks_;
  uint64_t last_ = 0;  // a file's number
  MonoTime wake_at_{};
};

}  // namespace pawl::api
