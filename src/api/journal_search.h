#pragma once
// Verbs that look for something in the journal and answer once: `timeline`, `alerts`, `report`. Reads in small pieces, one after each
// turn, and keeps only what its fold keeps.

#include <variant>

#include "api/alerts.h"
#include "api/journal_reader.h"
#include "api/report.h"
#include "api/stream.h"
#include "api/timeline.h"

namespace pawl::api {

class JournalSearch {
 public:
  using Fold = std::variant<TimelineFold, HistoryFold, AlertFold, ReportFold>;
  JournalSearch(Seq after, Fold fold) : reader_(after), fold_(std::move(fold)) {}
  StreamEnd pump(StreamContext& context);
  std::optional<MonoTime> wake_at() const { return reader_.wake_at(); }

 private:
  JournalReader reader_;
  Fold fold_;
};

}  // namespace pawl::api
