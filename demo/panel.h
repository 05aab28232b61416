#pragma once
// The demo agent's terminal: raw mode, a transcript that scrolls, a live part below it, and keys.
// Draws as inline agents do: the live part is overwritten in place, finished lines scroll away
// above it.

#include <termios.h>

#include <string>
#include <string_view>
#include <vector>

namespace demo {

// What is under the transcript. The cursor is left at `cursor_col` of line `cursor_line`.
struct Live {
  std::vector<std::string> lines;
  size_t cursor_line = 0;
  size_t cursor_col = 0;
  bool cursor_visible = true;
};

enum class Key {
  text,
  enter,
  escape,
  up,
  down,
  backspace,
  clear,
  interrupt,
  end,
  status_reply,
  none
};

struct Press {
  Key key = Key::none;
  std::string text = {};  // of Key::text: one character or a whole paste
};

class Panel {
 public:
  struct Options {
    bool alternate = false;
    bool cols_aware = false;  // use the whole width; else 80 columns at most
  };
  explicit Panel(Options options);
  ~Panel();  // gives the terminal back as it was
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;

  void say(std::string line);  // one finished line, shown at the next draw()
  void draw(Live live);        // writes only what changed
  void redraw_all();           // after a resize
  void title(std::string_view text);
  void raw(std::string_view bytes);

  // What was typed; empty at the end of input as well (then closed() is true).
  std::vector<Press> read_keys();
  // A lone ESC is a key only when nothing follows it; call this when input has been quiet for a
  // moment.
  std::vector<Press> flush_escape();
  bool escape_pending() const { return pending_ == "\x1b"; }
  bool closed() const { return closed_; }
  size_t width() const { return width_; }

 private:
  void measure();
  Press next_press();
  Press next_sequence();
  void overwrite(const Live& live, std::string& out) const;
  void print(const Live& live, std::string& out) const;

  Options options_;
  bool is_tty_ = false;
  bool closed_ = false;
  termios saved_ = {};
  size_t width_ = 80;
  size_t rows_ = 24;
  std::vector<std::string> fresh_;  // said, not drawn
  std::vector<std::string> said_;   // the last screenful, for redraw_all
  Live live_;
  std::string pending_;  // bytes of an unfinished key
};

// Columns that the text takes; SGR sequences take none.
size_t columns(std::string_view text);
// The text up to `width` columns, its SGR sequences kept.
std::string cut(std::string_view text, size_t width);
// Plain text broken between words; a word that is longer than a line as well.
std::vector<std::string> wrap(std::string_view text, size_t width);
std::string dim(const std::string& text);
std::string base64(std::string_view bytes);

}  // namespace demo
