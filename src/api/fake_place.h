#pragma once
// For tests: other machines in a made-up world. A place has a journal and an answer for every verb; its lines open late, are slow,
// stall, are cut and come back, by the test's clock.

#include <deque>
#include <functional>
#include <list>
#include <random>
#include <string>
#include <vector>

#include "api/client_world.h"

namespace pawl::api {

class FakePlace : public Place {
 public:
  FakePlace(std::string name, const Clock& now) : name_(std::move(name)), now_(now) {}
  ~FakePlace() override;

  // What it is like.
  Standing how{.online = true, .version = "9.9"};
  Duration delay{};      // one way
  bool stalled = false;  // lines are there, and nothing comes
  bool mute = false;     // it hears, and never answers
  std::vector<Json> rows;
  uint64_t tellings = 1;     // how often it told them
  std::vector<Json> events;  // its journal; the first one's number is 1
  std::map<std::string, std::function<std::optional<Result<Json>>(const Json& args)>> answers;
  std::mt19937_64* pieces = nullptr;  // bytes come in pieces of any size; null: whole
  // What it was asked: verb, then arguments; and for whom.
  std::vector<std::pair<std::string, Json>> asked;
  std::vector<std::string> from;

  void happen(Json event) {
    event.set("seq", events.size() + 1).set("at", rfc3339(now_.wall));
    events.push_back(std::move(event));
  }
  // Every line is over at once; what was under way is lost.
  void cut();
  size_t lines() const { return lines_.size(); }

  Standing standing() const override { return how; }
  const std::vector<Json>& agents() const override { return rows; }
  uint64_t told() const override { return tellings; }
  std::unique_ptr<Talk> talk(const std::string& who) override;
  std::string update() const override { return "pawl machine add " + name_ + " URL --install"; }

 private:
  class Wire;
  std::string name_;
  const Clock& now_;
  std::list<Wire*> lines_;
};

class FakePlace::Wire : public Talk {
 public:
  explicit Wire(FakePlace& place) : place_(place) { place_.lines_.push_back(this); }
  ~Wire() override {
    if (!orphan_) place_.lines_.remove(this);
  }
  void outlive() { orphan_ = true; }

  void say(std::string_view frames) override {
    reader_.feed(frames);
    for (auto frame = reader_.next(); frame && *frame; frame = reader_.next())
      if ((*frame)->kind == Kind::json)
        in_.emplace_back(place_.now_.mono + place_.delay, *Json::parse((*frame)->payload));
      else
        keys += (*frame)->payload;
  }
  std::string hear() override {
    if (cut_ || place_.stalled) return {};
    work();
    std::string bytes;
    for (; !out_.empty() && out_.front().first <= place_.now_.mono; out_.pop_front())
      held_ += out_.front().second;
    const size_t size =
        place_.pieces && !held_.empty() ? (*place_.pieces)() % (held_.size() + 1) : held_.size();
    bytes = held_.substr(0, size);
    held_.erase(0, size);
    return bytes;
  }
  std::optional<Error> over() const override {
    if (!cut_) return std::nullopt;
    return Error{"the connection to it has ended", "try again"};
  }
  void cut() { cut_ = true; }
  std::string keys;

 private:
  void work() {
    while (!in_.empty() && in_.front().first <= place_.now_.mono) {
      const Json request = std::move(in_.front().second);
      in_.pop_front();
      take(request);
    }
    for (auto it = open_.begin(); it != open_.end();) it = settled(*it) ? open_.erase(it) : ++it;
    if (!follows_) return;
    for (; at_ < place_.events.size(); ++at_)
      put(encode(Json::object({{"event", place_.events[at_]}})));
  }
  void put(std::string frame) {
    if (!place_.mute) out_.emplace_back(place_.now_.mono + place_.delay, std::move(frame));
  }
  // Its answer, if there is one by now.
  bool settled(const Json& request) {
    const auto answer = place_.answers[request["verb"].as_string()](request["args"]);
    if (answer) put(encode(Kind::json, reply_of(*answer)));
    return answer.has_value();
  }
  void take(const Json& request) {
    const std::string verb = request["verb"].as_string();
    place_.asked.emplace_back(verb, request["args"]);
    if (place_.answers.contains(verb)) {
      open_.push_back(request);
    } else if (verb == "status") {
      put(encode(Kind::json, reply_of(Json::object({{"last_event", place_.events.size()}}))));
    } else if (verb == "events") {
      events(request["args"]);
    } else {
      put(encode(Kind::json, reply_of(fail("the daemon does not know '" + verb + "'"))));
    }
  }
  void events(const Json& args) {
    at_ = static_cast<size_t>(std::atoi(args["since"].as_string("0").c_str()));
    follows_ = true;
    work();
    if (args["follow"].as_bool()) return;
    follows_ = false;
    put(encode(Kind::json, reply_of(Json::object())));
  }

  FakePlace& place_;
  FrameReader reader_{kMaxRequest};
  std::deque<std::pair<MonoTime, Json>> in_;
  std::list<Json> open_;  // taken, and not answered yet
  std::deque<std::pair<MonoTime, std::string>> out_;
  std::string held_;
  size_t at_ = 0;
  bool follows_ = false, cut_ = false, orphan_ = false;
};

inline std::unique_ptr<Talk> FakePlace::talk(const std::string& who) {
  from.push_back(who);
  return std::make_unique<Wire>(*this);
}

inline FakePlace::~FakePlace() {
  for (Wire* line : lines_) line->outlive();
}

inline void FakePlace::cut() {
  for (Wire* line : lines_) line->cut();
}

// This machine's daemon, and others that it can ask.
struct PlacesWorld : ClientWorld {
  std::map<std::string, FakePlace> far;

  PlacesWorld() {
    server.places = [this] {
      Places out;
      for (auto& [name, place] : far) out[name] = &place;
      return out;
    };
  }
  FakePlace& place(const std::string& name) {
    return far.try_emplace(name, name, now).first->second;
  }
  // Turns pass until there is an answer. How long that took.
  Duration until_answered(Duration limit = std::chrono::minutes{1},
                          Duration each = std::chrono::milliseconds{10}) {
    const MonoTime begun = now.mono;
    while (replies.empty() && now.mono - begun < limit) step(each);
    return now.mono - begun;
  }
  void pass(Duration time, Duration each = std::chrono::milliseconds{50}) {
    for (const MonoTime until = now.mono + time; now.mono < until;) step(each);
  }
};

}  // namespace pawl::api
