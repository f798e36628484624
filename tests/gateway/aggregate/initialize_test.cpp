#include "gateway/fixtures/aggregator_fixture.hpp"

namespace fairlead::gateway::test::initialize_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct InitializeTest : AggregatorTest {
  std::string initialize(std::string_view revision, std::string method) {
    Call call{.method = std::move(method), .params = json::Payload::trusted("{}")};
    call.context.revision = protocol::find_revision(revision);
    std::string body = "no answer";
    async_start(loop_, aggregator().call(call), [&](const std::exception_ptr&, const Result<Reply>& reply) {
      body = reply ? std::string(reply->body.text()) : reply.error().message;
    });
    poll();
    return body;
  }
};

TEST_F(InitializeTest, Finding_P1_OffersTheTasksOfTheClientsEra) {
  auto& offered = add("only").description.capabilities;
  offered.tasks = json::Payload::trusted(R"({"list":{}})");
  offered.extensions = {{{"io.modelcontextprotocol/tasks", json::Payload::trusted("{}")},
                         {"io.modelcontextprotocol/skills", json::Payload::trusted("{}")}}};
  const auto modern = initialize("2026-07-28", "server/discover");
  EXPECT_THAT(modern, AllOf(Not(HasSubstr(R"("tasks":)")), HasSubstr("io.modelcontextprotocol/tasks"),
                            HasSubstr("io.modelcontextprotocol/skills")));
  const auto legacy = initialize("2025-11-25", "initialize");
  EXPECT_THAT(legacy, AllOf(HasSubstr(R"("tasks":{"list":{}})"), Not(HasSubstr("io.modelcontextprotocol/tasks"))));
}

TEST_F(InitializeTest, ASingleServerHasItsOwnName) {
  options_.info = {.name = "gateway"};
  add("only").description.info.name = "itself";
  EXPECT_EQ(aggregator().server_info(), nullptr);
  EXPECT_THAT(initialize("2025-11-25", "initialize"), HasSubstr(R"("name":"itself")"));
  ASSERT_NE(aggregator().server_info(), nullptr);
  EXPECT_EQ(aggregator().server_info()->name, "itself");
}

TEST_F(InitializeTest, SeveralServersHaveTheNameOfTheGateway) {
  options_.info = {.name = "gateway"};
  add("one").tools({"a"}).description.info.name = "one";
  add("two").tools({"b"}).description.info.name = "two";
  EXPECT_THAT(initialize("2025-11-25", "initialize"), HasSubstr(R"("name":"gateway")"));
}

}  // namespace
}  // namespace fairlead::gateway::test::initialize_test
