#include "api/task_events.h"

#include "api/frame.h"

namespace pawl::api {

TaskTeller::Lookup lookup_in(core::Engine& engine) {
  return
      [&engine](const std::string& agent) { return any_agent(engine, agent).value_or(AnyAgent()); };
}

TaskEvents::TaskEvents(core::Engine& engine, Seq after, std::set<std::string> tasks, bool follow)
    : reader_(after), teller_(lookup_in(engine)), tasks_(std::move(tasks)), follow_(follow) {}

StreamEnd TaskEvents::pump(StreamContext& context) {
  const size_t limit = context.out.size() + context.room;
  const auto over = reader_.read(
      context.engine, context.now, [&] { return context.out.size() < limit; },
      [&](const model::Event& event) {
        const auto told = teller_.take(event);
        if (!told || (!tasks_.empty() && !tasks_.contains((*told)["task"].as_string()))) return;
        context.out += encode(Json::object({{"event", *told}}));
      });
  if (!over) return Result<Json>(tl::unexpected(over.error()));
  if (!*over || follow_) return std::nullopt;
  return Result<Json>(Json::object());
}

}  // namespace pawl::api
