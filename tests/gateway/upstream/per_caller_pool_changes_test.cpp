#include <fairlead/client.hpp>
#include <fairlead/server.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/routing/virtual_server.hpp"
#include "gateway/upstream/per_caller_pool.hpp"
#include "support/test_loop.hpp"

/// Change notifications of a per-caller server.
namespace fairlead::gateway::test::per_caller_pool_changes_test {
namespace {

using client::Connection;

struct ChangeCase {
  std::string client;
  std::string server;
  bool alone = true;
};

/// In-process servers, one per caller, whose lists change by a call.
struct PerCallerPoolChanges : testing::TestWithParam<ChangeCase> {
  PerCallerPoolChanges() {
    own = per_caller("own", "grow");
    other = per_caller("other", "idle");
    virtual_server =
        std::make_unique<VirtualServer>(loop.loop(), "gateway", AggregatorOptions{.info = {.name = "gateway"}});
    std::vector<BackendSlot> slots;
    slots.push_back({.backend = own, .lazy = true});
    if (!GetParam().alone) slots.push_back({.backend = other, .lazy = true});
    virtual_server->set_servers(std::move(slots));
  }
  ~PerCallerPoolChanges() override { loop.run(stop()); }

  std::shared_ptr<PerCallerPool> per_caller(std::string name, std::string tool) {
    const auto make = [this, name, tool](const session::Call&) {
      auto& app = *apps.emplace_back(std::make_unique<server::Server>(name, "1"));
      app.tool(tool, "Adds a tool", [&app] {
        app.tool("new", "Is new", [] { return 1; });
        return "grown";
      });
      UpstreamOptions options{.name = name};
      options.client.revision = GetParam().server;
      return std::make_shared<Upstream>(loop.loop(), client::Endpoint(app), options);
    };
    return std::make_shared<PerCallerPool>(loop.loop(), make, PerCallerPoolOptions{.name = name});
  }
  Task<bool> stop() {
    co_await virtual_server->stop();
    co_await own->stop();
    co_await other->stop();
    co_return true;
  }
  Task<Result<void>> run_session(client::ClientOptions options, std::function<Task<Result<void>>(Connection&)> body) {
    options.revision = GetParam().client;
    options.cache = false;
    co_return co_await client::with_server(loop.loop(), client::Endpoint(virtual_server->service()), std::move(options),
                                           body);
  }

  fairlead::test::TestLoop loop;
  std::vector<std::unique_ptr<server::Server>> apps;
  std::shared_ptr<PerCallerPool> own, other;
  std::unique_ptr<VirtualServer> virtual_server;
};

TEST_P(PerCallerPoolChanges, Finding_P10_NotifyAClientThatHasNeverListed) {
  std::vector<client::ChangedList> changed;
  client::ClientOptions options;
  options.on_list_changed = [&changed](client::ChangedList list) { changed.push_back(list); };
  const auto body = [&](Connection& server) -> Task<Result<void>> {
    auto grown = co_await server.call("grow");
    EXPECT_TRUE(grown) << grown.error().message;
    for (int i = 0; i < 1000 && changed.empty(); ++i) {
      auto again = co_await server.ping();
      EXPECT_TRUE(again);
    }
    co_return Result<void>();
  };
  const auto outcome = loop.run(run_session(options, body));
  EXPECT_TRUE(outcome) << outcome.error().message;
  EXPECT_THAT(changed, testing::Contains(client::ChangedList::tools));
}

INSTANTIATE_TEST_SUITE_P(Eras, PerCallerPoolChanges,
                         testing::Values(ChangeCase{"2025-11-25", "2025-11-25"}, ChangeCase{"2026-07-28", "2025-11-25"},
                                         ChangeCase{"2025-11-25", "2026-07-28"}, ChangeCase{"2026-07-28", "2026-07-28"},
                                         ChangeCase{"2025-11-25", "2025-11-25", false},
                                         ChangeCase{"2026-07-28", "2026-07-28", false}));

}  // namespace
}  // namespace fairlead::gateway::test::per_caller_pool_changes_test
