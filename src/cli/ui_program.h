#pragma once
// The loop behind `pawl ui`: keys, answers, events and times in; requests, verbs and frames out. At rest it waits for the next of them
// and does nothing. Repaints at most every kUiFrame, asks for what changed at most every kUiSome, for the whole list every kUiList.

#include <deque>
#include <optional>
#include <set>
#include <string>

#include "cli/status_link.h"
#include "cli/terminal_guard.h"
#include "cli/ui_child.h"
#include "cli/ui_line.h"
#include "term/paint.h"
#include "ui/draw.h"
#include "ui/keys.h"
#include "ui/state.h"

namespace pawl::cli {

inline constexpr Duration kUiFrame = std::chrono::milliseconds{16};
inline constexpr Duration kUiSome = std::chrono::milliseconds{100};
inline constexpr Duration kUiList = std::chrono::seconds{1};
inline constexpr Duration kUiRest =
    std::chrono::milliseconds{60};  // a selection, before it is asked for
inline constexpr Duration kUiRetry = std::chrono::milliseconds{500};  // for a daemon that has gone
inline constexpr Duration kUiLate = std::chrono::seconds{5};          // an answer; then it is said
inline constexpr size_t kUiMaxChanged = 50;  // agents; more: the whole list
inline constexpr size_t kUiMaxVerbs = 1000;  // that wait for their turn

class UiProgram {
 public:
  UiProgram(std::string home, ui::Colours colours);
  Farewell run(int winch_fd);

 private:
  using When = std::optional<MonoTime>;

  // What wakes it (ui_program.cpp).
  int wait_ms() const;
  void look(int winch_fd);
  bool read_keys();
  void typed(const std::string& bytes);
  void pressed(const std::vector<ui::Key>& keys);
  void resize();
  void repaint();
  void report();  // the agents' states, to the person's terminal (status_link.h)

  // The daemon (ui_daemon.cpp).
  void connect();
  void lost();
  void hear();
  void follow(const Json& status);
  void happened(const Json& event);
  void ask_list();
  void ask_some();
  void watch_selected();
  void open_picture();
  void search();
  void ask_then();
  void due();
  void note_late();

  // Wishes (ui_wishes.cpp).
  void grant(const ui::Wish& wish);
  void attach_to(const std::string& agent);
  void suspend();
  void next_verb();
  void hear_verb();
  void hear_page();
  void ask_moments(const std::string& agent);
  void come_back();  // the terminal showed something else

  MonoTime now() const;
  void changed();  // something is to be painted

  std::string home_;
  ui::Colours colours_;
  ui::State state_;
  ui::KeyReader keys_;
  term::Painter painter_;
  UiLine asks_, feed_, picture_;
  StatusLink status_;
  StatusPicture status_picture_;
  bool reported_ = true;  // the fleet as it is
  std::deque<ui::Wish> verbs_;
  std::optional<UiChild> verb_, page_;
  std::string said_;  // by the verb that runs
  std::set<std::string> changed_;
  std::string watched_, searched_;
  std::string picture_state_;  // of the watched one, when its picture was asked for
  bool quit_ = false, gone_ = false, dirty_ = true, was_lost_ = false;
  int winch_fd_ = -1, stops_fd_ = -1;
  MonoTime last_frame_{}, last_list_{}, last_some_{};
  When retry_at_, list_at_, some_at_, watch_at_, search_at_, then_at_, escape_at_, stale_at_;
};

}  // namespace pawl::cli
