#pragma once
// `export`: a recording as one plain asciicast (store/recording_export.h), as fast as the client takes it. Never touches the agent.

#include <optional>
#include <string>

#include "api/stream.h"
#include "store/recording_export.h"

namespace pawl::api {

class ExportStream {
 public:
  // Of the last session, or `all`.
  ExportStream(std::string agent, bool all) : agent_(std::move(agent)), all_(all) {}
  StreamEnd pump(StreamContext& context);
  std::optional<MonoTime> wake_at() const { return next_; }

 private:
  Done begin(StreamContext& context);

  std::string agent_;
  bool all_;
  std::optional<store::Export> export_;
  std::optional<MonoTime> next_;
};

}  // namespace pawl::api
