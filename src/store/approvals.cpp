#include "store/approvals.h"

#include <algorithm>

#include "base/json.h"

namespace pawl::store {
namespace {

constexpr size_t kDigits = 64;

std::string file_in(const std::string& home) {
  return home + "/" + kApprovalsName;
}

tl::unexpected<Error> damaged(const std::string& path, const std::string& how) {
  return fail(path + " is damaged (" + how + ")",
              "remove it and approve your folders again: rm " + path + ", then pawl trust DIR");
}

bool hexadecimal(const std::string& text) {
  return text.size() == kDigits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

bool read_one(const Json& json, Approval& out) {
  out.path = json["path"].as_string();
  out.digest = json["sha256"].as_string();
  return out.path.starts_with('/') && hexadecimal(out.digest) &&
         parse_rfc3339(json["at"].as_string(), out.at);
}

}  // namespace

Result<Approvals> Approvals::load(Disk& disk, const std::string& home) {
  const std::string path = file_in(home);
  Approvals out;
  if (!disk.look(path, false)) return out;
  const auto text = disk.read(path, kMaxApprovalsBytes);
  if (!text) return damaged(path, text.error().what);
  const auto json = Json::parse(*text);
  if (!json || !json->is_object()) return damaged(path, "not JSON");
  if ((*json)["version"].as_int() != 1 || !(*json)["approved"].is_array())
    return damaged(path, "not of this version");
  for (const auto& item : (*json)["approved"].items()) {
    Approval one;
    if (!read_one(item, one)) return damaged(path, "an entry is not complete");
    out.add(std::move(one));
  }
  return out;
}

Done Approvals::save(Disk& disk, const std::string& home) const {
  Json list = Json::array();
  for (const auto& one : all_)
    list.push(Json::object({{"path", one.path}, {"sha256", one.digest}, {"at", rfc3339(one.at)}}));
  return disk.write_atomically(file_in(home),
                               Json::object({{"version", 1}, {"approved", list}}).dump(2) + "\n");
}

const Approval* Approvals::find(const std::string& path) const {
  const auto it =
      std::find_if(all_.begin(), all_.end(), [&](const Approval& one) { return one.path == path; });
  return it == all_.end() ? nullptr : &*it;
}

void Approvals::add(Approval approval) {
  forget(approval.path);
  all_.push_back(std::move(approval));
  if (all_.size() > kMaxApprovals) all_.erase(all_.begin());
}

bool Approvals::forget(const std::string& path) {
  return std::erase_if(all_, [&](const Approval& one) { return one.path == path; }) > 0;
}

}  // namespace pawl::store
