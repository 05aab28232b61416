#pragma once
// For tests: a made-up agent program that looks like Claude Code and does wrong what real ones do wrong. A pure object in
// virtual time: it is given the bytes written to its terminal and gives back what it prints. Its log is the judge of every
// delivery: what it really took, and when. Chance comes from its seed.

#include <algorithm>
#include <deque>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "core/rough_screen.h"

namespace pawl::core {

inline constexpr Duration kSpin =
    std::chrono::milliseconds{200};  // from one picture of the spinner to the next
inline constexpr std::string_view kBegin = "\x1b[200~", kEnd = "\x1b[201~";

// Not in the middle of a character.
inline size_t boundary(const std::string& text, size_t at) {
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  return at;
}

inline void rub_out(std::string& text) {
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
  if (!text.empty()) text.pop_back();
}

inline std::string without_end_blanks(std::string text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\t'))
    text.pop_back();
  return text;
}

// How likely each is, from 0 to 1, whenever there is an occasion.
struct Faults {
  double eats_paste = 0;       // wholly
  double eats_part = 0;        // its head, its tail or its middle
  double early_enter = 0;      // Enter soon after a paste is swallowed …
  double early_newline = 0;    // … or becomes a part of the text, as in Codex
  double lost_enter = 0;       // any Enter, once for each text
  double dialog_in_paste = 0;  // what follows of the paste goes to the dialog
  double dialog_at_enter = 0;  // Enter goes to the dialog before anybody can see it
  double own_turn = 0;         // Enter is swallowed because a turn starts that nobody asked for
  double asks = 0;             // a dialog comes up in the middle of a turn
  double late = 0;             // a picture comes up to 1.5 s late
  double halves = 0;           // … or in two parts
  double clears = 0;           // … or after an emptied screen
  double mute = 0;             // the box stays empty although the text is in it
  double quick = 0;            // the turn is over within 100 ms
  double slow = 0;             // the turn starts 2 s after its prompt
  double dies = 0;             // at Enter
  Duration deaf = std::chrono::milliseconds{120};  // "soon after a paste"
  bool notes = true;                               // long pastes become a note of their size
};

class RoughTui {
 public:
  RoughTui(const Faults& faults, uint32_t seed) : faults_(faults), chance_(seed) {}

  struct Taken {
    MonoTime at;
    std::string text;
  };
  std::vector<Taken> log;           // what was submitted: the judge
  std::vector<std::string> pastes;  // every one that reached its terminal, taken or not
  size_t seen_answers = 0;          // Enter pressed into a dialog that was on the screen already

  void starts(MonoTime now);  // from nothing, also after its death
  void reads(MonoTime now, std::string_view bytes);
  std::string prints(MonoTime now);  // lives on until now
  std::optional<MonoTime> next() const;
  bool dead() const { return dead_; }
  const std::string& text() const { return text_; }
  // Until the next prompt.
  void says(MonoTime now, const std::string& row) {
    said_ = row;
    changed(now);
  }
  // A person at the machine, not through us.
  void person_clears(MonoTime now);

 private:
  using Time = std::optional<MonoTime>;
  struct Piece {
    MonoTime at;
    std::string bytes;
    MonoTime written = {};  // input: when we were given it
    bool dialog = false;    // output: after it the dialog is on the screen
  };

  bool happens(double chance) { return std::uniform_real_distribution<>(0, 1)(chance_) < chance; }
  Duration between(int from_ms, int to_ms) {
    return std::chrono::microseconds{
        std::uniform_int_distribution<int>(from_ms * 1000, to_ms * 1000)(chance_)};
  }
  size_t below(size_t limit) {
    return std::uniform_int_distribution<size_t>(0, limit - 1)(chance_);
  }

  void step(MonoTime now);
  void consume(MonoTime now, const std::string& bytes);
  void key(MonoTime now, const std::string& bytes, size_t& at);
  void pasted(MonoTime now, std::string text);
  std::string eaten(const std::string& text);
  void insert(const std::string& text, bool paste);
  void enter(MonoTime now);
  bool swallowed(MonoTime now);
  void submit(MonoTime now);
  void show_dialog(MonoTime now);
  void close_dialog(MonoTime now);
  void changed(MonoTime now);
  void draw(MonoTime now);
  void put(MonoTime at, std::string bytes, bool dialog);
  void clear();

  Faults faults_;
  std::mt19937 chance_;
  std::deque<Piece> input_, output_;
  std::string text_, shown_;  // of the box, really and as drawn
  std::string said_;
  bool mute_ = false, enter_lost_ = false;
  bool busy_ = false, dialog_ = false, dead_ = false;
  int pastes_ = 0, turns_ = 0, spins_ = 0;
  Duration turn_{};
  MonoTime pasted_at_{}, frozen_{}, written_{};
  Time dialog_seen_;  // on the screen since
  Time begins_, ends_, spin_, asks_, dialog_ends_, draw_;
};

inline void RoughTui::starts(MonoTime now) {
  clear();
  input_.clear();
  output_.clear();
  begins_ = ends_ = spin_ = asks_ = dialog_ends_ = draw_ = {};
  dialog_seen_.reset();
  busy_ = dialog_ = dead_ = false;
  frozen_ = {};
  put(now, "\x1b[?2004h\x1b[2J", false);
  changed(now);
}

inline void RoughTui::clear() {
  text_.clear();
  shown_.clear();
  mute_ = enter_lost_ = false;
}

inline void RoughTui::person_clears(MonoTime now) {
  if (dead_) return;
  clear();
  changed(now);
}

inline void RoughTui::reads(MonoTime now, std::string_view bytes) {
  if (dead_ || bytes.empty()) return;
  MonoTime at = now + between(0, 15);
  if (!input_.empty()) at = std::max(at, input_.back().at);
  input_.push_back({at, std::string(bytes), now});
}

inline std::optional<MonoTime> RoughTui::next() const {
  Time earliest;
  const auto consider = [&](const Time& time) {
    if (time && (!earliest || *time < *earliest)) earliest = time;
  };
  if (!input_.empty()) consider(input_.front().at);
  if (!output_.empty()) consider(output_.front().at);
  for (const Time& time : {begins_, ends_, spin_, asks_, dialog_ends_, draw_}) consider(time);
  return earliest;
}

inline std::string RoughTui::prints(MonoTime now) {
  std::string bytes;
  for (Time due = next(); due && *due <= now; due = next()) {
    if (!output_.empty() && output_.front().at <= *due) {
      bytes += output_.front().bytes;
      if (output_.front().dialog && dialog_ && !dialog_seen_) dialog_seen_ = *due;
      output_.pop_front();
    } else {
      step(*due);
    }
    if (dead_) break;
  }
  return bytes;
}

// One of the things that are due.
inline void RoughTui::step(MonoTime now) {
  const auto due = [&](Time& time) {
    if (!time || *time > now) return false;
    time.reset();
    return true;
  };
  if (!input_.empty() && input_.front().at <= now) {
    const std::string bytes = std::move(input_.front().bytes);
    written_ = input_.front().written;
    input_.pop_front();
    consume(now, bytes);
  } else if (due(begins_)) {
    busy_ = true;
    ++turns_;
    spin_ = now + kSpin;
    ends_ = now + turn_;
    if (happens(faults_.asks)) asks_ = now + turn_ * below(100) / 100;
    changed(now);
  } else if (due(ends_)) {
    busy_ = false;
    spin_.reset();
    changed(now);
  } else if (due(asks_)) {
    show_dialog(now);
  } else if (due(spin_)) {
    ++spins_;
    spin_ = now + kSpin;
    changed(now);
  } else if (due(dialog_ends_)) {
    close_dialog(now);
  } else if (due(draw_)) {
    draw(now);
  }
}

inline void RoughTui::consume(MonoTime now, const std::string& bytes) {
  for (size_t at = 0; at < bytes.size() && !dead_;) {
    if (bytes.compare(at, kBegin.size(), kBegin) != 0) {
      key(now, bytes, at);
      continue;
    }
    const size_t from = at + kBegin.size();
    const size_t end = std::min(bytes.find(kEnd, from), bytes.size());
    std::string text = bytes.substr(from, end - from);
    std::replace(text.begin(), text.end(), '\r', '\n');
    pastes.push_back(without_end_blanks(text));
    pasted(now, std::move(text));
    at = std::min(end + kEnd.size(), bytes.size());
  }
}

inline void RoughTui::key(MonoTime now, const std::string& bytes, size_t& at) {
  const char c = bytes[at++];
  if (c == '\r') return enter(now);
  if (c == '\x1b') {  // an arrow, or an answer to a question: moves nothing that matters here
    while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) < 0x40) ++at;
    at = std::min(at + 2, bytes.size());
    return;
  }
  if (dialog_) return;
  if (c == '\x15') clear();
  if (c == '\x7f') {
    rub_out(text_);
    rub_out(shown_);
    return changed(now);
  }
  if (c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= 0x20)
    insert(std::string(1, c), false);
  changed(now);
}

inline void RoughTui::pasted(MonoTime now, std::string text) {
  pasted_at_ = now;
  if (dialog_ || happens(faults_.eats_paste)) return changed(now);
  if (happens(faults_.eats_part)) text = eaten(text);
  if (happens(faults_.dialog_in_paste)) {
    text.resize(text.empty() ? 0 : boundary(text, below(text.size())));
    show_dialog(now);
  }
  mute_ = mute_ || happens(faults_.mute);
  insert(text, true);
  changed(now);
}

// Programs lose whole chunks. Of a text that is shown as a note of its lines at least one line is lost: nobody who looks
// at the screen can see less.
inline std::string RoughTui::eaten(const std::string& text) {
  const size_t size = text.size();
  if (size < 2) return "";
  const bool note = lines_in(text) >= kNoteLines;
  for (;;) {
    const size_t length = 1 + below(size - 1);
    const size_t places[] = {0, size - length, below(size - length + 1)};
    const size_t from = boundary(text, places[below(3)]);
    const size_t to = boundary(text, std::min(from + length, size));
    const std::string gone = text.substr(from, to - from);
    if (without_end_blanks(gone).empty() || (note && lines_in(gone) == 0)) continue;
    return text.substr(0, from) + text.substr(to);
  }
}

inline void RoughTui::insert(const std::string& text, bool paste) {
  const bool as_note =
      paste && faults_.notes && (lines_in(text) >= kNoteLines || text.size() >= kNoteBytes);
  shown_ += as_note ? paste_note(text, pastes_ + 1) : text;
  text_ += text;
}

inline void RoughTui::enter(MonoTime now) {
  if (dialog_) {
    if (dialog_seen_ && *dialog_seen_ < written_) ++seen_answers;
    return close_dialog(now);
  }
  if (without_end_blanks(text_).empty()) return;
  if (happens(faults_.dies)) {
    dead_ = true;
    return;
  }
  if (!swallowed(now)) submit(now);
}

inline bool RoughTui::swallowed(MonoTime now) {
  if (now - pasted_at_ < faults_.deaf) {
    if (happens(faults_.early_enter)) return true;
    if (happens(faults_.early_newline)) {
      insert("\n", false);
      changed(now);
      return true;
    }
  }
  if (!enter_lost_ && happens(faults_.lost_enter)) return enter_lost_ = true;
  if (happens(faults_.dialog_at_enter)) {
    show_dialog(now);
    if (happens(0.5)) enter(now);  // it was there a moment before
    return true;
  }
  if (!enter_lost_ && !busy_ && happens(faults_.own_turn)) {
    enter_lost_ = true;
    turn_ = between(300, 3000);
    begins_ = now;
    return true;
  }
  return false;
}

inline void RoughTui::submit(MonoTime now) {
  log.push_back({now, without_end_blanks(text_)});
  clear();
  said_.clear();
  ++pastes_;
  turn_ = happens(faults_.quick) ? between(0, 100) : between(300, 1200);
  if (!busy_ && !begins_) begins_ = happens(faults_.slow) ? now + std::chrono::seconds{2} : now;
  changed(now);
}

inline void RoughTui::show_dialog(MonoTime now) {
  dialog_ = true;
  dialog_ends_ = now + between(500, 12000);
  changed(now);
}

inline void RoughTui::close_dialog(MonoTime now) {
  dialog_ = false;
  dialog_seen_.reset();
  dialog_ends_.reset();
  changed(now);
}

inline void RoughTui::changed(MonoTime now) {
  if (happens(faults_.late)) frozen_ = std::max(frozen_, now + between(100, 1500));
  const MonoTime at = std::max(frozen_, now + between(1, 20));
  if (!draw_ || frozen_ > *draw_) draw_ = at;
}

inline void RoughTui::draw(MonoTime now) {
  const std::string bytes =
      frame_of({shown_, mute_, faults_.notes, busy_, dialog_, turns_, spins_, said_});
  if (happens(faults_.clears)) {
    put(now, "\x1b[2J\x1b[H", false);
    return put(now + between(5, 120), bytes, dialog_);
  }
  const size_t cut = happens(faults_.halves) ? below(bytes.size()) : bytes.size();
  put(now, bytes.substr(0, cut), dialog_ && cut == bytes.size());
  if (cut < bytes.size()) put(now + between(1, 50), bytes.substr(cut), dialog_);
}

// What was begun is printed first.
inline void RoughTui::put(MonoTime at, std::string bytes, bool dialog) {
  if (!output_.empty()) at = std::max(at, output_.back().at);
  output_.push_back({at, std::move(bytes), {}, dialog});
}

}  // namespace pawl::core
