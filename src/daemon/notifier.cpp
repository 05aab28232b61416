#include "daemon/notifier.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "os/clock.h"
#include "store/journal.h"

namespace pawl::daemon {
namespace {

using Kind = model::Channel::Kind;

act::Message message_of(const model::Event& event, const model::Alerted& alert) {
  return {event.agent,  event.at,   alert.severity, alert.text,
          alert.matter, alert.todo, alert.screen};
}

// "ntfy", or "ntfy 2" where there are several of them.
std::string name_among(const std::vector<std::string>& words, size_t place) {
  const auto kind = [&](size_t at) { return words[at].substr(0, words[at].find(':')); };
  size_t before = 0, all = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    if (kind(i) != kind(place)) continue;
    ++all;
    if (i < place) ++before;
  }
  return all > 1 ? fmt::format("{} {}", kind(place), before + 1) : kind(place);
}

}  // namespace

Notifier::Notifier(os::Loop& loop, core::Engine& engine, std::vector<std::string> defaults)
    : loop_(loop),
      engine_(engine),
      defaults_(std::move(defaults)),
      timer_(loop, [this] { go_on(os::read_clock()); }),
      poster_(loop) {
  for (const auto& word : defaults_) line_of(word);  // a bad one is said now, not in the night
}

Notifier::~Notifier() {
  for (const auto& [word, line] : lines_)
    if (const size_t left = line.queue.unsent(); left > 0)
      fmt::print(stderr, "pawl: {}: alerts that were not sent before the end: {}\n",
                 name_of(line.channel), left);
}

void Notifier::follow(const Clock& now) {
  const auto alerts = engine_.take_alerts();
  if (alerts.empty()) return;  // the timer does the rest
  std::erase_if(lines_, [&](const auto& one) { return one.second.queue.idle(now.mono); });
  for (const auto& event : alerts) take(now, event);
  go_on(now);
}

size_t Notifier::running() const {
  return static_cast<size_t>(std::count_if(
      lines_.begin(), lines_.end(), [](const auto& one) { return one.second.child != nullptr; }));
}

void Notifier::take(const Clock& now, const model::Event& event) {
  const auto* alert = std::get_if<model::Alerted>(&event.fact);
  if (!alert) return;
  const model::Agent* agent = engine_.fleet().find(event.agent);
  const auto& words = agent ? agent->spec.notify : defaults_;
  const bool asks = agent && agent->dialog && alert->matter == agent->dialog->matter();
  for (size_t i = 0; i < words.size(); ++i) {
    Line* line = line_of(words[i]);
    if (!line) continue;
    act::Message message = message_of(event, *alert);
    if (asks && links_) message.link = link_for(*agent, event, i);
    line->queue.add(now.mono, std::move(message));
  }
}

// A link of its own for each channel; its code is in the message of the next one.
act::AnswerLink Notifier::link_for(const model::Agent& agent, const model::Event& event,
                                   size_t place) const {
  const auto& words = agent.spec.notify;
  const auto kind = [&](size_t at) { return words[at].substr(0, words[at].find(':')); };
  const auto link = [&](size_t at) {
    return links_(agent.spec.name, agent.dialog->id, event.at, static_cast<int>(at), kind(at));
  };
  const auto own = link(place);
  if (!own) return {};
  act::AnswerLink out{own->url, agent.dialog->row(model::Cost::deny) != nullptr};
  const size_t before = (place + words.size() - 1) % words.size();
  if (before == place) return out;
  if (const auto other = link(before); other && !other->code.empty()) {
    out.code = other->code;
    out.code_for = name_among(words, before);
  }
  return out;
}

Notifier::Line* Notifier::line_of(const std::string& word) {
  if (const auto known = lines_.find(word); known != lines_.end()) return &known->second;
  const auto channel = model::channel_from(word);
  if (channel) return &lines_.emplace(word, Line{*channel}).first->second;
  if (bad_.insert(word).second) fmt::print(stderr, "pawl: {}\n", text_of(channel.error()));
  return nullptr;
}

void Notifier::go_on(const Clock& now) {
  std::optional<MonoTime> due;
  for (auto& [word, line] : lines_) {
    while (const auto message = line.queue.next(now)) send(line, *message);
    const auto wake = line.queue.wake_at();
    if (wake && (!due || *wake < *due)) due = wake;
  }
  if (due)
    timer_.start(*due - now.mono);
  else
    timer_.cancel();
}

void Notifier::send(Line& line, const act::Message& message) {
  if (const std::string& url = message.link.url; !url.empty() && line.linked != url) {
    line.linked = url;  // once, however often it is tried
    engine_.journal().note(os::read_clock().wall, {"approval link for " + message.agent +
                                                       " sent by " + name_of(line.channel),
                                                   {model::kRule, "notify", 0}});
  }
  if (line.channel.kind == Kind::desktop) return show(line, message);
  if (line.channel.kind != Kind::exec) return post(line, message);
  os::ChildOrder order{{line.channel.target}};
  order.input = to_json(message).dump() + "\n";
  run(line, std::move(order));
}

void Notifier::show(Line& line, const act::Message& message) {
  const char* path = std::getenv("PATH");
  const std::string tool = os::find_program("notify-send", path ? path : "");
  if (tool.empty()) {
    if (!std::exchange(no_desktop_, true))
      fmt::print(stderr, "pawl: desktop: notify-send is not in the PATH; install libnotify-bin\n");
    return line.queue.sent();  // trying again would not help
  }
  os::ChildOrder order{{tool}};
  for (auto& word : desktop_words(message)) order.argv.push_back(std::move(word));
  run(line, std::move(order));
}

void Notifier::run(Line& line, os::ChildOrder order) {
  order.limit = kSendLimit;
  auto child = os::Child::start(loop_, order, [this, &line](const os::ChildEnd& end) {
    line.child.reset();
    const model::Ending ending{end.exit_code, end.signal};
    ended(line, end.fine() ? ""
                : end.late ? "it took too long and was killed"
                           : text_of(ending));  // what it printed may hold a secret
    go_on(os::read_clock());
  });
  if (!child) return ended(line, text_of(child.error()));
  line.child = std::move(*child);
}

void Notifier::post(Line& line, const act::Message& message) {
  auto post = act::post_of(line.channel.kind, message);
  const auto begun =
      poster_.post({line.channel.target, std::move(post.headers), std::move(post.body), kSendLimit},
                   [this, &line](const os::Posted& answer) {
                     ended(line, answer.fine ? "" : answer.how);
                     go_on(os::read_clock());
                   });
  if (!begun) ended(line, text_of(begun.error()));
}

void Notifier::ended(Line& line, const std::string& how) {
  if (how.empty()) {
    line.failing = false;
    return line.queue.sent();
  }
  const size_t lost = line.queue.failed(os::read_clock().mono);
  const std::string name = name_of(line.channel);
  if (lost > 0)
    fmt::print(stderr, "pawl: {}: alerts that are given up: {}: {}\n", name, lost, how);
  else if (!line.failing)
    fmt::print(stderr, "pawl: {}: an alert could not be sent and is tried again: {}\n", name, how);
  line.failing = true;
}

}  // namespace pawl::daemon
