#pragma once
// Numbers for Prometheus: the fleet as it is, and what has happened since this daemon began to serve, counted from the journal's
// events. Names of agents are labels; nothing of their screens or texts is told.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/conversation.h"
#include "core/face.h"

namespace pawl::api {

// One line of the text format; label values are escaped.
using Labels = std::vector<std::pair<std::string, std::string>>;
std::string metric_line(std::string_view name, const Labels& labels, double value);
std::string metric_head(std::string_view name, std::string_view type, std::string_view help);

class Metrics {
 public:
  void count(const std::vector<model::Event>& events);
  std::string text(const core::Engine& engine, const Server& server, const Clock& now) const;

 private:
  void count_fact(const model::Fact& fact);
  std::string counters() const;

  std::map<std::pair<std::string, std::string>, uint64_t> outcomes_;  // by action and verdict
  std::map<std::string, uint64_t> alerts_;                            // by severity
  std::map<std::string, uint64_t> requests_;                          // over the network, by verb
  uint64_t limits_ = 0;
  int64_t tokens_ = 0;
  double cost_usd_ = 0;
};

}  // namespace pawl::api
