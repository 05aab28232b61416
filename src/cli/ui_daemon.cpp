#include <utility>

#include "cli/ui_program.h"
#include "ui/take.h"

namespace pawl::cli {
namespace {

constexpr const char* kUiGone =
    "The daemon has gone; agents keep running. Waiting for it; any pawl command starts it "
    "(:status)";
constexpr const char* kUiSilent = "The daemon does not answer; agents keep running. Waiting for it";
constexpr const char* kUiBack = "The daemon answers again";
constexpr Duration kUiSearchRest = std::chrono::milliseconds{150};

bool has_passed(std::optional<MonoTime>& at, MonoTime now) {
  if (!at || now < *at) return false;
  at.reset();
  return true;
}

std::string id_in(const Json& event) {
  const std::string machine = event["machine"].as_string(), agent = event["agent"].as_string();
  return machine.empty() || agent.empty() ? agent : machine + "/" + agent;
}

}  // namespace

void UiProgram::due() {
  const MonoTime at = now();
  if (has_passed(retry_at_, at)) connect();
  if (has_passed(list_at_, at)) ask_list();
  if (has_passed(some_at_, at)) ask_some();
  if (has_passed(watch_at_, at)) open_picture();
  if (has_passed(stale_at_, at)) changed();
  if (has_passed(escape_at_, at)) pressed(keys_.flush());
  typed(status_.held_keys(at));
  if (has_passed(search_at_, at) && !searched_.empty())
    asks_.ask("ls", Json::object({{"fields", Json::Array{"name"}}, {"on_screen", searched_}}), at,
              [this, text = searched_](const Result<Json>& list) {
                if (list && text == state_.filter) ui::take_found(state_, *list);
                changed();
              });
  if (has_passed(then_at_, at))
    asks_.ask("screen",
              Json::object(
                  {{"name", state_.moments.agent}, {"at", state_.moments.then_at}, {"ansi", true}}),
              at, [this, then = state_.moments.then_at](const Result<Json>& screen) {
                ui::take_then(state_, then, screen);
                changed();
              });
  note_late();
}

void UiProgram::note_late() {
  const auto since = asks_.waiting_since();
  if (!since || !state_.lost.empty() || now() - *since < kUiLate) return;
  state_.lost = kUiSilent;
  was_lost_ = true;
  changed();
}

void UiProgram::connect() {
  if (!asks_.open(home_)) return lost();
  asks_.ask("status", Json::object(), now(), [this](const Result<Json>& status) {
    if (status) return follow(*status);
    state_.lost = text_of(status.error());
    changed();
  });
}

// From the last event on, so that nothing is missed between the list and it.
void UiProgram::follow(const Json& status) {
  if (!feed_.open(home_)) return lost();
  const std::string since = std::to_string(status["last_event"].as_int());
  feed_.ask("events", Json::object({{"follow", true}, {"since", since}, {"machines", true}}), now(),
            [this](const Result<Json>&) { lost(); });
  list_at_ = now();
}

void UiProgram::lost() {
  asks_.close();
  feed_.close();
  picture_.close();
  watched_.clear();
  state_.lost = kUiGone;
  was_lost_ = true;
  retry_at_ = now() + kUiRetry;
  list_at_.reset();
  some_at_.reset();
  changed();
}

void UiProgram::hear() {
  const MonoTime at = now();
  if (!asks_.hear(at, {})) return lost();
  const auto since = asks_.waiting_since();
  if (state_.lost == kUiSilent && (!since || at - *since < kUiLate)) {
    state_.lost.clear();
    ui::tell(state_, kUiBack, false);
    was_lost_ = false;
    changed();
  }
  if (feed_.is_open() &&
      !feed_.hear(at, {{}, [this](const Json& json) { happened(json["event"]); }}))
    return lost();
  if (!picture_.is_open()) return;
  const auto output = [this](std::string_view bytes) {
    ui::take_output(state_, bytes);
    changed();
  };
  const auto said = [this](const Json& json) {
    const Json& size = json["size"];
    if (!size.is_object()) return;
    ui::take_size(state_, {static_cast<uint16_t>(size["cols"].as_int()),
                           static_cast<uint16_t>(size["rows"].as_int())});
    changed();
  };
  (void)picture_.hear(at, {output, said});
}

void UiProgram::happened(const Json& event) {
  if (!event.is_object()) return;
  const std::string id = id_in(event);
  const MonoTime at = now();
  if (!id.empty()) changed_.insert(id);
  if (id.empty() || changed_.size() > kUiMaxChanged)
    list_at_ = earlier(list_at_, std::max(at, last_list_ + kUiList));
  else
    some_at_ = earlier(some_at_, std::max(at, last_some_ + kUiSome));
}

void UiProgram::ask_list() {
  if (!asks_.is_open()) return;
  last_list_ = now();
  changed_.clear();
  some_at_.reset();
  const Json args = Json::object({{"fields", ui::list_fields()}, {"machines", true}});
  asks_.ask("ls", args, last_list_, [this](const Result<Json>& list) {
    if (!list) {
      ui::tell(state_, text_of(list.error()), true);
    } else {
      if (std::exchange(was_lost_, false)) ui::tell(state_, kUiBack, false);
      state_.lost.clear();
      ui::take_list(state_, *list);
      reported_ = false;
      watched_.clear();
    }
    watch_selected();
    changed();
  });
}

// Those that something happened to, alone.
void UiProgram::ask_some() {
  if (!asks_.is_open() || changed_.empty()) return;
  last_some_ = now();
  const std::set<std::string> names = std::exchange(changed_, {});
  const Json args = Json::object({{"fields", ui::list_fields()},
                                  {"machines", true},
                                  {"names", std::vector<std::string>(names.begin(), names.end())}});
  asks_.ask("ls", args, last_some_, [this, names](const Result<Json>& list) {
    if (list) ui::take_some(state_, *list, names);
    reported_ = false;
    watch_selected();
    changed();
  });
  if (names.contains(state_.selected)) watched_.clear();
}

// Another one is selected, or something happened to it: it is looked at when the selection rests.
void UiProgram::watch_selected() {
  if (state_.selected == watched_ || watch_at_) return;
  watch_at_ = now() + kUiRest;
}

void UiProgram::open_picture() {
  const std::string name = state_.selected;
  watched_ = name;
  if (name.empty() || !asks_.is_open()) return picture_.close();
  asks_.ask("show", Json::object({{"name", name}}), now(), [this, name](const Result<Json>& shown) {
    ui::take_detail(state_, name, shown);
    changed();
  });
  const ui::Agent* agent = state_.agent();
  const std::string life =
      agent && agent->state != "exited" && agent->state != "crashed" ? "lives" : "over";
  const bool same = state_.picture.of == name && picture_state_ == life && picture_.is_open();
  if (same) return;
  ui::look_at(state_, name);
  picture_state_ = life;
  if (!picture_.open(home_)) return;
  const Json args = Json::object({{"name", name}, {"follow", true}, {"ansi", true}});
  picture_.ask("screen", args, now(), [this](const Result<Json>& still) {
    ui::take_still(state_, still);
    picture_.close();  // it does not go on: asked again when something happens to the agent
    changed();
  });
}

void UiProgram::search() {
  if (state_.filter == searched_) return;
  searched_ = state_.filter;
  search_at_ = now() + kUiSearchRest;
}

void UiProgram::ask_then() {
  ui::Moments& moments = state_.moments;
  if (state_.page != ui::Page::moments || moments.list.empty()) return;
  const std::string& at = moments.list[moments.chosen].at;
  if (at == moments.then_at) return;
  moments.then_at = at;
  then_at_ = now() + kUiRest;
}

}  // namespace pawl::cli
