#include <fairlead/protocol/headers.hpp>

#include <fairlead/protocol/protocol_error.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairlead::protocol::headers_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

static_assert(same_header("mcp-session-id", header::session_id) && same_header("MCP-SESSION-ID", header::session_id));
static_assert(!same_header("Mcp-Session", header::session_id) && !same_header("Mcp_Session_Id", header::session_id));
static_assert(trim_header(" \t a b\t ") == "a b" && trim_header(" \t").empty());

using Views = std::vector<HeaderView>;

std::string refusal(const Views& headers, std::string_view method, std::optional<std::string_view> name) {
  const auto checked = check_routing_headers(headers, method, name);
  if (checked) return "";
  EXPECT_EQ(protocol_error_of(checked.error()), ProtocolError::header_mismatch);
  return checked.error().message;
}

TEST(SameHeader, IgnoresTheCaseOfLettersOnly) {
  // Texts of all lengths up to two words, with each pair of bytes at each position.
  for (std::size_t size = 1; size <= 17; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      std::string left(size, 'x'), right(size, 'X');
      for (int byte = 0; byte < 256; ++byte) {
        left[at] = static_cast<char>(byte);
        for (const int flip : {0x00, 0x20, 0x01, 0x80, 0xa0}) {
          right[at] = static_cast<char>(byte ^ flip);
          const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
          ASSERT_EQ(same_header(left, right), flip == 0 || (flip == 0x20 && letter))
              << size << ' ' << at << ' ' << byte;
        }
      }
    }
  }
}

TEST(McpNameMember, DependsOnTheMethod) {
  EXPECT_EQ(mcp_name_member("tools/call"), "name");
  EXPECT_EQ(mcp_name_member("prompts/get"), "name");
  EXPECT_EQ(mcp_name_member("resources/read"), "uri");
  EXPECT_EQ(mcp_name_member("tasks/get"), "taskId");
  // tasks/result is of the handshake era, which has no such headers: see Finding_P10 in streamable_request_test.cpp.
  for (const auto method : {"tools/list", "tasks/list", "tasks/result", ""}) EXPECT_FALSE(mcp_name_member(method));
}

TEST(RoutingHeaders, CarryMethodAndName_K_08) {
  EXPECT_THAT(routing_headers("tools/call", "add"),
              ElementsAre(Header{"Mcp-Method", "tools/call"}, Header{"Mcp-Name", "add"}));
  EXPECT_THAT(routing_headers("tools/list", std::nullopt), ElementsAre(Header{"Mcp-Method", "tools/list"}));
  EXPECT_THAT(routing_headers("resources/read", "x://\xC3\xA9").back(), (Header{"Mcp-Name", "=?base64?eDovL8Op?="}));
}

TEST(RoutingHeaders, MatchTheBody_K_08) {
  EXPECT_EQ(refusal({{"mcp-method", " tools/call\t"}, {"MCP-NAME", " add "}}, "tools/call", "add"), "");
  EXPECT_EQ(refusal({{"Mcp-Method", "tools/call"}, {"Mcp-Name", "=?base64?YWRk?="}}, "tools/call", "add"), "");
  EXPECT_EQ(refusal({{"Mcp-Method", "tools/list"}}, "tools/list", std::nullopt), "");
  EXPECT_EQ(refusal({{"Mcp-Method", "prompts/get"}, {"Mcp-Name", ""}}, "prompts/get", ""), "");
}

TEST(RoutingHeaders, AreRefusedWhenMissing_K_08) {
  EXPECT_THAT(refusal({}, "tools/list", std::nullopt), HasSubstr("Mcp-Method is missing"));
  EXPECT_THAT(refusal({{"Mcp-Method", "tools/call"}}, "tools/call", "add"), HasSubstr("Mcp-Name is missing"));
}

TEST(RoutingHeaders, AreRefusedWhenTheyDiffer_K_08) {
  const HeaderView call{"Mcp-Method", "tools/call"};
  EXPECT_THAT(refusal({{"Mcp-Method", "Tools/Call"}}, "tools/call", "add"), HasSubstr("Mcp-Method differs"));
  EXPECT_THAT(refusal({call, {"Mcp-Name", "Add"}}, "tools/call", "add"), HasSubstr("Mcp-Name differs"));
  EXPECT_THAT(refusal({call, {"Mcp-Name", "add"}}, "tools/call", std::nullopt), HasSubstr("Mcp-Name differs"));
  EXPECT_THAT(refusal({call, {"Mcp-Name", "=?base64?YWRk"}}, "tools/call", "add"), HasSubstr("Mcp-Name differs"));
}

TEST(RoutingHeaders, AreRefusedWhenMalformed_K_08) {
  EXPECT_THAT(refusal({{"Mcp-Method", "tools/call"}, {"Mcp-Name", "=?base64?YWR?="}}, "tools/call", "add"),
              HasSubstr("Mcp-Name: base64"));
}

TEST(RoutingHeaders, AreRefusedWhenSentTwice) {
  EXPECT_THAT(refusal({{"Mcp-Method", "tools/list"}, {"mcp-method", "tools/list"}}, "tools/list", std::nullopt),
              HasSubstr("twice"));
}

TEST(RoutingHeaders, LeaveAMissingNameToTheParameterCheck) {
  EXPECT_EQ(refusal({{"Mcp-Method", "tools/call"}}, "tools/call", std::nullopt), "");
}

}  // namespace
}  // namespace fairlead::protocol::headers_test
