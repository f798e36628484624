#include "foreign_server.hpp"

// Where both sides speak the same revision, what a server says reaches its clients as it was said.
namespace fairlead::gateway::same_revision_test {
namespace {

using client::Connection;
using test::BridgeRig;
using test::ForeignServer;

struct SameRevision : testing::TestWithParam<std::string> {
  std::string ask(std::string method, std::string params) {
    std::string got;
    BridgeRig rig(server, GetParam());
    rig.run(GetParam(), {}, [&](Connection& gateway) -> Task<Result<void>> {
      auto answer = co_await gateway.request(method, json::Payload::trusted(params));
      got = answer ? std::string(answer->text()) : answer.error().message;
      co_return Result<void>();
    });
    return got;
  }
  ForeignServer server;
};

TEST_P(SameRevision, Finding_P7_AResultKeepsItsBytes) {
  const std::string odd =
      R"({"content":[{"type":"newkind","n":1.00},{"type":"text","text":"t"}],"structuredContent":[ 1, 2 ],"x":{}})";
  server.answers("tools/call", odd);
  EXPECT_EQ(ask("tools/call", R"({"name":"t"})"), odd);
}

TEST_P(SameRevision, Finding_P7_AListKeepsItsBytes) {
  const std::string tool = R"({"name":"t","inputSchema":{},"outputSchema":{"type":"array"},"annotations":{"x":1}})";
  server.answers("tools/list", R"({"tools":[)" + tool + "]}");
  EXPECT_THAT(ask("tools/list", "{}"), testing::HasSubstr(tool));
}

TEST_P(SameRevision, Finding_P7_AnIntroductionKeepsWhatIsNotKnown) {
  if (GetParam() == "2026-07-28") GTEST_SKIP() << "there is no initialize";
  server.said = R"(,"_meta":{"a":1},"more":{"b":[2]})";
  BridgeRig rig(server, GetParam());
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
