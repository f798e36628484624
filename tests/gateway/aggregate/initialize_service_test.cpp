#include "gateway/aggregate/initialize_service.hpp"

#include "gateway/fixtures/manual_loop.hpp"

namespace fairlead::gateway::test::initialize_service_test {
namespace {

using session::Call;
using session::Reply;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct Silent final : session::Service {
  Task<Result<Reply>> call(Call&) override { co_return Reply{}; }
  Task<void> notify(session::Notification&) override { co_return; }
};

Task<Result<client::ServerDescription>> described() {
  client::ServerDescription server;
  server.capabilities.tasks = json::Payload::trusted(R"({"list":{}})");
  server.capabilities.extensions = {{{"io.modelcontextprotocol/tasks", json::Payload::trusted("{}")},
                                     {"io.modelcontextprotocol/skills", json::Payload::trusted("{}")}}};
  co_return server;
}

Task<Result<Reply>> asking(InitializeService* introduction, Call call) {
  co_return co_await introduction->call(call);
}

TEST(InitializeServiceTest, Finding_P1_OffersNoTasksThatCannotBeFetched) {
  ManualLoop manual;
  Silent silent;
  InitializeService introduction([](const Call&) { return described(); }, silent);
  const auto send_request = [&](std::string_view revision, const std::string& method) {
    const auto answer = manual.start(asking(&introduction, call_in(revision, method)));
    return std::string((**answer->value).body.text());
  };
  const auto modern = send_request("2026-07-28", "server/discover");
  EXPECT_THAT(modern, AllOf(Not(HasSubstr("tasks")), HasSubstr("io.modelcontextprotocol/skills")));
  const auto legacy = send_request("2025-11-25", "initialize");
  EXPECT_THAT(legacy, AllOf(HasSubstr(R"("tasks":{"list":{}})"), Not(HasSubstr("io.modelcontextprotocol/tasks"))));
}

}  // namespace
}  // namespace fairlead::gateway::test::initialize_service_test
