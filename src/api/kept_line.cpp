#include "api/kept_line.h"

namespace pawl::api {

Json greeting() {
  return abroad(Json::object({{"verb", "status"}}), Json::object());
}

KeptLine::KeptLine(std::string machine, std::string from, const std::function<Places()>* places,
                   MonoTime begun)
    : machine_(std::move(machine)),
      from_(std::move(from)),
      places_(places),
      patience_(begun + kPlacesWithin) {}

void KeptLine::tell(const Clock& now, const char* what) {
  news_.push_back(Json::object({{"seq", Json()},
                                {"at", rfc3339(now.wall)},
                                {"agent", Json()},
                                {"machine", machine_},
                                {"type", "machine"},
                                {"what", what},
                                {"because", because_.empty() ? Json() : Json(because_)}}));
}

void KeptLine::lose(const Clock& now, const std::string& because) {
  line_.reset();
  again_ = now.mono + kCallsAgain;
  if (std::exchange(away_, true)) return;
  because_ = because;
  tell(now, "away");
}

// Is the place there, and is there a line to it?
void KeptLine::look(const Clock& now, const Opening& opening) {
  Place* place = place_named(*places_, machine_);
  const Standing standing = place ? place->standing() : Standing{};
  if (!place || !standing.online) {
    const bool early = place && standing.first_try && now.mono < patience_;
    if (line_ || (!away_ && !early))
      lose(now, place ? standing.because : "it is not one of our machines any more");
    again_.reset();  // its place in the list changes first
    return;
  }
  if (line_ || (again_ && now.mono < *again_)) return;
  again_.reset();
  line_.emplace(machine_, place->talk(from_));
  ++number_;
  for (const auto& request : opening()) line_->say(now, request);
}

std::optional<Frame> KeptLine::next(const Clock& now, const Opening& opening) {
  look(now, opening);
  if (!line_) return std::nullopt;
  auto frame = line_->next();
  if (!frame) {
    lose(now, frame.error().what);
    return std::nullopt;
  }
  if (*frame && std::exchange(away_, false)) {
    because_.clear();
    tell(now, "back");
  }
  return std::move(*frame);
}

std::optional<Json> KeptLine::take_news() {
  if (news_.empty()) return std::nullopt;
  Json out = std::move(news_.front());
  news_.pop_front();
  return out;
}

std::optional<MonoTime> KeptLine::wake_at() const {
  if (line_) return std::nullopt;
  return again_ ? again_ : away_ ? std::nullopt : std::optional(patience_);
}

}  // namespace pawl::api
