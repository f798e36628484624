#include <auth/token_issuer.hpp>
#include <fairlead/auth/oauth_check.hpp>
#include <fairlead/base/base64.hpp>
#include <fairlead/http/client.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <http/http_server.hpp>
#include <support/certificates.hpp>
#include <support/test_loop.hpp>

#include "crypto/digest.hpp"

/// Tokens that are bound to a client certificate (RFC 8705), on TLS connections.
namespace fairlead::auth::certificate_tokens_test {
namespace {

using testing::HasSubstr;

/// `x5t#S256` of a certificate file.
std::string thumbprint(const std::string& file) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> opened(std::fopen(file.c_str(), "r"), &std::fclose);
  const std::unique_ptr<X509, void (*)(X509*)> certificate(PEM_read_X509(opened.get(), nullptr, nullptr, nullptr),
                                                           &X509_free);
  unsigned char* der = nullptr;
  const auto size = i2d_X509(certificate.get(), &der);
  const std::string bytes(reinterpret_cast<const char*>(der), static_cast<std::size_t>(size));
  OPENSSL_free(der);
  return base64_encode(crypto::sha256(bytes), Base64::url);
}

class CertificateTokens : public testing::Test {
 protected:
  CertificateTokens() {
    certificates.add("server", "server", "DNS:localhost,IP:127.0.0.1");
    certificates.add("ann", "ann", "");
    certificates.add("eve", "eve", "");
  }

  http::ListenOptions listen(bool mutual) const {
    OAuthCheckOptions oauth{.resource = "https://tools.example/mcp",
                            .issuers = {{.issuer = "https://auth.example", .jwks_file = issuer.file()}},
                            .certificate_bound_tokens = mutual};
    oauth.now = [] { return TokenIssuer::time(); };
    http::ListenOptions options;
    options.tls = http::TlsServerOptions{.certificate_file = certificates.certificate("server"),
                                         .key_file = certificates.key("server"),
                                         .client_ca_file = mutual ? certificates.ca() : ""};
    options.access_checks = {OAuthCheck::make(std::move(oauth)).value()};
    return options;
  }
  std::string token_bound_to(const std::string& name) const {
    return issuer.token(
        TokenIssuer::claims(R"(,"cnf":{"x5t#S256":")" + thumbprint(certificates.certificate(name)) + R"("})"));
  }
  /// Sends a token on a connection with the certificate of `name`; without one if it is empty.
  http::ClientResponse send(test::HttpServer& server, const std::string& token, const std::string& name) {
    http::ClientOptions options;
    options.tls.ca_file = certificates.ca();
    if (!name.empty()) options.tls.certificate_file = certificates.certificate(name);
    if (!name.empty()) options.tls.key_file = certificates.key(name);
    http::Client client(loop.loop(), std::move(options));
    http::ClientRequest request{.url = server.listener().url() + "/who"};
    request.headers.push_back({"Authorization", "Bearer " + token});
    auto response = loop.run(client.fetch(std::move(request)));
    EXPECT_TRUE(response) << response.error().message;
    return response.value_or(http::ClientResponse());
  }

  TokenIssuer issuer;
  test::Certificates certificates;
  test::TestLoop loop;
};

TEST_F(CertificateTokens, AreAcceptedWithTheirCertificate) {
  test::HttpServer server(listen(true));
  const auto response = send(server, token_bound_to("ann"), "ann");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "ann") << "the principal is that of the token, not CN=ann";
}

TEST_F(CertificateTokens, AttackAreRefusedWithAnotherCertificate) {
  test::HttpServer server(listen(true));
  const auto response = send(server, token_bound_to("ann"), "eve");
  EXPECT_EQ(response.status, 401);
  EXPECT_THAT(response.body, HasSubstr("bound to another certificate"));
  EXPECT_EQ(send(server, token_bound_to("ann"), "ann").status, 200) << "it was not the token";
}

TEST_F(CertificateTokens, AttackAreRefusedOnAConnectionWithoutACertificate) {
  test::HttpServer server(listen(false));
  const auto response = send(server, token_bound_to("ann"), "");
  EXPECT_EQ(response.status, 401);
  EXPECT_THAT(response.body, HasSubstr("this connection has none"));
}

TEST_F(CertificateTokens, AttackACertificateAloneIsNoToken) {
  test::HttpServer server(listen(true));
  EXPECT_EQ(send(server, "none", "ann").status, 401);
}

}  // namespace
}  // namespace fairlead::auth::certificate_tokens_test
