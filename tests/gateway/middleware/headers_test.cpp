#include <fairlead/gateway/headers.hpp>

#include "gateway/config/show_config.hpp"
#include "gateway/fixtures/aggregator_fixture.hpp"
#include "gateway/fixtures/client_error_text.hpp"
#include "gateway/fixtures/config_reader.hpp"
#include "gateway/fixtures/manual_clock_fixture.hpp"
#include "gateway/upstream/header_keyed_pool.hpp"

namespace fairlead::gateway::test::middleware_headers_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A backend of the test as a server that can be stopped.
class FakeServer final : public ManagedBackend {
 public:
  explicit FakeServer(std::shared_ptr<FakeBackend> backend) : backend_(std::move(backend)) {}

  Task<void> stop() override { return {}; }
  std::vector<UpstreamState> states() const override { return std::vector<UpstreamState>(1); }

  const std::string& name() const override { return backend_->name(); }
  Task<Result<client::ServerDescription>> describe() override { return backend_->describe(); }
  const client::ServerDescription* last_description() const override { return backend_->last_description(); }
  Task<Result<Reply>> call(Call& call) override { return backend_->call(call); }
  Task<void> notify(session::Notification& notice) override { return backend_->notify(notice); }
  std::unique_ptr<session::SessionHook> on_session_open(session::SessionRef session) override {
    return backend_->on_session_open(std::move(session));
  }

 private:
  std::shared_ptr<FakeBackend> backend_;
};

/// A server behind a chain, and all connections to it.
struct HeadersTest : ManualClockTest {
  std::vector<std::shared_ptr<FakeBackend>> backends;
  std::vector<std::string> connections;
  std::string result = {};  // Result of tools/call at backends created later; they echo the params if empty.
  std::shared_ptr<HeaderKeyedPool> pool =
      std::make_shared<HeaderKeyedPool>(loop(), make_backend(), [this](const std::vector<protocol::Header>& headers) {
        std::string all;
        for (const auto& [name, value] : headers) all += name + "=" + value + ";";
        connections.push_back(all);
        return make_backend();
      });

  std::shared_ptr<FakeServer> make_backend() {
    auto backend = backends.emplace_back(std::make_shared<FakeBackend>(io, "web"));
    const auto echoed = [](const std::string& params) { return Result<std::string>(params); };
    backend->answers("tools/call", echoed).answers("tools/list", echoed);
    if (!result.empty()) backend->answers("tools/call", result);
    return std::make_shared<FakeServer>(std::move(backend));
  }

  Chain with(std::vector<std::string> who, std::vector<std::pair<std::string, std::string>> set) {
    auto made = headers({.callers = std::move(who), .set = std::move(set)});
    EXPECT_TRUE(made) << made.error().message;
    return chain().then(std::shared_ptr<Middleware>(std::move(*made)));
  }
  Chain forwarding(std::vector<std::pair<std::string, std::string>> forward, std::vector<std::string> who = {}) {
    auto made = headers({.callers = std::move(who), .forward = std::move(forward)});
    EXPECT_TRUE(made) << made.error().message;
    return chain().then(std::shared_ptr<Middleware>(std::move(*made)));
  }
  static Call call_with(jsonrpc::MessageHeaders headers) {
    auto call = tool_call("t");
    call.context.request_headers = std::make_shared<const jsonrpc::MessageHeaders>(std::move(headers));
    return call;
  }
  std::string call_as(const Chain& chain, std::string caller, Call call = tool_call("t")) {
    call.context.principal = std::move(caller);
    return text(chain.then(std::shared_ptr<Service>(pool)), std::move(call));
  }
};

TEST_F(HeadersTest, EachHeaderSetHasItsOwnConnection) {
  const auto both = with({"ann"}, {{"Authorization", "Bearer a"}}).then(with({}, {{"X-Team", "blue"}}));
  call_as(both, "ann");
  call_as(both, "bob");
  call_as(both, "ann");
  EXPECT_THAT(connections, ElementsAre("Authorization=Bearer a;X-Team=blue;", "X-Team=blue;"));
  EXPECT_EQ(backends[0]->calls.size(), 0U);
  EXPECT_EQ(backends[1]->calls.size(), 2U);
  EXPECT_EQ(pool->states().size(), 3U);
}

TEST_F(HeadersTest, KeepsConnectionsOfEqualHeadersAfterAReload) {
  call_as(with({}, {{"X-Team", "blue"}}), "ann");
  call_as(with({}, {{"X-Team", "blue"}}), "ann");
  EXPECT_EQ(connections.size(), 1U);
}

TEST_F(HeadersTest, KeepsTheParams) {
  EXPECT_EQ(call_as(with({}, {{"X-Team", "blue"}}), "ann"), R"({"name":"t","arguments":{}})");
  EXPECT_EQ(call_as(with({}, {{"X-Team", "blue"}}), "ann", call_of("tools/call", R"({"name":"t","_meta":{"a":1.0}})")),
            R"({"name":"t","_meta":{"a":1.0}})");
}

TEST_F(HeadersTest, ALaterHeaderReplacesAnEarlierOne) {
  call_as(with({}, {{"x-team", "red"}}).then(with({}, {{"X-Team", "blue"}})), "ann");
  EXPECT_THAT(connections, ElementsAre("X-Team=blue;"));
}

TEST_F(HeadersTest, UsesTheDefaultConnectionWithoutHeaders) {
  call_as(with({"ann"}, {{"Authorization", "Bearer a"}}), "bob");
  EXPECT_THAT(connections, IsEmpty());
  EXPECT_EQ(backends[0]->calls.size(), 1U);
}

TEST_F(HeadersTest, CallsDoNotContainTheHeaderValues) {
  std::string seen;
  const auto spying =
      with({}, {{"Authorization", "Bearer secret"}}).then([&](Call& call) { seen = call.params.text(); });
  call_as(spying, "ann");
  EXPECT_EQ(seen, R"({"name":"t","arguments":{}})");
}

TEST_F(HeadersTest, MasksHeadersInTheShownConfiguration) {
  const auto loaded = read_text("chain:\n  - headers: {caller: ann, X-Odd: k1hunter, Authorization: k2hunter}\n");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(show_config(*loaded), AllOf(HasSubstr("ann"), HasSubstr("X-Odd"), Not(HasSubstr("hunter"))));
}

TEST_F(HeadersTest, DoesNotNotifyClosedSessions) {
  FakePeer peer;
  TaskScope tasks(io.get_executor(), log, "test");
  const auto service = with({}, {{"X-Team", "blue"}}).then(std::shared_ptr<Service>(pool));
  auto hook = service->on_session_open({.key = 9, .peer = peer, .tasks = tasks});
  auto call = tool_call("t");
  call.context.session_key = 9;
  text(service, std::move(call));
  ASSERT_EQ(backends.size(), 2U);
  EXPECT_EQ(backends[1]->session_count(), 1U);
  hook.reset();
  EXPECT_EQ(backends[0]->session_count() + backends[1]->session_count(), 0U);
}

TEST_F(HeadersTest, LimitsTheNumberOfHeaderSets) {
  std::vector<Chain> all;
  for (std::size_t i = 0; i < HeaderKeyedPool::max_entries + 5; ++i) {
    call_as(all.emplace_back(with({}, {{"X-Team", std::to_string(i)}})), "ann");
  }
  EXPECT_EQ(connections.size(), HeaderKeyedPool::max_entries);
  all.clear();
  EXPECT_THAT(call_as(with({}, {{"X-Team", "new"}}), "ann"), HasSubstr("arguments"));
  EXPECT_EQ(pool->states().size(), 2U);
}

TEST_F(HeadersTest, ForwardsNamedHeadersUnderTheirNewNames) {
  const auto service = forwarding({{"X-Team", "X-Team"}, {"X-Client-Key", "Authorization"}});
  call_as(service, "ann", call_with({{"x-team", "blue"}, {"Authorization", "mine"}, {"X-Client-Key", "Bearer k"}}));
  EXPECT_THAT(connections, ElementsAre("X-Team=blue;Authorization=Bearer k;"));
}

TEST_F(HeadersTest, UsesTheDefaultConnectionWithoutForwardedHeaders) {
  const auto service = forwarding({{"X-Team", "X-Team"}});
  EXPECT_EQ(call_as(service, "ann"), R"({"name":"t","arguments":{}})");
  call_as(service, "ann", call_with({{"X-Other", "1"}}));
  call_as(service, "ann", call_with({{"X-Team", ""}}));
  EXPECT_THAT(connections, IsEmpty());
  EXPECT_EQ(backends[0]->calls.size(), 3U);
}

TEST_F(HeadersTest, ForwardsForTheNamedCallersOnly) {
  const auto service = forwarding({{"X-Team", "X-Team"}}, {"ann"});
  call_as(service, "bob", call_with({{"X-Team", "blue"}}));
  EXPECT_THAT(connections, IsEmpty());
  call_as(service, "ann", call_with({{"X-Team", "blue"}}));
  EXPECT_THAT(connections, ElementsAre("X-Team=blue;"));
}

TEST_F(HeadersTest, ForwardedHeadersDoNotShareAConnectionOfTheChain) {
  const auto fixed = with({}, {{"X-Team", "blue"}});
  call_as(fixed, "ann");
  call_as(forwarding({{"X-Team", "X-Team"}}), "bob", call_with({{"X-Team", "blue"}}));
  EXPECT_EQ(connections.size(), 2U);
  call_as(with({}, {{"X-Other", "1"}}), "ann");
  connections.clear();
  call_as(fixed, "ann");
  EXPECT_THAT(connections, IsEmpty()) << "the connection of the chain is still there";
}

TEST_F(HeadersTest, DifferentHeadersNeverShareAConnection) {
  const auto service = forwarding({{"Authorization", "Authorization"}}).then(with({}, {{"X-Team", "blue"}}));
  for (const auto* key : {"of ann", "of bob", "of ann"}) call_as(service, "", call_with({{"Authorization", key}}));
  EXPECT_THAT(connections, ElementsAre("Authorization=of ann;X-Team=blue;", "Authorization=of bob;X-Team=blue;"));
  EXPECT_EQ(backends[1]->calls.size(), 2U);
  EXPECT_EQ(backends[2]->calls.size(), 1U);
}

TEST_F(HeadersTest, CallsDoNotContainForwardedValues) {
  std::string seen;
  const auto spying = forwarding({{"X-Key", "X-Key"}}).then([&](Call& call) { seen = call.params.text(); });
  EXPECT_EQ(call_as(spying, "ann", call_with({{"X-Key", "secret"}})), R"({"name":"t","arguments":{}})");
  EXPECT_EQ(seen, R"({"name":"t","arguments":{}})");
}

TEST_F(HeadersTest, ClosesUnusedForwardingConnections) {
  const auto service = forwarding({{"X-Key", "X-Key"}});
  call_as(service, "ann", call_with({{"X-Key", "one"}}));
  pass(HeaderKeyedPool::idle_timeout / 2);
  call_as(service, "ann", call_with({{"X-Key", "two"}}));
  EXPECT_EQ(pool->states().size(), 3U);
  pass(HeaderKeyedPool::idle_timeout / 2 + std::chrono::seconds{1});
  EXPECT_EQ(pool->states().size(), 2U) << "of the first";
  pass(HeaderKeyedPool::idle_timeout);
  EXPECT_EQ(pool->states().size(), 1U) << "of both";
  EXPECT_EQ(timers.armed(), 0U);
}

TEST_F(HeadersTest, EvictsTheLeastRecentlyUsedForwardingConnection) {
  const auto service = forwarding({{"X-Key", "X-Key"}});
  for (std::size_t i = 0; i < HeaderKeyedPool::max_entries + 5; ++i) {
    clock.advance(std::chrono::milliseconds{1});
    EXPECT_THAT(call_as(service, "", call_with({{"X-Key", "key " + std::to_string(i)}})), HasSubstr("arguments"));
  }
  EXPECT_EQ(pool->states().size(), HeaderKeyedPool::max_entries_per_caller + 1);
  connections.clear();
  call_as(service, "", call_with({{"X-Key", "key 100"}}));
  EXPECT_THAT(connections, IsEmpty()) << "it is still there";
  call_as(service, "", call_with({{"X-Key", "key 0"}}));
  EXPECT_EQ(connections.size(), 1U) << "it has gone";
}

TEST_F(HeadersTest, Finding_S15_LimitsTheConnectionsOfOneCaller) {
  const auto service = forwarding({{"X-Key", "X-Key"}}).then(std::shared_ptr<Service>(pool));
  FakePeer peer;
  TaskScope tasks(io.get_executor(), log, "test");
  auto hook = service->on_session_open({.key = 9, .principal = "ann", .peer = peer, .tasks = tasks});
  const auto call_with_key = [&](const std::string& caller, const std::string& key) {
    auto call = call_with({{"X-Key", key}});
    call.context.principal = caller;
    call.context.session_key = caller == "ann" ? 9 : 0;
    const auto answer = start(service, std::move(call));
    return *answer && !**answer ? client_error_text((*answer)->error()) : shown(answer);
  };
  for (std::size_t i = 0; i < HeaderKeyedPool::max_entries_per_caller; ++i) {
    ASSERT_THAT(call_with_key("ann", "key " + std::to_string(i)), HasSubstr("arguments"));
  }
  EXPECT_THAT(call_with_key("ann", "one more"), HasSubstr("which is the share of one caller"));
  EXPECT_THAT(call_with_key("bob", "another"), HasSubstr("arguments"));
  hook.reset();
  EXPECT_THAT(call_with_key("ann", "one more"), HasSubstr("arguments")) << "an unused connection of ann was closed";
  connections.clear();
  call_with_key("bob", "another");
  EXPECT_THAT(connections, IsEmpty()) << "and none of bob";
}

TEST_F(HeadersTest, KeepsConnectionsInUse) {
  const auto service = forwarding({{"X-Key", "X-Key"}}).then(std::shared_ptr<Service>(pool));
  FakePeer peer;
  TaskScope tasks(io.get_executor(), log, "test");
  auto hook = service->on_session_open({.key = 9, .peer = peer, .tasks = tasks});
  auto call = call_with({{"X-Key", "of nine"}});
  call.context.session_key = 9;
  text(service, std::move(call));
  for (std::size_t i = 0; i < HeaderKeyedPool::max_entries; ++i)
    text(service, call_with({{"X-Key", "key " + std::to_string(i)}}));
  EXPECT_EQ(backends[1]->session_count(), 1U);
  pass(HeaderKeyedPool::idle_timeout * 2);
  EXPECT_EQ(pool->states().size(), 2U);
  hook.reset();
  pass(HeaderKeyedPool::idle_timeout * 2);
  EXPECT_EQ(pool->states().size(), 1U);
}

TEST_F(HeadersTest, RefusesProtocolAndConnectionHeaders) {
  for (const auto* name : {"Host", "content-length", "Connection", "Transfer-Encoding", "Keep-Alive", "TE", "Upgrade",
                           "Proxy-Authorization", "Via", "Accept", "Content-Type", "Mcp-Session-Id",
                           "MCP-Protocol-Version", "Last-Event-ID", "Sec-WebSocket-Key", "traceparent", "X Y", ""}) {
    EXPECT_FALSE(headers({.forward = {{name, "X-Fine"}}})) << name;
    EXPECT_FALSE(headers({.forward = {{"X-Fine", name}}})) << name;
    EXPECT_FALSE(headers({.set = {{name, "x"}}})) << name;
  }
  EXPECT_THAT(complaint("headers", {{"forward", "Host"}}), HasSubstr("header 'Host' cannot be set here"));
  EXPECT_THAT(complaint("headers", {{"forward", "X-Key:"}}), HasSubstr("header '' cannot be set here"));
  EXPECT_EQ(complaint("headers", {{"forward", "X-Key:Authorization"}, {"forward", "X-Team"}}), "");
}

TEST_F(HeadersTest, ReportsTheHeadersThatItForwards) {
  EXPECT_THAT(forwarding({{"X-Key", "Authorization"}}).then(with({}, {{"X-Team", "blue"}})).wanted_headers(),
              ElementsAre("X-Key"));
}

TEST_F(HeadersTest, ShowsForwardedHeaderNames) {
  const auto loaded = read_text("chain:\n  - headers: {forward: [X-Team, \"X-Client-Key:Authorization\"]}\n");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(show_config(*loaded), AllOf(HasSubstr("X-Team"), HasSubstr("X-Client-Key:Authorization")));
}

TEST_F(HeadersTest, RefusesReservedHeaders) {
  EXPECT_FALSE(headers({.set = {{"Host", "x"}}}));
  EXPECT_FALSE(headers({.set = {{"MCP-Session-Id", "x"}}}));
  EXPECT_FALSE(headers({.set = {{"X Y", "x"}}}));
  EXPECT_FALSE(headers({.set = {{"X-Y", "a\r\nEvil: yes"}}}));
  EXPECT_THAT(complaint("headers", {{"caller", "ann"}}), HasSubstr("a header: is missing"));
  EXPECT_EQ(complaint("headers", {{"caller", "ann"}, {"caller", "bob"}, {"X-Team", "blue"}}), "");
}

/// A result cached with one client's credentials, requested by another client with the same name or none.
struct CredentialsTest : HeadersTest {
  void expect_apart(const Chain& chain) {
    const auto first = call_as(chain, "", call_with({{"X-Key", "of ann"}}));
    EXPECT_EQ(call_as(chain, "", call_with({{"X-Key", "of ann"}})), first);
    ASSERT_EQ(backends.size(), 2U);
    EXPECT_EQ(backends[1]->calls.size(), 1U) << "it is used again for the same credentials";
    call_as(chain, "", call_with({{"X-Key", "of bob"}}));
    call_as(chain, "", call_with({}));
    ASSERT_EQ(backends.size(), 3U);
    EXPECT_EQ(backends[2]->calls.size(), 1U);
    EXPECT_EQ(backends[0]->calls.size(), 1U);
  }
  Chain caching() { return step("cache", {{"", "60s"}, {"tool", "*"}}); }
};

TEST_F(CredentialsTest, Finding_S6_ACacheAfterHeadersSeparatesCredentials) {
  expect_apart(forwarding({{"X-Key", "Authorization"}}).then(caching()));
}

TEST_F(CredentialsTest, Finding_S6_ACacheBeforeHeadersSeparatesCredentials) {
  expect_apart(caching().then(forwarding({{"X-Key", "Authorization"}})));
}

TEST_F(CredentialsTest, Finding_S6_ACacheBetweenForwardingStepsSeparatesCredentials) {
  expect_apart(forwarding({{"X-Other", "X-Other"}}).then(caching()).then(forwarding({{"X-Key", "Authorization"}})));
}

TEST_F(CredentialsTest, Finding_S6_SeparatesPublicResultsToo) {
  const auto service = caching().then(forwarding({{"X-Key", "Authorization"}}));
  result = R"({"ttlMs":60000,"cacheScope":"public"})";
  call_as(service, "", call_with({{"X-Key", "of ann"}}));
  call_as(service, "", call_with({{"X-Key", "of bob"}}));
  EXPECT_EQ(connections.size(), 2U);
}

TEST_F(CredentialsTest, Finding_S6_SeparatesResultsOfACallerWithItsOwnHeaders) {
  result = R"({"ttlMs":60000,"cacheScope":"public"})";
  const auto service = with({"ann"}, {{"Authorization", "of ann"}}).then(with({}, {{"X-All", "1"}})).then(caching());
  for (const auto* who : {"ann", "bob", "carl"}) call_as(service, who);
  ASSERT_EQ(backends.size(), 3U);
  EXPECT_EQ(backends[1]->calls.size(), 1U) << "with the credentials of ann, for ann";
  EXPECT_EQ(backends[2]->calls.size(), 1U) << "without credentials, for all other callers";
}

TEST_F(CredentialsTest, Finding_S6_IgnoresTraceHeaders) {
  const auto service = caching().then(forwarding({{"X-Key", "Authorization"}}));
  for (const auto* trace : {"00-1", "00-2"}) call_as(service, "", call_with({{"X-Key", "k"}, {"traceparent", trace}}));
  ASSERT_EQ(backends.size(), 2U);
  EXPECT_EQ(backends[1]->calls.size(), 1U);
}

}  // namespace
}  // namespace fairlead::gateway::test::middleware_headers_test
