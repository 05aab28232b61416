#include "fleet/parts/left_behind.h"

#include <algorithm>

#include "base/text.h"

namespace pawl::fleet {

void note_left_on(Json& unit, const std::string& node) {
  if (node.empty()) return;
  auto nodes = unit["left"].as_strings();
  std::erase(nodes, node);
  nodes.push_back(node);
  if (nodes.size() > kMostLeft) nodes.erase(nodes.begin());
  unit.set("left", Json(nodes));
}

std::string left_on(const Json& unit) {
  return join(unit["left"].as_strings(), ", ");
}

std::string left_words(const Json& unit) {
  const std::string nodes = left_on(unit);
  return nodes.empty() ? "" : "; what it did on " + nodes + " and did not push stayed there";
}

}  // namespace pawl::fleet
