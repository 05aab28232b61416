#include "api/profiles.h"

#include "os/file.h"

namespace pawl::api {
namespace {

constexpr size_t kMaxProfileBytes = 256u << 10;

}  // namespace

Profiles load_profiles(const std::string& config) {
  Profiles out{perceive::Catalog::built_in(), {}};
  const std::string dir = config + "/profiles";
  for (const auto& name : os::list_dir(dir)) {
    if (!name.ends_with(".toml")) continue;
    const std::string path = dir + "/" + name;
    const auto text = os::read_file(path, kMaxProfileBytes);
    if (!text) {
      out.complaints.push_back(text.error());
      continue;
    }
    if (const auto added = out.catalog.add(*text, path); !added)
      out.complaints.push_back(added.error());
  }
  return out;
}

}  // namespace pawl::api
