// A whole site with an engine behind it, fed with anything. The first byte says how: HTTP/1 or HTTP/2, with the operator's token or
// without ("TOKEN" in the bytes becomes it), as a port that only redirects, in which pieces.
// Without the token no agent changes and nothing is written down; HTTP/1 says the same however its bytes are cut.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/test_dir.h"
#include "core/face.h"
#include "core/fake_host.h"
#include "core/options.h"
#include "os/file.h"
#include "serve/http1.h"
#include "serve/http2.h"
#include "store/memory_journal.h"

namespace {

using namespace pawl;
using std::chrono::milliseconds;

constexpr size_t kRoom = 64u << 10;
constexpr size_t kMostTurns = 64;
constexpr const char* kToken = "TOKEN";

void require(bool condition) {
  if (!condition) std::abort();
}

// An engine with one running agent. Made anew when somebody with the token changed it.
struct World {
  World() : credentials(*serve::Credentials::open(home.path(), false)) {
    token = *os::read_file(home / "token");
    token.resize(token.find('\n'));
    core::RunAsked ask;
    ask.request = engine->next_request();
    ask.spec.name = "a";
    ask.spec.command = {"prog"};
    ask.spec.dir = "/";
    ask.because = "asked";
    engine->recover(now);
    engine->submit(ask);
    turn();
    const auto session = engine->fleet().find("a")->session;
    host.runs(session);
    host.prints(session, "hello\r\n");
    turn();
    begun = doings();
  }
  std::vector<core::Answer> turn() {
    now = {now.mono + milliseconds{1}, now.wall + milliseconds{1}};
    engine->turn(now);
    return engine->take_answers();
  }
  size_t doings() const { return journal.events.size() + static_cast<size_t>(host.doings); }
  bool touched() const { return doings() != begun; }
  // What an engine does by itself in time is nobody's doing.
  bool old() const { return now.mono > MonoTime{std::chrono::seconds{100}} + milliseconds{300}; }

  TestDir home{TestDir::memory()};
  core::FakeHost host;
  store::MemoryJournal journal;
  Clock now{MonoTime{std::chrono::seconds{100}}, WallTime{std::chrono::hours{24 * 365 * 50}}};
  std::unique_ptr<core::Engine> engine = std::make_unique<core::Engine>(
      host, journal, core::EngineOptions{home.path(), {}, nullptr}, model::Fleet{});
  api::Server server{"9.9", 1234, {}, false, false};
  serve::Credentials credentials;
  std::string token;
  size_t begun = 0;
};

std::string with_token(std::string bytes, const std::string& token) {
  for (size_t at = 0; (at = bytes.find(kToken, at)) != bytes.npos; at += token.size())
    bytes.replace(at, std::string(kToken).size(), token);
  return bytes;
}

// Everything it says to these bytes, given in pieces of `step`.
template <class Session>
std::string talk(World& world, Session& session, serve::Site& site, std::string_view bytes,
                 size_t step) {
  std::string said;
  const auto follow = [&](const std::vector<core::Answer>& answers) {
    site.follow(world.now);
    session.follow(world.now, answers);
    session.send(world.now, said, kRoom);
  };
  for (size_t at = 0; at < bytes.size() && !session.over(); at += step) {
    session.receive(world.now, bytes.substr(at, step));
    (void)session.waiting();
    follow({});
  }
  for (size_t turns = 0; turns < kMostTurns && !session.over(); ++turns) {
    const bool more = session.has_more(world.now);
    follow(world.turn());
    if (!more && !session.live()) break;
  }
  (void)session.idle();
  return said;
}

std::string http1(World& world, const std::string& bytes, bool elsewhere, size_t step) {
  const Clock now = world.now;
  serve::Doors doors;
  doors.hosts = {"localhost"};
  doors.port = 8822;
  serve::Site site(*world.engine, world.server, world.credentials, doors, world.home.path(),
                   [] { return std::string(); });
  site.offer_authority("the CA\n");
  serve::Http1 session(site, {"127.0.0.1", false}, elsewhere);
  const std::string said = talk(world, session, site, bytes, step);
  require(said.empty() || said.starts_with("HTTP/1.1 "));
  world.now = now;
  return said;
}

// The statuses of what was said. What is no request is refused for the first reason that is found, which depends on the cuts.
std::vector<std::string> statuses(const std::string& said) {
  std::vector<std::string> out;
  for (size_t at = 0; (at = said.find("HTTP/1.1 ", at)) != said.npos; at += 9) {
    const std::string status = said.substr(at + 9, 4);
    if (status.find_first_not_of("0123456789") != 3) continue;  // a word in a text
    out.push_back(status == "411 " || status == "413 " || status == "431 " ? "400 " : status);
  }
  return out;
}

void http2(World& world, const std::string& bytes, size_t step) {
  static const std::string kPreface("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0", 33);
  serve::Doors doors;
  doors.hosts = {"localhost"};
  doors.port = 8822;
  serve::Site site(*world.engine, world.server, world.credentials, doors, world.home.path(),
                   [] { return std::string(); });
  serve::Http2 session(site, {"127.0.0.1", true});
  (void)talk(world, session, site, kPreface + bytes, step);
}

// "METHOD /path\nname: value\n…\n\nbody" as frames: a mutation then hits what is meant, not the packing.
std::string framed(const std::string& bytes) {
  const auto frame = [](char kind, char flags, const std::string& payload) {
    std::string out{static_cast<char>(payload.size() >> 16),
                    static_cast<char>(payload.size() >> 8),
                    static_cast<char>(payload.size()),
                    kind,
                    flags,
                    0,
                    0,
                    0,
                    1};
    return out + payload;
  };
  std::string head;
  const auto field = [&](const std::string& name, const std::string& value) {
    head += '\0';
    for (const auto* text : {&name, &value}) {
      const std::string cut = text->substr(0, 126);
      head += static_cast<char>(cut.size());
      head += cut;
    }
  };
  const size_t end = std::min(bytes.find("\n\n"), bytes.size());
  const size_t line = std::min(bytes.find('\n'), end);
  const size_t space = std::min(bytes.find(' '), line);
  field(":method", bytes.substr(0, space));
  field(":path", bytes.substr(std::min(space + 1, line), line - std::min(space + 1, line)));
  field(":scheme", "https");
  for (size_t at = line + 1; at < end;) {
    const size_t stop = std::min(bytes.find('\n', at), end);
    const size_t colon = std::min(bytes.find(": ", at), stop);
    field(bytes.substr(at, colon - at),
          bytes.substr(std::min(colon + 2, stop), stop - std::min(colon + 2, stop)));
    at = stop + 1;
  }
  const std::string body = end + 2 < bytes.size() ? bytes.substr(end + 2) : "";
  return body.empty() ? frame(1, 5, head) : frame(1, 4, head) + frame(0, 1, body);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static auto world = std::make_unique<World>();
  if (size == 0 || size > kRoom) return 0;
  const int how = data[0];
  std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const bool token = how & 1;
  const size_t step = how & 8 ? static_cast<size_t>(how >> 4) + 1 : bytes.size() + 64;
  if (token) bytes = with_token(bytes, world->token);
  if (how & 2) {
    http2(*world, how & 4 ? framed(bytes) : bytes, step);
  } else {
    const std::string said = http1(*world, bytes, how & 4, step);
    if (!token) require(statuses(said) == statuses(http1(*world, bytes, how & 4, 1)));
  }
  if (token)
    world->turn();  // what it asked for with its last breath is its doing, not the next one's
  if (!token && world->touched()) {
    for (const auto& event : world->journal.events)
      std::fprintf(stderr, "%s\n", to_json(event).dump().c_str());
    std::abort();
  }
  if (world->touched() || world->old()) world = std::make_unique<World>();
  return 0;
}
