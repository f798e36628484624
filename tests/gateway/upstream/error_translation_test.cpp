#include <fairlead/protocol/protocol_error.hpp>

#include "gateway/fixtures/scripted_service.hpp"

// Errors of other implementations: the TypeScript SDK versions 1 and 2, and the conformance suite's server.
namespace fairlead::gateway::error_translation_test {
namespace {

using client::ClientOptions;
using client::Connection;
using test::InProcessGateway;
using test::ScriptedService;
using testing::HasSubstr;

struct ErrorTranslation : testing::Test {
  /// The error that a client of one revision gets from a server of another.
  Result<json::Payload> send_request(const std::string& client, const std::string& server_revision, std::string method,
                                     std::string params) {
    Result<json::Payload> got;
    InProcessGateway rig(server, server_revision);
    rig.run(client, options, [&](Connection& gateway) -> Task<Result<void>> {
      got = co_await gateway.request(method, json::Payload::trusted(params));
      co_return Result<void>();
    });
    return got;
  }
  Error error_of(const std::string& client, const std::string& server_revision, std::string method,
                 std::string params) {
    auto got = send_request(client, server_revision, std::move(method), std::move(params));
    EXPECT_FALSE(got) << got->text();
    return got ? Error{} : got.error();
  }

  ScriptedService server;
  ClientOptions options;
};

const std::string old_one = "2025-06-18";
const std::string legacy = "2025-11-25";
const std::string modern = "2026-07-28";

TEST_F(ErrorTranslation, Finding_P3_MapsAMissingCapabilityToAToolErrorForALegacyClient) {
  server.fails("tools/call", -32021, "Missing required client capabilities: sampling",
               R"({"requiredCapabilities":{"sampling":{}}})");
  const auto got = send_request(legacy, modern, "tools/call", R"({"name":"t"})");
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->text(),
            R"({"content":[{"type":"text","text":"Missing required client capabilities: sampling"}],"isError":true})");
}

TEST_F(ErrorTranslation, Finding_P3_KeepsAMissingCapabilityForAModernClient) {
  server.fails("tools/call", -32021, "Missing required client capabilities: sampling",
               R"({"requiredCapabilities":{"sampling":{}}})");
  const auto error = error_of(modern, modern, "tools/call", R"({"name":"t"})");
  EXPECT_EQ(error.code, -32021);
  EXPECT_EQ(error.data, R"({"requiredCapabilities":{"sampling":{}}})");
}

TEST_F(ErrorTranslation, Finding_P3_MapsAMissingResourceToTheModernCodeWithItsUri) {
  server.fails("resources/read", -32002, "Resource note://x not found");
  const auto error = error_of(modern, legacy, "resources/read", R"({"uri":"note://x"})");
  EXPECT_EQ(error.code, -32602);
  EXPECT_EQ(error.data, R"({"uri":"note://x"})");
  EXPECT_EQ(error.message, "Resource note://x not found");
}

TEST_F(ErrorTranslation, Finding_P3_MapsAMissingResourceToTheLegacyCode) {
  server.fails("resources/read", -32602, "Resource not found: note://x", R"({"uri":"note://x"})");
  EXPECT_EQ(error_of(legacy, modern, "resources/read", R"({"uri":"note://x"})").code, -32002);
}

const std::string page =
    R"({"elicitations":[{"mode":"url","elicitationId":"e1","url":"https://sign.in/x","message":"Sign in"}]})";

TEST_F(ErrorTranslation, Finding_P3_MapsUrlElicitationToAnInputRequestForAModernClient) {
  int calls = 0;
  server.answers("tools/call", [&](session::Call& call) -> Result<session::Reply> {
    EXPECT_EQ(json::member_of(call.params, "inputResponses"), "") << "not sent to a legacy server";
    if (++calls > 1) return session::Reply{.body = json::Payload::trusted(R"({"content":[]})")};
    return std::unexpected(
        Error{.kind = ErrorKind::refused, .message = "URL elicitation required", .code = -32042, .data = page});
  });
  std::vector<std::string> visited;
  options.on_elicit_url = [&](protocol::ElicitUrlParams where) -> Task<protocol::ElicitResult> {
    EXPECT_FALSE(where.elicitationId);
    visited.push_back(where.url + " " + where.message);
    co_return protocol::ElicitResult{.action = protocol::ElicitAction::accept};
  };
  const auto got = send_request(modern, legacy, "tools/call", R"({"name":"t"})");
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(calls, 2);
  EXPECT_THAT(visited, testing::ElementsAre("https://sign.in/x Sign in"));
}

TEST_F(ErrorTranslation, Finding_P3_NamesTheUrlWhereTheErrorCodeDoesNotExist) {
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

TEST_F(ErrorTranslation, Finding_P10_AnswersRootsOutsideOfACall) {
  server.answers("tools/list", R"({"tools":[]})");
  options.roots = {protocol::Root{.uri = "file:///home"}};
  InProcessGateway rig(server, legacy);
  const auto request_roots = [this]() -> Task<std::string> {
    session::Call question{.method = "roots/list"};
    auto answer = co_await server.gateway->call(question);
    co_return answer ? std::string(answer->body.text()) : answer.error().message;
  };
  std::string alone, of_several;
  rig.run(legacy, options, [&](Connection& gateway) -> Task<Result<void>> {
    auto listed = co_await gateway.tools();
    EXPECT_TRUE(listed) << listed.error().message;
    alone = co_await request_roots();
    auto other = options;
    other.roots = {protocol::Root{.uri = "file:///other"}};
    const test::Body body = [&](Connection&) -> Task<Result<void>> {
      of_several = co_await request_roots();
      co_return Result<void>();
    };
    co_return co_await rig.client(legacy, other, body);
  });
  EXPECT_EQ(alone, R"({"roots":[{"uri":"file:///home"}]})");
  EXPECT_EQ(of_several, R"({"roots":[]})") << "empty for several clients";
}

}  // namespace
}  // namespace fairlead::gateway::error_translation_test
