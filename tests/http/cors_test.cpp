#include <fairlead/http/cors.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::http::cors_test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string lines(const Cors& cors, std::string_view origin) {
  std::string text;
  cors.append_lines(text, origin);
  return text;
}

Request preflight(std::string_view origin, std::string_view requested_headers = "content-type") {
  Request request;
  request.method = "OPTIONS";
  request.headers = {{"Origin", origin},
                     {"Access-Control-Request-Method", "POST"},
                     {"Access-Control-Request-Headers", requested_headers}};
  return request;
}

std::string header_of(const Response& response, std::string_view name) {
  for (const auto& field : response.headers) {
    if (field.name == name) return field.value;
  }
  return "none";
}

TEST(Cors, SendsNothingByDefault) {
  const Cors cors({});
  EXPECT_EQ(lines(cors, "https://a"), "");
  EXPECT_FALSE(cors.answer_preflight(preflight("https://a")));
}

TEST(Cors, ExposesHeadersToAllowedOrigin) {
  const Cors cors({.origins = {"https://a"}});
  const auto text = lines(cors, "https://a");
  EXPECT_THAT(text, HasSubstr("Vary: Origin\r\n"));
  EXPECT_THAT(text, HasSubstr("Access-Control-Allow-Origin: https://a\r\n"));
  EXPECT_THAT(text, HasSubstr("Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, DPoP-Nonce\r\n"));
}

TEST(Cors, SendsOnlyVaryToOtherOrigins) {
  const Cors cors({.origins = {"https://a"}});
  for (const auto* origin : {"", "null", "https://b", "https://a.b", "http://a"}) {
    EXPECT_EQ(lines(cors, origin), "Vary: Origin\r\n") << origin;
  }
}

TEST(Cors, EchoesTheOriginForWildcard) {
  const Cors cors({.origins = {"*"}});
  EXPECT_THAT(lines(cors, "https://b"), HasSubstr("Access-Control-Allow-Origin: https://b\r\n"));
  EXPECT_THAT(lines(cors, "null"), Not(HasSubstr("Allow-Origin")));
}

TEST(Cors, AnswersPreflights) {
  const Cors cors({.origins = {"https://a"}});
  const auto response = cors.answer_preflight(preflight("https://a"));
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 204);
  EXPECT_EQ(header_of(*response, "Access-Control-Allow-Methods"), "GET, POST, DELETE, OPTIONS");
  EXPECT_THAT(header_of(*response, "Access-Control-Allow-Headers"), HasSubstr("Mcp-Session-Id"));
  EXPECT_EQ(header_of(*response, "Access-Control-Max-Age"), "7200");
}

TEST(Cors, AllowsRequestedParameterHeaders) {
  const Cors cors({.origins = {"https://a"}});
  const auto response =
      cors.answer_preflight(preflight("https://a", "mcp-param-region, x-evil,Mcp-Param-b c,mcp-param-"));
  const auto allowed = header_of(*response, "Access-Control-Allow-Headers");
  EXPECT_THAT(allowed, testing::EndsWith("Mcp-Name, mcp-param-region"));
}

TEST(Cors, RejectsPreflightsOfOtherOrigins) {
  const Cors cors({.origins = {"https://a"}});
  EXPECT_EQ(cors.answer_preflight(preflight("https://b"))->status, 403);
}

TEST(Cors, IgnoresOtherOptionsRequests) {
  const Cors cors({.origins = {"https://a"}});
  auto plain = preflight("https://a");
  plain.headers.resize(1);
  EXPECT_FALSE(cors.answer_preflight(plain));
  auto get = preflight("https://a");
  get.method = "GET";
  EXPECT_FALSE(cors.answer_preflight(get));
}

}  // namespace
}  // namespace fairlead::http::cors_test
