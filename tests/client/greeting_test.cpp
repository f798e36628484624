#include <fairlead/client.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/scripted_server.hpp"

namespace fairlead::client::greeting_test {
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

const std::string newest_old = std::string(protocol::newest_handshake().name);
const std::string newest = std::string(protocol::newest().name);

// Servers in the field answer an unknown method with any of these.
TEST(Greeting, AnyErrorToTheProbeMeansAHandshake) {
  for (const char* code : {"-32601", "-32602", "-32600", "-32603", "-32000", "7"}) {
    const std::string script =
        "if method == 'initialize': welcome()\nelif 'id' in m: error(" + std::string(code) + ", 'no')";
    EXPECT_EQ(revision_with(script), newest_old) << code;
  }
}

TEST(Greeting, AServerThatExitsOnTheProbeIsStartedAgain) {
  EXPECT_EQ(revision_with("if method == 'initialize': welcome()\nelif 'id' in m: sys.exit(3)"), newest_old);
}

TEST(Greeting, AServerThatIsSilentOnTheProbeGetsAHandshake) {
  ClientOptions options;
  options.probe = std::chrono::milliseconds{50};
  EXPECT_EQ(revision_with("if method == 'initialize': welcome()", options), newest_old);
}

// A cancelled notice before the handshake would be a message out of order.
TEST(Greeting, ASilentProbeIsNotCancelled) {
  ClientOptions options;
  options.probe = std::chrono::milliseconds{50};
  EXPECT_EQ(revision_with("if method == 'initialize': welcome()\nelif method == 'notifications/cancelled': sys.exit(1)",
                          options),
            newest_old);
}

TEST(Greeting, ADiscoveredServerGetsNoHandshake) {
  EXPECT_EQ(revision_with("if method == 'server/discover': discovered(['" + newest + "'])\nelse: sys.exit(1)"), newest);
}

TEST(Greeting, AServerThatDiscoversOnlyOlderRevisionsGetsAHandshakeInTheNewestOfThem) {
  EXPECT_EQ(revision_with("if method == 'server/discover': discovered(['2025-03-26', '2024-11-05'])\n"
                          "elif method == 'initialize': welcome()"),
            "2025-03-26");
}

TEST(Greeting, ARefusalThatNamesOlderRevisionsChoosesAmongThem) {
  EXPECT_EQ(revision_with("if method == 'server/discover': error(-32022, 'x', {'supported': ['2025-06-18']})\n"
                          "elif method == 'initialize': welcome()"),
            "2025-06-18");
}

// Too slow to be heard in time, it looks like one of the older kind, until it refuses the handshake.
TEST(Greeting, ASlowServerWithoutHandshakesIsUnderstoodInTheEnd) {
  ClientOptions options;
  options.probe = std::chrono::milliseconds{50};
  EXPECT_EQ(revision_with("if method == 'initialize': error(-32022, 'x', {'supported': ['" + newest +
                              "']}); seen = 1\n"
                              "elif method == 'server/discover' and 'seen' in globals(): discovered(['" +
                              newest + "'])",
                          options),
            newest);
}

TEST(Greeting, AServerMayOfferAnOlderRevision_S0_31) {
  EXPECT_EQ(revision_with("if method == 'initialize': welcome('2024-11-05')\nelif 'id' in m: error(-32601, 'no')"),
            "2024-11-05");
}

TEST(Greeting, ARevisionThatNobodyKnowsIsAnErrorThatNamesBoth) {
  EXPECT_THAT(refusal_of("if method == 'initialize': welcome('1999-01-01')\nelif 'id' in m: error(-32601, 'no')"),
              testing::AllOf(HasSubstr("1999-01-01"), HasSubstr(newest_old)));
}

TEST(Greeting, ADemandedRevisionIsTheOnlyOne) {
  ClientOptions options;
  options.revision = "2025-03-26";
  EXPECT_EQ(revision_with("if method == 'initialize': welcome()\nelif 'id' in m: sys.exit(1)", options), "2025-03-26");
  EXPECT_THAT(refusal_of("if method == 'initialize': welcome('2024-11-05')", options), HasSubstr("2025-03-26"));
  options.revision = "2025-13-32";
  EXPECT_THAT(refusal_of("welcome()", options), HasSubstr("no revision '2025-13-32'"));
}

TEST(Greeting, ACommandThatCannotRunIsNamed) {
  try {
    connect({"/no/such/program"});
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("/no/such/program"));
  }
}

TEST(Greeting, AServerThatExitsAtOnceTellsHow) {
  EXPECT_THAT(refusal_of("sys.exit(3)"), HasSubstr("status 3"));
}

TEST(Greeting, AnAddressThatIsNoneSaysWhatToWrite) {
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
}  // namespace fairlead::client::greeting_test
