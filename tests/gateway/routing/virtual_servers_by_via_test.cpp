#include "gateway/routing/virtual_servers_by_via.hpp"

#include "gateway/fixtures/manual_loop.hpp"

namespace fairlead::gateway::test::virtual_servers_by_via_test {
namespace {

struct NullHandler final : http::Handler {
  Task<http::Response> handle(http::Request&) override { return http::Response(); }
};

struct VirtualServersByViaTest : testing::Test {
  ~VirtualServersByViaTest() override {
    manual.run(servers.stop());
    manual.run(tasks.join());
  }

  std::unique_ptr<VirtualServer> make_virtual_server() {
    ++made;
    return std::make_unique<VirtualServer>(manual.loop(), "virtual server",
                                           AggregatorOptions{.info = {.name = "gateway"}});
  }
  http::Handler* handler_for(const std::string& principal, int gateway) {
    return servers.handler_for("", principal, "1.1 fairlead-" + std::to_string(gateway)).get();
  }

  std::size_t made = 0;  // Virtual servers.
  ManualLoop manual;
  TaskScope tasks{manual.loop().executor, manual.log(), "test"};
  VirtualServersByVia servers{
      tasks, manual.loop().timers.clock(), "1.1 fairlead-us",
      [this](const std::string&) { return make_virtual_server(); },
      [](const std::string&, transport::SessionFactory&) { return std::make_shared<NullHandler>(); }};
};

TEST_F(VirtualServersByViaTest, Finding_S15_ForgedViaChainsDoNotEvictOtherPrincipals) {
  auto* const of_ben = handler_for("ben", 0);
  for (int gateway = 0; gateway < 100; ++gateway) EXPECT_NE(handler_for("anna", gateway), of_ben);
  EXPECT_EQ(handler_for("ben", 0), of_ben);
}

TEST_F(VirtualServersByViaTest, Finding_S15_AtItsLimitAPrincipalLosesItsLeastRecentlyUsedRoute) {
  for (std::size_t i = 0; i < VirtualServersByVia::max_routes_per_principal; ++i) {
    handler_for("anna", static_cast<int>(i));
  }
  const std::size_t before = made;
  manual.pass(std::chrono::seconds{1});
  handler_for("anna", 1);
  EXPECT_EQ(made, before) << "its route still exists";
  handler_for("anna", 100);
  handler_for("anna", 0);
  EXPECT_EQ(made, before + 2) << "the new route replaced the least recently used one";
}

TEST_F(VirtualServersByViaTest, Finding_S15_AtTheLimitThePrincipalWithTheMostRoutesLosesOne) {
  std::vector<http::Handler*> of_others;
  for (int other = 0; other < 3; ++other) of_others.push_back(handler_for("other " + std::to_string(other), 0));
  manual.pass(std::chrono::seconds{1});
  for (int gateway = 0; gateway < 100; ++gateway) handler_for("", gateway);
  for (int other = 0; other < 3; ++other) {
    EXPECT_EQ(handler_for("other " + std::to_string(other), 0), of_others[static_cast<std::size_t>(other)]);
  }
}

}  // namespace
}  // namespace fairlead::gateway::test::virtual_servers_by_via_test
