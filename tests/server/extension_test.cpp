#include <fairlead/server/server.hpp>

#include "server/harness.hpp"

namespace fairlead::server::test::extension_test {
namespace {

using protocol::ProtocolError;
using testing::HasSubstr;
using testing::Not;

struct ExtensionTest : testing::Test {
  Server app{"demo", "1.0"};
  Client client{app};
};

Task<Result<Payload>> echo(const Payload& params, Context& context) {
  co_return Payload::trusted(R"({"caller":")" + context.principal() + R"(","params":)" + std::string(params.text()) +
                             "}");
}

TEST_F(ExtensionTest, DeclaresExtensionsInBothEras) {
  EXPECT_THAT(client.body("initialize"), Not(HasSubstr("extensions")));
  app.extension("com.example/plain").extension("com.example/with", Payload::trusted(R"({"depth":2})"));
  const auto declared = HasSubstr(R"("extensions":{"com.example/plain":{},"com.example/with":{"depth":2}})");
  EXPECT_THAT(client.body("initialize"), declared);
  EXPECT_THAT(client.set_revision(stateless()).body("server/discover"), declared);
}

TEST_F(ExtensionTest, HandlesAMethodOfAnExtensionInBothEras) {
  app.method("com.example/echo", echo);
  client.context.principal = "ann";
  for (const auto* revision : {&handshake(), &stateless()}) {
    client.set_revision(*revision);
    EXPECT_EQ(client.body("com.example/echo", R"({"a":1})"), R"({"caller":"ann","params":{"a":1}})");
  }
  EXPECT_EQ(client.error_of("com.example/other"), ProtocolError::unknown_method);
}

TEST_F(ExtensionTest, HandlesAMethodOfAnExtensionWithoutAnEventLoop) {
  app.method("com.example/echo", echo);
  const auto send = [&](const std::string& method) {
    return app.handle(R"({"jsonrpc":"2.0","id":7,"method":")" + method +
                      R"(","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                      R"("io.modelcontextprotocol/clientCapabilities":{}}}})");
  };
  EXPECT_THAT(send("com.example/echo"), HasSubstr(R"("result":{"caller":"","params":{})"));
  EXPECT_THAT(send("com.example/other"), HasSubstr(R"("code":-32601)"));
}

TEST_F(ExtensionTest, AnErrorOfAMethodKeepsItsKindOrIsInternal) {
  app.method("x/kind", [](const Payload&, Context&) -> Task<Result<Payload>> {
    co_return std::unexpected(protocol::protocol_error(ProtocolError::invalid_params, "no such report"));
  });
  app.method("x/plain", [](const Payload&, Context&) -> Task<Result<Payload>> {
    co_return fail(ErrorKind::invalid, "disk full");
  });
  EXPECT_EQ(client.error_of("x/kind"), ProtocolError::invalid_params);
  EXPECT_EQ(client.error_of("x/plain"), ProtocolError::internal);
}

TEST_F(ExtensionTest, AnEmptyResultIsAnEmptyObject) {
  app.method("x/nothing", [](const Payload&, Context&) -> Task<Result<Payload>> { co_return Payload(); });
  EXPECT_EQ(client.body("x/nothing"), "{}");
}

TEST_F(ExtensionTest, AMethodCanAskWhetherItsCallerSeesAnEntry) {
  app.visible([](EntryKind, std::string_view name, std::string_view principal) {
    return name != "a://secret" || principal == "ann";
  });
  app.method("x/sees", [](const Payload&, Context& context) -> Task<Result<Payload>> {
    co_return json::to_payload(context.is_visible(EntryKind::resource, "a://secret"));
  });
  EXPECT_EQ(client.body("x/sees"), "false");
  client.context.principal = "ann";
  EXPECT_EQ(client.body("x/sees"), "true");
}

TEST_F(ExtensionTest, RefusesMethodsOfMcpDuplicatesAndSettingsThatAreNotAnObject) {
  app.method("tools/call", echo).method("x/y", echo).method("x/y", echo).extension("x/y", Payload::trusted("[]"));
  try {
    app.check();
    FAIL();
  } catch (const std::invalid_argument& wrong) {
    EXPECT_STREQ(wrong.what(),
                 "method 'tools/call' is a method of MCP itself; use a name of your own\n"
                 "method 'x/y' is already registered\n"
                 "extension 'x/y': the settings must be a JSON object");
  }
}

}  // namespace
}  // namespace fairlead::server::test::extension_test
