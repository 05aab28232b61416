#include "os/tls.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/socket.h>

#include <cerrno>

#include "os/digest.h"
#include "os/file.h"

namespace pawl::os {
namespace {

// Ours, in the order of preference, as ALPN has them on the wire.
constexpr unsigned char kProtocols[] = "\x02h2\x08http/1.1";
// Of TLS 1.2; those of 1.3 are all good.
constexpr const char* kSuites = "ECDHE+AESGCM:ECDHE+CHACHA20";

int choose(SSL*, const unsigned char** out, unsigned char* length, const unsigned char* offered,
           unsigned offered_length, void*) {
  unsigned char* chosen = nullptr;
  const int how = SSL_select_next_proto(&chosen, length, kProtocols, sizeof kProtocols - 1, offered,
                                        offered_length);
  *out = chosen;
  return how == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

std::string last_error() {
  char text[256] = "unknown";
  if (const unsigned long code = ERR_get_error()) ERR_error_string_n(code, text, sizeof text);
  ERR_clear_error();
  return text;
}

std::string fingerprint_of(SSL_CTX* context) {
  unsigned char* der = nullptr;
  const int length = i2d_X509(SSL_CTX_get0_certificate(context), &der);
  if (length <= 0) return {};
  const std::string bytes(reinterpret_cast<const char*>(der), static_cast<size_t>(length));
  OPENSSL_free(der);
  return hex(sha256(bytes));
}

}  // namespace

void TlsServer::Free::operator()(ssl_ctx_st* context) const {
  SSL_CTX_free(context);
}

void NetStream::Free::operator()(ssl_st* ssl) const {
  SSL_free(ssl);
}

Result<TlsServer> TlsServer::begin() {
  ERR_clear_error();
  TlsServer out;
  out.context_.reset(SSL_CTX_new(TLS_server_method()));
  SSL_CTX* context = out.context_.get();
  if (!context || SSL_CTX_set_cipher_list(context, kSuites) != 1)
    return fail("cannot begin TLS: " + last_error());
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  // A thousand quiet browsers keep no buffers; sessions are resumed by tickets, not from a table.
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_alpn_select_cb(context, choose, nullptr);
  return out;
}

Result<TlsServer> TlsServer::of(const CertificatePair& pair) {
  auto out = begin();
  if (!out) return out;
  BIO* text = BIO_new_mem_buf(pair.certificate.data(), static_cast<int>(pair.certificate.size()));
  BIO* key_text = BIO_new_mem_buf(pair.key.data(), static_cast<int>(pair.key.size()));
  X509* certificate = PEM_read_bio_X509(text, nullptr, nullptr, nullptr);
  EVP_PKEY* key = PEM_read_bio_PrivateKey(key_text, nullptr, nullptr, nullptr);
  SSL_CTX* context = out->context_.get();
  const bool fine = certificate && key && SSL_CTX_use_certificate(context, certificate) == 1 &&
                    SSL_CTX_use_PrivateKey(context, key) == 1;
  X509_free(certificate);
  EVP_PKEY_free(key);
  BIO_free(text);
  BIO_free(key_text);
  if (!fine) return fail("cannot use the certificate: " + last_error());
  out->fingerprint_ = fingerprint_of(context);
  return out;
}

Result<TlsServer> TlsServer::open(const std::string& certificate_file,
                                  const std::string& key_file) {
  auto out = begin();
  if (!out) return out;
  SSL_CTX* context = out->context_.get();
  for (const auto& file : {certificate_file, key_file})  // it would wait for a pipe
    if (const auto kind = not_a_file(file))
      return fail(file + " is " + *kind + ", not a file", "give PEM files with --cert and --key");
  if (SSL_CTX_use_certificate_chain_file(context, certificate_file.c_str()) != 1)
    return fail("cannot use the certificate " + certificate_file + ": " + last_error(),
                "give a PEM file with --cert");
  if (SSL_CTX_use_PrivateKey_file(context, key_file.c_str(), SSL_FILETYPE_PEM) != 1)
    return fail("cannot use the key " + key_file + ": " + last_error(),
                "give the PEM file of this certificate's key with --key");
  if (SSL_CTX_check_private_key(context) != 1)
    return fail("the key " + key_file + " is not that of " + certificate_file,
                "give the two that belong together");
  out->fingerprint_ = fingerprint_of(context);
  return out;
}

NetStream::~NetStream() {
  if (ssl_ && SSL_is_init_finished(ssl_.get())) SSL_shutdown(ssl_.get());
  ERR_clear_error();
}

void NetStream::secure(const TlsServer& server) {
  ssl_.reset(SSL_new(server.raw()));
  CHECK(ssl_ && SSL_set_fd(ssl_.get(), fd_.get()) == 1);
  SSL_set_accept_state(ssl_.get());
}

bool NetStream::speaks_http2() const {
  const unsigned char* chosen = nullptr;
  unsigned length = 0;
  if (ssl_) SSL_get0_alpn_selected(ssl_.get(), &chosen, &length);
  return length == 2 && chosen[0] == 'h' && chosen[1] == '2';
}

NetStream::Got NetStream::read(std::string& into, size_t limit) {
  const size_t before = into.size();
  into.resize(before + limit);
  ssize_t n = 0;
  bool again = false;
  if (ssl_) {
    ERR_clear_error();
    n = SSL_read(ssl_.get(), into.data() + before, static_cast<int>(limit));
    const int why = n > 0 ? SSL_ERROR_NONE : SSL_get_error(ssl_.get(), static_cast<int>(n));
    wants_to_write_ = why == SSL_ERROR_WANT_WRITE;
    again = why == SSL_ERROR_WANT_READ || wants_to_write_;
  } else {
    n = ::recv(fd_.get(), into.data() + before, limit, 0);
    again = n < 0 && (errno == EAGAIN || errno == EINTR);
  }
  into.resize(before + static_cast<size_t>(n > 0 ? n : 0));
  if (n > 0) return Got::bytes;
  return again ? Got::nothing : Got::end;
}

bool NetStream::pending() const {
  return ssl_ && SSL_pending(ssl_.get()) > 0;
}

size_t NetStream::write(std::string_view bytes, bool& end) {
  if (bytes.empty()) return 0;
  if (!ssl_) {
    const ssize_t n = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    end = n < 0 && errno != EAGAIN && errno != EINTR;
    return n > 0 ? static_cast<size_t>(n) : 0;
  }
  ERR_clear_error();
  const int n = SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size()));
  if (n > 0) return static_cast<size_t>(n);
  const int why = SSL_get_error(ssl_.get(), n);
  end = why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE;
  return 0;
}

int NetStream::peek() {
  unsigned char first = 0;
  const ssize_t n = ::recv(fd_.get(), &first, 1, MSG_PEEK);
  if (n == 1) return first;
  return n < 0 && (errno == EAGAIN || errno == EINTR) ? -1 : -2;
}

}  // namespace pawl::os
