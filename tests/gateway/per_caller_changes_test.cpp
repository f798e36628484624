#include <fairlead/client.hpp>
#include <fairlead/server.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/room.hpp"
#include "gateway/upstream/per_caller.hpp"
#include "support/test_loop.hpp"

/// What a client hears of the server that is its own.
namespace fairlead::gateway::test::per_caller_changes_test {
namespace {

using client::Connection;

struct Way {
  std::string client;
  std::string server;
  bool alone = true;
};

/// Servers of this process, one for each caller, whose lists grow by a call.
struct PerCallerChanges : testing::TestWithParam<Way> {
  PerCallerChanges() {
    own = per_caller("own", "grow");
    other = per_caller("other", "idle");
    room = std::make_unique<Room>(loop.loop(), "gateway", protocol::Implementation{.name = "gateway"}, MergeOptions{});
    std::vector<Seat> seats;
    seats.push_back({.member = own, .lazy = true});
    if (!GetParam().alone) seats.push_back({.member = other, .lazy = true});
    room->set_servers(std::move(seats));
  }
  ~PerCallerChanges() override { loop.run(stop()); }

  std::shared_ptr<PerCaller> per_caller(std::string name, std::string tool) {
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
    return std::make_shared<PerCaller>(loop.loop(), make, PerCallerOptions{.name = name});
  }
  Task<bool> stop() {
    co_await room->stop();
    co_await own->stop();
    co_await other->stop();
    co_return true;
  }
  Task<Result<void>> talk(client::ClientOptions options, std::function<Task<Result<void>>(Connection&)> body) {
    options.revision = GetParam().client;
    options.cache = false;
    co_return co_await client::with_server(loop.loop(), client::Endpoint(room->service()), std::move(options), body);
  }

  fairlead::test::TestLoop loop;
  std::vector<std::unique_ptr<server::Server>> apps;
  std::shared_ptr<PerCaller> own, other;
  std::unique_ptr<Room> room;
};

TEST_P(PerCallerChanges, Finding_P10_AreHeardByAClientThatHasNeverListed) {
  std::vector<client::List> changed;
  client::ClientOptions options;
  options.on_list_changed = [&changed](client::List list) { changed.push_back(list); };
  const auto body = [&](Connection& server) -> Task<Result<void>> {
    auto grown = co_await server.call("grow");
    EXPECT_TRUE(grown) << grown.error().message;
    for (int i = 0; i < 1000 && changed.empty(); ++i) {
      auto again = co_await server.ping();
      EXPECT_TRUE(again);
    }
    co_return Result<void>();
  };
  const auto outcome = loop.run(talk(options, body));
  EXPECT_TRUE(outcome) << outcome.error().message;
  EXPECT_THAT(changed, testing::Contains(client::List::tools));
}

INSTANTIATE_TEST_SUITE_P(Eras, PerCallerChanges,
                         testing::Values(Way{"2025-11-25", "2025-11-25"}, Way{"2026-07-28", "2025-11-25"},
                                         Way{"2025-11-25", "2026-07-28"}, Way{"2026-07-28", "2026-07-28"},
                                         Way{"2025-11-25", "2025-11-25", false},
                                         Way{"2026-07-28", "2026-07-28", false}));

}  // namespace
}  // namespace fairlead::gateway::test::per_caller_changes_test
