#include <fairlead/gateway/headers.hpp>

#include "gateway/config/show.hpp"
#include "gateway/config_reading.hpp"
#include "gateway/merge_fixture.hpp"
#include "gateway/upstream/header_sets.hpp"
#include "gateway/upstream/wardrobe.hpp"
#include "gateway/virtual_fixture.hpp"

namespace fairlead::gateway::test::middleware_headers_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A server at the end of a chain, and every way to it that was made.
struct HeadersTest : VirtualTest {
  std::shared_ptr<HeaderSets> sets = std::make_shared<HeaderSets>();
  std::vector<std::shared_ptr<FakeMember>> members;
  std::vector<std::string> dresses;
  std::shared_ptr<Wardrobe> wardrobe =
      std::make_shared<Wardrobe>(loop(), sets, way(), [this](const HeaderSets::Headers& headers) {
        std::string all;
        for (const auto& [name, value] : headers) all += name + "=" + value + ";";
        dresses.push_back(all);
        return way();
      });

  WayToServer way() {
    auto member = members.emplace_back(std::make_shared<FakeMember>(io, "web"));
    const auto echoed = [](const std::string& params) { return Result<std::string>(params); };
    member->answers("tools/call", echoed).answers("tools/list", echoed);
    return {.member = member, .stop = [] { return nothing(); }, .states = [] { return std::vector<UpstreamState>(1); }};
  }
  static Task<void> nothing() { co_return; }

  Chain with(std::vector<std::string> who, std::vector<std::pair<std::string, std::string>> set) {
    auto made = headers({.who = std::move(who), .set = std::move(set)}, sets);
    EXPECT_TRUE(made) << made.error().message;
    return chain().then(std::shared_ptr<Middleware>(std::move(*made)));
  }
  Chain forwarding(std::vector<std::pair<std::string, std::string>> forward, std::vector<std::string> who = {}) {
    auto made = headers({.who = std::move(who), .forward = std::move(forward)}, sets);
    EXPECT_TRUE(made) << made.error().message;
    return chain().then(std::shared_ptr<Middleware>(std::move(*made)));
  }
  static Call call_with(jsonrpc::Luggage brought) {
    auto call = tool_call("t");
    call.context.luggage = std::make_shared<const jsonrpc::Luggage>(std::move(brought));
    return call;
  }
  std::string ask_as(const Chain& chain, std::string caller, Call call = tool_call("t")) {
    call.context.principal = std::move(caller);
    return text(chain.then(std::shared_ptr<Service>(wardrobe)), std::move(call));
  }
};

TEST_F(HeadersTest, EachSetOfHeadersHasAWayOfItsOwn) {
  const auto both = with({"ann"}, {{"Authorization", "Bearer a"}}).then(with({}, {{"X-Team", "blue"}}));
  ask_as(both, "ann");
  ask_as(both, "bob");
  ask_as(both, "ann");
  EXPECT_THAT(dresses, ElementsAre("Authorization=Bearer a;X-Team=blue;", "X-Team=blue;"));
  EXPECT_EQ(members[0]->calls.size(), 0U);
  EXPECT_EQ(members[1]->calls.size(), 2U);
  EXPECT_EQ(wardrobe->states().size(), 3U);
}

TEST_F(HeadersTest, TheSameHeadersAfterAReloadHaveTheSameWay) {
  ask_as(with({}, {{"X-Team", "blue"}}), "ann");
  ask_as(with({}, {{"X-Team", "blue"}}), "ann");
  EXPECT_EQ(dresses.size(), 1U);
}

TEST_F(HeadersTest, TheServerSeesNothingOfItInTheRequest) {
  EXPECT_EQ(ask_as(with({}, {{"X-Team", "blue"}}), "ann"), R"({"name":"t","arguments":{}})");
  EXPECT_EQ(ask_as(with({}, {{"X-Team", "blue"}}), "ann", call_of("tools/call", R"({"name":"t","_meta":{"a":1.0}})")),
            R"({"name":"t","_meta":{"a":1.0}})");
}

TEST_F(HeadersTest, OneOfTheSameNameReplacesTheOther) {
  ask_as(with({}, {{"x-team", "red"}}).then(with({}, {{"X-Team", "blue"}})), "ann");
  EXPECT_THAT(dresses, ElementsAre("X-Team=blue;"));
}

TEST_F(HeadersTest, WithoutAHeaderTheServerIsAskedAsItAlwaysIs) {
  ask_as(with({"ann"}, {{"Authorization", "Bearer a"}}), "bob");
  EXPECT_THAT(dresses, IsEmpty());
  EXPECT_EQ(members[0]->calls.size(), 1U);
}

TEST_F(HeadersTest, WhatAClientSaysOfHeadersMeansNothing) {
  for (const auto* said : {R"(["x","y"])", R"(["x",{"Authorization":"stolen"}])", R"({"Authorization":"stolen"})"}) {
    const auto forged = std::string(R"({"name":"t","_meta":{"fairlead/headers":)") + said + "}}";
    for (const auto& each : {chain(), with({"ann"}, {{"Authorization", "Bearer a"}})}) {
      EXPECT_EQ(ask_as(each, "bob", call_of("tools/call", forged)), R"({"name":"t"})");
    }
  }
  EXPECT_THAT(dresses, IsEmpty());
}

TEST_F(HeadersTest, SecretsAreNotInTheCallOnItsWay) {
  std::string seen;
  const auto spying =
      with({}, {{"Authorization", "Bearer secret"}}).then([&](Call& call) { seen = call.params.text(); });
  ask_as(spying, "ann");
  EXPECT_THAT(seen, HasSubstr("fairlead/headers"));
  EXPECT_THAT(seen, Not(HasSubstr("secret")));
}

TEST_F(HeadersTest, TheConfigurationIsShownWithoutThem) {
  const auto loaded = read_text("chain:\n  - headers: {who: ann, X-Odd: k1hunter, Authorization: k2hunter}\n");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(show_config(*loaded), AllOf(HasSubstr("ann"), HasSubstr("X-Odd"), Not(HasSubstr("hunter"))));
}

TEST_F(HeadersTest, WhoeverIsGoneIsToldNothingByAnyWay) {
  FakePeer peer;
  TaskScope tasks(io.get_executor(), log, "test");
  const auto service = with({}, {{"X-Team", "blue"}}).then(std::shared_ptr<Service>(wardrobe));
  auto attendance = service->attend({.key = 9, .peer = peer, .executor = io.get_executor(), .tasks = tasks});
  auto call = tool_call("t");
  call.context.conversation = 9;
  text(service, std::move(call));
  ASSERT_EQ(members.size(), 2U);
  EXPECT_EQ(members[1]->attended(), 1U);
  attendance.reset();
  EXPECT_EQ(members[0]->attended() + members[1]->attended(), 0U);
}

TEST_F(HeadersTest, ManySetsHaveAnEnd) {
  std::vector<Chain> all;
  for (std::size_t i = 0; i < Wardrobe::most + 5; ++i) {
    ask_as(all.emplace_back(with({}, {{"X-Team", std::to_string(i)}})), "ann");
  }
  EXPECT_EQ(dresses.size(), Wardrobe::most);
  all.clear();
  EXPECT_THAT(ask_as(with({}, {{"X-Team", "new"}}), "ann"), HasSubstr("arguments"));
  EXPECT_EQ(wardrobe->states().size(), 2U);
}

TEST_F(HeadersTest, OfWhatAClientSendsOnlyWhatIsNamedGoesOnAndUnderTheNameItIsGiven) {
  const auto service = forwarding({{"X-Team", "X-Team"}, {"X-Client-Key", "Authorization"}});
  ask_as(service, "ann", call_with({{"x-team", "blue"}, {"Authorization", "mine"}, {"X-Client-Key", "Bearer k"}}));
  EXPECT_THAT(dresses, ElementsAre("X-Team=blue;Authorization=Bearer k;"));
}

TEST_F(HeadersTest, WhoBringsNothingIsAskedForAsAlways) {
  const auto service = forwarding({{"X-Team", "X-Team"}});
  EXPECT_EQ(ask_as(service, "ann"), R"({"name":"t","arguments":{}})");
  ask_as(service, "ann", call_with({{"X-Other", "1"}}));
  ask_as(service, "ann", call_with({{"X-Team", ""}}));
  EXPECT_THAT(dresses, IsEmpty());
  EXPECT_EQ(members[0]->calls.size(), 3U);
}

TEST_F(HeadersTest, ForwardingIsForThoseItNames) {
  const auto service = forwarding({{"X-Team", "X-Team"}}, {"ann"});
  ask_as(service, "bob", call_with({{"X-Team", "blue"}}));
  EXPECT_THAT(dresses, IsEmpty());
  ask_as(service, "ann", call_with({{"X-Team", "blue"}}));
  EXPECT_THAT(dresses, ElementsAre("X-Team=blue;"));
}

TEST_F(HeadersTest, CallersWithDifferentHeadersNeverShareAWay) {
  const auto service = forwarding({{"Authorization", "Authorization"}}).then(with({}, {{"X-Team", "blue"}}));
  for (const auto* key : {"of ann", "of bob", "of ann"}) ask_as(service, "", call_with({{"Authorization", key}}));
  EXPECT_THAT(dresses, ElementsAre("Authorization=of ann;X-Team=blue;", "Authorization=of bob;X-Team=blue;"));
  EXPECT_EQ(members[1]->calls.size(), 2U);
  EXPECT_EQ(members[2]->calls.size(), 1U);
}

TEST_F(HeadersTest, WhatAClientBroughtIsNotInTheCallOnItsWay) {
  std::string seen;
  const auto spying = forwarding({{"X-Key", "X-Key"}}).then([&](Call& call) { seen = call.params.text(); });
  EXPECT_EQ(ask_as(spying, "ann", call_with({{"X-Key", "secret"}})), R"({"name":"t","arguments":{}})");
  EXPECT_THAT(seen, AllOf(HasSubstr("fairlead/headers"), Not(HasSubstr("secret"))));
}

TEST_F(HeadersTest, AWayForWhatAClientBroughtGoesWhenNobodyUsesIt) {
  const auto service = forwarding({{"X-Key", "X-Key"}});
  ask_as(service, "ann", call_with({{"X-Key", "one"}}));
  pass(Wardrobe::keeps_unused / 2);
  ask_as(service, "ann", call_with({{"X-Key", "two"}}));
  EXPECT_EQ(wardrobe->states().size(), 3U);
  pass(Wardrobe::keeps_unused / 2 + std::chrono::seconds{1});
  EXPECT_EQ(wardrobe->states().size(), 2U) << "of the first";
  pass(Wardrobe::keeps_unused);
  EXPECT_EQ(wardrobe->states().size(), 1U) << "of both";
  EXPECT_EQ(timers.armed(), 0U);
}

TEST_F(HeadersTest, OfManyThatBringSomethingTheLongestUnusedMakesRoom) {
  const auto service = forwarding({{"X-Key", "X-Key"}});
  for (std::size_t i = 0; i < Wardrobe::most + 5; ++i) {
    clock.advance(std::chrono::milliseconds{1});
    EXPECT_THAT(ask_as(service, "", call_with({{"X-Key", "key " + std::to_string(i)}})), HasSubstr("arguments"));
  }
  EXPECT_EQ(wardrobe->states().size(), Wardrobe::most_of_a_caller + 1);
  dresses.clear();
  ask_as(service, "", call_with({{"X-Key", "key 100"}}));
  EXPECT_THAT(dresses, IsEmpty()) << "it is still there";
  ask_as(service, "", call_with({{"X-Key", "key 0"}}));
  EXPECT_EQ(dresses.size(), 1U) << "it has gone";
}

TEST_F(HeadersTest, Finding_S15_OneCallerTakesNoMoreThanItsShareOfTheWays) {
  const auto service = forwarding({{"X-Key", "X-Key"}}).then(std::shared_ptr<Service>(wardrobe));
  FakePeer peer;
  TaskScope tasks(io.get_executor(), log, "test");
  auto attendance =
      service->attend({.key = 9, .principal = "ann", .peer = peer, .executor = io.get_executor(), .tasks = tasks});
  const auto ask_with = [&](const std::string& caller, const std::string& key) {
    auto call = call_with({{"X-Key", key}});
    call.context.principal = caller;
    call.context.conversation = caller == "ann" ? 9 : 0;
    return text(service, std::move(call));
  };
  for (std::size_t i = 0; i < Wardrobe::most_of_a_caller; ++i) {
    ASSERT_THAT(ask_with("ann", "key " + std::to_string(i)), HasSubstr("arguments"));
  }
  EXPECT_THAT(ask_with("ann", "one more"), HasSubstr("which is the share of one caller"));
  EXPECT_THAT(ask_with("bob", "his own"), HasSubstr("arguments"));
  attendance.reset();
  EXPECT_THAT(ask_with("ann", "one more"), HasSubstr("arguments")) << "an unused one of hers has made room";
  dresses.clear();
  ask_with("bob", "his own");
  EXPECT_THAT(dresses, IsEmpty()) << "and none of his";
}

TEST_F(HeadersTest, AWayInUseMakesNoRoom) {
  const auto service = forwarding({{"X-Key", "X-Key"}}).then(std::shared_ptr<Service>(wardrobe));
  FakePeer peer;
  TaskScope tasks(io.get_executor(), log, "test");
  auto attendance = service->attend({.key = 9, .peer = peer, .executor = io.get_executor(), .tasks = tasks});
  auto call = call_with({{"X-Key", "of nine"}});
  call.context.conversation = 9;
  text(service, std::move(call));
  for (std::size_t i = 0; i < Wardrobe::most; ++i) text(service, call_with({{"X-Key", "key " + std::to_string(i)}}));
  EXPECT_EQ(members[1]->attended(), 1U);
  pass(Wardrobe::keeps_unused * 2);
  EXPECT_EQ(wardrobe->states().size(), 2U);
  attendance.reset();
  pass(Wardrobe::keeps_unused * 2);
  EXPECT_EQ(wardrobe->states().size(), 1U);
}

TEST_F(HeadersTest, HeadersOfTheProtocolsAndOfOneConnectionAreNotForwarded) {
  for (const auto* name : {"Host", "content-length", "Connection", "Transfer-Encoding", "Keep-Alive", "TE", "Upgrade",
                           "Proxy-Authorization", "Via", "Accept", "Content-Type", "Mcp-Session-Id",
                           "MCP-Protocol-Version", "Last-Event-ID", "Sec-WebSocket-Key", "traceparent", "X Y", ""}) {
    EXPECT_FALSE(headers({.forward = {{name, "X-Fine"}}}, sets)) << name;
    EXPECT_FALSE(headers({.forward = {{"X-Fine", name}}}, sets)) << name;
    EXPECT_FALSE(headers({.set = {{name, "x"}}}, sets)) << name;
  }
  EXPECT_THAT(complaint("headers", {{"forward", "Host"}}), HasSubstr("'Host' is no header that can be set here"));
  EXPECT_THAT(complaint("headers", {{"forward", "X-Key:"}}), HasSubstr("'' is no header"));
  EXPECT_EQ(complaint("headers", {{"forward", "X-Key:Authorization"}, {"forward", "X-Team"}}), "");
}

TEST_F(HeadersTest, AChainSaysWhatItWantsToSee) {
  EXPECT_THAT(forwarding({{"X-Key", "Authorization"}}).then(with({}, {{"X-Team", "blue"}})).wanted_headers(),
              ElementsAre("X-Key"));
}

TEST_F(HeadersTest, WhatIsForwardedIsShown) {
  const auto loaded = read_text("chain:\n  - headers: {forward: [X-Team, \"X-Client-Key:Authorization\"]}\n");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(show_config(*loaded), AllOf(HasSubstr("X-Team"), HasSubstr("X-Client-Key:Authorization")));
}

TEST_F(HeadersTest, SomeHeadersAreNotForScripts) {
  EXPECT_FALSE(headers({.set = {{"Host", "x"}}}, sets));
  EXPECT_FALSE(headers({.set = {{"MCP-Session-Id", "x"}}}, sets));
  EXPECT_FALSE(headers({.set = {{"X Y", "x"}}}, sets));
  EXPECT_FALSE(headers({.set = {{"X-Y", "a\r\nEvil: yes"}}}, sets));
  EXPECT_THAT(complaint("headers", {{"who", "ann"}}), HasSubstr("a header: is missing"));
  EXPECT_EQ(complaint("headers", {{"who", "ann"}, {"who", "bob"}, {"X-Team", "blue"}}), "");
}

/// A result that was made with one client's credentials, asked for by another with the same name, or with none.
struct CredentialsTest : HeadersTest {
  void expect_apart(const Chain& chain) {
    const auto first = ask_as(chain, "", call_with({{"X-Key", "of ann"}}));
    EXPECT_EQ(ask_as(chain, "", call_with({{"X-Key", "of ann"}})), first);
    ASSERT_EQ(members.size(), 2U);
    EXPECT_EQ(members[1]->calls.size(), 1U) << "it is used again for the same credentials";
    ask_as(chain, "", call_with({{"X-Key", "of bob"}}));
    ask_as(chain, "", call_with({}));
    ASSERT_EQ(members.size(), 3U);
    EXPECT_EQ(members[2]->calls.size(), 1U);
    EXPECT_EQ(members[0]->calls.size(), 1U);
  }
  Chain caching() { return step("cache", {{"", "60s"}, {"tool", "*"}}); }
};

TEST_F(CredentialsTest, Finding_S6_ACacheBehindTheHeadersKeepsThemApart) {
  expect_apart(forwarding({{"X-Key", "Authorization"}}).then(caching()));
}

TEST_F(CredentialsTest, Finding_S6_ACacheBeforeTheHeadersKeepsThemApart) {
  expect_apart(caching().then(forwarding({{"X-Key", "Authorization"}})));
}

TEST_F(CredentialsTest, Finding_S6_ACacheBetweenTwoThatForwardKeepsThemApart) {
  expect_apart(forwarding({{"X-Other", "X-Other"}}).then(caching()).then(forwarding({{"X-Key", "Authorization"}})));
}

TEST_F(CredentialsTest, Finding_S6_AlsoWhatAServerCallsPublic) {
  const auto service = caching().then(forwarding({{"X-Key", "Authorization"}}));
  for (const auto& member : members) member->answers("tools/call", R"({"ttlMs":60000,"cacheScope":"public"})");
  ask_as(service, "", call_with({{"X-Key", "of ann"}}));
  ask_as(service, "", call_with({{"X-Key", "of bob"}}));
  EXPECT_EQ(dresses.size(), 2U);
}

TEST_F(CredentialsTest, Finding_S6_ATraceOfItsOwnMakesNoDifference) {
  const auto service = caching().then(forwarding({{"X-Key", "Authorization"}}));
  for (const auto* trace : {"00-1", "00-2"}) ask_as(service, "", call_with({{"X-Key", "k"}, {"traceparent", trace}}));
  ASSERT_EQ(members.size(), 2U);
  EXPECT_EQ(members[1]->calls.size(), 1U);
}

}  // namespace
}  // namespace fairlead::gateway::test::middleware_headers_test
