#include <fairlead/gateway/registry.hpp>

#include "gateway/fixtures/chain_fixture.hpp"

namespace fairlead::gateway::test::registry_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

struct RegistryTest : ChainTest {
  Registry registry = Registry::standard();

  std::string complaint(std::string_view name, ArgumentList arguments) {
    const auto made = registry.make(name, std::move(arguments), loop.loop());
    return made ? "" : made.error().message;
  }
};

TEST_F(RegistryTest, MakesRegisteredMiddleware) {
  EXPECT_EQ(complaint("timeout", {{"", "30s"}}), "");
  EXPECT_EQ(complaint("timeout", {{"", "30s"}, {"", "5m"}}), "");
  EXPECT_EQ(complaint("timeout", {{"max_time", "5m"}, {"", "30s"}}), "");
  EXPECT_EQ(complaint("timeout", {{"max_time", "5m"}}), "");
}

TEST_F(RegistryTest, SuggestsTheClosestName) {
  EXPECT_THAT(complaint("timout", {}),
              HasSubstr("unknown middleware 'timout'; did you mean 'timeout(30s, max_time=5m)'?"));
  EXPECT_THAT(complaint("zzzzzz", {}), HasSubstr("available: allow, "));
}

TEST_F(RegistryTest, NamesTheInvalidArgumentAndShowsTheUsage) {
  EXPECT_THAT(complaint("timeout", {{"", "soon"}}),
              AllOf(StartsWith("timeout: idle: expected a duration such as 30s, 500ms or 2m, got 'soon'"),
                    EndsWith("; for example: timeout(30s, max_time=5m)")));
  EXPECT_THAT(complaint("timeout", {}), HasSubstr("idle: is missing"));
  EXPECT_THAT(complaint("timeout", {{"idel", "1s"}, {"", "2s"}}),
              HasSubstr("unknown argument 'idel'; did you mean 'idle'?"));
  EXPECT_THAT(complaint("timeout", {{"idle", "1s"}, {"idle", "2s"}}), HasSubstr("idle: is given twice"));
  EXPECT_THAT(complaint("timeout", {{"", "1s"}, {"", "2s"}, {"", "3s"}}), HasSubstr("unexpected argument '3s'"));
  EXPECT_THAT(complaint("timeout", {{"", "2m"}, {"max_time", "1m"}}), HasSubstr("max_time: is shorter than idle"));
}

TEST_F(RegistryTest, AcceptsCustomMiddleware) {
  struct Refuse final : Middleware {
    explicit Refuse(std::string with) : text(std::move(with)) {}
    Task<Result<Reply>> call(Call&, Service&) override { co_return refuse(text); }
    std::string text;
  };
  registry.add("refuse", {.usage = "refuse(\"text\")",
                          .summary = "Says no.",
                          .make = [](MiddlewareArguments& arguments, EventLoop) -> Result<std::unique_ptr<Middleware>> {
                            auto value = arguments.text("text");
                            if (!value) arguments.report_missing("text");
                            return std::make_unique<Refuse>(value.value_or(""));
                          }});
  auto made = registry.make("refuse", {{"text", "never"}}, loop.loop());
  ASSERT_TRUE(made);
  EXPECT_EQ(text(*chain().then(std::move(*made)).then(server), call_of("ping")), "!never");
  EXPECT_THAT(complaint("refuse", {}), HasSubstr(R"(text: is missing; for example: refuse("text"))"));
}

TEST(MiddlewareArguments, ReadsNumbersFlagsAndLists) {
  MiddlewareArguments given("limit", "limit(10)",
                            {{"", "10"}, {"burst", "yes"}, {"tool", "a*"}, {"", "b"}, {"tool", "c"}});
  EXPECT_EQ(given.number("rate", 1, 100), 10);
  EXPECT_EQ(given.flag("burst"), true);
  EXPECT_THAT(given.texts("tool"), ElementsAre("a*", "b", "c"));
  EXPECT_THAT(given.texts("tool"), IsEmpty());
  EXPECT_EQ(given.text("absent"), std::nullopt);
  EXPECT_TRUE(given.finish());
}

TEST(MiddlewareArguments, ReportsTheFirstError) {
  MiddlewareArguments given("limit", "limit(10)", {{"", "0"}, {"burst", "maybe"}});
  EXPECT_EQ(given.number("rate", 1, 100), std::nullopt);
  EXPECT_EQ(given.flag("burst"), std::nullopt);
  EXPECT_EQ(given.finish().error().message,
            "limit: rate: expected an integer from 1 to 100, got '0'; for example: limit(10)");
}

}  // namespace
}  // namespace fairlead::gateway::test::registry_test
