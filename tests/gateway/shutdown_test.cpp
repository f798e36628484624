#include "gateway_rig.hpp"

/// What callers hear when the gateway is told to end.
namespace fairlead::gateway::test::shutdown_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Shutdown, Finding_S23_ACallThatHangsIsAnsweredWithAnErrorThatSaysWhy) {
  GatewayRig rig(config_of({child("child"), child("other")}));
  auto client = rig.client("/s/child/mcp");
  std::string told;
  std::thread waiting([&] { told = failure_of([&] { client.call("wait"); }).message; });
  EXPECT_TRUE(comes_true([&] { return rig.state("child").in_flight == 1; }));
  rig.on_loop([&] { rig.gateway().end_calls(); });
  waiting.join();
  EXPECT_THAT(told, AllOf(HasSubstr("'child' was stopped before it had answered tools/call 'wait'"),
                          HasSubstr("the gateway is shutting down")));
  EXPECT_THAT(failure_of([&] { client.call("pid"); }).message, HasSubstr("the gateway is shutting down"));
  EXPECT_THAT(rig.apply(config_of({child("child")})).error().message, HasSubstr("shutting down"));
}

}  // namespace
}  // namespace fairlead::gateway::test::shutdown_test
