#include <fairlead/base/task_scope.hpp>
#include <fairlead/server.hpp>

#include "gateway/fixtures/unsolicited_server.hpp"
#include "gateway/upstream/upstream.hpp"

/// The client to which an upstream attributes the messages of a shared server after sessions and connections have
/// ended, and requests that it does not forward.
namespace fairlead::gateway::test::attribution_test {
namespace {

using namespace std::chrono_literals;
using session::Call;
using session::Reply;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct AttributionTest : testing::Test {
  AttributionTest() {
    options.name = "shared";
    options.client.revision = "2025-11-25";
  }
  ~AttributionTest() override {
    server.release();
    manual.poll();
    for (auto* each : {&anonymous, &later_anonymous, &anna, &ben}) each->hook.reset();
    if (upstream) manual.run(upstream->stop());
    tasks.cancel();
    manual.run(tasks.join());
  }

  void open_session(TestClient& client) {
    if (!upstream) upstream.emplace(manual.loop(), client::Endpoint(server), options);
    client.hook =
        upstream->on_session_open({.key = client.key, .principal = client.principal, .peer = client, .tasks = tasks});
  }
  static Task<Result<Reply>> calling(Upstream* upstream, Call call) { co_return co_await upstream->call(call); }
  void use(TestClient& client, const std::string& tool) {
    auto call = call_in("2025-11-25", "tools/call", R"({"name":")" + tool + R"(","arguments":{}})");
    call.context.session_key = client.key;
    call.context.principal = client.principal;
    call.context.id = jsonrpc::Id(1);
    call.context.peer = &client.back;
    auto caller = std::make_shared<protocol::ClientIdentity>();
    caller->capabilities.roots.emplace();
    call.context.caller = caller;
    call.timeouts = session::Timeouts::endless();
    calls.push_back(manual.start(calling(&*upstream, std::move(call))));
  }

  ManualLoop manual;
  TaskScope tasks{manual.loop().executor, manual.log(), "test"};
  UnsolicitedServer server{manual};
  UpstreamOptions options;
  std::optional<Upstream> upstream;
  std::vector<std::shared_ptr<Started<Result<Reply>>>> calls;
  TestClient anonymous{manual, "", 1}, later_anonymous{manual, "", 3};
  TestClient anna{manual, "anna", 4}, ben{manual, "ben", 5};
};

TEST_F(AttributionTest, Finding_S4_DoesNotAttributeALateRequestOfAnEndedSessionToAPrincipal) {
  open_session(anonymous);
  open_session(ben);
  use(anonymous, "quick");
  anonymous.hook.reset();
  use(ben, "hold");
  server.send_request();
  manual.poll();
  EXPECT_THAT(server.answers, ElementsAre(HasSubstr("several clients share this server")));
}

TEST_F(AttributionTest, Finding_S4_AttributesToTheNextAnonymousSessionAfterTheFirstEnded) {
  open_session(anonymous);
  use(anonymous, "quick");
  anonymous.hook.reset();
  open_session(later_anonymous);
  use(later_anonymous, "quick");
  server.send_request();
  manual.poll();
  EXPECT_THAT(server.answers, ElementsAre(HasSubstr("file:///of/3")));
}

TEST_F(AttributionTest, Finding_S4_ANewConnectionHasNoEarlierCallers) {
  options.idle_timeout = 1s;
  open_session(anna);
  open_session(ben);
  use(anna, "quick");
  use(ben, "quick");
  manual.pass(2s);
  use(ben, "hold");
  server.send_request();
  manual.poll();
  EXPECT_THAT(server.answers, ElementsAre(HasSubstr("file:///of/5")));
}

TEST_F(AttributionTest, Finding_P6_DoesNotForwardRequestsForAnUndeclaredCapability) {
  server::Server app("asks", "1");
  app.tool("ask", "Asks for roots",
           [](Context& context) -> Task<std::string> { co_return std::to_string((co_await context.roots()).size()); });
  upstream.emplace(manual.loop(), client::Endpoint(app), options);
  auto call = call_in("2026-07-28", "tools/call", R"({"name":"ask","arguments":{}})");
  call.context.id = jsonrpc::Id(1);
  call.context.peer = &ben.back;
  manual.start(calling(&*upstream, std::move(call)));
  EXPECT_THAT(ben.back.requests, IsEmpty());
  manual.run(upstream->stop());
  upstream.reset();
}

}  // namespace
}  // namespace fairlead::gateway::test::attribution_test
