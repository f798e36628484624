#include <fairlead/gateway/chain.hpp>

#include "gateway/fixtures/chain_fixture.hpp"

namespace fairlead::gateway::test::chain_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Records requests and their replies.
struct Mark final : Middleware {
  Mark(std::string with, std::vector<std::string>& where) : name(std::move(with)), seen(&where) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    seen->push_back(name + " in");
    auto answer = co_await next.call(call);
    seen->push_back(name + " out");
    co_return answer;
  }

  std::string name;
  std::vector<std::string>* seen;
};

struct ChainBuilder : ChainTest {
  std::vector<std::string> seen;
  Mark mark(std::string name) { return {std::move(name), seen}; }
};

TEST_F(ChainBuilder, FirstMiddlewareIsOutermost) {
  const auto whole = chain().then(mark("a")).then(mark("b")).then(mark("c")).then(server);
  EXPECT_EQ(text(*whole, call_of("tools/list")), "{}");
  EXPECT_THAT(seen, ElementsAre("a in", "b in", "c in", "c out", "b out", "a out"));
  EXPECT_THAT(server.calls, ElementsAre("tools/list {}"));
}

TEST_F(ChainBuilder, IsImmutableAndReusable) {
  const auto base = chain().then(mark("base"));
  const auto left = base.then(mark("left")).then(server);
  const auto right = base.then(mark("right")).then(server);
  const auto bare = base.then(server);
  text(*left, call_of("ping"));
  text(*right, call_of("ping"));
  text(*bare, call_of("ping"));
  EXPECT_THAT(seen, ElementsAre("base in", "left in", "left out", "base out",    //
                                "base in", "right in", "right out", "base out",  //
                                "base in", "base out"));
}

TEST_F(ChainBuilder, SharesMiddlewareBetweenChains) {
  struct Counter final : Middleware {
    Task<Result<Reply>> call(Call& call, Service& next) override {
      ++calls;
      return next.call(call);
    }
    int calls = 0;
  };
  const auto counter = std::make_shared<Counter>();
  Echo other;
  const auto one = chain().then(counter).then(server);
  const auto two = chain().then(counter).then(other);
  text(*one, call_of("ping"));
  text(*two, call_of("ping"));
  EXPECT_EQ(counter->calls, 2);
  EXPECT_EQ(server.calls.size(), 1u);
  EXPECT_EQ(other.calls.size(), 1u);
}

TEST_F(ChainBuilder, AppendsAnotherChain) {
  const auto checks = chain().then(mark("a")).then(mark("b"));
  const auto whole = chain().then(mark("first")).then(checks).then(server);
  text(*whole, call_of("ping"));
  EXPECT_THAT(seen, ElementsAre("first in", "a in", "b in", "b out", "a out", "first out"));
}

TEST_F(ChainBuilder, AChainWithAServerIsAServerForAnother) {
  const auto inner = chain().then(mark("inner")).then(server);
  const auto outer = chain().then(mark("outer")).then(inner);
  EXPECT_EQ(text(*outer, call_of("ping")), "{}");
  EXPECT_THAT(seen, ElementsAre("outer in", "inner in", "inner out", "outer out"));
}

TEST_F(ChainBuilder, AcceptsMiddlewareAndServersByAnyPointer) {
  std::unique_ptr<Middleware> unique = std::make_unique<Mark>("unique", seen);
  auto own = std::make_unique<Echo>();
  const auto whole = chain().then(std::move(unique)).then(std::make_shared<Mark>("shared", seen)).then(std::move(own));
  EXPECT_EQ(text(*whole, call_of("ping", "[1]")), "[1]");
  EXPECT_THAT(seen, ElementsAre("unique in", "shared in", "shared out", "unique out"));
}

TEST_F(ChainBuilder, ReportsAMissingServer) {
  const auto open = chain().then(mark("a")).as_service();
  for (const auto* method : {"initialize", "tools/list", "tools/call", "com.example/own"}) {
    const auto answer = send_request(*open, call_of(method));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, -32603);
    EXPECT_THAT(answer.error().message, HasSubstr("no server at the end of this chain: "));
  }
}

TEST_F(ChainBuilder, MiddlewareCanAnswerWithoutAServer) {
  const auto open = chain().then([](Service&, Call&) -> Task<Result<Reply>> { co_return reply("[]"); }).as_service();
  EXPECT_EQ(text(*open, tool_call("x")), "[]");
}

TEST_F(ChainBuilder, AnEmptyChainReturnsItsServer) {
  EXPECT_EQ(text(*chain().then(server), call_of("ping", "[7]")), "[7]");
  EXPECT_EQ(chain().then(server).get(), &server);
}

template <class... Step>
constexpr bool can_be_added = requires(const Chain& chain, Step... step) { chain.then(step...); };

template <class T>
constexpr bool can_go_on = requires(T ended, Service& server) { ended->then(server); };

TEST(ChainTypes, RejectsInvalidArgumentsAtCompileTime) {
  struct Unrelated {};
  const auto plain = [](Call&) {};
  static_assert(can_be_added<decltype(plain)>);
  static_assert(!can_be_added<Unrelated>);
  static_assert(!can_be_added<std::nullptr_t>);
  static_assert(!can_be_added<std::nullptr_t, std::nullptr_t>);
  static_assert(!can_be_added<decltype(plain), decltype(plain)>, "a request transformer is none of metadata");
  static_assert(!can_be_added<std::nullptr_t, decltype(plain), decltype(plain)>);
  static_assert(!can_go_on<std::shared_ptr<Service>>, "nothing comes after a server");
}

}  // namespace
}  // namespace fairlead::gateway::test::chain_test
