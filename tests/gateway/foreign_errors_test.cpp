#include <fairlead/protocol/fault.hpp>

#include "foreign_server.hpp"

// Errors as other implementations word them: the TypeScript SDK in versions 1 and 2, the conformance suite's server.
namespace fairlead::gateway::foreign_errors_test {
namespace {

using client::ClientOptions;
using client::Connection;
using test::BridgeRig;
using test::ForeignServer;
using testing::HasSubstr;

struct ForeignErrors : testing::Test {
  /// What a client of one revision gets for a request, from a server of another.
  Result<json::Payload> ask(const std::string& client, const std::string& speaks, std::string method,
                            std::string params) {
    Result<json::Payload> got;
    BridgeRig rig(server, speaks);
    rig.run(client, options, [&](Connection& gateway) -> Task<Result<void>> {
      got = co_await gateway.request(method, json::Payload::trusted(params));
      co_return Result<void>();
    });
    return got;
  }
  Error error_of(const std::string& client, const std::string& speaks, std::string method, std::string params) {
    auto got = ask(client, speaks, std::move(method), std::move(params));
    EXPECT_FALSE(got) << got->text();
    return got ? Error{} : got.error();
  }

  ForeignServer server;
  ClientOptions options;
};

const std::string old_one = "2025-06-18";
const std::string legacy = "2025-11-25";
const std::string modern = "2026-07-28";

TEST_F(ForeignErrors, Finding_P3_AMissingCapabilityIsTheToolsFailureForALegacyClient) {
  server.fails("tools/call", -32021, "Missing required client capabilities: sampling",
               R"({"requiredCapabilities":{"sampling":{}}})");
  const auto got = ask(legacy, modern, "tools/call", R"({"name":"t"})");
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->text(),
            R"({"content":[{"type":"text","text":"Missing required client capabilities: sampling"}],"isError":true})");
}

TEST_F(ForeignErrors, Finding_P3_AMissingCapabilityStaysOneForAModernClient) {
  server.fails("tools/call", -32021, "Missing required client capabilities: sampling",
               R"({"requiredCapabilities":{"sampling":{}}})");
  const auto error = error_of(modern, modern, "tools/call", R"({"name":"t"})");
  EXPECT_EQ(error.code, -32021);
  EXPECT_EQ(error.data, R"({"requiredCapabilities":{"sampling":{}}})");
}

TEST_F(ForeignErrors, Finding_P3_AMissingResourceHasTheModernCodeAndItsUri) {
  server.fails("resources/read", -32002, "Resource note://x not found");
  const auto error = error_of(modern, legacy, "resources/read", R"({"uri":"note://x"})");
  EXPECT_EQ(error.code, -32602);
  EXPECT_EQ(error.data, R"({"uri":"note://x"})");
  EXPECT_EQ(error.message, "Resource note://x not found");
}

TEST_F(ForeignErrors, Finding_P3_AMissingResourceHasTheLegacyCode) {
  server.fails("resources/read", -32602, "Resource not found: note://x", R"({"uri":"note://x"})");
  EXPECT_EQ(error_of(legacy, modern, "resources/read", R"({"uri":"note://x"})").code, -32002);
}

const std::string page =
    R"({"elicitations":[{"mode":"url","elicitationId":"e1","url":"https://sign.in/x","message":"Sign in"}]})";

TEST_F(ForeignErrors, Finding_P3_APageToVisitFirstIsAQuestionForAModernClient) {
  int calls = 0;
  server.answers("tools/call", [&](session::Call& call) -> Result<session::Reply> {
    EXPECT_EQ(json::member_of(call.params, "inputResponses"), "") << "a legacy server knows nothing of these";
    if (++calls > 1) return session::Reply{.body = json::Payload::trusted(R"({"content":[]})")};
    return std::unexpected(
        Error{.kind = ErrorKind::refused, .message = "URL elicitation required", .code = -32042, .data = page});
  });
  std::vector<std::string> visited;
  options.on_visit = [&](protocol::ElicitUrlParams where) -> Task<protocol::ElicitResult> {
    EXPECT_FALSE(where.elicitationId);
    visited.push_back(where.url + " " + where.message);
    co_return protocol::ElicitResult{.action = protocol::ElicitAction::accept};
  };
  const auto got = ask(modern, legacy, "tools/call", R"({"name":"t"})");
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(calls, 2);
  EXPECT_THAT(visited, testing::ElementsAre("https://sign.in/x Sign in"));
}

TEST_F(ForeignErrors, Finding_P3_APageToVisitFirstIsNamedWhereTheCodeDoesNotExist) {
  server.fails("tools/call", -32042, "URL elicitation required", page);
  for (const auto& client : {old_one, modern}) {
    const auto error = error_of(client, legacy, "tools/call", R"({"name":"t"})");
    EXPECT_EQ(error.code, -32603) << client;
    EXPECT_THAT(error.message, HasSubstr("https://sign.in/x")) << client;
  }
  const auto same = error_of(legacy, legacy, "tools/call", R"({"name":"t"})");
  EXPECT_EQ(same.code, -32042);
  EXPECT_EQ(same.data, page);
}

TEST_F(ForeignErrors, Finding_P10_RootsAreAnsweredOutsideOfACall) {
  server.answers("tools/list", R"({"tools":[]})");
  options.roots = {protocol::Root{.uri = "file:///home"}};
  BridgeRig rig(server, legacy);
  const auto ask_for_roots = [this]() -> Task<std::string> {
    session::Call question{.method = "roots/list"};
    auto answer = co_await server.gateway->call(question);
    co_return answer ? std::string(answer->body.text()) : answer.error().message;
  };
  std::string alone, of_several;
  rig.run(legacy, options, [&](Connection& gateway) -> Task<Result<void>> {
    auto listed = co_await gateway.tools();
    EXPECT_TRUE(listed) << listed.error().message;
    alone = co_await ask_for_roots();
    auto other = options;
    other.roots = {protocol::Root{.uri = "file:///other"}};
    const test::Body body = [&](Connection&) -> Task<Result<void>> {
      of_several = co_await ask_for_roots();
      co_return Result<void>();
    };
    co_return co_await rig.client(legacy, other, body);
  });
  EXPECT_EQ(alone, R"({"roots":[{"uri":"file:///home"}]})");
  EXPECT_EQ(of_several, R"({"roots":[]})") << "nobody's in particular";
}

}  // namespace
}  // namespace fairlead::gateway::foreign_errors_test
