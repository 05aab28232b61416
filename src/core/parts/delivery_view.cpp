// What a procedure sees of its terminal.

#include <algorithm>

#include "base/text.h"
#include "core/parts/deliveries.h"
#include "perceive/screen/sight.h"

namespace pawl::core {
namespace {

constexpr size_t kReason = 300;  // of a refusal, in bytes

void look_at_box(act::View& view, const perceive::Tracker& tracker, const term::Screen& screen) {
  const perceive::Evidence& evidence = tracker.evidence();
  const perceive::Box& box = evidence.sight->box;
  view.box = box.there;
  if (evidence.mode && !evidence.mode->pastes) {
    view.mode = evidence.mode->means;
    view.leave = evidence.mode->leave;
  }
  view.draft = box.there && box.draft;
  view.box_moved = std::max(evidence.moved_box, evidence.box.since);
  if (!view.draft) return;
  view.rows = perceive::box_rows(screen, box);
  if (view.rows.size() == 1) view.blanks = perceive::blanks_after(screen, box);
  const perceive::Profile& profile = tracker.profile();
  for (const auto& row : view.rows)
    for (const int pattern : profile.deliver.pasted)
      view.pasted = view.pasted || profile.rows.find(pattern, row);
}

// The rows not far above the box that one of the patterns fits, the last one first.
std::vector<int> rows_above(const perceive::Tracker& tracker, const term::Screen& screen,
                            const std::vector<int>& patterns) {
  std::vector<int> out;
  const perceive::Box& box = tracker.evidence().sight->box;
  if (patterns.empty() || !box.there) return out;
  for (int row = box.first - 1, rows = 0; row >= 0 && rows < perceive::kAboveRows; --row) {
    const std::string text = perceive::plain_row(screen.row_text(row));
    if (text.empty()) continue;
    ++rows;
    const auto fits = [&](int pattern) {
      return tracker.profile().rows.find(pattern, text).has_value();
    };
    if (std::any_of(patterns.begin(), patterns.end(), fits)) out.push_back(row);
  }
  return out;
}

std::vector<std::string> said_above(const perceive::Tracker& tracker, const term::Screen& screen,
                                    const std::vector<int>& patterns) {
  std::vector<std::string> out;
  for (const int row : rows_above(tracker, screen, patterns))
    out.emplace_back(trim(perceive::plain_row(screen.row_text(row))));
  return out;
}

// Why a hook of its own refused a prompt, when that is the last thing it said: whatever comes after begins in the first column.
std::optional<std::string> refusal(const perceive::Tracker& tracker, const term::Screen& screen) {
  const auto rows = rows_above(tracker, screen, tracker.profile().deliver.refused);
  if (rows.empty()) return std::nullopt;
  std::string why;
  bool over = false;  // an empty row ends the reason
  for (int row = rows.front() + 1; row < tracker.evidence().sight->box.first; ++row) {
    const std::string text = perceive::plain_row(screen.row_text(row));
    const bool edge = row + 1 == tracker.evidence().sight->box.first;  // of its box
    if (!text.empty() && text[0] != ' ' && !edge) return std::nullopt;
    over = over || text.empty();
    if (!over && !edge && why.size() < kReason)
      why += (why.empty() ? "" : " ") + std::string(trim(text));
  }
  return why.empty() ? "it does not say why" : why;
}

// A turn that is under way, or the hooks of its own that come before it.
void look_at_turn(act::View& view, const perceive::Tracker& tracker, const term::Screen& screen) {
  const perceive::Evidence& evidence = tracker.evidence();
  // A title that says neither is none: with OSC 7501 it does not change.
  const bool titled = tracker.profile().title.busy >= 0 &&
                      evidence.title.value.kind != perceive::TitleKind::other &&
                      evidence.title.value.kind != perceive::TitleKind::none;
  const bool title = evidence.title.value.kind == perceive::TitleKind::busy;
  const bool works = evidence.sight->busy.has_value();
  const auto& deliver = tracker.profile().deliver;
  const bool hooks = !said_above(tracker, screen, deliver.submitting).empty();
  view.turning = (titled ? title : works) && !hooks;
  view.submitting = hooks || (titled && !title && works);
  view.unknown = said_above(tracker, screen, deliver.unknown);
  view.no = refusal(tracker, screen);
}

// What is on the screen beside the rows of a dialog, whichever of them is chosen.
std::string around(const term::Screen& screen, const std::vector<std::string>& options) {
  std::string out;
  for (int row = 0; row < screen.size().rows; ++row) {
    const std::string text = perceive::plain_row(screen.row_text(row));
    if (std::find(options.begin(), options.end(), trim(text)) == options.end()) out += text + '\n';
  }
  return out;
}

// The last time that nobody was there: it is on the wall, and not on the other clock.
struct Unlived {
  WallTime end;
  Duration length;
  Duration since(WallTime from) const {
    return from < end ? std::clamp(end - from, Duration{0}, std::max(length, Duration{0}))
                      : Duration{0};
  }
};

void perceived(act::View& view, const Clock& now, const Unlived& gap,
               const perceive::Tracker& tracker, const term::Screen& screen) {
  const perceive::Evidence& evidence = tracker.evidence();
  view.state = tracker.verdict().state;
  view.launched = evidence.launched;
  view.interface = evidence.agent_seen && evidence.seen_work && view.state != model::State::shell;
  look_at_box(view, tracker, screen);
  if (evidence.sight->menu) {
    view.menu = true;
    const model::Dialog dialog = *perceive::dialog_in(evidence);
    view.dialog = dialog.id;
    view.question = dialog.asks();
    view.options = evidence.sight->menu->rows;
    view.chosen = evidence.sight->menu->chosen;
    view.around = around(screen, view.options);
  }
  view.worked = evidence.worked;
  view.hook = evidence.hook.heard;
  view.reported = evidence.status.heard;
  look_at_turn(view, tracker, screen);
  view.line_editor = evidence.facts && !evidence.facts->canonical;
  // By the line's own time: it may be read long after it was written, and other lines come after it.
  const perceive::Transcript& its = evidence.transcript.value;
  if (its.user && !its.interrupted && *its.user <= now.wall)
    view.transcript_user = now.mono - (now.wall - *its.user - gap.since(*its.user));
}

bool by_line(const Deliveries::Running& running) {
  const auto* inject = std::get_if<act::Inject>(&running.procedure);
  return inject && inject->plain();
}

std::string left_of_cursor(const term::Screen& screen) {
  const term::Cursor cursor = screen.cursor();
  std::string text;
  for (int col = 0; col < cursor.col && col < screen.size().cols; ++col) {
    const std::string cell = screen.cell_text(cursor.row, col);
    text += cell.empty() && screen.blank(cursor.row, col) ? " " : cell;
  }
  return text;
}

}  // namespace

act::View Deliveries::view(const Clock& now, SessionId session, const perceive::Tracker* tracker,
                           const term::Screen& screen) const {
  act::View view;
  view.now = now.mono;
  view.modes = screen.modes();
  view.cursor_row = screen.cursor().row;
  if (tracker) perceived(view, now, {gap_end_, gap_}, *tracker, screen);
  if (const auto it = witnesses_.find(session); it != witnesses_.end()) {
    view.human = it->second.human;
    view.prompt_hook = it->second.prompt;
    view.prompt_text = it->second.prompt_text;
    if (tracker) {
      const auto& hook = tracker->evidence().hook;  // the end of a turn is told by a hook as well
      view.turning = view.turning ||
                     (hook.value.told == perceive::Told::idle && hook.heard > it->second.prompt);
    }
  }
  const auto it = running_.find(session);
  if (it == running_.end()) return view;
  view.human_waits = !it->second.keys.empty();
  view.refused = it->second.refused;
  if (by_line(it->second)) view.line = left_of_cursor(screen);
  if (const auto* inject = std::get_if<act::Inject>(&it->second.procedure);
      tracker && inject && inject->looks_above())
    for (int row = 0; row < tracker->evidence().sight->box.first; ++row)
      view.above.push_back(perceive::plain_row(screen.row_text(row)));
  return view;
}

}  // namespace pawl::core
