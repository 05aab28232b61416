#pragma once
// tmux panes behind the Host seam: panes of the user's that are adopted as they run, and panes of a server of our own for who
// wants `--backend tmux`.
//
// A pane's bytes come by pipe-pane, handed over to us (relay_point.h); what no byte says (size, copy mode, a person at a client,
// a pane that is gone) comes from one sweep per server, once a second while something moves and up to every 30 s when nothing
// does. A pane that has a pipe of its user's keeps it: its screen is then taken at each sweep.
//
// The user's server is never started, ended, configured or resized. A pane is known by its number and the process in it: what
// is written goes nowhere else. Nothing of us stays in a server: our end of a pipe closes with us, buffers are used up as they
// are made.

#include <csignal>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/host.h"
#include "host/looks.h"
#include "host/tmux/relay_point.h"
#include "host/tmux/tmux_server.h"
#include "host/tmux/tmux_text.h"
#include "os/loop.h"

namespace pawl::host {

constexpr Duration kSweepSoonest = std::chrono::milliseconds(50);
constexpr Duration kSweepBusy = std::chrono::seconds(1);
constexpr Duration kSweepIdle = std::chrono::seconds(30);
constexpr Duration kRelayLimit = std::chrono::seconds(10);  // then a pane is swept instead
constexpr Duration kPipeAgain = std::chrono::seconds(3);    // after which a free pipe is tried
constexpr int kPipeTries = 5;                               // that soon after each other, before
constexpr Duration kPipeSoon = std::chrono::milliseconds(100);
constexpr Duration kStatusLimit = std::chrono::seconds(2);  // for how a dead one ended
constexpr size_t kBytesTyped = 256;                         // more are pasted from a file
constexpr int kDelays = 5;                                  // of a write; then it is refused
constexpr size_t kWritesWaiting = 1u << 20;                 // bytes per pane

constexpr std::string_view kOwnPrefix = "pawl-";  // of the sessions of our own server

class TmuxHost final : public Host {
 public:
  // One that an earlier daemon had: `pane.id` empty for one of our own server.
  struct Known {
    SessionId session;
    Pane pane;
    Size size;
  };

  // `pawl`: our executable. Touches nothing yet.
  TmuxHost(os::Loop& loop, std::string home, std::string pawl, std::function<void()> wake);
  ~TmuxHost() override;

  // Once, before open(): a Found for each waits in take(). What became of them is looked at after attach().
  void expect(const std::vector<Known>& known);

  void open(SessionId session, const Launch& launch) override;
  void attach(SessionId session, Offset from) override;
  void write(SessionId session, std::string_view bytes) override;
  void resize(SessionId session, Size size) override;
  void signal(SessionId session, int signal_number) override;
  // Nothing there ends by itself: what has to be over at some time is refused by open().
  void extend(SessionId, BootTime) override {}
  void kill(SessionId session) override { signal(session, SIGKILL); }
  void acknowledge(SessionId, Offset) override {}  // nothing is held
  void close(SessionId session) override;
  size_t signal_leftovers(const std::vector<SessionId>& sessions, int signal_number) override;
  void look(SessionId session, const model::OwnFiles& files) override;
  std::vector<HostEvent> take() override;

  std::vector<std::string> shared;  // names of servers that nobody's end ends (lineage.h)

  bool has(SessionId session) const { return sessions_.count(session) > 0; }

 private:
  struct Watched {  // a server
    Watched(os::Loop& loop, const std::string& socket, std::function<void()> sweep)
        : server(loop, socket), timer(loop, std::move(sweep)) {}
    TmuxServer server;
    os::Timer timer;
    Duration every = kSweepBusy;
    bool moved = true;  // since the last sweep
    bool sweeping = false;
    bool again = false;   // asked for meanwhile
    MonoTime swept = {};  // the last answer
    std::string last;     // what it said, to see changes
    std::map<std::string, std::pair<std::string, WallTime>> clients;  // pane and activity of each
  };
  enum class Flow {
    none,
    asked,     // a picture and a pipe were asked for
    streamed,  // bytes come
    swept      // the pipe is somebody else's, or brings nothing: pictures only
  };
  struct Write {
    std::string bytes;         // typed; or
    std::string buffer, file;  // pasted from there
    bool bracketed = false;
    size_t size = 0;
  };
  struct Held {
    Watched* server = nullptr;
    std::string pane;
    os::ProcessId process;
    bool own = false;
    bool opened = false;
    bool met = false;  // whoever sat there already
    std::optional<MonoTime> dead_since;
    bool looked_last = false;  // at the screen of a dead one that was not followed
    bool over = false;         // its end is being told, or was
    Flow flow = Flow::none;
    MonoTime since = {};  // of the flow, or of its start
    Size size;
    Offset next;
    std::string token;  // of its relay or gate
    os::Fd stream;
    os::FdWatch stream_watch;
    bool noted = false;     // that it is swept only
    int pipe_tries = 0;     // at a pipe that somebody has
    bool pictured = false;  // bytes of the stream may follow
    std::string last_picture;
    os::Fd process_fd;
    os::FdWatch process_watch;
    std::vector<Write> writes;   // that wait for a sweep: is a person there?
    size_t write_bytes = 0;      // of those, and of those that tmux has not taken yet
    bool writing = false;        // some are on their way
    int delays = 0;              // of the first of them: somebody typed nearby
    int64_t session_active = 0;  // as PaneFacts has it, at the last sweep
    // Of our own server, while it starts.
    std::optional<Launch> launch;
    std::unique_ptr<os::Child> starter;
    os::Fd gate;
    os::FdWatch gate_watch;
  };
  using Sessions = std::unordered_map<SessionId, Held>;

  Watched& server_at(const std::string& socket);
  Watched& own_server() { return server_at(own_socket()); }
  std::string own_socket() const { return dir_ + "/own.sock"; }
  Held* held(SessionId session);
  Held* by_token(const std::string& token, SessionId& session);
  void push(HostEvent event);
  void print(SessionId session, Held& held, std::string bytes);

  // Starting and watching (tmux_host_panes.cpp).
  void adopt(SessionId session, const Pane& pane);
  void start_own(SessionId session, const Launch& launch);
  void own_started(SessionId session, const os::ChildEnd& end);
  void gate_came(const std::string& token, os::Fd connection);
  void gate_said(SessionId session);
  void let_go_on(SessionId session);
  void end_pane(const std::string& pane);
  void refuse_open(SessionId session, Error error);
  void draw(SessionId session);
  void drawn(SessionId session, const TmuxServer::Lines* lines);
  void relay_came(const std::string& token, os::Fd stream);
  void listen(SessionId session);
  void read_stream(SessionId session);
  size_t drain(SessionId session, Held& held);
  void watch_process(SessionId session, Held& held);
  void running(SessionId session, Held& held);

  // What sweeps see (tmux_host_sweeps.cpp).
  void sweep(Watched& watched);
  void sweep_soon(Watched& watched, Duration wait);
  void swept(Watched& watched, const TmuxServer::Lines* lines);
  void saw_pane(SessionId session, Held& held, const PaneFacts& facts);
  void sweep_only(SessionId session, Held& held, const std::string& why);
  void saw_clients(Watched& watched, const std::vector<ClientFacts>& clients,
                   const std::map<std::string, PaneFacts>& panes);
  void person_at(Watched& watched, const std::string& pane, const ClientFacts& client);
  void end_strays(const std::map<std::string, PaneFacts>& panes);
  void redraw(SessionId session, Held& held, std::string shown);
  void missing(SessionId session, Held& held);
  void finish(SessionId session, Held& held, Ended end);
  void finish_when_quiet(SessionId session, Ended end);
  void flush_writes(Watched& watched);
  void refuse_writes(SessionId session, Held& held, const std::string& why, bool later = false);
  void wrote(SessionId session, std::vector<Write> writes, const TmuxServer::Lines* lines);
  Result<Write> prepare(std::string_view bytes);
  static void remove_files(const std::vector<Write>& writes);

  os::Loop& loop_;
  std::string home_;
  std::string dir_;
  std::string pawl_;
  std::string zone_;
  std::function<void()> wake_;
  RelayPoint relays_;
  std::map<std::string, std::unique_ptr<Watched>> servers_;
  Sessions sessions_;
  std::vector<HostEvent> events_;
  bool looked_for_strays_ = false;
  uint64_t last_buffer_ = 0;
  std::set<std::string> ending_;  // panes of our own server that are to go, and may still be there
  Looks looks_;
};

}  // namespace pawl::host
