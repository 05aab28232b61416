#include "bus/reading.h"

namespace pawl::bus {
namespace {

constexpr std::string_view kDoesNotFit =
    "MaxBytes";  // the next message does not fit into the window
constexpr int kHeartbeat = 100, kNothing = 404, kTimeOver = 408;

std::string window(bool wait) {
  Json wish = Json::object({{"batch", kWindow}, {"max_bytes", kWindowBytes}});
  if (wait) {
    wish.set("expires", static_cast<int64_t>(std::chrono::nanoseconds(kWindowStays).count()));
    wish.set("idle_heartbeat", static_cast<int64_t>(std::chrono::nanoseconds(kHeartbeats).count()));
  } else {
    wish.set("no_wait", true);
  }
  return wish.dump();
}

}  // namespace

Reading::Reading(os::Loop& loop, Line& line, Questions& questions, uint64_t channel, Plan plan,
                 Events events)
    : line_(line),
      questions_(questions),
      channel_(channel),
      plan_(std::move(plan)),
      events_(std::move(events)),
      inbox_(questions.inbox("r" + std::to_string(channel))),
      timer_(loop, [this] { reader_.empty() ? make() : again("the bus stopped telling"); }) {
  line_.listen(inbox_, channel_);
  make();
}

Reading::~Reading() {
  questions_.forget(asked_);
  line_.unlisten(channel_);
}

void Reading::make() {
  const std::string wish = reader_wish(plan_.stream, plan_.filter, plan_.from, plan_.after).dump();
  timer_.cancel();
  asked_ = questions_.ask("$JS.API.CONSUMER.CREATE." + plan_.stream, {}, wish, kReaderMade,
                          [this](const Answer& answer) { made(answer); });
}

void Reading::made(const Answer& answer) {
  if (answer.how == Answer::How::denied)
    return events_.failed("the bus does not let this node read " + plan_.stream);
  if (answer.how != Answer::How::came || answer.heard.status != 0)
    return again("the bus has nobody who tells " + plan_.stream);
  auto json = Json::parse(answer.heard.value);
  if (!json) return again("the bus's answer makes no sense");
  if (const auto refusal = refusal_in(*json)) {
    if (refusal->status == 503) return again(sentence_of(*refusal));
    return events_.failed(sentence_of(*refusal));
  }
  reader_ = (*json)["name"].as_string();
  expected_ = 1;
  if (!began_) {
    began_ = true;
    const auto after = static_cast<uint64_t>((*json)["delivered"]["stream_seq"].as_int());
    if (plan_.from == From::now) {
      plan_.from = From::after;
      plan_.after = after;
    }
    if (events_.began) events_.began(after);
  }
  pull();
}

void Reading::pull() {
  left_ = kWindow;
  line_.send("$JS.API.CONSUMER.MSG.NEXT." + plan_.stream + "." + reader_, inbox_, {},
             window(caught_up_));
  timer_.start(kWindowLate);
}

void Reading::heard(const Heard& heard) {
  if (heard.status != 0) {
    if (reader_.empty()) return;
    if (heard.status == kHeartbeat) return timer_.start(kWindowLate);
    if (heard.status == kNothing || heard.status == kTimeOver) return window_over();
    if (heard.words.find(kDoesNotFit) != std::string::npos) return pull();
    return again("the bus lost the reader of " + plan_.stream + " (" + heard.words + ")");
  }
  const auto at = given(heard.reply);
  if (!at || at->reader != reader_) return;  // of an earlier one, or nobody's
  if (at->number != expected_) return again("a message of the bus went missing");
  ++expected_;
  tries_ = 0;
  plan_.after = at->sequence;
  plan_.from = From::after;
  timer_.start(kWindowLate);
  if (--left_ == 0) pull();
  events_.told(heard, at->sequence);
}

void Reading::window_over() {
  tries_ = 0;
  const bool first = !std::exchange(caught_up_, true);
  pull();
  if (first && events_.caught_up) events_.caught_up();
}

void Reading::again(const std::string& because) {
  reader_.clear();
  if (++tries_ > kReaderTries) return events_.failed(because);
  timer_.start(kReaderAgain);
}

}  // namespace pawl::bus
