#include <fairlead/jsonrpc/read.hpp>
#include <gtest/gtest.h>

namespace fairlead::jsonrpc::batch_test {
namespace {

Batch batch_in(const std::string& text, const ReadLimits& limits = {}) {
  auto incoming = read(text, limits);
  if (incoming && std::holds_alternative<Batch>(*incoming)) return std::get<Batch>(std::move(*incoming));
  ADD_FAILURE() << text;
  return {};
}

std::string data_of(const ErrorResponse& reply) {
  return std::string(reply.error.data->text());
}

TEST(Batch, MayContainRequestsAndNotifications_S2_13) {
  const auto batch =
      batch_in(R"( [ {"jsonrpc":"2.0","id":1,"method":"a","params":{"name":"n"}} , {"jsonrpc":"2.0","method":"b"} ] )");
  ASSERT_EQ(batch.entries.size(), 2u);
  const auto& request = std::get<Request>(*batch.entries[0]);
  EXPECT_EQ(request.method, "a");
  EXPECT_EQ(string_at(request.params, request.param_spans.name), "n");
  EXPECT_EQ(std::get<Notification>(*batch.entries[1]).method, "b");
}

TEST(Batch, MayContainResponses_S2_13) {
  const auto batch =
      batch_in(R"([{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":"b","error":{"code":1,"message":"m"}}])");
  ASSERT_EQ(batch.entries.size(), 2u);
  EXPECT_EQ(std::get<Response>(*batch.entries[0]).id, Id(1));
  EXPECT_EQ(std::get<ErrorResponse>(*batch.entries[1]).id, Id("b"));
}

TEST(Batch, RepliesToEachInvalidEntry) {
  const auto batch = batch_in(R"([1,{"jsonrpc":"2.0","id":5},{"jsonrpc":"2.0","id":6,"method":"m"},[]])");
  ASSERT_EQ(batch.entries.size(), 4u);
  EXPECT_EQ(data_of(batch.entries[0].error()), R"("a message is an object")");
  EXPECT_EQ(batch.entries[1].error().id, Id(5));
  EXPECT_TRUE(batch.entries[2]);
  EXPECT_FALSE(batch.entries[3]);
}

TEST(Batch, MustNotBeEmpty) {
  const auto incoming = read(" [ ] ");
  ASSERT_FALSE(incoming);
  EXPECT_EQ(incoming.error().error.code, code::invalid_request);
  EXPECT_EQ(data_of(incoming.error()), R"("a batch holds at least one message")");
}

TEST(Batch, IsLimitedInSize) {
  EXPECT_EQ(batch_in("[1,2,3]", {.max_batch = 3}).entries.size(), 3u);
  const auto incoming = read("[1,2,3,4]", {.max_batch = 3});
  ASSERT_FALSE(incoming);
  EXPECT_EQ(data_of(incoming.error()), R"("a batch holds at most 3 messages")");
}

}  // namespace
}  // namespace fairlead::jsonrpc::batch_test
