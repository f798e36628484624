#include "gateway/fixtures/gateway_rig.hpp"

/// Errors of calls during a shutdown.
namespace fairlead::gateway::test::shutdown_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Shutdown, Finding_S23_FailsAHangingCallWithTheReason) {
  GatewayRig rig(config_of({child("child"), child("other")}));
  auto client = rig.client("/s/child/mcp");
  std::string error_text;
  std::thread waiting([&] { error_text = failure_of([&] { client.call("wait"); }).message; });
  EXPECT_TRUE(eventually([&] { return rig.state("child").in_flight == 1; }));
  rig.on_loop([&] { rig.gateway().abort_calls(); });
  waiting.join();
  EXPECT_THAT(error_text, AllOf(HasSubstr("'child' was stopped before it answered tools/call 'wait'"),
                                HasSubstr("the gateway is shutting down")));
  EXPECT_THAT(failure_of([&] { client.call("pid"); }).message, HasSubstr("the gateway is shutting down"));
  EXPECT_THAT(rig.apply(config_of({child("child")})).error().message, HasSubstr("shutting down"));
}

}  // namespace
}  // namespace fairlead::gateway::test::shutdown_test
