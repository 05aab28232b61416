#include "api/export_stream.h"

#include "api/frame.h"
#include "store/agent_files.h"

namespace pawl::api {
namespace {

constexpr int kSlicesAtOnce = 4;

}  // namespace

// What is not in the file yet is written first.
Done ExportStream::begin(StreamContext& context) {
  context.engine.flush_agent(context.now, agent_);
  store::Disk& disk = context.engine.files().disk();
  auto parts = store::parts_in(disk, context.engine.files().recordings(agent_));
  if (parts.empty())
    return fail("there is no recording of '" + agent_ + "'",
                "start it with: pawl restart " + agent_);
  const SessionId last = parts.back().session;
  if (!all_) std::erase_if(parts, [&](const auto& part) { return part.session != last; });
  export_.emplace(disk, std::move(parts));
  return {};
}

StreamEnd ExportStream::pump(StreamContext& context) {
  if (!export_)
    if (auto begun = begin(context); !begun) return Result<Json>(tl::unexpected(begun.error()));
  next_.reset();
  const size_t limit = context.out.size() + context.room;
  for (int i = 0; i < kSlicesAtOnce && context.out.size() < limit; ++i) {
    const auto text = export_->next();
    if (!text) {
      Json out = Json::object({{"version", 1}});
      if (!export_->damage().empty()) out.set("notice", export_->damage());
      return Result<Json>(std::move(out));
    }
    if (!text->empty()) context.out += encode(Kind::output, *text);
  }
  if (context.out.size() < limit) next_ = context.now.mono;
  return std::nullopt;
}

}  // namespace pawl::api
