#include "gateway/fixtures/scripted_service.hpp"

// If both sides use the same revision, messages pass byte for byte.
namespace fairlead::gateway::same_revision_test {
namespace {

using client::Connection;
using test::InProcessGateway;
using test::ScriptedService;

struct SameRevision : testing::TestWithParam<std::string> {
  std::string send_request(std::string method, std::string params) {
    std::string got;
    InProcessGateway rig(server, GetParam());
    rig.run(GetParam(), {}, [&](Connection& gateway) -> Task<Result<void>> {
      auto answer = co_await gateway.request(method, json::Payload::trusted(params));
      got = answer ? std::string(answer->text()) : answer.error().message;
      co_return Result<void>();
    });
    return got;
  }
  ScriptedService server;
};

TEST_P(SameRevision, Finding_P7_KeepsTheBytesOfAResult) {
  const std::string odd =
      R"({"content":[{"type":"newkind","n":1.00},{"type":"text","text":"t"}],"structuredContent":[ 1, 2 ],"x":{}})";
  server.answers("tools/call", odd);
  EXPECT_EQ(send_request("tools/call", R"({"name":"t"})"), odd);
}

TEST_P(SameRevision, Finding_P7_KeepsTheBytesOfAList) {
  const std::string tool = R"({"name":"t","inputSchema":{},"outputSchema":{"type":"array"},"annotations":{"x":1}})";
  server.answers("tools/list", R"({"tools":[)" + tool + "]}");
  EXPECT_THAT(send_request("tools/list", "{}"), testing::HasSubstr(tool));
}

TEST_P(SameRevision, Finding_P7_KeepsUnknownMembersOfInitialize) {
  if (GetParam() == "2026-07-28") GTEST_SKIP() << "the revision has no initialize";
  server.extra_members = R"(,"_meta":{"a":1},"more":{"b":[2]})";
  InProcessGateway rig(server, GetParam());
  rig.run(GetParam(), {}, [](Connection& gateway) -> Task<Result<void>> {
    EXPECT_EQ(json::encode(gateway.server().info), R"({"name":"foreign","version":"1","vendor":"v"})");
    const auto& extra = gateway.server().extra.members;
    EXPECT_EQ(extra.size(), 2U);
    for (const auto& [name, value] : extra) {
      EXPECT_EQ(value.text(), name == "_meta" ? R"({"a":1})" : R"({"b":[2]})") << name;
    }
    co_return Result<void>();
  });
}

INSTANTIATE_TEST_SUITE_P(Revisions, SameRevision, testing::Values("2025-06-18", "2025-11-25", "2026-07-28"),
                         [](const auto& revision) {
                           auto name = revision.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace fairlead::gateway::same_revision_test
