#pragma once
// One calibration on disk: the samples of an agent under PAWL_HOME/calibrate/NAME, and what is made of them in the end: a
// profile, and the samples beside it as its tests. The interactive screen and `--sample`/`--write` share it.

#include <string>
#include <vector>

#include "base/result.h"
#include "perceive/learn/still.h"

namespace pawl::cli {

struct NamedStill {
  std::string name;  // of its file: "03-busy.screen"
  perceive::Still still;
};

// All samples of a folder, in order.
Result<std::vector<NamedStill>> read_stills(const std::string& folder);

class Calibration {
 public:
  // `out`: profiles/ is made there.
  Calibration(std::string home, std::string agent, std::string out);

  // The agent's screen as it is now.
  Result<perceive::Still> look() const;
  // … kept under the name a person gives it; the number of samples.
  Result<size_t> take(perceive::Shown shown, perceive::Still still) const;
  // The last one goes; its name, empty when there was none.
  Result<std::string> undo() const;
  Result<std::vector<NamedStill>> samples() const { return read_stills(folder_); }

  // Where the profile will be written; fails when the agent is unknown.
  Result<std::string> profile_path() const;
  // Learns, tries, writes. What to tell the person. With `force` also over a file, and with samples that are read wrongly.
  Result<std::string> write(bool force) const;

 private:
  Result<std::string> profile_name() const;
  bool in_use(const std::string& profile) const;

  std::string home_, agent_, out_, folder_;
};

}  // namespace pawl::cli
