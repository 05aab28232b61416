#pragma once
// From a new connection to a bus that can be used: does it keep anything, are the streams there and as they should be; those that are
// missing are made.

#include <functional>
#include <string>
#include <vector>

#include "bus/questions.h"
#include "bus/stores.h"

namespace pawl::bus {

inline constexpr Duration kAnswersFirst = std::chrono::seconds{2};
inline constexpr Duration kMakesStream = std::chrono::seconds{5};

class Joining {
 public:
  // `done`: with a note for people, or why not. It may come from within begin().
  Joining(Questions& questions, std::function<void(const Result<std::string>&)> done);

  void begin(std::vector<Stream> streams, bool cluster, const std::string& who);
  void clear();

 private:
  void asked(const Answer& answer);
  void look(size_t at);
  void looked(size_t at, const Answer& answer);
  void make(size_t at, int replicas);
  void made(size_t at, int replicas, const Answer& answer);
  void fine(size_t at, const Json& answer);
  void over(const Result<std::string>& how);
  std::optional<Error> trouble_in(const Answer& answer) const;

  Questions& questions_;
  std::function<void(const Result<std::string>&)> done_;
  std::vector<Stream> streams_;
  std::string who_, note_;
  bool cluster_ = false, going_ = false;
  size_t fine_ = 0;
};

}  // namespace pawl::bus
