#include <fairlead/server/server.hpp>

#include "server/harness.hpp"

namespace fairlead::server::test::initialize_test {
namespace {

using protocol::ProtocolError;
using testing::HasSubstr;
using testing::Not;

struct InitializeTest : testing::Test {
  Server app{"demo", "1.0"};
  Client client{app};
};

TEST_F(InitializeTest, InitializeReturnsTheNegotiatedRevision_S3_30) {
  app.title("Demo").instructions("Be nice.").website("https://demo.test");
  client.set_revision(*protocol::find_revision("2025-06-18"));
  EXPECT_EQ(client.body("initialize"),
            R"({"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"demo","title":"Demo",)"
            R"("version":"1.0","websiteUrl":"https://demo.test"},"instructions":"Be nice."})");
}

TEST_F(InitializeTest, DeclaresOnlySupportedCapabilities_S3_32) {
  EXPECT_THAT(client.body("initialize"), Not(HasSubstr("tools")));
  app.tool("x", "", [] {});
  app.prompt("p", "", [] { return "hi"; });
  EXPECT_THAT(client.body("initialize"), HasSubstr(R"("tools":{"listChanged":true},"prompts":{"listChanged":true})"));
  EXPECT_THAT(client.body("initialize"), Not(HasSubstr("resources")));
  app.resource("a://b", "b", [] { return "x"; });
  EXPECT_THAT(client.body("initialize"), HasSubstr(R"("resources":{"subscribe":true,"listChanged":true})"));
  EXPECT_THAT(client.body("initialize"), Not(HasSubstr("completions")));
}

TEST_F(InitializeTest, DeclaresLoggingIfAHandlerTakesAContext_S3_32) {
  app.tool("x", "", [] {});
  EXPECT_THAT(client.body("initialize"), Not(HasSubstr("logging")));
  app.prompt("p", "", [](Context&) { return "hi"; });
  EXPECT_THAT(client.body("initialize"), HasSubstr(R"("logging":{})"));
  app.remove_prompt("p");
  app.resource<"t://{x}">("t", [](Context&, Arg<"x", std::string> x) { return *x; });
  EXPECT_THAT(client.body("initialize"), HasSubstr(R"("logging":{})"));
  app.remove_resource("t://{x}");
  app.resource("a://b", "b", [](Context&) -> Task<std::string> { co_return "x"; });
  EXPECT_THAT(client.body("initialize"), HasSubstr(R"("logging":{})"));
}

TEST_F(InitializeTest, LoggingSettingOverridesTheDefault) {
  app.logging(true);
  EXPECT_THAT(client.body("initialize"), HasSubstr(R"("logging":{})"));
  app.logging(false).tool("x", "", [](Context&) {});
  EXPECT_THAT(client.body("initialize"), Not(HasSubstr("logging")));
  EXPECT_EQ(client.error_of("logging/setLevel", R"({"level":"debug"})"), ProtocolError::unknown_method);
}

TEST_F(InitializeTest, MethodsOfMissingCapabilitiesAreUnknown) {
  for (const char* method :
       {"tools/list", "tools/call", "resources/list", "resources/read", "resources/templates/list",
        "resources/subscribe", "prompts/list", "prompts/get", "completion/complete", "logging/setLevel", "no/such"}) {
    EXPECT_EQ(client.error_of(method), ProtocolError::unknown_method) << method;
  }
}

TEST_F(InitializeTest, PingReturnsAnEmptyResult) {
  EXPECT_EQ(client.body("ping"), "{}");
}

TEST_F(InitializeTest, InitializeAliasReturnsServerName) {
  EXPECT_THAT(client.body("initialize"), Not(HasSubstr("serverName")));
  client.context.original_method = "mcp/initialize";
  EXPECT_THAT(client.body("initialize"), HasSubstr(R"("serverName":"demo")"));
}

TEST_F(InitializeTest, DiscoverListsTheStatelessRevisions) {
  client.set_revision(stateless());
  EXPECT_EQ(client.body("server/discover"), R"({"supportedVersions":["2026-07-28"],"capabilities":{}})");
}

TEST_F(InitializeTest, DiscoverAliasListsAllEntries_S4_18) {
  app.tool("x", "", [] {});
  app.resource("a://b", "b", [] { return "x"; });
  app.prompt("p", "", [] { return "hi"; });
  client.context.original_method = "mcp/discover";
  const auto body = client.body("server/discover");
  EXPECT_THAT(body, HasSubstr(R"("serverInfo":{"name":"demo","version":"1.0"},"tools":[{"name":"x")"));
  EXPECT_THAT(body, HasSubstr(R"("resources":[{"uri":"a://b","name":"b"}],"prompts":[{"name":"p"}]})"));
  EXPECT_TRUE(json::Payload::parse(body));
}

}  // namespace
}  // namespace fairlead::server::test::initialize_test
