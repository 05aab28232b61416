#include "host/tmux/tmux_server.h"

#include <fmt/core.h>

#include <optional>

#include "base/text.h"
#include "os/process.h"
#include "os/random.h"

namespace pawl::host {
namespace {

// The lines of each question, as far as they were answered to the end.
std::vector<std::optional<TmuxServer::Lines>> sections(const std::string& output,
                                                       const std::string& mark, size_t count) {
  std::vector<std::optional<TmuxServer::Lines>> found(count);
  size_t next = 0;  // the question whose beginning is awaited
  TmuxServer::Lines lines;
  for (size_t at = 0; at < output.size() && next <= count;) {
    const size_t end = std::min(output.find('\n', at), output.size());
    std::string line = output.substr(at, end - at);
    at = end + 1;
    if (line == fmt::format("{} {}", mark, next)) {
      if (next > 0) found[next - 1] = std::exchange(lines, {});
      ++next;
    } else if (next > 0) {
      lines.push_back(std::move(line));
    }
  }
  return found;
}

bool says(const std::string& output, std::string_view words) {
  return output.find(words) != std::string::npos;
}

}  // namespace

std::vector<std::string> client_environment() {
  std::vector<std::string> kept;
  for (auto& entry : os::own_environment())
    for (const char* name : {"PATH=", "HOME=", "USER=", "SHELL=", "LANG=", "TZ="})
      if (entry.starts_with(name)) kept.push_back(entry);
  return kept;
}

TmuxServer::TmuxServer(os::Loop& loop, std::string socket)
    : loop_(loop),
      socket_(std::move(socket)),
      mark_(os::random_uuid()),
      soon_(loop, [this] { run(); }) {}

bool TmuxServer::ask(std::string script, Answered then) {
  if (waiting_.size() >= kQuestionsWaiting) return false;
  waiting_.push_back({std::move(script), std::move(then)});
  soon_.ask();
  return true;
}

void TmuxServer::run() {
  if (client_ || waiting_.empty()) return;
  os::ChildOrder order{{"tmux", "-u", "-S", socket_, "source-file", "-"}, client_environment()};
  order.limit = kAnswerLimit;
  order.keep = kAnswerBytes;
  while (!waiting_.empty() && asked_.size() < kBatch) {
    order.input += fmt::format("display-message -p \"{} {}\"\n", mark_, asked_.size());
    order.input += waiting_.front().script;
    asked_.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  }
  order.input += fmt::format("display-message -p \"{} {}\"\n", mark_, asked_.size());
  auto client = os::Child::start(loop_, order, [this](const os::ChildEnd& end) { ended(end); });
  if (client) {
    client_ = std::move(*client);
    return;
  }
  os::ChildEnd none;
  none.output = client.error().what;
  ended(none);
}

void TmuxServer::ended(const os::ChildEnd& end) {
  client_.reset();
  auto found = sections(end.output, mark_, asked_.size());
  health_ = judged(end, !found.empty() && found.back().has_value());
  const auto asked = std::exchange(asked_, {});
  if (!waiting_.empty()) soon_.ask();
  for (size_t i = 0; i < asked.size(); ++i)
    if (asked[i].then) asked[i].then(found[i] ? &*found[i] : nullptr);
}

TmuxServer::Health TmuxServer::judged(const os::ChildEnd& end, bool whole) const {
  if (whole) return Health::up;
  if (end.late) return Health::hung;
  for (const char* words :
       {"no server running", "error connecting", "lost server", "server exited"})
    if (says(end.output, words)) return Health::gone;
  return Health::unknown;
}

std::string TmuxServer::why() const {
  switch (health_) {
    case Health::up:
      return "its tmux server answers";
    case Health::gone:
      return "its tmux server is gone";
    case Health::hung:
      return "its tmux server does not answer";
    case Health::unknown:
      break;
  }
  return "its tmux server could not be asked";
}

}  // namespace pawl::host
