#include "gateway/fixtures/manual_clock_fixture.hpp"
#include "gateway/fixtures/recorded_session.hpp"

namespace fairlead::gateway::record_replay_test {
namespace {

using session::Call;
using test::call_of;
using test::RecordPath;
using test::tool_call;
using testing::AllOf;
using testing::HasSubstr;

/// A recording with two calls of one session and one of another.
struct ReplayServerTest : test::ManualClockTest {
  ReplayServerTest() {
    path.write(
        R"({"mcpl":2}
{"us":0,"hop":"front","session":7,"from":"client","kind":"call","call":1,"method":"tools/call","params":{"name":"a"}}
{"us":50000,"hop":"front","session":7,"from":"server","kind":"reply","call":1,"result":{"n":1}}
{"us":60000,"hop":"front","session":7,"from":"client","kind":"call","call":2,"method":"tools/call","params":{"name":"b"}}
{"us":70000,"hop":"front","session":7,"from":"server","kind":"reply","call":2,"error":{"kind":"refused","code":-32000,"message":"no"}}
{"us":80000,"hop":"front","session":8,"from":"client","kind":"call","call":3,"method":"tools/call","params":{"name":"c"}}
{"us":90000,"hop":"front","session":8,"from":"server","kind":"reply","call":3,"result":{"n":3}}
)");
  }

  std::shared_ptr<session::Service> replayed(ReplayOptions options) {
    options.path = path.text();
    auto made = replay(std::move(options), loop());
    EXPECT_TRUE(made) << made.error().message;
    return chain().then(std::shared_ptr<Middleware>(std::move(*made))).then(server);
  }
  static Call in(std::uint64_t session_number, Call call) {
    call.context.session_key = session_number;
    return call;
  }

  RecordPath path{"replay.mcpl"};
};

TEST_F(ReplayServerTest, RepliesAsRecorded) {
  const auto service = replayed({});
  EXPECT_EQ(text(service, in(1, call_of("tools/call", R"({"name":"a"})"))), R"({"n":1})");
  EXPECT_EQ(text(service, in(1, call_of("tools/call", R"({ "name" : "b", "_meta":{"progressToken":3} })"))), "!no");
  EXPECT_EQ(text(service, in(2, call_of("tools/call", R"({"name":"c"})"))), R"({"n":3})");
  EXPECT_TRUE(server.calls.empty());
}

TEST_F(ReplayServerTest, RefusesCallsOutOfOrderWithTheLine) {
  const auto service = replayed({});
  EXPECT_THAT(text(service, in(1, call_of("tools/call", R"({"name":"b"})"))),
              AllOf(HasSubstr("tools/call 'b' does not match the recording"), HasSubstr(path.text() + ":2 expects"),
                    HasSubstr(R"(name: "b" instead of "a")")));
  EXPECT_EQ(text(service, in(1, call_of("tools/call", R"({"name":"a"})"))), R"({"n":1})");
  EXPECT_THAT(text(service, in(1, call_of("tools/call", R"({"name":"c"})"))), HasSubstr(path.text() + ":4 expects"));
}

TEST_F(ReplayServerTest, LenientReplayAnswersInAnyOrder) {
  const auto service = replayed({.path = {}, .lenient = true});
  EXPECT_EQ(text(service, in(1, call_of("tools/call", R"({"name":"c"})"))), R"({"n":3})");
  EXPECT_EQ(text(service, in(1, call_of("tools/call", R"({"name":"a"})"))), R"({"n":1})");
  EXPECT_EQ(text(service, in(1, call_of("tools/call", R"({"name":"a"})"))), R"({"n":1})");
  EXPECT_THAT(text(service, in(1, call_of("tools/call", R"({"name":"d"})"))),
              HasSubstr("the recording has no such call"));
}

TEST_F(ReplayServerTest, ReplaysInRealTimeOnRequest) {
  const auto service = replayed({.path = {}, .speed = 2});
  const auto answer = start(service, in(1, call_of("tools/call", R"({"name":"a"})")));
  pass(std::chrono::milliseconds{20});
  EXPECT_EQ(shown(answer), "…");
  pass(std::chrono::milliseconds{20});
  EXPECT_EQ(shown(answer), R"({"n":1})");
}

TEST_F(ReplayServerTest, ReportsATruncatedRecording) {
  path.write(
      "{\"mcpl\":2}\n"
      R"({"us":0,"hop":"front","session":7,"from":"client","kind":"call","call":1,"method":"ping"})"
      "\n");
  EXPECT_THAT(text(replayed({}), call_of("ping")), HasSubstr(path.text() + ":2: the recording ends before the reply"));
}

}  // namespace
}  // namespace fairlead::gateway::record_replay_test
