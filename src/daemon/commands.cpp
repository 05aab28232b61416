#include "daemon/commands.h"

#include <fmt/core.h>

#include "store/agent_files.h"
#include "store/environment.h"

namespace pawl::daemon {
namespace {

// "exit code 0"; "exit code 3: not logged in".
std::string how_of(const os::ChildEnd& end, Duration limit) {
  if (end.late)
    return fmt::format("it took longer than {} s and was killed",
                       std::chrono::duration_cast<std::chrono::seconds>(limit).count());
  std::string how = text_of(model::Ending{end.exit_code, end.signal});
  const std::string said = last_line(end);
  return end.fine() || said.empty() ? how : how + ": " + said;
}

}  // namespace

Commands::Commands(os::Loop& loop, core::Engine& engine, std::string home,
                   std::function<void()> wake)
    : loop_(loop), engine_(engine), home_(std::move(home)), wake_(std::move(wake)) {}

void Commands::follow() {
  for (const auto& command : engine_.take_commands()) run(command);
}

void Commands::run(const core::RunCommand& command) {
  const model::Agent* agent = engine_.fleet().find(command.agent);
  if (!agent) return;  // removed; nobody waits
  if (running_.size() >= kCommandsAtOnce)
    return ended(command.intent, false, "too many commands are running");
  os::ChildOrder order{command.argv};
  order.dir = agent->spec.dir;
  order.limit = command.limit;
  // What its program gets, as far as it can be had.
  const auto own = engine_.files().env_file(agent->spec);
  order.environment =
      store::merge_environment(store::merge_environment(engine_.files().environment(agent->spec),
                                                        own.value_or(std::vector<std::string>{})),
                               {"PAWL_HOME=" + home_, "PAWL_AGENT=" + command.agent});
  const Seq intent = command.intent;
  auto child = os::Child::start(loop_, order,
                                [this, intent, limit = command.limit](const os::ChildEnd& end) {
                                  running_.erase(intent);
                                  ended(intent, end.fine(), how_of(end, limit), end.output);
                                });
  if (!child) return ended(intent, false, text_of(child.error()));
  running_[intent] = std::move(*child);
}

void Commands::ended(Seq intent, bool fine, std::string how, std::string output) {
  engine_.submit(core::CommandEnded{intent, fine, std::move(how), std::move(output)});
  wake_();
}

}  // namespace pawl::daemon
