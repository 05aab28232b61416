#include "daemon/move_room.h"

#include "os/clock.h"

namespace pawl::daemon {
namespace {

struct MoveErrand {
  api::ErrandBox errand;
  void run() { errand->run(); }
};

}  // namespace

MoveRoom::MoveRoom(os::Loop& loop, core::Engine& engine, api::Server& server,
                   std::function<void()> wake)
    : wake_(std::move(wake)),
      mover_(engine, server, away(), wake_),
      arrivals_(engine, away()),
      later_(engine, server, engine.home()),
      worker_(loop) {
  server.mover = &mover_;
  server.arrivals = &arrivals_;
  server.later = &later_;
}

api::Away MoveRoom::away() {
  return [this](api::ErrandBox errand, Duration limit, std::function<void(api::ErrandBox)> done) {
    const auto back = [this, done](os::Answer answer, MoveErrand* what) {
      if (answer == os::Answer::back) return;
      done(what ? std::move(what->errand) : nullptr);
      wake_();
    };
    if (!worker_.run<MoveErrand>({std::move(errand)}, limit, back)) done(nullptr);
  };
}

void MoveRoom::begin_again() {
  mover_.begin_again(os::read_clock());
  later_.begin_again();
}

void MoveRoom::follow(const Clock& now, const std::vector<core::Answer>& answers) {
  for (const auto& answer : answers) {
    mover_.answered(now, answer);
    arrivals_.answered(answer);
  }
  mover_.turn(now);
  later_.turn(now);
}

std::optional<MonoTime> MoveRoom::wake_at() const {
  const auto moves = mover_.wake_at(), later = later_.wake_at();
  return moves && later ? std::min(*moves, *later) : moves ? moves : later;
}

}  // namespace pawl::daemon
