#pragma once
// Terminals of our own, behind the Host seam. They live in holder processes (src/host/holder) that
// outlive the daemon; this is the daemon's side: it starts holders, talks to them, and turns what
// they say into events.
//
// Made and owned by the daemon, driven by its loop: `wake` is called (from the loop) when take()
// has something new. Never blocks except in connect_existing(), and never forgets bytes: what
// take() was not called for stays in the holders.

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/holder_link.h"
#include "host/holder_start.h"
#include "host/host.h"
#include "host/limits.h"
#include "host/lineage.h"
#include "host/looks.h"
#include "os/loop.h"

namespace pawl::host {

constexpr size_t kShardSize = 64;    // living sessions per holder
constexpr size_t kShardTotal = 240;  // with ended ones that nobody closed yet
// Output waiting for take(); above it we stop reading. Small: it is also the longest turn of the daemon.
constexpr size_t kEventBytesLimit = 1u << 20;
constexpr size_t kTypedAhead =
    512u << 10;  // not known to be taken by the terminal; below wire::kMaxInput
constexpr size_t kMarkEvery = 64u << 10;                 // of what is written
constexpr Duration kOpenLook = std::chrono::seconds{1};  // while an open is not answered
constexpr int kOpenLooks = 20;                           // … then it has failed

class PtyHost final : public Host {
 public:
  // `home` is PAWL_HOME, absolute. Touches nothing yet. `root`: where /proc and /sys are, for limits.
  PtyHost(os::Loop& loop, std::string home, std::function<void()> wake, std::string root = "");
  ~PtyHost() override;

  // Finds the holders of the daemon before us and greets them: one Found per session waits in
  // take() afterwards. Waits at most two seconds for slow ones (theirs then come later). Returns
  // the number of sessions found so far. Call once, before open(). Sockets nobody answers at are
  // removed.
  Result<size_t> connect_existing();

  // Sessions that were open in the life before, by its journal. While a holder has not said what it has, one whose program
  // lives is taken for found: it is not lost, only not to be seen yet. Call once, after connect_existing().
  struct Known {
    SessionId session;
    os::ProcessId process;
    Size size;
  };
  void expect(const std::vector<Known>& sessions);

  std::vector<std::string> shared;  // names of servers that nobody's end ends (lineage.h)

  // Tells of holders that are stopped or do not answer, and of those that do again. Now and then.
  void look_at_holders();

  void open(SessionId session, const Launch& launch) override;
  void attach(SessionId session, Offset from) override;
  void write(SessionId session, std::string_view bytes) override;
  bool has_room(SessionId session) override;
  void resize(SessionId session, Size size) override;
  void signal(SessionId session, int signal_number) override;
  void limit(SessionId session, const Limits& limits) override;
  void extend(SessionId session, BootTime until) override;
  void kill(SessionId session) override;
  void acknowledge(SessionId session, Offset upto) override;
  void close(SessionId session) override;
  size_t signal_leftovers(const std::vector<SessionId>& sessions, int signal_number) override;
  void look(SessionId session, const model::OwnFiles& files) override;
  std::optional<Error> unheard(SessionId session) override;
  std::vector<HostEvent> take() override;

  // Every process that says by descent whose another one is (lineage.h): keepers and programs of sessions, also of closed ones
  // that left somebody behind; and the daemon itself and its holders, below which nobody else's are nobody's.
  std::vector<Root> roots() const;

  size_t holders() const { return links_.size(); }
  // Which limits are kept here, and how; after connect_existing(). Not known yet: systemd was asked, and what needs it waits.
  const os::GroupPlace& groups() const { return limits_.place(); }
  bool limits_asked() const { return limits_.asking(); }
  // Frames that made no sense, from holders; a number for health.
  uint64_t ignored_frames() const { return ignored_frames_; }

 private:
  struct Held {
    HolderLink* link = nullptr;
    os::ProcessId process;  // once opened
    os::ProcessId keeper;   // pid 0: none, or its holder does not have them
    std::string command;    // for error messages
    std::string dir;
    bool opened = false;
    bool ended = false;     // no living child
    bool end_told = false;  // and take() said so
    bool found = true;      // false while a holder is greeted (anew) and has not named this session
    bool expected = false;  // … and we only suppose that it is with that holder
    bool ends = false;      // it has to be over at some time (Launch::until)
    std::string request;    // until it is opened: what was asked for, for another holder
    Limits limits;          // … and within what
    bool waits = false;     // … nobody was asked yet: systemd has not said what can be kept
    int looks = 0;          // … and how often its holder had not answered
    Offset next;            // of the next byte we expect
    Offset acknowledged;
    Offset acknowledged_sent;
    bool ack_waits = false;
    uint64_t mark = 0;              // asked for, and not passed yet; 0: none
    size_t marked = 0;              // bytes written before it, after the one before
    size_t unmarked = 0;            // … and after it
    size_t last_output = SIZE_MAX;  // index in events_ of its newest event, when that is an Output
    uint64_t last_batch = 0;        // and the batch it belongs to
  };
  using Sessions = std::unordered_map<SessionId, Held>;
  struct Left {
    os::ProcessId keeper, holder;
    uint64_t since = 0;  // its program began
  };

  Result<HolderLink*> link_with_room(bool ends);
  Done place(SessionId session, Held& held);
  Done send_open(Held& held);
  void open_waiting();
  void leave(SessionId session, Held& held);
  void look_at_opens();
  bool unable(HolderLink& link);
  void tell_of(HolderLink& link, HolderSeen::What what);
  static void move(Held& held, HolderLink& to);
  HolderLink* unfinished(const HolderLink* but) const;
  void name_silent_holders();
  Result<HolderLink*> start_holder();
  HolderLink& add_link(unsigned number);
  unsigned free_number() const;
  void refuse_open(SessionId session, Error error);
  Held* held(SessionId session);
  bool tell(SessionId session, wire::Type type, std::string_view payload);
  void mark(SessionId session, Held& known);
  static bool follow(Held& known, const std::string& frame);

  void read_link(HolderLink& link);
  void take_frame(HolderLink& link, const Frame& frame);
  void on_hello(HolderLink& link, const Frame& frame);
  void on_found(HolderLink& link, const Frame& frame);
  void on_opened(Held& held, const Frame& frame);
  static void note_keeper(Held& held, const Frame& frame, size_t after);
  void on_open_failed(Held& held, const Frame& frame);
  void on_output(Held& held, const Frame& frame);
  void on_ended(Held& held, const Frame& frame);
  void on_refused(const Frame& frame);
  void on_passed(Held& known, const Frame& frame);

  void link_over(HolderLink& link);
  bool start_again(HolderLink& link);
  bool reconnect(HolderLink& link);
  void remove_if_stale(const std::string& socket) const;
  HolderSeen seen_of(const HolderLink& link, HolderSeen::What what) const;
  void forget_missing(HolderLink& link, const std::string& why);
  void forget_lost_links();
  void vanish(SessionId session, Held& held, const std::string& why);
  void end_session(SessionId session, Held& held);
  void erase(SessionId session);
  std::vector<os::Stat> strays(const Left& left) const;
  void kill_all(SessionId session);
  void tell_of_strays(const std::vector<SessionId>& sessions);
  void say_goodbye();
  void remove_orphaned_spills() const;
  size_t greet_for_a_while();

  void push(SessionId session, HostEvent event);
  void pause_when_full();
  void send_acks();

  os::Loop& loop_;
  std::string home_;
  std::string dir_;
  std::string zone_;
  std::function<void()> wake_;
  HolderStart starter_;
  std::vector<std::unique_ptr<HolderLink>> links_;
  Sessions sessions_;
  std::map<SessionId, Left> left_;  // of closed sessions, while somebody may be left
  std::set<pid_t> told_;            // strays that were told of
  std::vector<HostEvent> events_;
  size_t event_bytes_ = 0;
  uint64_t batch_ = 1;  // of events_: counts the calls of take()
  bool paused_ = false;
  std::vector<SessionId> acks_;
  os::Timer ack_timer_;
  os::Timer open_timer_;
  Looks looks_;
  LimitKeeper limits_;
  uint64_t ignored_frames_ = 0;
  uint64_t marks_ = 0;
  std::string foreign_;  // the socket of a holder that speaks another version
};

}  // namespace pawl::host
