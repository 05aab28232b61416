#pragma once
// Leaves what the keyboard reaches in place of the prompt: an empty shell mode, a page that somebody opened. One key, and only while
// that is there, nothing is in the box, nobody types and no turn runs; then the prompt has to be back.

#include <string>

#include "act/outcome.h"
#include "act/view.h"

namespace pawl::act {

inline constexpr Duration kModeStable = std::chrono::milliseconds{500};  // before a key is pressed
inline constexpr Duration kModeLong = std::chrono::seconds{5};           // until it is so, or gone

class Leave {
 public:
  explicit Leave(MonoTime now) : since_(now) {}
  Step look(const View& view);

 private:
  Step before(const View& view);
  Step after(const View& view);
  static Step end(Verdict verdict, std::string witness);

  MonoTime since_;
  std::string mode_;  // as it was called when the key was pressed; empty: none was
  MonoTime steady_{};
};

}  // namespace pawl::act
