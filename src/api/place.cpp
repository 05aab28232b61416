#include "api/place.h"

#include <charconv>
#include <cstdlib>

#include "api/handlers.h"
#include "os/tcp.h"

namespace pawl::api {
namespace {

constexpr size_t kMaxName = 120;  // of who asks: what an address or a browser calls itself

struct Version {
  int major = 0, minor = 0;
};

// "0.10.2" and "0.10.2-dirty" are 0.10.
std::optional<Version> version_of(const std::string& text) {
  Version out;
  const char* end = text.data() + text.size();
  const auto [dot, error] = std::from_chars(text.data(), end, out.major);
  if (error != std::errc{} || dot == end || *dot != '.') return std::nullopt;
  const auto [rest, wrong] = std::from_chars(dot + 1, end, out.minor);
  return wrong == std::errc{} ? std::optional(out) : std::nullopt;
}

}  // namespace

Place* place_named(const std::function<Places()>& places, const std::string& name) {
  if (!places) return nullptr;
  const Places known = places();
  const auto it = known.find(name);
  return it == known.end() ? nullptr : it->second;
}

Error no_such_place(const std::string& name) {
  return {"no machine named '" + name + "'", "pawl machine ls shows them all", 2};
}

Json abroad(const Json& request, const Json& args) {
  return Json::object({{"version", 1}, {"verb", request["verb"]}, {"args", args}});
}

std::string from_of(const model::Asker& asker) {
  const std::string kind = asker.known() ? asker.kind : model::kAgent;
  std::string name = asker.name.substr(0, kMaxName);
  return os::host_name() + "/" + kind + (name.empty() ? "" : " " + name);
}

Done may_go_on(const model::Asker& asker) {
  if (asker.kind != model::kMachine) return {};
  return fail("machines are reached from where somebody sits, and not over another one",
              "add that machine there: pawl machine add NAME ssh://HOST", 2);
}

Error not_reached(const std::string& place, const Standing& standing) {
  const std::string why = standing.because.empty() ? "it does not answer" : standing.because;
  return {"machine " + place + " is not reached since " + rfc3339(standing.since) + ": " + why};
}

Json row_of(const std::string& place, const Standing& standing) {
  return Json::object({{"name", place},
                       {"online", standing.online},
                       {"since", rfc3339(standing.since)},
                       {"because", standing.because.empty() ? Json() : Json(standing.because)}});
}

std::string skew_of(const std::string& ours, const std::string& theirs) {
  const auto here = version_of(ours), there = version_of(theirs);
  if (!here || !there) return {};
  if (here->major == there->major && std::abs(here->minor - there->minor) <= 1) return {};
  return "its pawl " + theirs + " and this one (" + ours + ") are more than one version apart";
}

std::string update_of(const std::string& machine, const std::string& url) {
  return "pawl machine add " + machine + " " + url + " --install";
}

Error said_by(const std::string& place, const std::string& version, const std::string& update,
              const std::string& verb, Error error) {
  if (!error.what.starts_with(kUnknownVerb)) {
    error.what = "machine " + place + ": " + error.what;
    return error;
  }
  const std::string pawl = version.empty() ? "an older pawl" : "pawl " + version;
  return {"machine " + place + " runs " + pawl + ", which does not know '" + verb + "'",
          update.empty() ? "update it" : "update it with  " + update, error.exit_code};
}

}  // namespace pawl::api
