#include "transport/http_server/operation_scopes.hpp"

#include <fairlead/http/handler.hpp>
#include <fairlead/http/identity.hpp>
#include <gtest/gtest.h>

namespace fairlead::transport::operation_scopes_test {
namespace {

/// Refuses the tool `push`, and the method resources/read.
struct RefusesPush final : http::OperationCheck {
  std::optional<http::OperationRefusal> refuse_operation(const http::Identity& identity,
                                                         const http::Operation& operation) const override {
    if (identity.principal != "ann" || operation.tool == "push" || operation.method == "resources/read") {
      return http::OperationRefusal{.response = {.status = 403}, .scope = "files:write"};
    }
    return std::nullopt;
  }
};

bool refuses(std::string body, bool with_check = true) {
  http::Request request;
  request.identity = std::make_shared<const http::Identity>(http::Identity{.principal = "ann", .scopes = {}});
  if (with_check) request.operations = std::make_shared<const RefusesPush>();
  const auto read = jsonrpc::read(std::move(body));
  EXPECT_TRUE(read);
  return refuse_operations(request, *read).has_value();
}

TEST(OperationScopes, RefusesByToolAndMethod) {
  EXPECT_TRUE(refuses(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"push"}})"));
  EXPECT_TRUE(refuses(R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"a:b"}})"));
  EXPECT_FALSE(refuses(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pull"}})"));
  EXPECT_FALSE(refuses(R"({"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"push"}})"));
}

TEST(OperationScopes, ReadsEscapedNamesAndMembers) {
  EXPECT_TRUE(refuses(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"p\u0075sh"}})"));
  EXPECT_TRUE(refuses(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"n\u0061me":"push"}})"));
  EXPECT_TRUE(refuses(R"({"jsonrpc":"2.0","id":1,"method":"tools\/call","params":{"name":"push"}})"));
}

TEST(OperationScopes, RefusesABatchWithOneRefusedRequest) {
  EXPECT_TRUE(refuses(R"([{"jsonrpc":"2.0","id":1,"method":"ping"},)"
                      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"push"}}])"));
}

TEST(OperationScopes, AllowsEverythingWithoutACheck) {
  EXPECT_FALSE(refuses(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"push"}})", false));
}

http::Request request_of_ann() {
  http::Request request;
  request.identity = std::make_shared<const http::Identity>(http::Identity{.principal = "ann", .scopes = {}});
  request.operations = std::make_shared<const RefusesPush>();
  return request;
}

TEST(OperationFilter, AnswersARefusedRequestWithTheScopesThatItNeeds) {
  const OperationFilter filter(request_of_ann());
  const auto read = jsonrpc::read(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"push"}})");
  const auto& call = std::get<jsonrpc::Request>(std::get<jsonrpc::Message>(*read));
  const auto refused = filter.refuse(call);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->error.data->text(), R"({"scope":"files:write"})");
  EXPECT_FALSE(OperationFilter().refuse(call));
}

TEST(OperationFilter, ReplacesRefusedRequestsOfABatch) {
  const OperationFilter filter(request_of_ann());
  auto read = jsonrpc::read(R"([{"jsonrpc":"2.0","id":1,"method":"ping"},)"
                            R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"push"}}])");
  auto& batch = std::get<jsonrpc::Batch>(*read);
  filter.apply(batch);
  EXPECT_TRUE(batch.entries.at(0));
  ASSERT_FALSE(batch.entries.at(1));
  EXPECT_EQ(batch.entries.at(1).error().id, jsonrpc::Id(2));
}

}  // namespace
}  // namespace fairlead::transport::operation_scopes_test
