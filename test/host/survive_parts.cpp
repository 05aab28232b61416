// The two roles that are killed and that print.

#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <iostream>
#include <set>

#include "host/pty_host.h"
#include "noise.h"
#include "os/file.h"
#include "survive.h"

namespace pawl::host::survive {

std::string output_path(const std::string& home, uint64_t number) {
  return home + "/output-" + std::to_string(number);
}

std::string end_path(const std::string& home, uint64_t number) {
  return home + "/end-" + std::to_string(number);
}

std::string end_text(const Ended& ended) {
  if (!ended.known) return "unknown";
  if (ended.signal) return "signal " + std::to_string(ended.signal);
  return "exit " + std::to_string(ended.exit_code);
}

std::string expected_end(uint64_t number) {
  if (number == kPrinters) return "signal " + std::to_string(SIGUSR1);
  return "exit " + std::to_string(10 + number);
}

namespace {

[[noreturn]] void complain(const std::string& what) {
  std::cerr << "survive daemon: " << what << std::endl;
  ::_exit(3);
}

class Recorder {
 public:
  Recorder(const std::string& program, const std::string& home)
      : program_(program), home_(home), host_(loop_, home, [this] { loop_.stop(); }) {}

  void run() {
    if (!host_.connect_existing()) complain("cannot connect");
    take();
    for (uint64_t number = 1; number <= kPrinters; ++number) start_if_missing(number);
    while (finished() < kPrinters) {
      loop_.run();
      take();
    }
  }

 private:
  void take() {
    for (const auto& event : host_.take()) std::visit([this](const auto& one) { on(one); }, event);
  }

  void start_if_missing(uint64_t number) {
    if (known_.count(number) || os::exists(end_path(home_, number))) return;
    if (size(number) > 0) complain("a session with output is gone: " + std::to_string(number));
    host_.open(SessionId{number}, {{program_, "print", std::to_string(number)}, {}, "/", {}});
  }

  size_t finished() const {
    size_t count = 0;
    for (uint64_t number = 1; number <= kPrinters; ++number)
      count += os::exists(end_path(home_, number)) ? 1 : 0;
    return count;
  }

  uint64_t size(uint64_t number) const {
    struct stat info {};
    return ::stat(output_path(home_, number).c_str(), &info) == 0
               ? static_cast<uint64_t>(info.st_size)
               : 0;
  }

  void on(const Opened&) {}
  void on(const OpenFailed& failed) { complain(text_of(failed.error)); }
  void on(const FactsRead&) {}
  void on(const Resized&) {}
  void on(const PersonSeen&) {}
  void on(const Noted&) {}
  void on(const HolderSeen&) {}
  void on(const WriteRefused&) {}
  void on(const Found& found) {
    known_.insert(found.session.value);
    if (found.first.value > size(found.session.value))
      complain("bytes were forgotten before we had them");
    host_.attach(found.session, Offset{size(found.session.value)});
  }
  void on(const Output& output) {
    const uint64_t number = output.session.value;
    if (output.offset.value != size(number)) complain("a gap or a repetition");
    const std::string path = output_path(home_, number);
    auto file = os::open_append(path);
    if (!file || !os::write_all(file->get(), output.bytes, path)) complain("cannot write");
    host_.acknowledge(output.session, Offset{size(number)});
  }
  void on(const Ended& ended) {
    if (ended.end.value != size(ended.session.value)) complain("ended before its last byte");
    if (!os::write_atomically(end_path(home_, ended.session.value), end_text(ended)))
      complain("cannot write");
    host_.close(ended.session);
  }

  std::string program_;
  std::string home_;
  os::Loop loop_;
  PtyHost host_;
  std::set<uint64_t> known_;
};

}  // namespace

int run_daemon(const std::string& program, const std::string& home) {
  Recorder(program, home).run();
  return 0;
}

// Bursts with pauses between: some larger than a holder keeps in memory, so that the spill files
// are used, too.
int run_printer(uint64_t number) {
  termios raw{};
  ::tcgetattr(1, &raw);
  ::cfmakeraw(&raw);
  ::tcsetattr(1, TCSANOW, &raw);
  const std::string all = Noise(number).bytes(kBytesEach);
  Noise chance(number + 1000);
  uint64_t owed_us = 0;
  for (size_t at = 0; at < all.size();) {
    const size_t burst =
        std::min<size_t>(all.size() - at, 1 + chance.below(1u << (10 + chance.below(11))));
    if (!os::write_all(1, std::string_view(all).substr(at, burst), "the terminal")) return 1;
    at += burst;
    owed_us += burst * kPrintMs * 1000 / kBytesEach;
    ::poll(nullptr, 0, static_cast<int>(owed_us / 1000));
    owed_us %= 1000;
  }
  if (number == kPrinters) ::raise(SIGUSR1);
  return static_cast<int>(10 + number);
}

}  // namespace pawl::host::survive
