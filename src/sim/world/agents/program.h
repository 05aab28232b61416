#pragma once
// One modelled agent program in one terminal: a pure machine in virtual time. It is started, given the bytes typed into its
// terminal, and gives back what it prints, the hooks it calls, the facts a kernel would tell about it, the files it keeps, and a
// log of what it really took. Used by the simulated world, by stories and by tests; its looks come from a Model.
//
// It never reads a clock, a file or anything else: every call says what time it is, times never go back, and chance comes from
// its seed. At rest it prints nothing, wants no wake-up and takes less than 4 KiB.
//
// Everything it does happens in print(): give it input and orders, print() up to now, then take hooks, log and ending.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "model/event.h"
#include "model/facts.h"
#include "sim/world/agents/behaviour.h"
#include "sim/world/agents/box.h"
#include "sim/world/agents/keys.h"
#include "sim/world/agents/layout.h"
#include "sim/world/agents/log.h"
#include "sim/world/agents/model.h"
#include "sim/world/agents/records.h"
#include "sim/world/agents/running.h"
#include "sim/world/chance.h"

namespace pawl::sim {

class Program : public Running {
 public:
  Program(const Model& model, const Behaviour& behaviour, uint64_t seed);

  // From nothing, also after its end.
  void start(MonoTime now, Launch launch) override;
  void read(MonoTime now, std::string_view bytes) override;
  void resize(MonoTime now, Size size) override;
  void signal(MonoTime now, int number) override;
  void clock_set(Duration by) override { launch_.wall += by; }
  // Other rates from now on: all of a world's faults may end.
  void behave(const Behaviour& behaviour) override { behaviour_ = behaviour; }
  // Lives on until now.
  std::string print(MonoTime now) override;
  std::optional<MonoTime> wake_at() const override;

  const std::optional<model::Ending>& ended() const override { return ended_; }
  std::vector<std::string> take_hooks(MonoTime now) override;
  std::vector<Entry> take_log() override;
  model::Facts facts(MonoTime now) const override;
  std::vector<OwnFile> files(MonoTime now) const override;

  // Orders: each makes a thing happen now that otherwise Behaviour brings about. False: not in this program, or not now.
  bool work(MonoTime now, Duration lasts);
  bool ask(MonoTime now, Ask ask, About about = {});
  // What it asks goes away, and another question stands there.
  bool instead(MonoTime now, Ask ask, About about = {});
  // The turn under way, or else the next one, fails of it.
  bool fail(MonoTime now, Trouble trouble, WallTime until = {}) override;
  bool open(MonoTime now, Mode mode);
  bool vim(MonoTime now);
  bool draft(MonoTime now, const std::string& text);
  bool run_tool(MonoTime now, const std::string& command, Duration lasts);
  bool leave_job(MonoTime now, Duration lasts);
  bool compact(MonoTime now);
  bool update(MonoTime now);                               // restarts itself
  bool hang(MonoTime now, std::optional<Duration> lasts);  // nothing: for good
  bool die(MonoTime now, int signal);                      // 9: the kernel's, out of memory
  bool leave(MonoTime now, int code = 0);
  bool garble(MonoTime now);
  void expect(Oddity oddity, unsigned times = 1);
  // The same by its word, for stories: "work 5m", "ask command rm -rf tmp", "ask edit main.py // the diff", "fail limit 3h",
  // "open shell", "tool 10s make", "job 2h", "hang", "oom", "expect lose_enter".
  // False: there is no such order, or it cannot be done now.
  bool order(MonoTime now, std::string_view words) override;

  const Model& model() const { return *model_; }
  const std::string& conversation() const { return conversation_; }
  bool up() const { return phase_ == Phase::up; }
  bool working() const { return turn_.on; }
  Mode mode() const { return mode_; }
  const Asked* asked() const override { return asked_.get(); }
  std::string in_box() const override { return hung_ ? std::string() : box_.whole(); }
  const Box& box() const { return box_; }
  size_t weight() const;  // bytes it takes

 private:
  enum class Phase : uint8_t { none, starting, opening, up, shell, gone };
  // What is planned. The order is also that of things due at the same instant.
  enum class Due : uint8_t {
    opened,
    listens,
    typed,
    hang_ends,
    turn_begins,
    tool_begins,
    tool_ends,
    asks,
    questions,
    fails,
    retries,
    turn_ends,
    job_ends,
    own_turn,
    continues,
    compacted,
    hangs,
    dies,
    still_asked,
    still_idle,
    hint_ends,
    restarts,
    spins,
    draws
  };
  struct Plan {
    MonoTime at;
    Due due;
  };
  struct Typed {
    MonoTime at, written;
    std::string bytes;
  };
  struct Picture {
    size_t dialog = 0;  // the number of the one in it
    Mode mode = Mode::prompt;
  };
  struct Piece {
    MonoTime at;
    std::string bytes;
    std::optional<Picture> whole = {};  // after it all of that is on the screen
  };
  struct Hook {
    MonoTime at;
    std::string text;
  };
  struct Turn {
    bool on = false, answered = false, compacting = false;
    MonoTime since{};
    Duration left{};  // while a dialog stands in it
    std::string prompt, tool, retry;
    Trouble trouble = Trouble::none;
    int attempt = 0;
  };

  // program.cpp: time
  void plan(Due due, MonoTime at);
  void forget(Due due);
  std::optional<MonoTime> planned(Due due) const;
  void step(MonoTime now, Due due);
  void step_turn(MonoTime now, Due due);
  void put(MonoTime at, std::string bytes, std::optional<Picture> whole = std::nullopt);
  bool odd(Oddity oddity, double likelihood);
  WallTime wall(MonoTime now) const { return launch_.wall + (now - started_); }
  // program_life.cpp: start, end, the shell that is left
  void begin_conversation(MonoTime now);
  bool refuse_conversation(MonoTime now);
  void opened(MonoTime now);
  void ask_at_start(MonoTime now);
  void open_screen(MonoTime now);
  void listens(MonoTime now);
  void gone(MonoTime now, const model::Ending& ending, const std::string& last_words);
  void shell_key(MonoTime now, const Key& key);
  void shell_line(MonoTime now);
  void still();
  void withdraw(MonoTime now);
  // program_keys.cpp
  void take(MonoTime now, const Typed& typed);
  void key(MonoTime now, const Key& key);
  void key_in_box(MonoTime now, const Key& key);
  void control(MonoTime now, char letter);
  void typed(MonoTime now, std::string text, bool paste);
  std::string eaten(const std::string& text);
  bool opens_mode(std::string_view text);
  void escape(MonoTime now);
  void interrupt_key(MonoTime now);
  void enter(MonoTime now);
  bool swallowed(MonoTime now);
  void submit(MonoTime now);
  void command(MonoTime now, const std::string& text);
  void leave_mode(MonoTime now);
  // program_turn.cpp
  void begin_turn(MonoTime now, Duration lasts);
  void meet_limit(MonoTime now);
  void draw_lots(MonoTime now, Duration lasts);
  void end_turn(MonoTime now);
  void stop_turn(MonoTime now, bool refused);
  void forget_turn();
  void failing(MonoTime now);
  void failed(MonoTime now);
  void tool(MonoTime now, bool begins);
  void job_ends(MonoTime now);
  void begin_compacting(MonoTime now);
  void say(Said said);
  // program_dialog.cpp
  bool show(MonoTime now, Ask ask, About about);
  void dialog_key(MonoTime now, const Key& key);
  void choose(MonoTime now, size_t row);
  void answered(MonoTime now, const Asked& asked, const AskRow* row);
  void answered_at_start(MonoTime now, const Asked& asked, const AskRow* row);
  void go_on(MonoTime now);
  // program_report.cpp: pictures, hooks, reports
  Scene scene(MonoTime now) const;
  void changed(MonoTime now);
  void paint(MonoTime now);
  void draw(MonoTime at, std::string bytes, std::optional<Picture> whole = std::nullopt);
  void shown(MonoTime at, const Picture& picture);
  void spun(MonoTime now);
  std::string new_title(const Scene& seen);
  void hook(MonoTime now, Moment moment, std::string source = {}, std::string subject = {});
  void report(MonoTime now, std::string_view state, std::string_view more = {});
  double cpu(MonoTime now) const;
  void settle(MonoTime now);  // it does something else from now on
  void log(Entry entry) { log_.push_back(std::move(entry)); }

  const Model* model_;
  Behaviour behaviour_;
  Chance chance_;
  Launch launch_;
  Phase phase_ = Phase::none;
  MonoTime started_{};
  std::optional<model::Ending> ended_;
  std::vector<Plan> agenda_;
  std::vector<Typed> input_;
  std::vector<Piece> output_;
  std::vector<Hook> hooks_;
  std::vector<Entry> log_;
  std::array<uint8_t, static_cast<size_t>(Oddity::count)> expected_{};
  std::optional<MonoTime> hung_;  // until then; MonoTime::max(): for good

  KeyReader keys_;
  Box box_;
  Mode mode_ = Mode::prompt, mode_drawn_ = Mode::prompt;
  MonoTime mode_shown_{};  // since when that one is on the screen
  bool vim_ = false, escaped_ = false, enter_lost_ = false, mute_ = false;
  uint8_t interrupts_ = 0;
  std::string hint_, shell_text_;
  MonoTime pasted_{}, written_{}, frozen_{}, drawn_{};
  unsigned notes_ = 0;
  size_t dialogs_ = 0;

  std::string conversation_;
  bool resumed_ = false, reports_ = false, hooked_ = false;
  std::vector<Said> said_;
  Turn turn_;
  Trouble next_trouble_ = Trouble::none;
  WallTime next_limit_{};
  std::optional<WallTime> limit_;  // reached, until then
  std::unique_ptr<Asked> asked_;
  unsigned jobs_ = 0, spin_ = 0;
  int64_t tokens_ = 0;
  double cpu_ = 0;
  MonoTime cpu_since_{}, state_since_{};
  std::string title_;
  int spin_row_ = -1;
  Canvas canvas_;
  Transcript transcript_;
};

inline constexpr size_t kMostSaid = 6;  // things of the conversation that are kept for the picture
inline constexpr size_t kMostSaidBytes = 300;  // of one of them

}  // namespace pawl::sim
