#include "os/post.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdlib>
#include <optional>

#include "os/fd.h"

namespace pawl::os {
namespace {

using std::chrono::milliseconds;

// A web server on loopback, on the same loop: keeps what it got and gives the same answer to everybody; none: it hangs.
class Server {
 public:
  Server(Loop& loop, std::string answer)
      : loop_(loop),
        answer_(std::move(answer)),
        fd_(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0)) {
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof where;
    EXPECT_EQ(::bind(fd_.get(), reinterpret_cast<sockaddr*>(&where), size), 0);
    EXPECT_EQ(::listen(fd_.get(), 8), 0);
    EXPECT_EQ(::getsockname(fd_.get(), reinterpret_cast<sockaddr*>(&where), &size), 0);
    port_ = ntohs(where.sin_port);
    watch_ = FdWatch(loop, fd_.get(), [this](FdWatch::Ready) { accept(); });
  }
  std::string url(const std::string& path = "/SECRET") const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  std::string got;
  int clients = 0;

 private:
  void accept() {
    client_.reset(::accept4(fd_.get(), nullptr, nullptr, SOCK_NONBLOCK));
    ++clients;
    watch_client_ = FdWatch(loop_, client_.get(), [this](FdWatch::Ready) { read(); });
  }
  void read() {
    char buffer[4096];
    const ssize_t n = ::recv(client_.get(), buffer, sizeof buffer, 0);
    if (n <= 0) return watch_client_.want({});
    got.append(buffer, static_cast<size_t>(n));
    if (answer_.empty() || got.find("END") == std::string::npos) return;
    EXPECT_GT(::send(client_.get(), answer_.data(), answer_.size(), MSG_NOSIGNAL), 0);
    watch_client_ = {};
    client_.reset();
  }

  Loop& loop_;
  std::string answer_;
  Fd fd_, client_;
  int port_ = 0;
  FdWatch watch_, watch_client_;
};

class Post : public testing::Test {
 protected:
  Post() { ::setenv("no_proxy", "*", 1); }

  Posted send(PostOrder order) {
    std::optional<Posted> how;
    const auto begun = poster.post(std::move(order), [&](const Posted& its) {
      how = its;
      loop.stop();
    });
    EXPECT_TRUE(begun) << text_of(begun.error());
    loop.run();
    return how.value_or(Posted{});
  }

  Loop loop;
  Poster poster{loop};
};

TEST_F(Post, ArrivesWithItsHeaders) {
  Server server(loop, "HTTP/1.1 204 No Content\r\n\r\n");
  const Posted how =
      send({server.url("/a/b?c=d"), {"Title: x y", "Content-Type: text/plain"}, "body END"});
  EXPECT_TRUE(how.fine);
  EXPECT_EQ(how.how, "HTTP 204");
  EXPECT_EQ(server.got.find("POST /a/b?c=d HTTP/1.1\r\n"), 0u) << server.got;
  EXPECT_NE(server.got.find("\r\nTitle: x y\r\n"), std::string::npos);
  EXPECT_NE(server.got.find("\r\nContent-Type: text/plain\r\n"), std::string::npos);
  EXPECT_NE(server.got.find("\r\nUser-Agent: pawl/"), std::string::npos);
  EXPECT_TRUE(server.got.ends_with("\r\n\r\nbody END"));
}

TEST_F(Post, AnErrorIsAFailureThatDoesNotTellTheUrl) {
  Server server(loop, "HTTP/1.1 500 SECRET\r\nContent-Length: 6\r\n\r\nSECRET");
  const Posted how = send({server.url(), {}, "END"});
  EXPECT_FALSE(how.fine);
  EXPECT_EQ(how.how, "HTTP 500");
}

TEST_F(Post, ARedirectIsNotFollowed) {
  Server other(loop, "HTTP/1.1 200 OK\r\n\r\n");
  Server server(loop, "HTTP/1.1 302 Found\r\nLocation: " + other.url() + "\r\n\r\n");
  const Posted how = send({server.url(), {}, "END"});
  EXPECT_FALSE(how.fine);
  EXPECT_EQ(how.how, "HTTP 302");
  EXPECT_EQ(other.clients, 0);
}

TEST_F(Post, WhoHangsIsGivenUp) {
  Server server(loop, "");
  PostOrder order{server.url(), {}, "END"};
  order.limit = milliseconds{200};
  const Posted how = send(order);
  EXPECT_FALSE(how.fine);
  EXPECT_EQ(how.how, "Timeout was reached");
}

TEST_F(Post, NobodyListens) {
  std::string url;
  {
    const Server server(loop, "");
    url = server.url();
  }
  const Posted how = send({url, {}, "END"});
  EXPECT_FALSE(how.fine);
  EXPECT_EQ(how.how, "Couldn't connect to server");
}

TEST_F(Post, NothingButHttp) {
  EXPECT_FALSE(send({"file:///etc/hostname", {}, "END"}).fine);
  EXPECT_FALSE(send({"http://", {}, "END"}).fine);
}

TEST_F(Post, TooManyAreRefused) {
  Server server(loop, "");
  for (size_t i = 0; i < kPostsAtOnce; ++i) EXPECT_TRUE(poster.post({server.url()}, {}));
  EXPECT_FALSE(poster.post({server.url()}, {}));
}

TEST_F(Post, ACallbackMayPostAgain) {
  Server server(loop, "HTTP/1.1 200 OK\r\n\r\n");
  int answers = 0;
  const std::function<void(const Posted&)> again = [&](const Posted&) {
    if (++answers == 3) return loop.stop();
    server.got.clear();
    EXPECT_TRUE(poster.post({server.url(), {}, "END"}, again));
  };
  again({});
  loop.run();
  EXPECT_EQ(answers, 3);
  EXPECT_EQ(server.clients, 2);
}

}  // namespace
}  // namespace pawl::os
