#pragma once
// What pawl-bus does: joins the bus its daemon named, again and again, and does what it is asked, one function for each BusOp. It decides
// nothing: every answer of the server is one of BusEnd's words.

#include <map>
#include <optional>
#include <string>

#include "bus/follows.h"
#include "bus/joining.h"
#include "bus/line.h"
#include "bus/takes.h"
#include "fleet/bus_wire.h"

namespace pawl::bus {

inline constexpr Duration kTriesFirst =
    std::chrono::milliseconds{250};  // … again; then twice as long
inline constexpr Duration kTriesLast = std::chrono::seconds{4};
inline constexpr Duration kTriesHopeless = std::chrono::seconds{20};  // until somebody mends it
inline constexpr Duration kReachesWithin =
    std::chrono::seconds{15};  // then it is said that it takes long
inline constexpr Duration kDaemonSilent = std::chrono::seconds{30};   // what is held is given back
inline constexpr size_t kMaxAsked = 256;                              // questions to us at a time
inline constexpr Duration kAnsweredWithin = std::chrono::minutes{2};  // as the server lets us
inline constexpr int kCreates = 3;  // a key may come and go meanwhile

class Bus {
 public:
  using Tell = std::function<void(const fleet::FromBus&)>;
  Bus(os::Loop& loop, Tell tell);

  // Once. An error is told as BusLink, and nothing more happens: other words are needed.
  void join(const fleet::BusJoin& join);
  void ask(const fleet::BusAsk& ask, uint64_t link);
  void daemon_spoke() { silent_.start(kDaemonSilent); }
  void rest(bool rests) { line_.rest(rests); }
  void end();  // gives back what is held

 private:
  using Ask = fleet::BusAsk;
  void create(const Ask& ask);
  void put(const Ask& ask);
  void update(const Ask& ask);
  void remove(const Ask& ask);
  void get(const Ask& ask);
  void publish(const Ask& ask);
  void last(const Ask& ask);
  void unfollow(const Ask& ask);
  void request(const Ask& ask);
  void answer(const Ask& ask);
  void create_at(const Ask& ask, uint64_t revision, int tries);
  void store(const Ask& ask, const std::string& subject, const Headers& headers,
             std::function<void(const Answer&)> then);
  void stored(const Ask& ask, const Answer& answer, fleet::BusEnd when_newer);
  void look_up(const Ask& ask, const std::string& stream, const std::string& subject,
               std::function<void(const Json& message)> found);
  bool fits(const Ask& ask);  // else it is refused

  void reach();
  void opened(const Reached& at);
  void joined(const Result<std::string>& how);
  void heard(Heard& heard);
  void asked(const Heard& heard);
  void denied(const std::string& words);
  void lose(const Error& error, bool hopeless);
  void news(fleet::BusNews news);
  void reply(const Ask& ask, fleet::BusEnd end, std::string because = {}, uint64_t revision = 0,
             std::string value = {});
  std::string subject_of(const Ask& ask) const;

  Tell tell_;
  fleet::BusJoin join_;
  Wanted wanted_;
  Line line_;
  Questions questions_;
  Follows follows_;
  Takes takes_;
  Joining joining_;
  Reached at_;
  bool up_ = false;
  uint64_t link_ = 0;  // of those that were up
  struct Asked {
    std::string reply;
    MonoTime at;
  };
  std::map<uint64_t, Asked> asked_;
  uint64_t asks_ = 0;
  Duration pause_ = kTriesFirst;
  std::optional<std::string> failed_ = {};  // a reading did, in a call of its own
  os::Timer again_, slow_, silent_;
  os::Soon soon_;
};

}  // namespace pawl::bus
