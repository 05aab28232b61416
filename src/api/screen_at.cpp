#include "api/screen_at.h"

#include "core/parts/live_terminal.h"
#include "store/agent_files.h"
#include "store/recording_reader.h"
#include "term/marks.h"
#include "term/paint.h"
#include "term/utf8.h"

namespace pawl::api {
namespace {

constexpr int kHeadersAtOnce = 32;  // of parts that are too young
constexpr int kSlicesAtOnce = 2;

}  // namespace

Json screen_json(const term::Screen& screen, bool ansi) {
  const auto cursor = screen.cursor();
  return Json::object({{"version", 1},
                       {"screen", ansi ? term::ansi_text(screen) : screen.text()},
                       {"cols", int{screen.size().cols}},
                       {"rows", int{screen.size().rows}},
                       {"cursor", Json::object({{"row", cursor.row + 1},
                                                {"col", cursor.col + 1},
                                                {"visible", cursor.visible}})},
                       {"title", term::plain_text(screen.title(), term::kMaxTitleBytes)},
                       {"alternate", screen.alternate()}});
}

Result<term::Terminal> last_screen(const core::Engine& engine, const std::string& agent,
                                   std::string* damage) {
  const auto parts = store::parts_in(engine.files().disk(), engine.files().recordings(agent));
  if (parts.empty()) return fail("'" + agent + "' has never been started", "pawl restart " + agent);
  const auto end = store::read_end(engine.files().disk(), parts.back().path);
  if (!end) return tl::unexpected(end.error());
  if (damage) *damage = end->damage;
  return core::rebuild(end->recovered);
}

// What is not in the file yet is written first: the instant may be just now.
void ScreenAt::begin(StreamContext& context) {
  begun_ = true;
  context.engine.flush_agent(context.now, agent_);
  parts_ =
      store::parts_in(context.engine.files().disk(), context.engine.files().recordings(agent_));
}

StreamEnd ScreenAt::pump(StreamContext& context) {
  next_.reset();
  if (!begun_) begin(context);
  const StreamEnd end = seek_ ? read_on() : find_part(context.engine.files().disk());
  if (!end) next_ = context.now.mono;
  return end;
}

StreamEnd ScreenAt::find_part(store::Disk& disk) {
  for (int i = 0; i < kHeadersAtOnce && !parts_.empty(); ++i) {
    const store::Part part = parts_.back();
    parts_.pop_back();
    const auto begins = store::part_begins(disk, part.path);
    if (!begins) unreadable_ = "the recording " + part.path + " cannot be read";
    if (!begins) continue;
    oldest_ = begins;
    if (*begins > at_) unreadable_.clear();
    if (*begins > at_) continue;
    session_ = part.session;
    seek_.emplace(disk, part.path, at_);
    return std::nullopt;
  }
  if (!parts_.empty()) return std::nullopt;
  if (!oldest_)
    return Result<Json>(
        fail("there is no recording of '" + agent_ + "'", "start it with: pawl restart " + agent_));
  return Result<Json>(
      fail("there is no recording of '" + agent_ + "' at " + rfc3339(at_),
           "its recordings begin at " + rfc3339(*oldest_) + ": name a time after that"));
}

StreamEnd ScreenAt::read_on() {
  for (int i = 0; i < kSlicesAtOnce; ++i) {
    const auto piece = seek_->next();
    if (!piece) return Result<Json>(tl::unexpected(piece.error()));
    if (piece->first || !piece->found.keyframe.empty()) {
      auto terminal = core::rebuild(piece->found);
      if (!terminal) return Result<Json>(tl::unexpected(terminal.error()));
      terminal_ = std::move(*terminal);
    } else if (terminal_) {
      core::replay(*terminal_, piece->found.steps);
    }
    if (!piece->over) continue;
    Json out = screen_json(terminal_->screen(), ansi_);
    out.set("at", rfc3339(seek_->shown())).set("session", session_.value);
    const std::string& notice = seek_->damage().empty() ? unreadable_ : seek_->damage();
    if (!notice.empty()) out.set("notice", notice);
    return Result<Json>(std::move(out));
  }
  return std::nullopt;
}

}  // namespace pawl::api
