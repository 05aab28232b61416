// Perform: what the plan wants done, after its events are in the journal.

#include "core/inside.h"
#include "core/parts/conversations.h"
#include "store/survey.h"
#include "store/task_files.h"
#include "term/keys.h"

namespace pawl::core {

void Inside::perform(const Clock& now, const Effect& effect) {
  std::visit([&](const auto& one) { doing(now, one); }, effect);
}

// Without it the program gets the daemon's own environment: worse, but not a reason to refuse.
void Inside::doing(const Clock&, const SaveEnvironment& effect) {
  if (auto saved = files_.save_environment(effect.agent, effect.environment); !saved)
    trouble_ = saved.error();
  inboxes_.new_folder(effect.agent);
}

void Inside::doing(const Clock& now, const OpenTerminal& effect) {
  starts_.begin(now, effect, queue_);
  open_prepared(now);
}

void Inside::open_prepared(const Clock& now) {
  run(starts_.take_commands());
  for (const auto& one : starts_.take_openings()) {
    const model::Agent* agent = fleet().find(one.agent);
    if (!agent) continue;
    host::Launch launch = one.launch;
    if (agent->task && agent->task->order.lease.held()) {
      if (const std::string gap = supervisor_.leases().gap(*agent, now.boot); !gap.empty()) {
        queue_.push_back(TerminalFailed{one.session, Error{gap, ""}});
        continue;
      }
      launch.until = supervisor_.leases().find(one.agent)->until - model::kLeaseHolder;
    }
    terminals_.open(now, one.agent, one.session, agent->spec.size, queue_);
    if (agent->task) tasks_.runs().opened(now, *agent, one.session);
    host_.open(one.session, launch);
  }
}

void Inside::doing(const Clock&, const WriteTerminal& effect) {
  host_.write(effect.session, effect.bytes);
}

void Inside::doing(const Clock&, const SignalProgram& effect) {
  if (!starts_.withdrawn(effect.session, queue_)) host_.signal(effect.session, effect.signal);
}

void Inside::doing(const Clock&, const ExtendProgram& effect) {
  host_.extend(effect.session, effect.until);
}

void Inside::doing(const Clock&, const KillProgram& effect) {
  if (!starts_.withdrawn(effect.session, queue_)) host_.kill(effect.session);
}

void Inside::doing(const Clock& now, const CloseTerminal& effect) {
  terminals_.close(now, effect, queue_);
}

void Inside::doing(const Clock& now, const ReleaseTerminal& effect) {
  perception_.closed(effect.session);
  deliveries_.closed(effect.session);
  terminals_.close(now, {effect.agent, effect.session, false, 0}, queue_);
}

void Inside::doing(const Clock&, const EndLeftovers& effect) {
  terminals_.end_leftovers(effect.session);
}

void Inside::doing(const Clock&, const RemoveFiles& effect) {
  if (const auto session = terminals_.remove(effect.agent)) perception_.closed(*session);
  hooks_.forget(effect.agent);
  showings_.forget(effect.agent);
  inboxes_.forget(effect.agent);
  starts_.forget(effect.agent);
  deliveries_.forget(effect.agent);
  // Tasks go by the thousand: what takes time is done off the loop.
  if (!effect.task_dir.empty() && options_.keep) {
    const std::string folder = effect.task_dir.substr(effect.task_dir.rfind('/') + 1);
    if (auto gone = store::forget_task(files_, effect.agent, folder); !gone)
      trouble_ = gone.error();
    return forgetting_.bin_filled();
  }
  if (auto removed = files_.remove(effect.agent); !removed) trouble_ = removed.error();
  if (effect.task_dir.empty()) return;
  if (auto removed = store::remove_task_dir(files_.disk(), options_.home, effect.task_dir);
      !removed)
    trouble_ = removed.error();
}

void Inside::doing(const Clock& now, const TypeCommand& effect) {
  deliveries_.begin(now, effect, queue_);
}

void Inside::doing(const Clock& now, const DeliverText& effect) {
  deliveries_.begin(now, effect, perception_.tracker(effect.session), queue_);
}

void Inside::doing(const Clock& now, const DeliverPrompt& effect) {
  const bool fresh = effect.work && !effect.resumed;
  deliveries_.begin(now, effect, perception_.tracker(effect.session),
                    fresh ? inboxes_.work_text(effect.agent) : std::nullopt, queue_);
}

void Inside::doing(const Clock&, const PressKey& effect) {
  const term::Screen* screen = terminals_.screen(effect.session);
  if (!screen) return;
  const auto bytes = term::key_bytes(effect.key, screen->modes());
  if (bytes) host_.write(effect.session, *bytes);
}

void Inside::doing(const Clock&, const SettleWork& effect) {
  inboxes_.settle(effect);
}

void Inside::doing(const Clock& now, const ArchiveFiles& effect) {
  const model::Agent* agent = fleet().find(effect.agent);
  if (!agent) return;
  auto put = put_away(files_, now.wall, *agent, effect.all);
  queue_.push_back(CommandEnded{effect.intent, put.fine, std::move(put.how)});
}

void Inside::doing(const Clock&, const RunCommand& effect) {
  commands_.push_back(effect);
}

void Inside::doing(const Clock& now, const PressRow& effect) {
  deliveries_.begin(now, effect);
}

void Inside::doing(const Clock& now, const LeaveMode& effect) {
  deliveries_.begin(now, effect);
}

void Inside::doing(const Clock&, const ForgetText& effect) {
  files_.forget_text(effect.agent, effect.item);
}

}  // namespace pawl::core
