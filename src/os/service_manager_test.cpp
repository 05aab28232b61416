#include "os/service_manager.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "base/test_dir.h"
#include "os/fd.h"

namespace pawl::os {
namespace {

struct Listener {
  explicit Listener(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    EXPECT_EQ(::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  std::string heard() const {
    char buffer[64];
    const ssize_t n = ::recv(fd.get(), buffer, sizeof buffer, MSG_DONTWAIT);
    return n > 0 ? std::string(buffer, static_cast<size_t>(n)) : "";
  }
  Fd fd{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
};

TEST(ServiceManager, HearsWhatItIsTold) {
  TestDir dir;
  const Listener systemd(dir / "notify");
  ::setenv("NOTIFY_SOCKET", (dir / "notify").c_str(), 1);
  ::setenv("WATCHDOG_USEC", "60000000", 1);
  ::setenv("WATCHDOG_PID", std::to_string(::getpid()).c_str(), 1);
  const ServiceManager manager;
  EXPECT_EQ(manager.pulse(), Duration{20'000'000});
  for (const char* name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"})
    EXPECT_EQ(std::getenv(name), nullptr) << name << " is not for what we start";
  manager.say("READY=1");
  EXPECT_EQ(systemd.heard(), "READY=1");
}

TEST(ServiceManager, OfNobodyIsSilent) {
  ::setenv("WATCHDOG_USEC", "60000000", 1);
  const ServiceManager manager;
  EXPECT_EQ(manager.pulse(), std::nullopt);
  manager.say("READY=1");
}

TEST(ServiceManager, AServiceIsOursWhenSystemdBeganUsAndNotTheOneAboveUs) {
  EXPECT_FALSE(service_is_ours());
  ::setenv("SYSTEMD_EXEC_PID", std::to_string(::getppid()).c_str(), 1);
  EXPECT_FALSE(service_is_ours());
  ::setenv("SYSTEMD_EXEC_PID", std::to_string(::getpid()).c_str(), 1);
  EXPECT_TRUE(service_is_ours());
  ::unsetenv("SYSTEMD_EXEC_PID");
}

TEST(ServiceManager, AWatchdogOfAnotherProcessIsNotOurs) {
  ::setenv("NOTIFY_SOCKET", "@nobody-listens-here", 1);
  ::setenv("WATCHDOG_USEC", "60000000", 1);
  ::setenv("WATCHDOG_PID", "1", 1);
  const ServiceManager manager;
  EXPECT_EQ(manager.pulse(), std::nullopt);
  manager.say("WATCHDOG=1");  // and nothing happens
}

}  // namespace
}  // namespace pawl::os
