#pragma once
// TLS for servers, on sockets that do not block. OpenSSL stays behind tls.cpp and certificate.cpp.
// TLS 1.3, and of 1.2 the suites with a fresh key for each connection and authenticated encryption (ECDHE; AES-GCM, ChaCha20).

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/certificate.h"
#include "os/fd.h"

struct ssl_ctx_st;
struct ssl_st;

namespace pawl::os {

// A certificate and its key; offers HTTP/2 and HTTP/1.1 (ALPN). Connections that were secured with it keep it, also when another
// TlsServer is put in its place.
class TlsServer {
 public:
  static Result<TlsServer> open(const std::string& certificate_file, const std::string& key_file);
  static Result<TlsServer> of(const CertificatePair& pair);
  ssl_ctx_st* raw() const { return context_.get(); }
  const std::string& fingerprint() const { return fingerprint_; }  // SHA-256 of the certificate

 private:
  struct Free {
    void operator()(ssl_ctx_st* context) const;
  };
  static Result<TlsServer> begin();  // without a certificate yet
  std::unique_ptr<ssl_ctx_st, Free> context_;
  std::string fingerprint_;
};

// One connection, with TLS or without: reads and writes what is possible now.
class NetStream {
 public:
  explicit NetStream(Fd fd) : fd_(std::move(fd)) {}
  NetStream(NetStream&&) = default;
  ~NetStream();

  void secure(const TlsServer& server);  // from now on; the peer begins
  bool secured() const { return ssl_ != nullptr; }
  bool speaks_http2() const;  // agreed on; known when the first bytes were read

  enum class Got { bytes, nothing, end };
  Got read(std::string& into, size_t limit);  // adds at most `limit` bytes
  bool pending() const;  // decrypted already, though the socket has nothing to say
  // How many of them went out; `end` is set when no more ever will.
  size_t write(std::string_view bytes, bool& end);
  bool wants_to_write() const { return wants_to_write_; }  // TLS itself, whatever else there is
  int peek();  // the first byte that waits, -1 when there is none, -2 at the end
  int fd() const { return fd_.get(); }

 private:
  struct Free {
    void operator()(ssl_st* ssl) const;
  };
  Fd fd_;
  std::unique_ptr<ssl_st, Free> ssl_;
  bool wants_to_write_ = false;
};

}  // namespace pawl::os
