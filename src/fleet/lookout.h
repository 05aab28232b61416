#pragma once
// Whether a machine can be reached, since when, why not, and what its agents do: looked at over the first connection, which the
// others go through. Who asks is told what is known, and waits for nobody.

#include <memory>
#include <optional>
#include <string>

#include "api/frame.h"
#include "fleet/link.h"

namespace pawl::fleet {

inline constexpr Duration kLooks = std::chrono::seconds{2};          // between two looks
inline constexpr Duration kLooksAtRest = std::chrono::seconds{5};    // … while nobody asks
inline constexpr Duration kAsksAgain = std::chrono::seconds{30};     // whoever asked
inline constexpr Duration kAnswersWithin = std::chrono::seconds{5};  // else it is not reached
inline constexpr Duration kTriesFirst = std::chrono::seconds{2};  // … again; then twice as long
inline constexpr Duration kTriesLast = std::chrono::seconds{30};

class Lookout {
 public:
  // `dir`: that machine's folder. `changed`: it is reached, or is not any more.
  Lookout(os::Loop& loop, Parting& parting, Machine machine, std::string from, std::string dir,
          std::function<void()> changed);

  bool online() const { return online_; }
  // It is online, and said so this very moment.
  bool awake(MonoTime now) const { return online_ && now - heard_ < kLooksAtRest + kAnswersWithin; }
  WallTime since() const { return since_; }
  const std::string& because() const { return because_; }  // it is not reached, and what to do
  const std::string& master() const { return master_; }    // of the others' connections
  const std::string& version() const { return version_; }
  const std::vector<Json>& agents() const { return agents_; }  // as it told them last
  void wanted(MonoTime now);                                   // somebody asks

 private:
  void begin();
  void look();
  void heard();
  bool take(const Json& reply);
  void lose(Error why);
  void pass();

  os::Loop& loop_;
  Parting& parting_;
  Machine machine_;
  std::string from_, dir_, master_;
  std::function<void()> changed_;
  std::unique_ptr<Link> link_;
  std::optional<api::FrameReader> reader_;
  bool asked_ = false;  // and no answer yet
  bool online_ = false;
  WallTime since_;
  MonoTime heard_{}, tried_{};
  std::optional<MonoTime> wanted_ = {};
  std::string because_ = "it was not reached yet";
  std::string version_;
  std::vector<Json> agents_;
  Duration pause_ = kTriesFirst;
  os::Timer timer_;
};

}  // namespace pawl::fleet
