#include "api/line.h"

#include "api/conversation.h"

namespace pawl::api {

Line::Line(core::Engine& engine, Server& server, Caller caller)
    : own_(std::make_unique<Conversation>(engine, server, std::move(caller))), reader_(kMaxReply) {}

Line::Line(std::string machine, std::unique_ptr<Talk> talk)
    : machine_(std::move(machine)), talk_(std::move(talk)), reader_(kMaxReply) {}

Line::Line(Line&&) noexcept = default;
Line& Line::operator=(Line&&) noexcept = default;
Line::~Line() = default;

void Line::say(const Clock& now, const Frame& frame) {
  if (talk_)
    talk_->say(encode(frame.kind, frame.payload));
  else
    own_->receive(now, frame);
}

Result<std::optional<Frame>> Line::next() {
  auto frame = reader_.next();
  if (!frame || *frame) return frame;
  reader_.feed(talk_ ? talk_->hear() : own_->take_output());
  frame = reader_.next();
  if (!frame || *frame || !talk_) return frame;
  // What it said last may have come while it was listened to.
  const auto over = talk_->over();
  return over ? Result<std::optional<Frame>>(tl::unexpected(*over)) : frame;
}

void Line::go_on(const Clock& now, size_t room) {
  if (own_) own_->pump(now, room);
}

void Line::answered(const Clock& now, const core::Answer& answer) {
  if (own_) own_->answered(now, answer);
}

std::optional<MonoTime> Line::wake_at() const {
  return own_ ? own_->wake_at() : std::nullopt;
}

}  // namespace pawl::api
