#include <fairlead/protocol/extension.hpp>

#include <fairlead/protocol/headers.hpp>
#include <gtest/gtest.h>
#include <stdexcept>

namespace fairlead::protocol::extension_test {
namespace {

bool may_request(const Revision& revision, std::string_view method) {
  return may_exist(&MethodTable::client_requests, revision, method);
}

// The handshake era has methods of the same names, which the newest revision removed.
TEST(Extension, AddsTheTaskMethodsInTheStatelessEraOnly) {
  for (const auto method : {"tasks/get", "tasks/update", "tasks/cancel"}) EXPECT_TRUE(may_request(newest(), method));
  EXPECT_TRUE(may_request(newest_handshake(), "tasks/get"));
  EXPECT_FALSE(may_request(newest_handshake(), "tasks/update"));
  for (const auto method : {"tasks/result", "tasks/list"}) {
    EXPECT_FALSE(may_request(newest(), method)) << method;
    EXPECT_TRUE(may_request(newest_handshake(), method)) << method;
  }
}

TEST(Extension, LeavesUnknownMethodsToTheService) {
  EXPECT_TRUE(may_request(newest(), "vendor/unknown"));
  EXPECT_FALSE(is_known_request("vendor/unknown"));
  EXPECT_TRUE(is_known_request("tasks/update"));
  EXPECT_TRUE(is_known_request("skills/get"));
}

TEST(Extension, SkillListsHaveCacheHints) {
  EXPECT_TRUE(is_cacheable(newest(), "skills/list"));
  EXPECT_TRUE(is_cacheable(newest(), "skills/get"));
  EXPECT_TRUE(is_cacheable(newest(), "tools/list"));
  EXPECT_FALSE(is_cacheable(newest(), "tasks/get"));
}

TEST(Extension, OfAVendorIsRegisteredOnce) {
  Extension clock;
  clock.id = "com.example/clock";
  clock.lifecycle = Lifecycle::handshake;
  clock.client_requests = {"clock/set"};
  clock.mcp_names = {{"clock/set", "zone"}};
  register_extension(clock);
  EXPECT_TRUE(may_request(newest_handshake(), "clock/set"));
  EXPECT_FALSE(may_request(newest(), "clock/set"));
  EXPECT_EQ(mcp_name_member("clock/set"), "zone");
  EXPECT_TRUE(is_known_request("clock/set"));
  EXPECT_THROW(register_extension(clock), std::invalid_argument);
  clock.id = "clock";
  EXPECT_THROW(register_extension(clock), std::invalid_argument);
}

TEST(Extension, IsDeclaredByItsIdentifier) {
  const auto declared = json::decode<ClientCapabilities>(R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})");
  ASSERT_TRUE(declared);
  EXPECT_TRUE(declares_extension(declared->extensions, extension::tasks));
  EXPECT_FALSE(declares_extension(declared->extensions, extension::ui));
  EXPECT_FALSE(declares_extension(std::nullopt, extension::tasks));
}

}  // namespace
}  // namespace fairlead::protocol::extension_test
