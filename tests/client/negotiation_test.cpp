#include <fairlead/client.hpp>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "client/scripted_server.hpp"

namespace fairlead::client::negotiation_test {
namespace {

using testing::HasSubstr;

std::string revision_with(const std::string& script, ClientOptions options = {}) {
  auto client = connect(scripted_server(script), std::move(options));
  return std::string(client.server().revision->name);
}

std::string refusal_of(const std::string& script, ClientOptions options = {}) {
  try {
    connect(scripted_server(script), std::move(options));
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "no refusal";
}

const std::string newest_handshake = std::string(protocol::newest_handshake().name);
const std::string newest = std::string(protocol::newest().name);

// Real servers return any of these codes for an unknown method.
TEST(Negotiation, InitializesAfterAnyErrorToDiscover) {
  for (const char* code : {"-32601", "-32602", "-32600", "-32603", "-32000", "7"}) {
    const std::string script =
        "if method == 'initialize': initialized()\nelif 'id' in m: error(" + std::string(code) + ", 'no')";
    EXPECT_EQ(revision_with(script), newest_handshake) << code;
  }
}

TEST(Negotiation, RestartsAServerThatExitsOnDiscover) {
  EXPECT_EQ(revision_with("if method == 'initialize': initialized()\nelif 'id' in m: sys.exit(3)"), newest_handshake);
}

// As `supergateway --streamableHttp`: the first message opens its upstream session; a second initialize is refused.
const std::string first_message_opens_session = R"(first = globals().get('first') or method
if method == 'initialize' and first == 'initialize': initialized()
elif method == 'initialize': error(-32600, 'Invalid Request: Server already initialized')
)";

TEST(Negotiation, Finding_P2_RestartsAServerThatTookDiscoverForItsHandshake) {
  EXPECT_EQ(revision_with(first_message_opens_session + "elif 'id' in m: error(-32601, 'Method not found')"),
            newest_handshake);
}

TEST(Negotiation, Finding_P2_InitializesANewProcessAfterAnUnexpectedError) {
  for (const char* answer : {"error(-32603, 'Internal error')", "error(-32000, 'Bad Request: Server not initialized')",
                             "result({'unheard': 'of'})"}) {
    const auto script = R"(first = globals().get('first') or method
if first != 'initialize' and method != first: pass
elif method == 'initialize': initialized()
elif 'id' in m: )" + std::string(answer);
    EXPECT_EQ(revision_with(script), newest_handshake) << answer;
  }
}

TEST(Negotiation, Finding_P2_KeepsTheProcessAfterMethodNotFound) {
  const auto folder = std::filesystem::temp_directory_path() / ("greeting-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto script = "open('" + folder.string() + R"(/' + str(os.getpid()), 'w')
if method == 'initialize': initialized()
elif 'id' in m: error(-32601, 'Method not found'))";
  EXPECT_EQ(revision_with(script), newest_handshake);
  const auto starts = std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
  std::filesystem::remove_all(folder);
  EXPECT_EQ(starts, 1);
}

// Applies to every transport with one connection, not only to child processes.
TEST(Negotiation, Finding_P2_ReopensACustomTransport) {
  int opened = 0;
  const auto command = scripted_server(first_message_opens_session + "elif 'id' in m: error(-32601, 'no')");
  const Endpoint::Opener opener = [&opened,
                                   command](EventLoop loop) -> Task<Result<std::unique_ptr<transport::Transport>>> {
    ++opened;
    transport::ChildOptions options{.command = command};
    auto child = transport::ChildTransport::start(loop, std::move(options));
    if (!child) co_return std::unexpected(std::move(child.error()));
    co_return std::unique_ptr<transport::Transport>(std::move(*child));
  };
  auto client = connect(opener, {});
  EXPECT_EQ(client.server().revision->name, newest_handshake);
  EXPECT_EQ(opened, 2);
}

TEST(Negotiation, HandshakeFirstDiscoversOnlyAfterARefusal) {
  ClientOptions options;
  options.era = EraPreference::handshake_first;
  EXPECT_EQ(revision_with("if method == 'initialize': initialized()\nelif 'id' in m: sys.exit(1)", options),
            newest_handshake);
  const auto modern = "if method == 'server/discover': discovered(['" + newest + "'])\nelif 'id' in m: ";
  EXPECT_EQ(revision_with(modern + "error(-32601, 'Method not found')", options), newest);
  EXPECT_EQ(revision_with(modern + "error(-32022, 'x', {'supported': ['" + newest + "']})", options), newest);
}

TEST(Negotiation, InitializesAfterADiscoverTimeout) {
  ClientOptions options;
  options.discover_timeout = std::chrono::milliseconds{50};
  EXPECT_EQ(revision_with("if method == 'initialize': initialized()", options), newest_handshake);
}

// A cancelled notification before initialize would violate the lifecycle.
TEST(Negotiation, DoesNotCancelADiscoverThatTimedOut) {
  ClientOptions options;
  options.discover_timeout = std::chrono::milliseconds{50};
  EXPECT_EQ(
      revision_with("if method == 'initialize': initialized()\nelif method == 'notifications/cancelled': sys.exit(1)",
                    options),
      newest_handshake);
}

TEST(Negotiation, DiscoveredServerIsNotInitialized) {
  EXPECT_EQ(revision_with("if method == 'server/discover': discovered(['" + newest + "'])\nelse: sys.exit(1)"), newest);
}

TEST(Negotiation, InitializesWithTheNewestDiscoveredHandshakeRevision) {
  EXPECT_EQ(revision_with("if method == 'server/discover': discovered(['2025-03-26', '2024-11-05'])\n"
                          "elif method == 'initialize': initialized()"),
            "2025-03-26");
}

TEST(Negotiation, InitializesWithARevisionNamedByTheError) {
  EXPECT_EQ(revision_with("if method == 'server/discover': error(-32022, 'x', {'supported': ['2025-06-18']})\n"
                          "elif method == 'initialize': initialized()"),
            "2025-06-18");
}

// A server that misses the discover timeout looks like the handshake era until it refuses initialize.
TEST(Negotiation, DiscoversAgainWhenASlowServerRejectsInitialize) {
  ClientOptions options;
  options.discover_timeout = std::chrono::milliseconds{50};
  EXPECT_EQ(revision_with("if method == 'initialize': error(-32022, 'x', {'supported': ['" + newest +
                              "']}); seen = 1\n"
                              "elif method == 'server/discover' and 'seen' in globals(): discovered(['" +
                              newest + "'])",
                          options),
            newest);
}

TEST(Negotiation, AcceptsAnOlderRevision_S0_31) {
  EXPECT_EQ(revision_with("if method == 'initialize': initialized('2024-11-05')\nelif 'id' in m: error(-32601, 'no')"),
            "2024-11-05");
}

TEST(Negotiation, RejectsAnUnknownRevisionAndNamesBoth) {
  EXPECT_THAT(refusal_of("if method == 'initialize': initialized('1999-01-01')\nelif 'id' in m: error(-32601, 'no')"),
              testing::AllOf(HasSubstr("1999-01-01"), HasSubstr(newest_handshake)));
}

TEST(Negotiation, UsesOnlyTheConfiguredRevision) {
  ClientOptions options;
  options.revision = "2025-03-26";
  EXPECT_EQ(revision_with("if method == 'initialize': initialized()\nelif 'id' in m: sys.exit(1)", options),
            "2025-03-26");
  EXPECT_THAT(refusal_of("if method == 'initialize': initialized('2024-11-05')", options), HasSubstr("2025-03-26"));
  options.revision = "2025-13-32";
  EXPECT_THAT(refusal_of("initialized()", options),
              HasSubstr("unknown MCP revision '2025-13-32'; use the date of one"));
}

TEST(Negotiation, NamesACommandThatCannotRun) {
  try {
    connect({"/no/such/program"});
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("/no/such/program"));
  }
}

TEST(Negotiation, ReportsTheExitStatus) {
  EXPECT_THAT(refusal_of("sys.exit(3)"), HasSubstr("status 3"));
}

TEST(Negotiation, RejectsAnInvalidAddressWithAdvice) {
  for (const char* address : {"nowhere", "tcp:host", "tcp::1", "tcp:host:x", "tcp:host:99999"}) {
    try {
      connect(address);
      FAIL() << address;
    } catch (const Failure& failure) {
      EXPECT_THAT(failure.what(), HasSubstr("tcp:<host>:<port>")) << address;
    }
  }
}

}  // namespace
}  // namespace fairlead::client::negotiation_test
