#include "api/journal_search.h"

namespace pawl::api {

// Reads to the very end, also when less was asked for: then the fleet is what the events add up to.
StreamEnd JournalSearch::pump(StreamContext& context) {
  const auto over = reader_.read(
      context.engine, context.now, [] { return true; },
      [&](const model::Event& event) { std::visit([&](auto& fold) { fold.take(event); }, fold_); });
  if (!over) return Result<Json>(tl::unexpected(over.error()));
  if (!*over) return std::nullopt;
  const model::Fleet& fleet = context.engine.fleet();
  return Result<Json>(std::visit([&](const auto& fold) { return fold.finish(fleet); }, fold_));
}

}  // namespace pawl::api
