#include "load/request_text.hpp"

#include <fairlead/jsonrpc/read.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "load/http_request.hpp"
#include "load/messages.hpp"

namespace fairlead::load::request_text_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

HttpRequestStyle style_for(const protocol::Revision& revision) {
  HttpRequestStyle style{.url = {.scheme = "http", .host = "127.0.0.1", .port = 8080, .target = "/mcp"}};
  style.revision = &revision;
  return style;
}

std::string body_of(std::string_view request) {
  return std::string(request.substr(request.find("\r\n\r\n") + 4));
}

std::size_t content_length(std::string_view request) {
  constexpr std::string_view field = "Content-Length: ";
  return std::stoul(std::string(request.substr(request.find(field) + field.size(), 10)));
}

TEST(RequestText, ReplacesEveryPlaceholder) {
  RequestText text(R"({"id":{id},"text":"<{id}>"})");
  EXPECT_EQ(text.with(first_id), R"({"id":100000000,"text":"<100000000>"})");
  EXPECT_EQ(text.with(123456789), R"({"id":123456789,"text":"<123456789>"})");
}

TEST(RequestText, LeavesTextWithoutAPlaceholderUnchanged) {
  RequestText text("plain");
  EXPECT_EQ(text.with(first_id), "plain");
}

TEST(CallMessage, IsValidJsonRpcInBothEras) {
  for (const auto* revision : {&protocol::newest_handshake(), &protocol::newest()}) {
    RequestText text(call_message({}, *revision, 7));
    const auto message = jsonrpc::read(std::string(text.with(first_id + 5)));
    ASSERT_TRUE(message);
    EXPECT_THAT(std::string(text.with(first_id + 5)), HasSubstr(R"("text":"00007-100000005")"));
  }
}

TEST(CallMessage, CarriesTheRevisionInTheStatelessEra) {
  EXPECT_THAT(call_message({}, protocol::newest(), 0), HasSubstr(std::string(protocol::newest().name)));
  EXPECT_THAT(call_message({}, protocol::newest_handshake(), 0), Not(HasSubstr("_meta")));
}

TEST(CallMessage, UsesTheCallIdAsProgressToken) {
  const LoadCall call{.tool = "progress", .arguments = R"({"steps":10})", .echoes = false, .progress = true};
  EXPECT_THAT(call_message(call, protocol::newest_handshake(), 0), HasSubstr(R"("_meta":{"progressToken":{id}})"));
}

TEST(PostRequest, ContentLengthMatchesTheFilledBody) {
  const auto pattern = call_message({}, protocol::newest(), 0);
  RequestText text(post_request(style_for(protocol::newest()), pattern, "tools/call", "echo"));
  const std::string request(text.with(first_id));
  EXPECT_EQ(content_length(request), body_of(request).size());
}

TEST(PostRequest, AddsMcpHeadersInTheStatelessEra) {
  const auto request = post_request(style_for(protocol::newest()), "{}", "tools/call", "echo");
  EXPECT_THAT(request, StartsWith("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n"));
  EXPECT_THAT(request, HasSubstr("\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n"));
  EXPECT_THAT(request, HasSubstr("\r\nMCP-Protocol-Version: " + std::string(protocol::newest().name) + "\r\n"));
}

TEST(PostRequest, AddsSessionAndRevisionHeadersAfterInitialize) {
  auto style = style_for(protocol::newest_handshake());
  EXPECT_THAT(post_request(style, "{}", "initialize"), Not(HasSubstr("MCP-Protocol-Version")));
  style.initialized = true;
  style.session = "abc";
  const auto request = post_request(style, "{}", "tools/call", "echo");
  EXPECT_THAT(request, HasSubstr("\r\nMcp-Session-Id: abc\r\nMCP-Protocol-Version: "));
  EXPECT_THAT(request, Not(HasSubstr("Mcp-Method")));
}

}  // namespace
}  // namespace fairlead::load::request_text_test
