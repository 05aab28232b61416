#include "term/extras.h"

#include <algorithm>

namespace pawl::term {

uint32_t Extras::cluster(std::string_view text) {
  if (text.empty() || text.size() > kClusterBytes) return 0;
  std::string key(text);
  if (auto it = index_.find(key); it != index_.end()) return it->second;
  uint32_t slot;
  if (!free_.empty()) {
    slot = free_.back();
    free_.pop_back();
    clusters_[slot] = key;
  } else if (clusters_.size() < kMaxClusters) {
    slot = static_cast<uint32_t>(clusters_.size());
    clusters_.push_back(key);
  } else {
    return 0;
  }
  return index_[std::move(key)] = Cell::kFirstCluster + slot;
}

uint32_t Extras::extra(const Extra& extra) {
  if (extra == Extra{}) return 0;
  auto it = std::find(extras_.begin() + 1, extras_.end(), extra);
  if (it == extras_.end()) it = std::find(extras_.begin() + 1, extras_.end(), Extra{});
  if (it == extras_.end()) {
    if (extras_.size() > Cell::kMaxExtra) return 0;
    it = extras_.insert(extras_.end(), extra);
  } else {
    *it = extra;
  }
  return static_cast<uint32_t>(it - extras_.begin());
}

bool Extras::has_cluster(uint32_t number) const {
  return number >= Cell::kFirstCluster && number - Cell::kFirstCluster < clusters_.size();
}

void Extras::sweep(const std::vector<bool>& clusters_used, const std::vector<bool>& extras_used) {
  free_.clear();
  for (size_t i = clusters_.size(); i-- > 0;) {
    if (clusters_used[i]) continue;
    if (!clusters_[i].empty()) index_.erase(clusters_[i]);
    clusters_[i].clear();
    free_.push_back(static_cast<uint32_t>(i));
  }
  for (size_t i = 1; i < extras_.size(); ++i)
    if (!extras_used[i]) extras_[i] = Extra{};
}

bool Extras::set(std::vector<std::string> clusters, std::vector<Extra> extras, size_t refused) {
  if (clusters.size() > kMaxClusters || extras.empty() || extras.size() > Cell::kMaxExtra + 1 ||
      !(extras[0] == Extra{}) || refused > kMaxClusters)
    return false;
  for (const std::string& c : clusters)
    if (c.size() > kClusterBytes) return false;
  for (const Extra& e : extras)
    if (e.uri.size() > kMaxLinkBytes || e.id.size() > kMaxLinkIdBytes) return false;
  clusters_ = std::move(clusters);
  extras_ = std::move(extras);
  refused_ = refused;
  for (size_t i = clusters_.size(); i-- > 0;) {
    if (clusters_[i].empty())
      free_.push_back(static_cast<uint32_t>(i));
    else
      index_[clusters_[i]] = static_cast<uint32_t>(Cell::kFirstCluster + i);
  }
  return true;
}

}  // namespace pawl::term
