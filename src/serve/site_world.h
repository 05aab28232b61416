#pragma once
// For tests: a site over an engine with made-up programs, and an HTTP/1.1 client that writes bytes and reads bytes.

#include "api/client_world.h"
#include "os/file.h"
#include "serve/http1.h"

namespace pawl::serve {

struct SiteWorld : api::ClientWorld {
  TestDir home_dir;
  Credentials credentials = *Credentials::open(home_dir.path(), false);
  Site site{*engine,         server,
            credentials,     {{"localhost"}, {}, false, 8822, true},
            home_dir.path(), [] { return std::string(); }};

  std::string token(const char* name = "token") {
    std::string text = *os::read_file(home_dir / name);
    text.pop_back();
    return text;
  }
  std::string head(const std::string& first, const std::string& more = "") {
    return first + " HTTP/1.1\r\nHost: localhost:8822\r\n" + more + "\r\n";
  }
  std::string with_token(const std::string& more = "") {
    return "Authorization: Bearer " + token() + "\r\n" + more;
  }
  void turn(Duration later = std::chrono::milliseconds{1}) {
    now = {now.mono + later, now.wall + later};
    engine->turn(now);
    answers = engine->take_answers();
    site.follow(now);
  }
  std::vector<core::Answer> answers;
};

struct Client {
  explicit Client(SiteWorld& its) : world(its), http(its.site, {"127.0.0.1", false}, false) {}
  // Sends, lets turns pass, and gives everything that came back.
  std::string say(const std::string& bytes) {
    http.receive(world.now, bytes);
    return hear();
  }
  std::string hear(int turns = 4) {
    std::string out;
    for (int i = 0; i < turns; ++i) {
      http.send(world.now, out, 1u << 20);
      world.turn();
      http.follow(world.now, world.answers);
    }
    http.send(world.now, out, 1u << 20);
    return out;
  }
  SiteWorld& world;
  Http1 http;
};

inline std::string body_of(const std::string& reply) {
  const size_t end = reply.find("\r\n\r\n");
  return end == std::string::npos ? "" : reply.substr(end + 4);
}

}  // namespace pawl::serve
