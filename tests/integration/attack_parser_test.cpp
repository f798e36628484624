#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integration/http_server_fixture.hpp"

/// JSON that two parsers may read differently: the checked request must be the executed one.
namespace fairlead::attack_parser_test {
namespace {

using namespace test;
using testing::AnyOf;
using testing::HasSubstr;

struct AttackParserTest : testing::Test {
  AttackParserTest() {
    rig.app().tool("touch", "", [this] { return ++touched; });
    rig.app().tool("safe", "", [] { return "safe"; });
  }

  static std::string nested(std::size_t depth) {
    return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"touch","arguments":{"a":)" +
           std::string(depth, '[') + std::string(depth, ']') + "}}}";
  }

  std::atomic<int> touched = 0;
  HttpServerFixture rig{1};
};

const std::string call = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"touch"}})";

TEST_F(AttackParserTest, RejectsAmbiguousJsonWithoutExecutingIt) {
  const auto session = rig.open();
  const std::vector<std::string> bad{
      "\xEF\xBB\xBF" + call,
      call + "x",
      call + call,
      call + "\n" + call,
      " ",
      R"({"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"touch"}})",
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","method":"ping","params":{"name":"touch"}})",
      R"({"jsonrpc":"2.0","id":1,"\u006dethod":"ping","method":"tools/call","params":{"name":"touch"}})",
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"safe","name":"touch"}})",
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"safe","n\u0061me":"touch"}})",
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"safe"},"params":{"name":"touch"}})",
      R"({"jsonrpc":"2.0","id":1,"id":2,"method":"tools/call","params":{"name":"touch"}})",
      R"({"jsonrpc":"2.0","id":1,"Method":"tools/call","params":{"name":"touch"}})",
      R"({"jsonrpc":"2.0","id":1,"METHOD":"tools/call","params":{"name":"touch"}})",
      R"({"JSONRPC":"2.0","id":1,"method":"tools/call","params":{"name":"touch"}})",
      "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'touch'}}",
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"touch",}})",
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"touch"}/*c*/})",
      R"({"jsonrpc":"2.0","id":NaN,"method":"tools/call","params":{"name":"touch"}})",
      R"({"jsonrpc":"2.0","id":01,"method":"tools/call","params":{"name":"touch"}})",
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"touch\"},\"x\":\"\xC0\xAF\"}",
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"touch\"},\"x\":\"\xFF\"}",
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"touch"},"x":"\ud800"})",
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"touch"},"x":"\udc00\ud800"})",
      std::string(
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"touch\"},\"x\":\"\0\"}", 77),
      nested(200),
      nested(100'000),
      std::string(100'000, '['),
      std::string(200'000, '{')};
  for (const auto& body : bad) {
    const auto shown = body.substr(0, 120);
    EXPECT_EQ(rig.post("/mcp", body, session).status, 400) << shown;
    EXPECT_EQ(rig.post("/rpc", body).status, 400) << shown;
  }
  EXPECT_EQ(touched, 0);
  EXPECT_EQ(rig.post("/mcp", call, session).status, 200);
  EXPECT_EQ(touched, 1);
}

TEST_F(AttackParserTest, NamesAreCaseSensitive) {
  const auto session = rig.open();
  const std::vector<std::string> bodies{
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","Method":"ping","params":{"name":"safe","Name":"touch"}})",
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"safe"},"Params":{"name":"touch"}})",
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"safe"},"param\u017f":{"name":"touch"}})"};
  for (const auto& body : bodies) {
    EXPECT_THAT(rig.post("/mcp", body, session).body, HasSubstr("safe")) << body;
  }
  for (const auto* name : {"Touch", "TOUCH", "touch ", " touch", "touch\\u0000", "t\\u03bfuch", "tou\\u200bch"}) {
    const auto answer = rig.post(
        "/mcp", R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + std::string(name) + R"("}})",
        session);
    EXPECT_THAT(answer.body, HasSubstr(R"("error":{"code":-32602)")) << name;
  }
  EXPECT_EQ(touched, 0);
}

TEST_F(AttackParserTest, RejectsBatches) {
  const auto session = rig.open("2025-11-25");
  for (const auto& body : {"[" + call + "]", "[" + call + "," + call + "]", std::string("[]"), "[[" + call + "]]",
                           "[" + stateless_call(1, "touch") + "]"}) {
    EXPECT_EQ(rig.post("/mcp", body, session).status, 400) << body;
    EXPECT_EQ(rig.post("/mcp", body, stateless_lines("touch")).status, 400) << body;
    EXPECT_EQ(rig.post("/rpc", body).status, 400) << body;
  }
  EXPECT_EQ(touched, 0);
}

TEST_F(AttackParserTest, WebSocketReportsInvalidMessagesAndStaysOpen) {
  auto socket = rig.connect();
  socket.send_request("GET", "/ws", upgrade + "Sec-WebSocket-Protocol: mcp\r\n");
  socket.until("\r\n\r\n");
  for (const auto* bad :
       {"{", R"({"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"touch"}})",
        R"({"jsonrpc":"2.0","id":1,"Method":"tools/call","params":{"name":"touch"}})"}) {
    socket.send(masked(bad));
    EXPECT_THAT(socket.until("}}"), AnyOf(HasSubstr("-32700"), HasSubstr("-32600"))) << bad;
  }
  EXPECT_EQ(touched, 0);
  socket.send(masked(call));
  EXPECT_THAT(socket.until("}}"), HasSubstr(R"("id":1,"result")"));
}

TEST_F(AttackParserTest, RejectsHeadersThatContradictTheBody) {
  const auto body = stateless_call(1, "safe");
  const std::string version = "MCP-Protocol-Version: 2026-07-28\r\n";
  const std::string right = version + "Mcp-Method: tools/call\r\nMcp-Name: safe\r\n";
  const std::vector<std::string> wrong{
      version + "Mcp-Method: tools/call\r\nMcp-Name: touch\r\n",
      version + "Mcp-Method: tools/list\r\nMcp-Name: safe\r\n",
      version + "Mcp-Method: tools/call\r\n",
      version + "Mcp-Name: safe\r\n",
      version,
      right + "Mcp-Name: safe\r\n",
      right + "mcp-name: touch\r\n",
      right + "Mcp-Method: tools/call\r\n",
      right + "MCP-Protocol-Version: 2026-07-28\r\n",
      "MCP-Protocol-Version: 2025-11-25\r\nMcp-Method: tools/call\r\nMcp-Name: safe\r\n",
      "MCP-Protocol-Version: 2024-11-05\r\n",
      version + "Mcp-Method: tools/call\r\nMcp-Name: =?base64?dG91Y2g=?=\r\n",
      version + "Mcp-Method: tools/call\r\nMcp-Name: =?base64?c2FmZQ?=\r\n",
      version + "Mcp-Method: tools/call\r\nMcp-Name: =?base64?c2FmZR==?=\r\n",
      version + "Mcp-Method: tools/call\r\nMcp-Name: =?base64?c2Fm ZQ==?=\r\n",
      version + "Mcp-Method: tools/call\r\nMcp-Name: =?Base64?c2FmZQ==?=\r\n",
      version + "Mcp-Method: tools/call\r\nMcp-Name: =?utf-8?B?c2FmZQ==?=\r\n",
      version + "Mcp-Method: tools/call\r\nMcp-Name: =?base64?PT9iYXNlNjQ/YzJGbVpRPT0/PQ==?=\r\n",
      version + "Mcp-Method: =?base64?dG9vbHMvY2FsbA==?=\r\nMcp-Name: touch\r\n",
      version + "Mcp-Method: Tools/Call\r\nMcp-Name: safe\r\n",
      version + "Mcp-Method: tools/call\r\nMcp-Name: safe, touch\r\n",
      version + "Mcp-Method: tools/call\r\nMcp-Name: \"safe\"\r\n"};
  for (const auto& lines : wrong) EXPECT_EQ(rig.post("/mcp", body, lines).status, 400) << lines;
  EXPECT_EQ(rig.post("/mcp", body, right).status, 200);
  EXPECT_EQ(rig.post("/mcp", body, version + "Mcp-Method: tools/call\r\nMcp-Name: =?base64?c2FmZQ==?=\r\n").status,
            200);
  const auto oversized = rig.post("/mcp", body, right + "Mcp-Param-X: " + std::string(20'000, 'x') + "\r\n");
  EXPECT_EQ(oversized.status, 431);
}

TEST_F(AttackParserTest, RejectsStatelessHeadersOnASessionRequest) {
  const auto session = rig.open();
  EXPECT_EQ(rig.post("/mcp", call, session + "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n").status,
            400);
  EXPECT_EQ(rig.post("/mcp", call, session + "MCP-Protocol-Version: 1999-01-01\r\n").status, 400);
  EXPECT_EQ(touched, 0);
}

}  // namespace
}  // namespace fairlead::attack_parser_test
