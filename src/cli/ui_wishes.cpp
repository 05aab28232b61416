#include <signal.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/attach.h"
#include "cli/events.h"
#include "cli/ui_program.h"
#include "ui/press.h"
#include "ui/take.h"

namespace pawl::cli {
namespace {

constexpr size_t kMaxSaid = 64u << 10;  // of a verb; its last line is told

std::string last_of(const std::string& text) {
  const auto lines = split(trim(text), '\n');
  std::string line = lines.empty() ? "" : lines.back();
  return line.starts_with("pawl: ") ? line.substr(6) : line;
}

}  // namespace

void UiProgram::grant(const ui::Wish& wish) {
  using Kind = ui::Wish::Kind;
  changed();
  switch (wish.kind) {
    case Kind::quit:
      quit_ = true;
      break;
    case Kind::suspend:
      suspend();
      break;
    case Kind::attach:
      attach_to(wish.agent);
      break;
    case Kind::run:
      if (verbs_.size() >= kUiMaxVerbs)
        return ui::tell(state_, "too much at once: wait a moment", true);
      verbs_.push_back(wish);
      next_verb();
      break;
    case Kind::cancel:
      page_.reset();
      break;
    case Kind::moments:
      ask_moments(wish.agent);
      break;
    case Kind::screen_at:
      break;  // ask_then() sees which one is chosen
  }
}

// Pages at once; the others one after the other, in the order in which they were wished.
void UiProgram::next_verb() {
  while (!verbs_.empty() && (verbs_.front().page || !verb_)) {
    const ui::Wish wish = std::move(verbs_.front());
    verbs_.pop_front();
    auto child = UiChild::start(wish.words, wish.input);
    if (!child) {
      ui::tell(state_, text_of(child.error()), true);
      continue;
    }
    if (wish.page) {
      page_.reset();
      page_.emplace(std::move(*child));
      continue;
    }
    said_.clear();
    verb_.emplace(std::move(*child));
    ui::tell(state_, "pawl " + join(wish.words, " ") + " …", false);
  }
}

void UiProgram::hear_verb() {
  const auto more = verb_->read();
  if (more) {
    said_ += *more;
    if (said_.size() > kMaxSaid) said_.erase(0, said_.size() - kMaxSaid);
    return;
  }
  const int code = verb_->exit_code();
  verb_.reset();
  const std::string line = last_of(said_);
  ui::tell(state_, line.empty() ? (code == 0 ? "done" : "exit code " + std::to_string(code)) : line,
           code != 0);
  next_verb();
  changed();
}

void UiProgram::hear_page() {
  const auto more = page_->read();
  if (more) {
    ui::take_text(state_, *more);
  } else {
    ui::take_end(state_, page_->exit_code());
    page_.reset();
  }
  changed();
}

void UiProgram::attach_to(const std::string& agent) {
  const std::string leave = painter_.leave();
  (void)!::write(STDOUT_FILENO, leave.data(), leave.size());
  if (state_.detail_of == agent && state_.detail["pane"].is_object()) {
    lend_terminal([&] { (void)run_at_terminal({"attach", agent}); });
  } else {
    const Farewell farewell = attach_here({home_, agent, false}, winch_fd_);
    ui::tell(state_, farewell.text, farewell.code != 0);
  }
  come_back();
  watched_.clear();
  watch_selected();
}

// As Ctrl-Z in a shell. Where no shell waits nobody could wake us.
void UiProgram::suspend() {
  if (::getsid(0) == ::getpgrp())
    return ui::tell(state_, "no shell is there to come back from: use q", true);
  const std::string leave = painter_.leave();
  (void)!::write(STDOUT_FILENO, leave.data(), leave.size());
  lend_terminal([] { ::kill(0, SIGSTOP); });
  come_back();
}

void UiProgram::ask_moments(const std::string& agent) {
  const Json args = Json::object({{"name", agent}, {"since", "24h"}});
  asks_.ask("timeline", args, now(), [this, agent](const Result<Json>& answer) {
    if (!answer) {
      ui::take_moments(state_, agent, tl::unexpected(answer.error()));
    } else {
      std::vector<ui::Moment> list;
      for (const auto& event : (*answer)["events"].items()) {
        const std::string at = event["at"].as_string();
        const std::string line = event_line(event, Look{});
        const size_t text = line.find(at);
        list.push_back({at, text == std::string::npos ? line : line.substr(text)});
      }
      ui::take_moments(state_, agent, list);
    }
    ask_then();
    changed();
  });
}

}  // namespace pawl::cli
