#include "fleet/ssh.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace pawl::fleet {
namespace {

constexpr std::string_view kScheme = "ssh://";
constexpr int kNotFound = 127;    // of a shell
constexpr size_t kMaxPart = 255;  // of a host's name

// Nothing that a shell or ssh would take for something else.
bool harmless(std::string_view text) {
  return !text.empty() && text.size() <= kMaxPart && text[0] != '-' &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  std::string_view("._-:%").find(c) != std::string_view::npos;
         });
}

tl::unexpected<Error> no_place(const std::string& url) {
  return fail("'" + url + "' is no address of a machine",
              "say it as ssh://USER@HOST:PORT, ssh://HOST, or as ssh takes it", 2);
}

// A shell that is not asked to be interactive often has a short PATH.
constexpr const char* kRelay =
    "PATH=\"$PATH:$HOME/.local/bin:/usr/local/bin\" exec pawl __relay --from ";

}  // namespace

Result<SshPlace> place_of(const std::string& url) {
  std::string_view rest = url;
  const bool whole = rest.starts_with(kScheme);
  if (whole) rest.remove_prefix(kScheme.size());
  if (whole && rest.ends_with('/')) rest.remove_suffix(1);
  SshPlace place;
  if (const size_t at = rest.rfind('@'); at != std::string_view::npos) {
    place.user = rest.substr(0, at);
    rest.remove_prefix(at + 1);
    if (!harmless(place.user)) return no_place(url);
  }
  const bool bracketed = rest.starts_with('[') && rest.find(']') != std::string_view::npos;
  const size_t end = bracketed ? rest.find(']') + 1 : 0;
  const size_t colon = whole ? rest.find(':', end) : std::string_view::npos;
  place.host = rest.substr(0, colon);
  if (bracketed) place.host = place.host.substr(1, end - 2);
  if (colon != std::string_view::npos) {
    const std::string_view digits = rest.substr(colon + 1);
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), place.port);
    if (error != std::errc{} || stop != digits.data() + digits.size() || place.port < 1 ||
        place.port > 65535)
      return no_place(url);
  }
  if (!harmless(place.host)) return no_place(url);
  return place;
}

Json to_json(const Machine& machine) {
  return Json::object({{"name", machine.name}, {"url", machine.url}, {"agent", machine.agent}});
}

Result<Machine> machine_from(const Json& json) {
  Machine machine{json["name"].as_string(), json["url"].as_string(), {}, json["agent"].as_string()};
  if (!valid_name(machine.name))
    return fail("'" + machine.name + "' is no name of a machine",
                "use up to 64 of A-Z a-z 0-9 . _ -", 2);
  auto place = place_of(machine.url);
  if (!place) return tl::unexpected(place.error());
  machine.place = std::move(*place);
  return machine;
}

std::vector<std::string> ssh_line(const Machine& machine, const SshCall& call) {
  std::vector<std::string> line{
      "ssh", "-T", "-oBatchMode=yes", "-oConnectTimeout=8", "-oServerAliveInterval=3",
      "-oServerAliveCountMax=3", "-oControlPath=./" + call.master, "-oControlPersist=no",
      // Of the user's configuration these would take the session away, or hang on it.
      "-oRemoteCommand=none", "-oRequestTTY=no", "-oForkAfterAuthentication=no",
      "-oClearAllForwardings=yes", "-oCompression=yes", "-oLogLevel=ERROR"};
  line.push_back(call.which == Which::first ? "-oControlMaster=yes" : "-oControlMaster=no");
  if (machine.place.port) line.push_back(fmt::format("-p{}", machine.place.port));
  if (!machine.place.user.empty()) line.push_back("-l" + machine.place.user);
  line.insert(line.end(), {"--", machine.place.host, kRelay + shell_quoted(call.from)});
  return line;
}

Error ssh_trouble(const Machine& machine, int exit_code, const std::string& said) {
  const auto has = [&](std::string_view word) { return said.find(word) != std::string::npos; };
  const std::string again = "see that  ssh " + machine.place.host + "  works without a question";
  if (exit_code == kNotFound)
    return {"pawl is not installed there, or not in the PATH of its shell",
            "pawl machine add " + machine.name + " " + machine.url + " --install"};
  if (has("Permission denied")) return {"ssh is not let in: " + said, again + " (keys, an agent)"};
  if (has("Host key verification failed"))
    return {"ssh does not trust its key: " + said,
            "connect once by hand: ssh " + machine.place.host};
  if (has("__relay")) return {"its pawl is older than machines: " + said, "upgrade pawl there"};
  return {said.empty() ? fmt::format("ssh ended with exit code {}", exit_code) : said, again};
}

}  // namespace pawl::fleet
