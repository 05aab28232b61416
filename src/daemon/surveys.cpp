#include "daemon/surveys.h"

#include "os/clock.h"
#include "store/real_disk.h"
#include "store/survey.h"

namespace pawl::daemon {
namespace {

struct HomeLook {
  std::string home;
  model::Holdings held = {};

  void run() {
    store::RealDisk disk;
    store::empty_bin(disk, home);
    held = store::survey(disk, home);
  }
};

}  // namespace

void Surveys::follow() {
  if (!engine_.take_survey()) return;
  const std::function<void(os::Answer, HomeLook*)> answered = [this](auto answer, auto* look) {
    if (answer == os::Answer::late) return;  // it will be back, or never
    told(look ? std::optional(std::move(look->held)) : std::nullopt);
  };
  if (!worker_.run<HomeLook>(HomeLook{home_}, kSurveyLimit, answered)) told(std::nullopt);
}

void Surveys::told(std::optional<model::Holdings> held) {
  engine_.surveyed(os::read_clock(), std::move(held));
  wake_();
}

}  // namespace pawl::daemon
