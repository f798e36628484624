#include <auth/scripted_issuer.hpp>
#include <cstdlib>
#include <fairlead/base/timer_wheel.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/test_loop.hpp>

#include "auth/client/metadata.hpp"
#include "http/address.hpp"

namespace fairlead::auth::attack_discovery_test {
namespace {

using testing::HasSubstr;

/// Documents that a hostile server or issuer sends, against the discovery of the client.
struct AttackDiscovery : testing::Test {
  ~AttackDiscovery() override { test.run(issuer.stop()); }

  /// The error of the discovery, after which no page may have been shown and no registration made.
  std::string failure(Challenge why = {.status = 401}) {
    const auto tokens = oauth(options, memory_store(), user.sign_in());
    const auto credential = test.run(tokens->refused(test.loop(), std::move(why), Credential{}));
    EXPECT_FALSE(credential);
    EXPECT_TRUE(user.shown.empty());
    EXPECT_EQ(issuer.count("POST "), 0U);
    return credential ? "signed in" : credential.error().message;
  }

  test::TestLoop test;
  ScriptedIssuer issuer{test.loop()};
  ScriptedUser user;
  OAuthOptions options{.server = issuer.mcp()};
};

TEST_F(AttackDiscovery, MetadataOfAnotherResource) {
  for (const auto& resource : {std::string("https://bank.example/mcp"), issuer.origin() + "/mc", issuer.mcp() + "/more",
                               "http://127.0.0.1:" + std::to_string(issuer.port() + 1) + "/mcp", std::string()}) {
    issuer.set("GET /.well-known/oauth-protected-resource",
               R"({"resource":")" + resource + R"(","authorization_servers":[")" + issuer.origin() + R"("]})");
    EXPECT_THAT(failure(), HasSubstr("no token was requested")) << resource;
  }
}

TEST_F(AttackDiscovery, MetadataOfAForeignIssuer) {
  for (const auto* name : {"https://honest.example", "", "HTTP://127.0.0.1"}) {
    issuer.set("GET /.well-known/oauth-authorization-server",
               issuer.server_metadata(R"(,"issuer":")" + std::string(name) + '"', "issuer"));
    EXPECT_THAT(failure(), HasSubstr("it was not used")) << name;
  }
  issuer.set("GET /.well-known/oauth-authorization-server",
             issuer.server_metadata(R"(,"issuer":")" + issuer.origin() + "/\"", "issuer"));
  EXPECT_THAT(failure(), HasSubstr("it was not used"));
}

TEST_F(AttackDiscovery, AnIssuerWithoutPkce) {
  issuer.set("GET /.well-known/oauth-authorization-server",
             R"({"issuer":")" + issuer.origin() + R"(","authorization_endpoint":")" + issuer.origin() +
                 R"(/a","token_endpoint":")" + issuer.origin() + R"(/token"})");
  EXPECT_THAT(failure(), HasSubstr("does not announce PKCE"));
}

TEST_F(AttackDiscovery, EndpointsWithoutEncryption) {
  for (const auto* name : {"token_endpoint", "registration_endpoint", "revocation_endpoint"}) {
    issuer.set("GET /.well-known/oauth-authorization-server",
               issuer.server_metadata(R"(,")" + std::string(name) + R"(":"http://auth.example/x")", name));
    EXPECT_THAT(failure(), HasSubstr("must be an https URL")) << name;
  }
}

TEST_F(AttackDiscovery, OversizedDocuments) {
  const std::string padding(std::size_t{65} * 1024, ' ');
  issuer.set("GET /.well-known/oauth-protected-resource", issuer.resource_metadata(issuer.origin()) + padding);
  EXPECT_THAT(failure(), HasSubstr("cannot fetch"));
  issuer.set("GET /.well-known/oauth-protected-resource", issuer.resource_metadata(issuer.origin()));
  issuer.set("GET /.well-known/oauth-authorization-server", issuer.server_metadata() + padding);
  EXPECT_THAT(failure(), HasSubstr("cannot fetch"));
}

TEST_F(AttackDiscovery, OversizedReplies) {
  issuer.set("POST /register", R"({"client_id":"c1"})" + std::string(std::size_t{65} * 1024, ' '), "201 Created");
  const auto tokens = oauth(options, memory_store(), user.sign_in());
  const auto credential = test.run(tokens->refused(test.loop(), Challenge{.status = 401}, Credential{}));
  ASSERT_FALSE(credential);
  EXPECT_THAT(credential.error().message, HasSubstr("cannot register a client"));
}

TEST_F(AttackDiscovery, RedirectsOfDocumentsAndEndpointsAreNotFollowed) {
  const std::string elsewhere =
      "HTTP/1.1 307 Temporary Redirect\r\nLocation: " + issuer.origin() + "/elsewhere\r\nContent-Length: 0\r\n\r\n";
  for (const auto* request : {"GET /.well-known/oauth-protected-resource",
                              "GET /.well-known/oauth-authorization-server", "POST /register", "POST /token"}) {
    const auto before = std::exchange(issuer.replies[request], elsewhere);
    const auto tokens = oauth(options, memory_store(), user.sign_in());
    EXPECT_FALSE(test.run(tokens->refused(test.loop(), Challenge{.status = 401}, Credential{}))) << request;
    issuer.replies[request] = before;
  }
  EXPECT_EQ(issuer.count("GET /elsewhere") + issuer.count("POST /elsewhere"), 0U);
}

TEST_F(AttackDiscovery, AnUnavailableServerIsNotAReasonToUseOtherRules) {
  issuer.set("GET /.well-known/oauth-protected-resource", "{}", "503 Service Unavailable");
  EXPECT_THAT(failure(), HasSubstr("answered 503"));
  EXPECT_EQ(issuer.count("GET /.well-known/oauth-authorization-server"), 0U);
}

TEST_F(AttackDiscovery, MetadataHintsIntoThePrivateNetworkOfTheClient) {
  options.server = "https://tools.example/mcp";
  for (const auto* host : {"127.0.0.1", "[::ffff:127.0.0.1]"}) {
    const auto hint = "https://" + std::string(host) + ":" + std::to_string(issuer.port()) + "/metadata";
    EXPECT_THAT(failure({.status = 401, .resource_metadata = hint}), HasSubstr("which is not public")) << host;
  }
  EXPECT_TRUE(issuer.requests().empty());
}

/// Sets an environment variable for one test.
struct Variable {
  Variable(const char* variable, const std::string& value) : name(variable) { ::setenv(name, value.c_str(), 1); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { ::unsetenv(name); }
  const char* name;
};

/// A server with a public name, reached through a proxy, so that its documents come from there.
struct AttackDiscoveryByProxy : AttackDiscovery {
  AttackDiscoveryByProxy() {
    options.server = "http://tools.example/mcp";
    issuer.replies["GET http://tools.example/.well-known/oauth-protected-resource"] = json_response(
        "200 OK", R"({"resource":"http://tools.example/mcp","authorization_servers":[")" + issuer.origin() + R"("]})");
  }
  Variable proxy{"http_proxy", "http://127.0.0.1:" + std::to_string(issuer.port())};
};

TEST_F(AttackDiscoveryByProxy, AnIssuerOnTheMachineOfTheClientGetsNoRequest) {
  EXPECT_THAT(failure(), HasSubstr("has the address 127.0.0.1, which is not public; no request was sent"));
  EXPECT_EQ(issuer.count("GET http://tools.example/"), 1U);
  EXPECT_EQ(issuer.count("GET /"), 0U);
}

TEST_F(AttackDiscoveryByProxy, TheOperatorMayAllowAPrivateIssuer) {
  options.private_issuers = true;
  const auto tokens = oauth(options, memory_store(), user.sign_in());
  EXPECT_TRUE(test.run(tokens->refused(test.loop(), Challenge{.status = 401}, Credential{})));
}

TEST_F(AttackDiscoveryByProxy, AServerOnAPrivateNetworkMayHaveAPrivateIssuer) {
  const auto tokens = oauth(options, memory_store(), user.sign_in());
  const Challenge why{.status = 401, .from_private_address = true};
  EXPECT_TRUE(test.run(tokens->refused(test.loop(), why, Credential{})));
}

TEST(AttackAddresses, OnlyAddressesOfTheInternetArePublic) {
  for (const auto* address : {"0.0.0.0",
                              "10.1.2.3",
                              "100.64.0.1",
                              "100.127.255.255",
                              "127.0.0.1",
                              "127.9.9.9",
                              "169.254.169.254",
                              "172.16.0.1",
                              "172.31.255.255",
                              "192.0.0.1",
                              "192.168.0.1",
                              "198.18.0.1",
                              "198.19.255.255",
                              "203.0.113.5",
                              "224.0.0.1",
                              "255.255.255.255",
                              "::",
                              "::1",
                              "::ffff:10.0.0.1",
                              "::ffff:127.0.0.1",
                              "::10.0.0.1",
                              "64:ff9b::10.0.0.1",
                              "fc00::1",
                              "fd12::1",
                              "fe80::1",
                              "ff02::1",
                              "2002:a00:1::1",
                              "2001::1",
                              "2001:db8::1",
                              "localhost",
                              "example.com",
                              ""}) {
    EXPECT_FALSE(http::is_public_address(address)) << address;
  }
  for (const auto* address : {"8.8.8.8", "100.63.0.1", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.167.1.1",
                              "223.255.255.255", "2606:4700::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"}) {
    EXPECT_TRUE(http::is_public_address(address)) << address;
  }
}

/// A loop whose time the test controls.
struct ManualTime {
  EventLoop loop() { return {io.get_executor(), timers, log}; }
  void run() {
    io.restart();
    io.poll();
  }
  void pass(Duration time) {
    clock.advance(time);
    timers.advance();
    run();
  }

  boost::asio::io_context io{1};
  ManualClock clock;
  TimerWheel timers{clock};
  CapturingSink log;
};

TEST(AttackSlowDocuments, EndAfterFiveSeconds) {
  for (const std::string reply : {"<stay silent>", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{<stay silent>"}) {
    ManualTime time;
    ScriptedIssuer issuer(time.loop());
    issuer.replies["GET /.well-known/oauth-protected-resource"] = reply;
    std::optional<Result<Discovered>> found;
    auto work = [](EventLoop loop, std::string server, std::optional<Result<Discovered>>& into) -> Task<void> {
      OAuthOptions options{.server = server};
      Challenge why{.status = 401};
      into = co_await discover(loop, std::move(options), std::move(why), std::string());
    };
    test::spawn(time.io, work(time.loop(), issuer.mcp(), found));
    while (issuer.requests().empty()) time.run();
    for (int i = 0; i < 100; ++i) time.run();
    time.pass(std::chrono::milliseconds(4900));
    EXPECT_FALSE(found) << "before the timeout";
    time.pass(std::chrono::milliseconds(200));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->error().kind, ErrorKind::timeout);
    auto stop = [](ScriptedIssuer& stopped, bool& done) -> Task<void> { done = co_await stopped.stop(); };
    bool done = false;
    test::spawn(time.io, stop(issuer, done));
    while (!done) time.run();
  }
}

}  // namespace
}  // namespace fairlead::auth::attack_discovery_test
