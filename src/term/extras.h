#pragma once
// What does not fit in a 12-byte cell and is rare: characters made of several code points
// (clusters), hyperlinks, underline colours. Cells hold numbers of entries here. Both tables are
// bounded; the screen sweeps out entries that no cell uses, and at the limit new entries are
// refused: the text stays, the decoration is lost.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "term/cell.h"

namespace pawl::term {

inline constexpr size_t kMaxClusters =
    2048;  // different multi-code-point characters on both screens
inline constexpr size_t kClusterBytes =
    64;  // of one such character; more combining marks are dropped
inline constexpr size_t kMaxLinkBytes = 2083;  // of a hyperlink's address; a longer one is no link
inline constexpr size_t kMaxLinkIdBytes = 64;  // of a hyperlink's id parameter

struct Extra {
  Colour underline_colour;
  std::string uri;
  std::string id;
  bool operator==(const Extra&) const = default;
};

class Extras {
 public:
  // The number to store in a cell, or 0 when the table is full (sweep, then ask again).
  uint32_t cluster(std::string_view text);  // kFirstCluster or above
  uint32_t extra(const Extra& extra);       // 1..kMaxExtra
  const std::string& cluster_text(uint32_t number) const {
    return clusters_[number - Cell::kFirstCluster];
  }
  const Extra& at(uint32_t number) const { return extras_[number]; }

  bool has_cluster(uint32_t number) const;
  bool has_extra(uint32_t number) const { return number < extras_.size(); }

  // A full table may be swept again only after as many refusals as it has entries: hostile text
  // cannot make every character cost a walk over both screens.
  bool may_sweep() const { return refused_ == 0 || refused_ >= kMaxClusters; }
  void sweep(const std::vector<bool>& clusters_used, const std::vector<bool>& extras_used);
  void count_refusal() { refused_ = refused_ >= kMaxClusters ? 1 : refused_ + 1; }

  const std::vector<std::string>& clusters() const { return clusters_; }
  const std::vector<Extra>& extras() const { return extras_; }
  size_t refused() const { return refused_; }
  // For restore(): exactly what the getters gave. False when a limit is broken.
  bool set(std::vector<std::string> clusters, std::vector<Extra> extras, size_t refused);

 private:
  std::vector<std::string> clusters_;  // an empty one is free
  std::vector<uint32_t> free_;
  std::unordered_map<std::string, uint32_t> index_;
  std::vector<Extra> extras_{Extra{}};  // 0 is "none"; a later one equal to it is free
  size_t refused_ = 0;
};

}  // namespace pawl::term
