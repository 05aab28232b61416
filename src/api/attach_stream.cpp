#include "api/attach_stream.h"

#include "api/frame.h"
#include "api/look_handlers.h"
#include "api/screen_at.h"
#include "api/view.h"
#include "core/parts/live_terminal.h"

namespace pawl::api {

void give_sizes(core::Engine& engine, const Clock& now, Seats& seats) {
  for (const auto& [agent, size] : seats.take_changed())
    (void)engine.resize(now, agent, size);  // one that ended keeps its size
}

void AttachStream::tell(StreamContext& context, const model::Agent& agent) {
  const std::pair now{agent.state, agent.kind};
  if (!wish_.states || told_ == now) return;
  told_ = now;
  const Json state = Json::object({{"state", word(agent.state)}, {"kind", agent.kind}});
  context.out += encode(Json::object({{"state", state}}));
}

// The person's terminal takes the size of the agent's.
void AttachStream::fit(StreamContext& context, Size size) {
  if (sized_ && size == size_) return;
  sized_ = true;
  repaint_ = true;
  size_ = size;
  context.out += encode(
      Json::object({{"size", Json::object({{"cols", int{size.cols}}, {"rows", int{size.rows}}})}}));
}

// The agent's takes the size of the person's.
void AttachStream::take_seat(StreamContext& context, const model::Agent& agent) {
  if (wish_.read_only) return;
  if (!seat_) seat_ = seats_->sit(agent_, size_, agent.spec.size);
  give_sizes(context.engine, context.now, *seats_);
}

// A program that draws a frame piece by piece says so; half of one is not shown, unless it takes too long.
bool AttachStream::held(const StreamContext& context, const term::Screen& screen) {
  if (!screen.modes().synchronized) {
    drawing_since_.reset();
    return false;
  }
  if (!drawing_since_) drawing_since_ = context.now.mono;
  if (context.now.mono - *drawing_since_ >= kHoldFrame) return false;
  next_frame_ = *drawing_since_ + kHoldFrame;
  return true;
}

void AttachStream::paint(StreamContext& context, const term::Screen& screen, SessionId session,
                         bool over) {
  if (session != session_) {  // restarted: another terminal
    repaint_ = true;
    if (seat_) seat_.renewed();
  }
  const bool changed = repaint_ || screen.generation() != painted_;
  next_frame_.reset();
  if (!over && held(context, screen)) return;
  if (changed && (over || context.now.mono - last_frame_ >= every_)) {
    std::string shown = painter_.frame(screen, size_);
    if (wish_.calls) shown += calls_.since(session, screen, wish_.progress);
    context.out += encode(Kind::output, shown);
    session_ = session;
    painted_ = screen.generation();
    last_frame_ = context.now.mono;
    repaint_ = false;
  } else if (changed) {
    next_frame_ = last_frame_ + every_;
  }
}

// A task that is over has no terminal any more, but somebody may look at it: once, from its recording.
void AttachStream::paint_last(StreamContext& context, const model::Agent& agent) {
  if (session_ == agent.session) return;
  session_ = agent.session;
  repaint_ = true;
  const auto terminal = last_screen(context.engine, agent_);
  if (!terminal) return;
  const term::Screen& screen = terminal->screen();
  if (wish_.stay) fit(context, screen.size());
  paint(context, screen, agent.session, true);
}

StreamEnd AttachStream::pump(StreamContext& context) {
  const model::Agent* agent = context.engine.fleet().find(agent_);
  const core::LiveTerminal* live = context.engine.terminal(agent_);
  const bool finished = agent && !live && agent->task && model::final(agent->task->status);
  if (!agent || (!live && !finished && !wish_.stay)) return Result<Json>(no_agent(agent_));
  const bool over = ended(agent->state) && !agent->intent;
  if (wish_.stay && live)
    fit(context, live->terminal().screen().size());
  else if (!wish_.stay && live && !over)
    take_seat(context, *agent);
  if (live) paint(context, live->terminal().screen(), live->session(), over && !wish_.stay);
  if (finished) paint_last(context, *agent);
  tell(context, *agent);
  if (wish_.stay || (!over && !context.leaving)) return std::nullopt;
  if (!over) return Result<Json>(fail(kDaemonEnds, "the agent keeps running"));  // it waits
  context.out += encode(Kind::output, calls_.leave() + painter_.leave());
  return Result<Json>(view_of(*agent, context.now));
}

void AttachStream::input(core::Engine& engine, const Clock& now, std::string_view keys) {
  if (wish_.read_only) return;
  if (seat_) seat_.typed();
  give_sizes(engine, now, *seats_);
  (void)engine.type(now, agent_, keys, wish_.where);
}

void AttachStream::resize(core::Engine& engine, const Clock& now, Size size) {
  if (wish_.stay) return;
  size_ = size;
  repaint_ = true;
  painter_.invalidate();  // the same size again: its terminal shows something else
  if (seat_) seat_.resized(size);
  give_sizes(engine, now, *seats_);
}

}  // namespace pawl::api
