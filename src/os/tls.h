#pragma once
// TLS for servers, on sockets that do not block. OpenSSL stays behind tls.cpp and certificate.cpp.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "os/fd.h"

struct ssl_ctx_st;
struct ssl_st;

namespace pawl::os {

// A certificate and its key; offers HTTP/2 and HTTP/1.1 (ALPN), TLS 1.2 and 1.3.
class TlsServer {
 public:
  static Result<TlsServer> open(const std::string& certificate_file, const std::string& key_file);
  ssl_ctx_st* raw() const { return context_.get(); }
  const std::string& fingerprint() const { return fingerprint_; }  // SHA-256 of the certificate

 private:
  struct Free {
    void operator()(ssl_ctx_st* context) const;
  };
  std::unique_ptr<ssl_ctx_st, Free> context_;
  std::string fingerprint_;
};

// Makes both files (0600) when they are not there, expired, or for other names: signed by itself, for these names and addresses.
Done make_certificate(const std::string& certificate_file, const std::string& key_file,
                      const std::vector<std::string>& names);

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
