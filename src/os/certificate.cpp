// A certificate that we sign ourselves (tls.h).

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <memory>

#include "os/file.h"
#include "os/tcp.h"
#include "os/tls.h"

namespace pawl::os {
namespace {

constexpr long kLastsS = 5L * 365 * 24 * 3600;
constexpr long kRenewS = 30L * 24 * 3600;  // so long before its end another is made

template <auto Free>
struct Freeing {
  template <class T>
  void operator()(T* it) const {
    Free(it);
  }
};
using Certificate = std::unique_ptr<X509, Freeing<X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Freeing<EVP_PKEY_free>>;
using Memory = std::unique_ptr<BIO, Freeing<BIO_free>>;

std::string alternatives(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names) {
    const bool number = is_address(name) || is_address("[" + name + "]");
    out += (out.empty() ? "" : ",") + std::string(number ? "IP:" : "DNS:") + name;
  }
  return out;
}

// There, ours, and good for a while yet.
bool still_good(const std::string& file, const std::vector<std::string>& names) {
  const auto text = read_file(file);
  if (!text) return false;
  const Memory memory(BIO_new_mem_buf(text->data(), static_cast<int>(text->size())));
  const Certificate old(PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr));
  if (!old) return false;
  int days = 0, seconds = 0;
  if (ASN1_TIME_diff(&days, &seconds, nullptr, X509_get0_notAfter(old.get())) != 1 ||
      days < kRenewS / 86400)
    return false;
  for (const auto& name : names) {
    const bool number = is_address(name) || is_address("[" + name + "]");
    const int found = number ? X509_check_ip_asc(old.get(), name.c_str(), 0)
                             : X509_check_host(old.get(), name.data(), name.size(), 0, nullptr);
    if (found != 1) return false;
  }
  return true;
}

bool extend(X509* certificate, int what, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* it = X509V3_EXT_conf_nid(nullptr, &context, what, value.c_str());
  const bool fine = it && X509_add_ext(certificate, it, -1) == 1;
  X509_EXTENSION_free(it);
  return fine;
}

bool fill(X509* certificate, EVP_PKEY* key, const std::vector<std::string>& names) {
  unsigned char serial[16];
  if (RAND_bytes(serial, sizeof serial) != 1) return false;
  serial[0] &= 0x7f;
  BIGNUM* number = BN_bin2bn(serial, sizeof serial, nullptr);
  BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate));
  BN_free(number);
  X509_set_version(certificate, 2);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate), kLastsS);
  X509_set_pubkey(certificate, key);
  X509_NAME* subject = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("pawl on this machine"), -1, -1,
                             0);
  X509_set_issuer_name(certificate, subject);
  return extend(certificate, NID_subject_alt_name, alternatives(names)) &&
         extend(certificate, NID_basic_constraints, "critical,CA:FALSE") &&
         extend(certificate, NID_ext_key_usage, "serverAuth") &&
         X509_sign(certificate, key, EVP_sha256()) > 0;
}

std::string text_in(BIO* memory) {
  char* data = nullptr;
  const long length = BIO_get_mem_data(memory, &data);
  return {data, static_cast<size_t>(length)};
}

}  // namespace

Done make_certificate(const std::string& certificate_file, const std::string& key_file,
                      const std::vector<std::string>& names) {
  if (still_good(certificate_file, names) && exists(key_file)) return {};
  const Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
  const Certificate certificate(X509_new());
  const Memory key_text(BIO_new(BIO_s_mem())), text(BIO_new(BIO_s_mem()));
  if (!key || !certificate || !fill(certificate.get(), key.get(), names) ||
      PEM_write_bio_PrivateKey(key_text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) !=
          1 ||
      PEM_write_bio_X509(text.get(), certificate.get()) != 1)
    return fail("cannot make a certificate", "give one with --cert and --key");
  if (auto kept = write_atomically(key_file, text_in(key_text.get())); !kept) return kept;
  return write_atomically(certificate_file, text_in(text.get()));
}

}  // namespace pawl::os
