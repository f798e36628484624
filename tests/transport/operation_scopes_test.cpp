#include "transport/http_server/operation_scopes.hpp"

#include <fairlead/http/handler.hpp>
#include <fairlead/http/identity.hpp>
#include <gtest/gtest.h>

namespace fairlead::transport::operation_scopes_test {
namespace {

/// Refuses the tool `push`, and the method resources/read.
struct RefusesPush final : http::OperationCheck {
  std::optional<http::Response> refuse_operation(const http::Identity& identity, std::string_view method,
                                                 std::string_view tool) const override {
    if (identity.principal != "ann" || tool == "push" || method == "resources/read") {
      return http::Response{.status = 403};
    }
    return std::nullopt;
  }
};

bool refuses(std::string body, bool with_check = true) {
  const RefusesPush check;
  http::Request request;
  request.identity = std::make_shared<const http::Identity>(http::Identity{.principal = "ann", .scopes = {}});
  if (with_check) request.operations = &check;
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

}  // namespace
}  // namespace fairlead::transport::operation_scopes_test
