#include "gateway/upstream/era_legs.hpp"

#include "client/scripted_server.hpp"
#include "gateway_rig.hpp"

namespace fairlead::gateway::era_legs_test {
namespace {

using test::child;
using test::comes_true;
using test::GatewayRig;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

const std::string legacy = "2025-11-25";
const std::string modern = "2026-07-28";

ServerConfig scripted(const std::string& body) {
  return {.name = "script", .command = client::scripted_server(body)};
}

/// What the server's connections speak that are open now.
std::vector<std::string> spoken(GatewayRig& rig) {
  return rig.on_loop([&] {
    std::vector<std::string> all;
    for (const auto& server : rig.gateway().status()) {
      for (const auto& state : server.states) {
        if (!state.revision.empty()) all.push_back(state.revision);
      }
    }
    return all;
  });
}

const char* const answers =
    R"(elif method == 'tools/list': result({'tools': [{'name': 'pid', 'inputSchema': {'type': 'object'}}]})
elif method == 'tools/call': result({'content': [{'type': 'text', 'text': str(os.getpid())}]})
elif 'id' in m: error(-32601, 'Method not found')
)";

std::string pid_of_caller(GatewayRig& rig, const std::string& revision) {
  auto client = rig.client("/mcp", revision);
  return client.call<std::string>("pid");
}

TEST(EraLegs, Finding_P4_ALegacyClientGetsTheHandshakeOfADualServer) {
  GatewayRig rig(child("dual"));
  auto client = rig.client("/mcp", legacy);
  client.tools();
  EXPECT_THAT(spoken(rig), ElementsAre(legacy));
}

TEST(EraLegs, Finding_P4_AModernClientGetsADualServerWithoutAHandshake) {
  GatewayRig rig(child("dual"));
  auto client = rig.client("/mcp", modern);
  client.tools();
  EXPECT_THAT(spoken(rig), ElementsAre(modern));
}

TEST(EraLegs, Finding_P4_ClientsOfBothErasEachGetTheirOwnLeg) {
  GatewayRig rig(child("dual"));
  auto old_one = rig.client("/mcp", legacy);
  old_one.tools();
  auto new_one = rig.client("/mcp", modern);
  new_one.tools();
  old_one.tools();
  EXPECT_THAT(spoken(rig), UnorderedElementsAre(legacy, modern));
}

TEST(EraLegs, Finding_P4_SeveralServersFollowTheClientToo) {
  GatewayRig rig(test::config_of({child("one"), child("two")}));
  auto client = rig.client("/mcp", legacy);
  client.tools();
  EXPECT_THAT(spoken(rig), ElementsAre(legacy, legacy));
}

TEST(EraLegs, AServerOfTheHandshakeEraHasOneProcessForAll) {
  const auto body = std::string("if method == 'initialize': welcome()\n") + answers;
  for (const auto& [first, second] : {std::pair(legacy, modern), std::pair(modern, legacy)}) {
    GatewayRig rig(scripted(body));
    const auto pid = pid_of_caller(rig, first);
    EXPECT_EQ(pid_of_caller(rig, second), pid) << first << " came first";
    EXPECT_TRUE(comes_true([&] { return test::children().size() == 1; })) << "the other has ended";
    EXPECT_THAT(spoken(rig), ElementsAre(legacy));
  }
}

TEST(EraLegs, AServerWithoutHandshakesHasOneProcessForAll) {
  const auto body = "if method == 'server/discover': discovered(['2026-07-28'])\n" + std::string(answers);
  for (const auto& [first, second] : {std::pair(legacy, modern), std::pair(modern, legacy)}) {
    GatewayRig rig(scripted(body));
    const auto pid = pid_of_caller(rig, first);
    EXPECT_EQ(pid_of_caller(rig, second), pid) << first << " came first";
    EXPECT_TRUE(comes_true([&] { return test::children().size() == 1; })) << "the other has ended";
    EXPECT_THAT(spoken(rig), ElementsAre(modern));
  }
}

TEST(EraLegs, AChosenEraHoldsForAll) {
  auto config = child("dual");
  config.era = client::Era::stateless;
  GatewayRig rig(config);
  auto client = rig.client("/mcp", legacy);
  client.tools();
  EXPECT_THAT(spoken(rig), ElementsAre(modern));
}

TEST(EraLegs, Finding_P4_AServerOfItsOwnFollowsItsCaller) {
  auto config = child("dual");
  config.share = Share::caller;
  GatewayRig rig(config);
  auto client = rig.client("/mcp", legacy);
  client.call("pid");
  EXPECT_THAT(spoken(rig), testing::Contains(legacy));
}

TEST(EraLegs, AServerThatCannotBeReachedSaysSoToBoth) {
  GatewayRig rig(ServerConfig{.name = "none", .command = {"/no/such/program"}});
  for (const auto& revision : {legacy, modern}) {
    const auto error = test::failure_of([&] { rig.client("/mcp", revision).tools(); });
    EXPECT_THAT(error.message, testing::HasSubstr("/no/such/program")) << revision;
  }
}

}  // namespace
}  // namespace fairlead::gateway::era_legs_test
