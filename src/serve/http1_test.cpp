#include "serve/http1.h"

#include <gtest/gtest.h>

#include "serve/site_world.h"

namespace pawl::serve {
namespace {

std::string status(const std::string& reply) {
  return reply.substr(0, 12);
}

TEST(Http1, AnswersHoweverTheRequestIsCut) {
  SiteWorld world;
  const std::string request = world.head("GET /api/v1/agents", world.with_token());
  const std::string whole = Client(world).say(request);
  EXPECT_EQ(status(whole), "HTTP/1.1 200");
  Client slow(world);
  std::string reply;
  for (const char c : request) reply += slow.say(std::string(1, c));
  EXPECT_EQ(body_of(reply), body_of(whole));
}

TEST(Http1, OneAfterTheOtherOnOneConnection) {
  SiteWorld world;
  Client client(world);
  const std::string two = world.head("GET /healthz") + world.head("GET /api/v1/me");
  const std::string reply = client.say(two);
  EXPECT_NE(reply.find("{\"ok\":true}"), reply.npos);
  EXPECT_NE(reply.find("HTTP/1.1 401"), reply.npos) << "each is judged on its own";
  EXPECT_FALSE(client.http.over());
  EXPECT_EQ(status(client.say(world.head("GET /healthz", "Connection: close\r\n"))),
            "HTTP/1.1 200");
  EXPECT_TRUE(client.http.over());
}

TEST(Http1, WhatIsNotHttpIsAnsweredOnce) {
  SiteWorld world;
  const std::string host = "Host: localhost:8822\r\n";
  struct Case {
    const char* name;
    std::string bytes;
    const char* status;
  };
  const std::vector<Case> cases{
      {"garbage", "hello\r\n\r\n", "HTTP/1.1 400"},
      {"HTTP/0.9", "GET /\r\n\r\n", "HTTP/1.1 400"},
      {"HTTP/1.2", "GET / HTTP/1.2\r\n" + host + "\r\n", "HTTP/1.1 400"},
      {"HTTP/1.0 without Host", "GET / HTTP/1.0\r\n\r\n", "HTTP/1.1 400"},
      {"HTTP/1.0 with chunks",
       "POST / HTTP/1.0\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
       "HTTP/1.1 411"},
      {"two lengths",
       "POST / HTTP/1.1\r\n" + host + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
       "HTTP/1.1 400"},
      {"length and chunks",
       "POST / HTTP/1.1\r\n" + host +
           "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
       "HTTP/1.1 400"},
      {"chunks",
       "POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
       "HTTP/1.1 411"},
      {"a line that ends with LF", "GET / HTTP/1.1\n" + host + "\r\n", "HTTP/1.1 400"},
      {"a head that ends with LF", "GET / HTTP/1.1\r\n" + host + "\n", "HTTP/1.1 400"},
      {"a head that ends with CR and anything", "GET / HTTP/1.1\r\n" + host + "\rX",
       "HTTP/1.1 400"},
      {"a folded header", "GET / HTTP/1.1\r\n" + host + "X: a\r\n b\r\n\r\n", "HTTP/1.1 400"},
      {"a space before the colon", "GET / HTTP/1.1\r\nHost : localhost:8822\r\n\r\n",
       "HTTP/1.1 400"},
      {"a NUL", "GET / HTTP/1.1\r\n" + host + std::string("X: a\0b\r\n\r\n", 11), "HTTP/1.1 400"},
      {"too large a body", "POST / HTTP/1.1\r\n" + host + "Content-Length: 99999999\r\n\r\n",
       "HTTP/1.1 413"},
      {"too long a header",
       "GET / HTTP/1.1\r\n" + host + "X: " + std::string(20000, 'x') + "\r\n\r\n", "HTTP/1.1 431"},
      {"too long a target", "GET /" + std::string(20000, 'x') + " HTTP/1.1\r\n" + host + "\r\n",
       "HTTP/1.1 431"}};
  for (const auto& it : cases) {
    Client client(world);
    const std::string reply = client.say(it.bytes);
    EXPECT_EQ(status(reply), it.status) << it.name;
    EXPECT_EQ(reply.find("HTTP/1.1 4", 1), reply.npos) << it.name << ": once";
    EXPECT_TRUE(client.http.over()) << it.name;
    EXPECT_EQ(client.say(world.head("GET /healthz")), "") << it.name << ": and never again";
  }
}

// A line end between two packets was skipped, also in the middle of a word.
TEST(Http1, ALineEndInsideTheMethodIsNotForgiven) {
  SiteWorld world;
  Client client(world);
  EXPECT_EQ(client.say("\r\nGET"), "");
  EXPECT_TRUE(client.http.waiting());
  EXPECT_EQ(status(client.say("\r\n /healthz HTTP/1.1\r\nHost: localhost:8822\r\n\r\n")),
            "HTTP/1.1 400");
}

TEST(Http1, TooManyHeaders) {
  SiteWorld world;
  std::string more;
  for (int i = 0; i < 100; ++i) more += "X-" + std::to_string(i) + ": 1\r\n";
  EXPECT_EQ(status(Client(world).say(world.head("GET /", more))), "HTTP/1.1 431");
}

TEST(Http1, AVerbIsAnsweredWhenItIsDone) {
  SiteWorld world;
  world.running();
  Client client(world);
  const std::string body = "{}";
  const std::string reply = client.say(
      world.head("POST /api/v1/agents/a/pause",
                 world.with_token("Content-Type: application/json\r\nContent-Length: 2\r\n")) +
      body);
  EXPECT_EQ(status(reply), "HTTP/1.1 200") << reply;
  EXPECT_TRUE(world.engine->fleet().find("a")->paused);
  bool noted = false;
  for (const auto& event : world.journal.events)
    if (const auto* it = std::get_if<model::Requested>(&event.fact))
      noted = it->verb == "pause" &&
              it->by == (model::Asker{"web", "operator (token) from 127.0.0.1", 0});
  EXPECT_TRUE(noted);
}

// A client that has not read the last reply yet: the answer of a turn comes once, and waits for it.
TEST(Http1, AnAnswerIsKeptWhileNothingCanBeSent) {
  SiteWorld world;
  world.running();
  Http1 http(world.site, {"127.0.0.1", false}, false);
  http.receive(world.now, world.head("POST /api/v1/agents/a/pause", world.with_token()));
  for (int i = 0; i < 4; ++i) {
    world.turn();
    http.follow(world.now, world.answers);
  }
  std::string reply;
  http.send(world.now, reply, 1u << 20);
  EXPECT_EQ(status(reply), "HTTP/1.1 200");
}

TEST(Http1, WithAWebSocketsHandshakeTheRestIsATerminal) {
  SiteWorld world;
  world.running();
  Client client(world);
  const std::string handshake =
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  const std::string reply =
      client.say(world.head("GET /api/v1/agents/a/terminal", world.with_token(handshake)));
  EXPECT_EQ(status(reply), "HTTP/1.1 101");
  EXPECT_NE(reply.find("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), reply.npos);
  EXPECT_NE(reply.find("{\"size\":"), reply.npos);
  EXPECT_TRUE(client.http.terminal());
  for (const char* path :
       {"/api/v1/agents", "/api/v1/events", "/", "/api/v1/agents/nobody/terminal"})
    EXPECT_NE(status(Client(world).say(
                  world.head(std::string("GET ") + path, world.with_token(handshake)))),
              "HTTP/1.1 101")
        << path;
  EXPECT_EQ(status(Client(world).say(world.head("GET /api/v1/agents/a/terminal", handshake))),
            "HTTP/1.1 401");
  EXPECT_EQ(status(Client(world).say(
                world.head("GET /api/v1/agents/a/terminal",
                           world.with_token(handshake + "Origin: http://evil.example\r\n")))),
            "HTTP/1.1 403");
}

TEST(Http1, EventsGoOn) {
  SiteWorld world;
  world.running();
  Client client(world);
  std::string heard = client.say(world.head("GET /api/v1/events?since=0", world.with_token()));
  EXPECT_NE(heard.find("event: hello\n"), heard.npos);
  EXPECT_NE(heard.find("\nid: 1\ndata: {"), heard.npos);
  const auto last = world.engine->fleet().last.value;
  world.engine->submit(core::PauseAsked{{}, "a", true, "a test"});
  heard = client.hear();
  EXPECT_NE(heard.find("id: " + std::to_string(last + 1) + "\n"), heard.npos) << heard;
  Client later(world);
  heard = later.say(world.head(
      "GET /api/v1/events", world.with_token("Last-Event-ID: " + std::to_string(last) + "\r\n")));
  EXPECT_EQ(heard.find("id: " + std::to_string(last) + "\n"), heard.npos);
  EXPECT_NE(heard.find("id: " + std::to_string(last + 1) + "\n"), heard.npos);
}

// Views are nowhere else to be read: who missed some is told by the end of the stream, and begins again.
TEST(Http1, AReaderWhoMissedViewsIsLetGo) {
  SiteWorld world;
  world.running();
  Client client(world);
  EXPECT_NE(client.say(world.head("GET /api/v1/events?views=1", world.with_token())), "");
  for (int i = 0; i < 50; ++i) {
    for (int n = 0; n < 1000; ++n)
      world.engine->submit(core::RequestSeen{"a", "verb", {model::kWeb, "somebody", 0}});
    world.turn();
  }
  EXPECT_TRUE(client.hear().ends_with("0\r\n\r\n"));
  EXPECT_TRUE(client.http.over());
}

// Proxies spoke it for years: the same door, one request, no chunks.
TEST(Http1, TheOldVersionIsServedOneRequestAtATime) {
  SiteWorld world;
  world.running();
  const auto old = [&](const std::string& what, const std::string& more = "") {
    return "GET " + what + " HTTP/1.0\r\nHost: localhost:8822\r\n" + more + "\r\n";
  };
  Client client(world);
  const std::string reply =
      client.say(old("/healthz", "Connection: keep-alive\r\n") + old("/healthz"));
  EXPECT_EQ(status(reply), "HTTP/1.1 200");
  EXPECT_NE(reply.find("content-length: 11\r\nconnection: close\r\n\r\n{\"ok\":true}"), reply.npos);
  EXPECT_EQ(reply.find("HTTP/1.1", 1), reply.npos) << "the second was never read";
  EXPECT_TRUE(client.http.over());
  EXPECT_EQ(status(Client(world).say(old("/api/v1/agents"))), "HTTP/1.1 401");
  EXPECT_EQ(status(Client(world).say("GET / HTTP/1.0\r\nHost: evil.example\r\n\r\n")),
            "HTTP/1.1 403");
  EXPECT_EQ(status(Client(world).say(
                old("/api/v1/agents/a/terminal",
                    world.with_token("Upgrade: websocket\r\nConnection: Upgrade"
                                     "\r\nSec-WebSocket-Version: 13\r\n"
                                     "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")))),
            "HTTP/1.1 426");
  Client reader(world);
  const std::string events = reader.say(old("/api/v1/events?since=0", world.with_token()));
  EXPECT_EQ(events.find("chunked"), events.npos);
  EXPECT_EQ(events.find("content-length"), events.npos);
  EXPECT_EQ(body_of(events).find("event: hello\n"), 0u) << events;
  EXPECT_FALSE(reader.http.over()) << "it goes on until somebody hangs up";
}

TEST(Http1, AnybodyMayHaveTheCa) {
  SiteWorld world;
  EXPECT_EQ(status(Client(world).say(world.head("GET /ca.crt"))), "HTTP/1.1 404") << "none yet";
  world.site.offer_authority("-----CA-----\n");
  const auto plain = [&](const std::string& bytes) {
    Http1 http(world.site, {"127.0.0.1", false}, true);
    http.receive(world.now, bytes);
    std::string out;
    http.send(world.now, out, 1u << 20);
    EXPECT_TRUE(http.over());
    return out;
  };
  for (const auto& reply :
       {Client(world).say(world.head("GET /ca.crt")), plain(world.head("GET /ca.crt"))}) {
    EXPECT_EQ(status(reply), "HTTP/1.1 200");
    EXPECT_NE(reply.find("content-type: application/x-x509-ca-cert\r\n"), reply.npos);
    EXPECT_EQ(body_of(reply), "-----CA-----\n");
  }
  EXPECT_EQ(body_of(plain(world.head("HEAD /ca.crt"))), "");
  for (const char* what : {"POST /ca.crt", "GET /ca.crt?x=1", "GET /ca.crt/", "GET /x/ca.crt"})
    EXPECT_NE(status(plain(world.head(what))), "HTTP/1.1 200") << what;
  EXPECT_EQ(status(plain("GET /ca.crt HTTP/1.1\r\nHost: evil.example\r\n\r\n")), "HTTP/1.1 400");
}

TEST(Http1, APlainClientOfATlsPortIsSentElsewhere) {
  SiteWorld world;
  Http1 http(world.site, {"127.0.0.1", false}, true);
  http.receive(world.now, world.head("GET /api/v1/agents", world.with_token()));
  std::string reply;
  http.send(world.now, reply, 1u << 20);
  EXPECT_EQ(status(reply), "HTTP/1.1 308");
  EXPECT_NE(reply.find("location: https://localhost:8822/api/v1/agents\r\n"), reply.npos);
  EXPECT_EQ(reply.find("\"agents\""), reply.npos);
}

}  // namespace
}  // namespace pawl::serve
