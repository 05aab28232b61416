#include "host/frames.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>

namespace pawl::host {

std::string encode(wire::Type type, SessionId session, std::string_view payload) {
  const wire::Header header{static_cast<uint32_t>(payload.size()), type, 0, session.value};
  std::string frame;
  frame.reserve(sizeof header + payload.size());
  frame.append(reinterpret_cast<const char*>(&header), sizeof header);
  frame.append(payload);
  return frame;
}

namespace {

std::string optional(std::string frame) {
  const uint16_t flags = wire::kOptional;  // an older holder does without
  std::memcpy(frame.data() + offsetof(wire::Header, flags), &flags, sizeof flags);
  return frame;
}

}  // namespace

std::string encode_place(SessionId session, std::string_view path) {
  return optional(encode(wire::kPlace, session, path));
}

std::string encode_until(SessionId session, BootTime until) {
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(until.time_since_epoch());
  return optional(
      encode(wire::kUntil, session, wire::Until{static_cast<uint64_t>(std::max(ns, {}).count())}));
}

std::string encode_mark(SessionId session, uint64_t number) {
  return optional(encode(wire::kMark, session, wire::Mark{number}));
}

BootTime time_of(const wire::Until& until) {
  constexpr uint64_t kMost = INT64_MAX;
  const std::chrono::nanoseconds ns{static_cast<int64_t>(std::min(until.at, kMost))};
  return BootTime{std::chrono::duration_cast<Duration>(ns)};
}

Result<std::string> encode_open(SessionId session, const Launch& launch) {
  if (launch.argv.empty() || launch.argv[0].empty())
    return fail("there is no command to run", "give one, e.g. claude");
  const wire::Open open{launch.size.cols, launch.size.rows,
                        static_cast<uint32_t>(launch.argv.size()),
                        static_cast<uint32_t>(launch.environment.size()), 0};
  std::string payload(reinterpret_cast<const char*>(&open), sizeof open);
  bool clean = true;
  const auto put = [&](const std::string& text) {
    clean &= text.find('\0') == std::string::npos;
    payload.append(text.c_str(), text.size() + 1);
  };
  put(launch.dir);
  for (const auto& word : launch.argv) put(word);
  for (const auto& entry : launch.environment) put(entry);
  if (!clean) return fail("the command, its directory or its environment holds a NUL byte");
  if (payload.size() > wire::kMaxPayload)
    return fail("the command line and environment are longer than 1 MiB",
                "pass less of it, or a file");
  return encode(wire::kOpen, session, payload);
}

void FrameReader::add(std::string_view bytes) {
  if (at_ > 0) bytes_.erase(0, at_);
  at_ = 0;
  bytes_.append(bytes);
}

std::optional<Frame> FrameReader::next() {
  Frame frame;
  if (broken_ || waiting() < sizeof frame.header) return std::nullopt;
  std::memcpy(&frame.header, bytes_.data() + at_, sizeof frame.header);
  if (frame.header.length > wire::kMaxPayload) {
    broken_ = true;
    return std::nullopt;
  }
  const size_t whole = sizeof frame.header + frame.header.length;
  if (waiting() < whole) return std::nullopt;
  frame.payload = std::string_view(bytes_).substr(at_ + sizeof frame.header, frame.header.length);
  at_ += whole;
  return frame;
}

namespace {

Error explain_exec(int error, const std::string& command) {
  const bool by_path = command.find('/') != std::string::npos;
  if (error == ENOENT && by_path)
    return {"no such file: " + command,
            "check the path, or that its interpreter (#! line) is installed"};
  if (error == ENOENT)
    return {"command not found: " + command, "install it or put its folder into PATH"};
  if (error == EACCES) return {"permission denied: " + command, "make it executable: chmod +x"};
  if (error == ENOEXEC)
    return {"not a program this machine can run: " + command,
            "a script needs a #! line; a binary must be built for this processor"};
  if (error == E2BIG)
    return {"the arguments or environment are too long for " + command,
            "pass less of it, or a file"};
  return {"cannot run " + command + ": " + std::strerror(error), ""};
}

Error explain_dir(int error, const std::string& dir) {
  if (error == ENOENT) return {"no such directory: " + dir, "create it or pass another one", 1};
  if (error == ENOTDIR) return {"not a directory: " + dir, "pass a folder", 1};
  return {"cannot enter " + dir + ": " + std::strerror(error), "check its permissions", 1};
}

}  // namespace

Error explain(const wire::OpenFailed& failed, const std::string& wanted, const std::string& dir) {
  const std::string command = wanted.empty() ? "the program" : wanted;
  const int error = static_cast<int>(failed.error);
  const std::string why = std::strerror(error);
  switch (failed.step) {
    case wire::kStepDir:
      return explain_dir(error, dir);
    case wire::kStepExec:
      return explain_exec(error, command);
    case wire::kStepTerminal:
      return {"no terminal for " + command + ": " + why, "raise kernel.pty.max or stop some agents",
              1};
    case wire::kStepFork:
      return {"cannot start a process for " + command + ": " + why,
              "raise the process limit (ulimit -u)", 1};
    case wire::kStepLate:
      return {"it was not started: its time was over before", "", 1};
    case wire::kStepLimit:
      return {"the holder is full", "remove ended agents (pawl rm)", 1};
    default:
      return {"cannot start " + command + ": " + why, "", 1};
  }
}

}  // namespace pawl::host
