#include "os/certificate.h"

#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <cctype>
#include <ctime>
#include <memory>
#include <set>

#include "os/digest.h"

namespace pawl::os {
namespace {

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
using Names = std::unique_ptr<GENERAL_NAMES, Freeing<GENERAL_NAMES_free>>;
using Constraints = std::unique_ptr<NAME_CONSTRAINTS, Freeing<NAME_CONSTRAINTS_free>>;

// Address and mask, as the constraint has them.
constexpr const char* kPrivateRanges[] = {"127.0.0.0/255.0.0.0",
                                          "10.0.0.0/255.0.0.0",
                                          "172.16.0.0/255.240.0.0",
                                          "192.168.0.0/255.255.0.0",
                                          "169.254.0.0/255.255.0.0",
                                          "100.64.0.0/255.192.0.0",
                                          "::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
                                          "fc00::/fe00::",
                                          "fe80::/ffc0::"};
constexpr size_t kMaxCalled = 64;  // of a common name (RFC 5280)

// Four or sixteen bytes; empty: it is a name.
std::string address_bytes(const std::string& text) {
  unsigned char bytes[16];
  if (::inet_pton(AF_INET, text.c_str(), bytes) == 1) return {reinterpret_cast<char*>(bytes), 4};
  if (::inet_pton(AF_INET6, text.c_str(), bytes) == 1) return {reinterpret_cast<char*>(bytes), 16};
  return {};
}

std::string small_letters(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

Memory memory_of(const std::string& text) {
  return Memory(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

Certificate parse_certificate(const std::string& pem) {
  const Memory memory = memory_of(pem);
  return Certificate(PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr));
}

// A key with a password is none: nobody would be there to type it.
Key parse_key(const std::string& pem) {
  const Memory memory = memory_of(pem);
  const auto no_password = [](char*, int, int, void*) { return -1; };
  return Key(PEM_read_bio_PrivateKey(memory.get(), nullptr, no_password, nullptr));
}

std::string text_in(BIO* memory) {
  char* data = nullptr;
  const long length = BIO_get_mem_data(memory, &data);
  return {data, static_cast<size_t>(length)};
}

std::string pem_of(X509* certificate) {
  const Memory memory(BIO_new(BIO_s_mem()));
  return PEM_write_bio_X509(memory.get(), certificate) == 1 ? text_in(memory.get()) : "";
}

std::string pem_of(EVP_PKEY* key) {
  const Memory memory(BIO_new(BIO_s_mem()));
  const int done =
      PEM_write_bio_PrivateKey(memory.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
  return done == 1 ? text_in(memory.get()) : "";
}

WallTime time_of(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return {};
  return WallTime(std::chrono::seconds{::timegm(&parts)});
}

time_t seconds_of(WallTime time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

bool extend(X509* certificate, X509* issuer, int what, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* it = X509V3_EXT_conf_nid(nullptr, &context, what, value.c_str());
  const bool fine = it && X509_add_ext(certificate, it, -1) == 1;
  X509_EXTENSION_free(it);
  return fine;
}

// What every certificate has: its number, its time, its key and what it is called.
bool fill(X509* certificate, EVP_PKEY* key, const std::string& called, WallTime begins,
          WallTime ends) {
  unsigned char serial[16];
  if (RAND_bytes(serial, sizeof serial) != 1) return false;
  serial[0] &= 0x7f;
  BIGNUM* number = BN_bin2bn(serial, sizeof serial, nullptr);
  BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate));
  BN_free(number);
  const std::string name = called.substr(0, kMaxCalled);
  return X509_set_version(certificate, 2) == 1 &&
         ASN1_TIME_set(X509_getm_notBefore(certificate), seconds_of(begins)) &&
         ASN1_TIME_set(X509_getm_notAfter(certificate), seconds_of(ends)) &&
         X509_set_pubkey(certificate, key) == 1 &&
         X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>(name.data()),
                                    static_cast<int>(name.size()), -1, 0) == 1;
}

std::string alternatives(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names)
    out +=
        (out.empty() ? "" : ",") + std::string(address_bytes(name).empty() ? "DNS:" : "IP:") + name;
  return out;
}

std::string permitted(const std::vector<std::string>& names) {
  std::string out = "critical";
  for (const char* range : kPrivateRanges) out += std::string(",permitted;IP:") + range;
  for (const auto& name : names) {
    const size_t length = address_bytes(name).size();
    out += length == 0   ? ",permitted;DNS:" + name
           : length == 4 ? ",permitted;IP:" + name + "/255.255.255.255"
                         : ",permitted;IP:" + name + "/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff";
  }
  return out;
}

// In small letters, each once, and only what can stand there.
std::vector<std::string> tidied(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  std::set<std::string> seen;
  for (const auto& name : names) {
    const std::string it = small_letters(name);
    if (out.size() < kMaxCertificateNames && certifiable(it) && seen.insert(it).second)
      out.push_back(it);
  }
  return out;
}

std::string bytes_of(const ASN1_STRING* text) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
          static_cast<size_t>(ASN1_STRING_length(text))};
}

bool within(const std::string& address, const std::string& range) {
  if (range.size() != address.size() * 2) return false;
  for (size_t i = 0; i < address.size(); ++i)
    if (((address[i] ^ range[i]) & range[address.size() + i]) != 0) return false;
  return true;
}

tl::unexpected<Error> cannot() {
  return fail("cannot make a certificate", "give one with --cert and --key");
}

}  // namespace

bool certifiable(const std::string& name) {
  if (!address_bytes(name).empty()) return true;
  return !name.empty() && name.size() <= 253 && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '_';
         });
}

std::optional<CertificateFacts> read_certificate(const std::string& pem) {
  const Certificate it = parse_certificate(pem);
  if (!it) return std::nullopt;
  CertificateFacts out;
  out.begins = time_of(X509_get0_notBefore(it.get()));
  out.ends = time_of(X509_get0_notAfter(it.get()));
  out.authority = X509_check_ca(it.get()) == 1;
  unsigned char* der = nullptr;
  const int length = i2d_X509(it.get(), &der);
  if (length <= 0) return std::nullopt;
  out.fingerprint = hex(sha256({reinterpret_cast<char*>(der), static_cast<size_t>(length)}));
  OPENSSL_free(der);
  const Names names(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(it.get(), NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names.get(), i);
    char text[INET6_ADDRSTRLEN] = "";
    if (name->type == GEN_DNS) out.names.push_back(bytes_of(name->d.dNSName));
    if (name->type != GEN_IPADD) continue;
    const std::string bytes = bytes_of(name->d.iPAddress);
    if (bytes.size() == 4 || bytes.size() == 16)
      ::inet_ntop(bytes.size() == 4 ? AF_INET : AF_INET6, bytes.data(), text, sizeof text);
    out.names.emplace_back(text);
  }
  return out;
}

Result<CertificatePair> make_authority(const std::string& called,
                                       const std::vector<std::string>& names, WallTime now) {
  const Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
  const Certificate made(X509_new());
  X509* it = made.get();
  if (!key || !it || !fill(it, key.get(), called, now - kBackdated, now + kAuthorityLasts) ||
      X509_set_issuer_name(it, X509_get_subject_name(it)) != 1 ||
      !extend(it, it, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") ||
      !extend(it, it, NID_key_usage, "critical,keyCertSign,cRLSign") ||
      !extend(it, it, NID_ext_key_usage, "serverAuth") ||
      !extend(it, it, NID_name_constraints, permitted(tidied(names))) ||
      !extend(it, it, NID_subject_key_identifier, "hash") ||
      X509_sign(it, key.get(), EVP_sha256()) <= 0)
    return cannot();
  return CertificatePair{pem_of(it), pem_of(key.get())};
}

bool may_sign(const std::string& authority, const std::string& name) {
  const Certificate it = parse_certificate(authority);
  if (!it || !certifiable(name)) return false;
  int critical = 0;
  const Constraints rules(static_cast<NAME_CONSTRAINTS*>(
      X509_get_ext_d2i(it.get(), NID_name_constraints, &critical, nullptr)));
  if (!rules) return critical == -1;  // there are none; else they cannot be read
  const std::string address = address_bytes(name), host = small_letters(name);
  for (int i = 0; i < sk_GENERAL_SUBTREE_num(rules->permittedSubtrees); ++i) {
    const GENERAL_NAME* base = sk_GENERAL_SUBTREE_value(rules->permittedSubtrees, i)->base;
    if (!address.empty()) {
      if (base->type == GEN_IPADD && within(address, bytes_of(base->d.iPAddress))) return true;
    } else if (base->type == GEN_DNS) {
      const std::string domain = bytes_of(base->d.dNSName);
      if (host == domain || host.ends_with("." + domain)) return true;
    }
  }
  return false;
}

Result<CertificatePair> issue(const CertificatePair& authority,
                              const std::vector<std::string>& names, WallTime now) {
  const Certificate above = parse_certificate(authority.certificate);
  const Key above_key = parse_key(authority.key);
  const Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
  const Certificate made(X509_new());
  const auto all = tidied(names);
  if (!above || !above_key || !key || !made || all.empty()) return cannot();
  const WallTime first = time_of(X509_get0_notBefore(above.get())),
                 last = time_of(X509_get0_notAfter(above.get()));
  const WallTime begins = std::max(first, now - kBackdated);
  X509* it = made.get();
  if (!fill(it, key.get(), all.front(), begins, std::min(last, begins + kCertificateLasts)) ||
      X509_set_issuer_name(it, X509_get_subject_name(above.get())) != 1 ||
      !extend(it, above.get(), NID_basic_constraints, "critical,CA:FALSE") ||
      !extend(it, above.get(), NID_key_usage, "critical,digitalSignature") ||
      !extend(it, above.get(), NID_ext_key_usage, "serverAuth") ||
      !extend(it, above.get(), NID_subject_alt_name, alternatives(all)) ||
      !extend(it, above.get(), NID_subject_key_identifier, "hash") ||
      !extend(it, above.get(), NID_authority_key_identifier, "keyid:always") ||
      X509_sign(it, above_key.get(), EVP_sha256()) <= 0)
    return cannot();
  return CertificatePair{pem_of(it), pem_of(key.get())};
}

bool fits(const CertificatePair& pair) {
  const Certificate certificate = parse_certificate(pair.certificate);
  const Key key = parse_key(pair.key);
  return certificate && key && X509_check_private_key(certificate.get(), key.get()) == 1;
}

bool signed_by(const std::string& certificate, const std::string& authority) {
  const Certificate it = parse_certificate(certificate), above = parse_certificate(authority);
  return it && above && X509_check_issued(above.get(), it.get()) == X509_V_OK &&
         X509_verify(it.get(), X509_get0_pubkey(above.get())) == 1;
}

bool covers(const std::string& certificate, const std::string& name) {
  const Certificate it = parse_certificate(certificate);
  if (!it) return false;
  return (address_bytes(name).empty()
              ? X509_check_host(it.get(), name.data(), name.size(), 0, nullptr)
              : X509_check_ip_asc(it.get(), name.c_str(), 0)) == 1;
}

std::string certificate_in(const std::string& pem) {
  const Certificate it = parse_certificate(pem);
  return it ? pem_of(it.get()) : "";
}

}  // namespace pawl::os
