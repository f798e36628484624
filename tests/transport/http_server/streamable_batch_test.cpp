#include <fairlead/transport/streamable_http.hpp>
#include <gtest/gtest.h>

#include "support/mcp_endpoint.hpp"

namespace fairlead::transport::streamable_batch_test {
namespace {

using namespace test;

TEST(StreamableBatch, S2_13_IsAnsweredAsOneArray) {
  McpEndpoint mcp;
  const auto session = mcp.open("2025-03-26");
  const auto call = mcp.post(
      R"([{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":2,"method":"b"},{"jsonrpc":"2.0","method":"n"}])",
      {{"Mcp-Session-Id", session}});
  EXPECT_FALSE(call->response_started());
  auto answers = mcp.factory().session().transport->send_batch({result(1), result(2)});
  EXPECT_TRUE(mcp.loop().run(std::move(answers)));
  mcp.loop().poll();
  EXPECT_EQ(call->body(), R"([{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}])");
}

TEST(StreamableBatch, S2_14_WithoutRequestsIs202) {
  McpEndpoint mcp;
  const auto session = mcp.open("2025-03-26");
  const auto sent = mcp.post(R"([{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","method":"n"}])",
                             {{"Mcp-Session-Id", session}});
  EXPECT_EQ(sent->status(), 202);
}

TEST(StreamableBatch, Finding_S13_InvalidResponseFailsItsRequestAndTheRestIsDelivered) {
  McpEndpoint mcp;
  const auto session = mcp.open("2025-03-26");
  mcp.factory().session().received.clear();
  const auto sent = mcp.post(R"([{"jsonrpc":"2.0","id":1,"result":{},"error":{}},{"jsonrpc":"2.0","id":2,"result":{}},)"
                             R"({"jsonrpc":"2.0","method":"n"},{"no":"message"}])",
                             {{"Mcp-Session-Id", session}});
  EXPECT_EQ(sent->status(), 400);
  const auto& received = mcp.factory().session().received;
  ASSERT_EQ(received.size(), 2U);
  EXPECT_TRUE(received[0].starts_with("lost 1: ")) << received[0];
  EXPECT_EQ(received[1], R"([{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","method":"n"}])");
}

TEST(StreamableBatch, IsRejectedInRevisionsWithoutBatches) {
  McpEndpoint mcp;
  const auto session = mcp.open("2025-06-18");
  EXPECT_EQ(mcp.post(R"([{"jsonrpc":"2.0","id":1,"method":"a"}])", {{"Mcp-Session-Id", session}})->status(), 400);
}

}  // namespace
}  // namespace fairlead::transport::streamable_batch_test
