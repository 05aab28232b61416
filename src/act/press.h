#pragma once
// Answers a dialog: moves to one of its rows, sees that it is the chosen one, presses Enter, sees the dialog gone. Never a key
// into anything but that dialog: when it changes on the way, nothing more is pressed. A dialog that still follows the arrow
// keys after Enter, with nothing else on the screen changed and no word from the program, has not had that Enter: then, once, it
// gets another. One whose pointer went elsewhere at Enter is the next one, however much it looks like the first.

#include <string>
#include <utility>
#include <vector>

#include "act/outcome.h"
#include "act/view.h"

namespace pawl::act {

inline constexpr Duration kFindLong = std::chrono::seconds{3};  // until the dialog is drawn
inline constexpr Duration kMenuStable = std::chrono::milliseconds{150};
inline constexpr Duration kMoveLong = std::chrono::seconds{1};  // from an arrow key to the pointer
inline constexpr Duration kProbeAfter = std::chrono::milliseconds{1500};  // Enter was not heard
inline constexpr Duration kGoneLong = std::chrono::seconds{3};            // from Enter to the end

// The row that is meant: by its place (from 1), or by the beginning of its text, when that is only one's. -1: none.
int row_of(const std::vector<std::string>& options, const std::string& wish);
// A row without its pointer and number: what it says.
std::string said(const std::string& option);

class Press {
 public:
  // `wish` as for row_of.
  // `key`: chooses it, wherever the pointer is; empty: it is gone to with the arrow keys.
  // `dialog`: the id of the one that is meant; empty: the one that is there.
  Press(std::string wish, MonoTime now, std::string key = {}, std::string dialog = {})
      : wish_(std::move(wish)), key_(std::move(key)), meant_(std::move(dialog)), since_(now) {}

  Step look(const View& view);

 private:
  Step find(const View& view);
  bool same(const View& view) const;
  bool anew(const View& view) const;  // nobody but Enter moved its pointer
  Step gone(const View& view);
  Step move(const View& view);
  Step see_gone(const View& view);
  Step press(const View& view, const char* key);
  static Step end(Verdict verdict, std::string witness);

  std::string wish_, key_, meant_;
  std::string dialog_;             // its id, when it was found
  std::vector<std::string> said_;  // the rows of the dialog, when it was found
  int row_ = -1;
  int chosen_ = -1;  // when the last arrow was pressed
  MonoTime since_;
  size_t moves_ = 0, keys_ = 0;
  bool found_ = false, moving_ = false, entered_ = false;
  bool probing_ = false;  // after Enter: does it follow an arrow?
  int enters_ = 0;
  bool flickered_ = false;  // since Enter: this may be the next one
  std::string around_;      // at Enter
  MonoTime stable_{};       // the rows are the same since
  MonoTime lost_{};         // they are not since
};

}  // namespace pawl::act
