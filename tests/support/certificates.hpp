#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <string>
#include <unistd.h>

namespace fairlead::test {

/// A test certificate authority and the certificates that it issued, as PEM files.
class Certificates {
 public:
  Certificates() : folder_(std::filesystem::temp_directory_path() / ("fairlead-tls-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
    ca_ = issue("ca", "Test CA", "", nullptr);
  }
  Certificates(const Certificates&) = delete;
  Certificates& operator=(const Certificates&) = delete;
  ~Certificates() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  /// `names` as OpenSSL writes them: "DNS:localhost,IP:127.0.0.1".
  void add(const std::string& file, const std::string& common_name, const std::string& names) {
    issue(file, common_name, names, &ca_);
  }

  std::string ca() const { return path("ca.pem"); }
  std::string certificate(const std::string& file) const { return path(file + ".pem"); }
  std::string key(const std::string& file) const { return path(file + ".key"); }

 private:
  struct Free {
    void operator()(X509* certificate) const { X509_free(certificate); }
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  template <class T>
  using Owned = std::unique_ptr<T, Free>;
  struct Issued {
    Owned<X509> certificate;
    Owned<EVP_PKEY> key;
  };

  Issued issue(const std::string& file, const std::string& common_name, const std::string& names,
               const Issued* issuer) {
    Issued issued{Owned<X509>(X509_new()), Owned<EVP_PKEY>(EVP_EC_gen("P-256"))};
    auto* certificate = issued.certificate.get();
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), ++serial_);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
    X509_set_pubkey(certificate, issued.key.get());
    const auto* text = reinterpret_cast<const unsigned char*>(common_name.c_str());
    X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8, text, -1, -1, 0);
    X509* parent = issuer == nullptr ? certificate : issuer->certificate.get();
    X509_set_issuer_name(certificate, X509_get_subject_name(parent));
    extend(certificate, NID_basic_constraints, issuer == nullptr ? "critical,CA:TRUE" : "CA:FALSE");
    if (!names.empty()) extend(certificate, NID_subject_alt_name, names);
    X509_sign(certificate, issuer == nullptr ? issued.key.get() : issuer->key.get(), EVP_sha256());
    save(file, issued);
    return issued;
  }
  static void extend(X509* certificate, int kind, const std::string& value) {
    auto* extension = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str());
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
  }
  void save(const std::string& file, const Issued& issued) {
    const Owned<std::FILE> certificate(std::fopen(path(file + ".pem").c_str(), "w"));
    PEM_write_X509(certificate.get(), issued.certificate.get());
    const Owned<std::FILE> key(std::fopen(path(file + ".key").c_str(), "w"));
    PEM_write_PrivateKey(key.get(), issued.key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  }
  std::string path(const std::string& file) const { return (folder_ / file).string(); }

  std::filesystem::path folder_;
  Issued ca_;
  long serial_ = 0;
};

}  // namespace fairlead::test
