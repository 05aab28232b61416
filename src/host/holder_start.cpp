#include "host/holder_start.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <string_view>

#include "os/file.h"
#include "os/process.h"
#include "os/socket.h"

extern "C" const char pawl_holder_begin[];
extern "C" const char pawl_holder_end[];

namespace pawl::host {
namespace {

constexpr unsigned kExecutable =
    0x10;  // MFD_EXEC, Linux 6.3; older kernels refuse it and need nothing

std::string_view program() {
  return {pawl_holder_begin, static_cast<size_t>(pawl_holder_end - pawl_holder_begin)};
}

}  // namespace

std::string socket_name(unsigned number) {
  return std::to_string(number) + ".sock";
}

Result<os::Fd> HolderStart::start(unsigned number) {
  if (auto made = os::make_private_dir(dir_); !made) return tl::unexpected(made.error());
  os::Detached what;
  what.argv = {"pawl-holder", dir_, socket_name(number)};
  what.log = dir_ + "/holders.log";
  if (from_file_) {
    auto path = file();
    if (!path) return tl::unexpected(path.error());
    what.argv[0] = *path;
  } else {
    auto fd = memory_file();
    if (!fd) return tl::unexpected(fd.error());
    what.executable = *fd;
  }
  auto listener = os::listen_local(dir_, socket_name(number));
  if (!listener) return listener;
  what.keep = listener->get();
  if (auto started = os::start_detached(what); !started) return tl::unexpected(started.error());
  return os::connect_local(dir_, socket_name(number));
}

bool HolderStart::use_file() {
  return !std::exchange(from_file_, true);
}

Result<int> HolderStart::memory_file() {
  if (memory_) return memory_.get();
  os::Fd fd(::memfd_create("pawl-holder", MFD_CLOEXEC | kExecutable));
  if (!fd) fd = os::Fd(::memfd_create("pawl-holder", MFD_CLOEXEC));
  if (!fd) return fail_errno("cannot make a memory file for the holder", errno);
  ::fchmod(fd.get(), 0700);
  if (auto done = os::write_all(fd.get(), program(), "the holder's memory file"); !done)
    return tl::unexpected(done.error());
  memory_ = std::move(fd);
  return memory_.get();
}

Result<std::string> HolderStart::file() {
  const std::string path = dir_ + "/pawl-holder";
  if (auto done = os::write_atomically(path, program()); !done) return tl::unexpected(done.error());
  if (::chmod(path.c_str(), 0700) != 0) return fail_errno("cannot make executable: " + path, errno);
  return path;
}

}  // namespace pawl::host
