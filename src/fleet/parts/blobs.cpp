#include "fleet/parts/blobs.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/sha256.h"
#include "fleet/bus_names.h"

namespace pawl::fleet {
namespace {

constexpr size_t kDigest = 64;      // hexadecimal digits
constexpr size_t kGoesAtOnce = 64;  // parts that are removed in one step
constexpr const char* kGone = "it is not in the fleet any more";

std::string_view part_of(const std::string& value, size_t part) {
  return std::string_view(value).substr(part * kBlobPart, kBlobPart);
}

}  // namespace

Json to_json(const BlobName& blob) {
  return Json::object({{"key", blob.key}, {"digest", blob.digest}, {"size", blob.size}});
}

std::optional<BlobName> blob_from(const Json& json) {
  BlobName out{json["key"].as_string(), json["digest"].as_string(), 0};
  const int64_t size = json["size"].as_int();
  if (size <= 0 || size > static_cast<int64_t>(kMostBlob) || out.digest.size() != kDigest ||
      out.key.find('.') != std::string::npos || !valid_key(out.key))
    return std::nullopt;
  out.size = static_cast<size_t>(size);
  return out;
}

std::string Blobs::key_of(const BlobName& blob, size_t part) {
  return fmt::format("{}.{}", blob.key, part);
}

size_t Blobs::under_way(bool stores) const {
  return static_cast<size_t>(std::count_if(
      ways_.begin(), ways_.end(), [&](const auto& one) { return one.second.stores == stores; }));
}

bool Blobs::store(uint64_t ticket, const std::string& salt, std::string value) {
  if (value.empty() || value.size() > kMostBlob || under_way(true) >= kBlobsStored) return false;
  Way way{.stores = true, .ticket = ticket};
  way.name = {sha256_hex(salt, 32), "", value.size()};
  way.value = std::move(value);
  way.digests.resize(way.name.parts());
  way.asked.resize(way.name.parts());
  way.until = desk_.mono() + kBlobWithin;
  ways_[++next_] = std::move(way);
  return true;
}

void Blobs::fetch(uint64_t ticket, const BlobName& blob) {
  if (under_way(false) >= kBlobsFetched)
    return desk_.order(BlobCame{.ticket = ticket, .because = "too many at once"});
  Way way{.ticket = ticket, .name = blob};
  way.came.resize(blob.parts());
  way.digests.resize(blob.parts());
  way.asked.resize(blob.parts());
  way.until = desk_.mono() + kBlobWithin;
  ways_[++next_] = std::move(way);
}

void Blobs::let_go(const BlobName& blob) {
  for (size_t part = 0; part < blob.parts() && going_.size() < kBlobGoes; ++part)
    going_.push_back(key_of(blob, part));
}

void Blobs::link_changed() {
  for (auto& [id, way] : ways_) {
    std::replace(way.asked.begin(), way.asked.end(), Asked::open, Asked::no);
    way.again = desk_.mono();
  }
}

void Blobs::ask(uint64_t id, Way& way) {
  if (!desk_.up || desk_.mono() < way.again) return;
  auto open = static_cast<size_t>(std::count(way.asked.begin(), way.asked.end(), Asked::open));
  for (size_t part = 0; part < way.asked.size() && open < kPartsAtOnce; ++part) {
    if (way.asked[part] != Asked::no) continue;
    way.asked[part] = Asked::open;
    ++open;
    BusAsk what{.op = way.stores ? BusOp::put : BusOp::get,
                .bucket = Bucket::blobs,
                .key = key_of(way.name, part)};
    if (way.stores) {
      what.value = part_of(way.value, part);
      way.digests[part] = sha256_hex(what.value);
    }
    desk_.ask(std::move(what), {Part::blobs, static_cast<int>(part), {}, id});
  }
}

void Blobs::reply(const Question& question, const BusReply& reply) {
  const auto it = ways_.find(question.number);
  if (it == ways_.end()) return;
  Way& way = it->second;
  const auto part = static_cast<size_t>(question.what);
  if (way.asked[part] != Asked::open) return;
  way.asked[part] = Asked::no;
  if (reply.end == BusEnd::unknown) {
    way.again = desk_.mono() + kPartAgain;
    return;
  }
  if (reply.end == BusEnd::missing) return over(it->first, kGone, true);
  if (reply.end != BusEnd::done)
    return over(it->first, "the fleet's server does not take it: " + reply.because);
  way.asked[part] = Asked::done;
  if (!way.stores) came(way, part, reply.value);
  const bool whole =
      std::all_of(way.asked.begin(), way.asked.end(), [](Asked one) { return one == Asked::done; });
  return whole ? over(it->first, "") : ask(it->first, way);
}

void Blobs::came(Way& way, size_t part, const std::string& value) {
  way.came[part] = value.substr(0, kBlobPart);
  way.digests[part] = sha256_hex(value);
}

void Blobs::over(uint64_t id, const std::string& because, bool gone) {
  const auto it = ways_.find(id);
  Way way = std::move(it->second);
  ways_.erase(it);
  if (way.stores)
    end_store(way, because);
  else
    end_fetch(way, because, gone);
}

void Blobs::end_store(Way& way, const std::string& because) {
  if (!because.empty()) {
    let_go(way.name);
    return stored_.push_back({way.ticket, std::nullopt, because});
  }
  std::string digests;
  for (const auto& one : way.digests) digests += one;
  way.name.digest = sha256_hex(digests);
  stored_.push_back({way.ticket, way.name, ""});
}

void Blobs::end_fetch(Way& way, const std::string& because, bool gone) {
  BlobCame said{way.ticket, because.empty(), gone, {}, because};
  if (said.done) {
    std::string digests;
    for (size_t part = 0; part < way.came.size(); ++part) {
      said.value += way.came[part];
      digests += way.digests[part];
      way.came[part] = {};
    }
    if (said.value.size() != way.name.size || sha256_hex(digests) != way.name.digest)
      said = {.ticket = way.ticket,
              .gone = true,
              .because = "what the fleet has of it is not what was given"};
  }
  desk_.order(std::move(said));
}

void Blobs::remove_some() {
  const size_t count = desk_.up ? std::min(going_.size(), kGoesAtOnce) : 0;
  for (size_t i = 0; i < count; ++i)
    desk_.tell({.op = BusOp::remove, .bucket = Bucket::blobs, .key = std::move(going_[i])});
  going_.erase(going_.begin(), going_.begin() + static_cast<ptrdiff_t>(count));
}

void Blobs::step() {
  remove_some();
  for (auto it = ways_.begin(); it != ways_.end();) {
    const auto next = std::next(it);
    if (desk_.mono() >= it->second.until)
      over(it->first, "the fleet's bus did not answer in time");
    else
      ask(it->first, it->second);
    it = next;
  }
}

std::optional<MonoTime> Blobs::wake_at() const {
  std::optional<MonoTime> out;
  if (desk_.up && !going_.empty()) out = desk_.mono();
  for (const auto& [id, way] : ways_) {
    out = earlier(out, way.until);
    const bool more = std::find(way.asked.begin(), way.asked.end(), Asked::no) != way.asked.end();
    const bool idle = std::find(way.asked.begin(), way.asked.end(), Asked::open) == way.asked.end();
    if (desk_.up && more && idle) out = earlier(out, std::max(way.again, desk_.mono()));
  }
  return out;
}

}  // namespace pawl::fleet
