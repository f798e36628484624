#include "gateway/fixtures/recorded_session.hpp"

namespace fairlead::gateway::record_session_test {
namespace {

using test::InProcessGateway;
using test::RecordedSession;
using test::RecordPath;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Revisions on both sides of the recorder.
struct RecordedCell {
  std::string client;
  std::string server;
};

void PrintTo(const RecordedCell& cell, std::ostream* out) {
  *out << "a client of " << cell.client << " and a server of " << cell.server;
}

std::string recorded_cell_name(const testing::TestParamInfo<RecordedCell>& info) {
  auto name = "Client" + info.param.client + "Server" + info.param.server;
  std::erase(name, '-');
  return name;
}

struct RecordedErasTest : testing::TestWithParam<RecordedCell> {
  RecordPath path{"session.mcpl"};
  RecordedSession session;

  std::vector<std::string> record_it() { return session.record_to(path.text(), GetParam().client, GetParam().server); }
};

TEST_P(RecordedErasTest, ReplayedServerRepliesAsRecorded) {
  const auto then = record_it();
  // An empty server: a call that reached it would fail.
  server::Server other("other", "1.0");
  InProcessGateway rig(other, GetParam().server);
  auto replayed = replay({.path = path.text()}, rig.loop().loop());
  ASSERT_TRUE(replayed) << replayed.error().message;

  const auto now = session.run(rig, GetParam().client, chain().then(std::shared_ptr<Middleware>(std::move(*replayed))));

  auto hidden = then;
  for (auto& each : hidden) {
    if (each.starts_with("login: ")) each = "login: welcome, token is [redacted]";
  }
  EXPECT_EQ(now, hidden);
  EXPECT_FALSE(rig.loop().log().contains("otherwise"));
}

TEST_P(RecordedErasTest, ReplayedClientFindsNoDifference) {
  record_it();
  const auto report = session.replay_to_server(path.text(), GetParam().server);
  EXPECT_THAT(report.differences, IsEmpty());
  EXPECT_GE(report.calls, 12U);
  EXPECT_GE(report.compared, 18U);
}

TEST_P(RecordedErasTest, FindsAChangedReply) {
  record_it();
  session.offset = 1;
  const auto report = session.replay_to_server(path.text(), GetParam().server);
  ASSERT_FALSE(report.differences.empty());
  EXPECT_THAT(report.differences.front(), testing::StartsWith(path.text() + ":"));
  EXPECT_THAT(report.differences.front(),
              HasSubstr(R"(the reply to tools/call 'add': content[0].text: "4" instead of "3")"));
}

TEST_P(RecordedErasTest, FindsAChangedNotification) {
  record_it();
  session.log_message = "never mind";
  const auto report = session.replay_to_server(path.text(), GetParam().server);
  EXPECT_THAT(report.differences,
              ElementsAre(HasSubstr(R"(notifications/message: data: "never mind" instead of "careful")")));
}

INSTANTIATE_TEST_SUITE_P(Cells, RecordedErasTest,
                         testing::Values(RecordedCell{"2025-06-18", "2025-06-18"},
                                         RecordedCell{"2025-11-25", "2025-11-25"},
                                         RecordedCell{"2026-07-28", "2026-07-28"},
                                         RecordedCell{"2025-11-25", "2026-07-28"},
                                         RecordedCell{"2026-07-28", "2025-11-25"}),
                         recorded_cell_name);

}  // namespace
}  // namespace fairlead::gateway::record_session_test
