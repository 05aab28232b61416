#include "api/journal_reader.h"

#include "store/journal.h"

namespace pawl::api {
namespace {

constexpr size_t kEventBatch = 256;
constexpr int kBatchesAtOnce = 8;

}  // namespace

Result<bool> JournalReader::read(core::Engine& engine, const Clock& now,
                                 const std::function<bool()>& room,
                                 const std::function<void(const model::Event&)>& visit) {
  next_.reset();
  for (int batch = 0; after_ < engine.fleet().last; ++batch) {
    if (!room()) return false;
    if (batch == kBatchesAtOnce) {
      next_ = now.mono;
      return false;
    }
    const auto events = engine.journal().read(after_, kEventBatch);
    if (!events) return tl::unexpected(events.error());
    if (events->empty()) break;
    for (const auto& event : *events) {
      after_ = event.seq;
      visit(event);
    }
  }
  return true;
}

}  // namespace pawl::api
