#include "cli/ui_line.h"

#include <utility>

namespace pawl::cli {

bool UiLine::open(const std::string& home) {
  close();
  auto client = Client::connect_now(home);
  if (client) client_.emplace(std::move(*client));
  return is_open();
}

void UiLine::close() {
  client_.reset();
  questions_.clear();
}

void UiLine::ask(const std::string& verb, Json args, MonoTime now, Answer answer) {
  if (!client_ || questions_.size() >= kMaxAsked) return;
  questions_.push_back({Client::request(verb, std::move(args)), std::move(answer), now});
  if (questions_.size() == 1) (void)send_next(now);
}

// A daemon that has gone is noticed by hear().
bool UiLine::send_next(MonoTime now) {
  questions_.front().asked = now;
  return client_->send(api::encode(questions_.front().request)).has_value();
}

bool UiLine::hear(MonoTime now, const Sinks& sinks) {
  while (client_) {
    const auto frame = client_->receive(Client::Wait::no);
    if (!frame) {
      close();
      return false;
    }
    if (!*frame) return true;
    if ((*frame)->kind == api::Kind::output) {
      if (sinks.output) sinks.output((*frame)->payload);
      continue;
    }
    const auto json = Json::parse((*frame)->payload);
    if (!json) continue;
    if (!json->has("ok")) {
      if (sinks.said) sinks.said(*json);
      continue;
    }
    if (questions_.empty()) continue;
    const Answer answer = std::move(questions_.front().answer);
    questions_.pop_front();
    if (!questions_.empty()) (void)send_next(now);
    answer(api::result_of(*json));  // may ask, or close
  }
  return true;
}

std::optional<MonoTime> UiLine::waiting_since() const {
  if (questions_.empty()) return std::nullopt;
  return questions_.front().asked;
}

}  // namespace pawl::cli
