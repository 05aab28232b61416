#include "cli/export.h"

#include <fcntl.h>

#include <cstdio>

#include "cli/ask.h"
#include "cli/client.h"
#include "os/file.h"

namespace pawl::cli {
namespace {

constexpr const char* kHalf = ".part";

// Not again when the daemon goes in the middle: half of it would come twice.
Result<Json> ask_once(const Command& command, const std::function<void(std::string_view)>& output) {
  auto client = Client::connect(command.home, Client::Start::yes);
  if (!client) return tl::unexpected(client.error());
  return client->ask(Client::request("export", command.args()), {{}, output});
}

Result<Json> to_file(const Command& command, const std::string& path) {
  const std::string half = path + kHalf;
  const os::Fd file(
      ::open(half.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) return fail_errno("cannot create " + half, errno);
  Done written;
  auto reply = ask_once(command, [&](std::string_view bytes) {
    if (written) written = os::write_all(file.get(), bytes, half);
  });
  if (reply && !written) reply = tl::unexpected(written.error());
  if (reply && !os::move_file(half, path)) reply = fail("cannot create " + path);
  if (!reply) os::remove_file(half);
  return reply;
}

Done may_write(const std::string& path, bool force) {
  const auto there = os::look(path, true);
  if (!there) return {};
  if (there->kind != os::Kind::file)
    return fail(path + " is " + os::words(there->kind), "name a file, or - for the standard output",
                2);
  if (!force) return fail(path + " exists", "name another file, or replace it with --force", 2);
  return {};
}

}  // namespace

bool print_notice(const Json& reply) {
  const std::string notice = reply["notice"].as_string();
  if (!notice.empty()) std::fprintf(stderr, "pawl: %s\n", notice.c_str());
  return !notice.empty();
}

int export_recording(const Command& command) {
  const std::string path = command.args()["file"].as_string();
  if (path.empty()) return complain({"the name of the file is empty", "name a file, or -", 2});
  if (path != "-")
    if (auto may = may_write(path, command.args()["force"].as_bool()); !may)
      return complain(may.error());
  const auto reply = path == "-" ? ask_once(command, [](std::string_view bytes) { print(bytes); })
                                 : to_file(command, path);
  if (!reply) return complain(reply.error());
  return print_notice(*reply) ? 1 : 0;
}

}  // namespace pawl::cli
