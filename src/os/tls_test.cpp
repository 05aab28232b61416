#include "os/tls.h"

#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

namespace pawl::os {
namespace {

const WallTime kTlsMade{std::chrono::seconds{1'800'000'000}};

// A client at the other end of a pair of sockets; the two take turns.
struct TlsPair {
  Fd ends[2];
  SSL_CTX* context = SSL_CTX_new(TLS_client_method());
  SSL* client = SSL_new(context);
  std::optional<NetStream> server;

  explicit TlsPair(const TlsServer& tls) {
    int raw[2];
    CHECK(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, raw) == 0);
    ends[0] = Fd(raw[0]);
    server.emplace(Fd(raw[1]));
    server->secure(tls);
    CHECK(SSL_set_fd(client, ends[0].get()) == 1);
    std::string nothing;
    for (int turns = 0; turns < 20 && SSL_connect(client) != 1; ++turns) server->read(nothing, 100);
  }
  ~TlsPair() {
    SSL_free(client);
    SSL_CTX_free(context);
  }
  std::string echoed(const std::string& text) {
    if (SSL_write(client, text.data(), static_cast<int>(text.size())) <= 0) return {};
    std::string got;
    for (int turns = 0; turns < 20 && got.size() < text.size(); ++turns) server->read(got, 100);
    bool end = false;
    server->write(got, end);
    std::string back(100, '\0');
    const int n = SSL_read(client, back.data(), 100);
    return back.substr(0, n > 0 ? static_cast<size_t>(n) : 0);
  }
  std::string subject() const {
    X509* seen = SSL_get1_peer_certificate(client);
    char name[64] = "";
    if (seen) X509_NAME_get_text_by_NID(X509_get_subject_name(seen), NID_commonName, name, 64);
    X509_free(seen);
    return name;
  }
};

TEST(Tls, AnotherCertificateCutsNoConnection) {
  const auto ca = *make_authority("c", {"one", "two"}, kTlsMade);
  auto tls = *TlsServer::of(*issue(ca, {"one"}, kTlsMade));
  const std::string before = tls.fingerprint();
  TlsPair first(tls);
  EXPECT_EQ(first.echoed("hello"), "hello");
  tls = *TlsServer::of(*issue(ca, {"two"}, kTlsMade));
  EXPECT_NE(tls.fingerprint(), before);
  EXPECT_EQ(first.echoed("still there"), "still there");
  TlsPair second(tls);
  EXPECT_EQ(second.echoed("hello"), "hello");
  EXPECT_EQ(first.subject(), "one");
  EXPECT_EQ(second.subject(), "two");
}

}  // namespace
}  // namespace pawl::os
