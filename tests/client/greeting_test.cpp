#include <fairlead/client.hpp>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

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

// As `supergateway --streamableHttp` does: whatever comes first opens its own session, and a second opening is refused.
const std::string takes_the_first_for_its_opening = R"(first = globals().get('first') or method
if method == 'initialize' and first == 'initialize': welcome()
elif method == 'initialize': error(-32600, 'Invalid Request: Server already initialized')
)";

TEST(Greeting, Finding_P2_AServerThatTookTheProbeForItsOpeningIsStartedAgain) {
  EXPECT_EQ(revision_with(takes_the_first_for_its_opening + "elif 'id' in m: error(-32601, 'Method not found')"),
            newest_old);
}

TEST(Greeting, Finding_P2_AfterAnUncleanAnswerTheHandshakeGoesToANewProcess) {
  for (const char* answer : {"error(-32603, 'Internal error')", "error(-32000, 'Bad Request: Server not initialized')",
                             "result({'unheard': 'of'})"}) {
    const auto script = R"(first = globals().get('first') or method
if first != 'initialize' and method != first: pass
elif method == 'initialize': welcome()
elif 'id' in m: )" + std::string(answer);
    EXPECT_EQ(revision_with(script), newest_old) << answer;
  }
}

TEST(Greeting, Finding_P2_ACleanRefusalCostsNoNewProcess) {
  const auto folder = std::filesystem::temp_directory_path() / ("greeting-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto script = "open('" + folder.string() + R"(/' + str(os.getpid()), 'w')
if method == 'initialize': welcome()
elif 'id' in m: error(-32601, 'Method not found'))";
  EXPECT_EQ(revision_with(script), newest_old);
  const auto starts = std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
  std::filesystem::remove_all(folder);
  EXPECT_EQ(starts, 1);
}

// Every transport with a connection of its own, not only processes.
TEST(Greeting, Finding_P2_AWayOfOnesOwnIsOpenedAgain) {
  int opened = 0;
  const auto command = scripted_server(takes_the_first_for_its_opening + "elif 'id' in m: error(-32601, 'no')");
  const Endpoint::Opener opener = [&opened, command](Loop loop) -> Task<Result<std::unique_ptr<transport::Transport>>> {
    ++opened;
    transport::ChildOptions options{.command = command};
    auto child = transport::ChildTransport::start(loop, std::move(options));
    if (!child) co_return std::unexpected(std::move(child.error()));
    co_return std::unique_ptr<transport::Transport>(std::move(*child));
  };
  auto client = connect(opener, {});
  EXPECT_EQ(client.server().revision->name, newest_old);
  EXPECT_EQ(opened, 2);
}

TEST(Greeting, HandshakeFirstAsksOnlyAServerThatRefusesIt) {
  ClientOptions options;
  options.era = Era::handshake_first;
  EXPECT_EQ(revision_with("if method == 'initialize': welcome()\nelif 'id' in m: sys.exit(1)", options), newest_old);
  const auto modern = "if method == 'server/discover': discovered(['" + newest + "'])\nelif 'id' in m: ";
  EXPECT_EQ(revision_with(modern + "error(-32601, 'Method not found')", options), newest);
  EXPECT_EQ(revision_with(modern + "error(-32022, 'x', {'supported': ['" + newest + "']})", options), newest);
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
