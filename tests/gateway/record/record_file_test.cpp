#include <sys/stat.h>

#include "gateway/fixtures/manual_clock_fixture.hpp"
#include "gateway/fixtures/recorded_session.hpp"
#include "gateway/record/recording.hpp"

namespace fairlead::gateway::record_file_test {
namespace {

using session::Call;
using session::Reply;
using test::call_of;
using test::RecordPath;
using test::tool_call;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct RecordFileTest : test::ManualClockTest {
  RecordPath path{"file.mcpl"};

  std::shared_ptr<session::Service> recorded(RecordOptions options) {
    auto made = record(std::move(options), loop());
    EXPECT_TRUE(made) << made.error().message;
    return chain().then(std::shared_ptr<Middleware>(std::move(*made))).then(server);
  }
  std::string parse_error(const std::string& content) const {
    const auto read = parse_recording("s.mcpl", content);
    return read ? "" : read.error().message;
  }

  static Task<Result<Reply>> never_answered(boost::asio::any_io_executor executor) {
    AsyncEvent never(std::move(executor));
    while (true) co_await never.wait();
  }

  const std::string head = R"({"mcpl":2,"fairlead":"0","started":"2026-01-01T00:00:00Z"})"
                           "\n";
  const std::string call =
      R"({"us":1,"hop":"front","session":1,"from":"client","kind":"call","call":1,"method":"tools/list"})"
      "\n";
};

TEST_F(RecordFileTest, IsReadableByItsOwnerOnly) {
  path.write("readable by others");
  std::filesystem::permissions(path.text(), std::filesystem::perms(0644));
  recorded({.path = path.text(), .force = true});
  struct stat found{};
  ASSERT_EQ(::stat(path.text().c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0600U);
  EXPECT_THAT(path.content(), StartsWith(R"({"mcpl":2,)"));
}

TEST_F(RecordFileTest, RefusesToOverwriteWithoutForce) {
  path.write("precious");
  const auto made = record({.path = path.text()}, loop());
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, AllOf(HasSubstr(path.text()), HasSubstr("--force")));
  EXPECT_EQ(path.content(), "precious");
}

TEST_F(RecordFileTest, WritesEachLineImmediatelyWithItsTime) {
  const auto service = recorded({.path = path.text()});
  clock.advance(std::chrono::milliseconds{3});
  EXPECT_EQ(text(service, tool_call("add", "{\n\"a\":1}")), "{\"name\":\"add\",\"arguments\":{\n\"a\":1}}");
  const auto recording = read_recording(path.text());
  ASSERT_TRUE(recording) << recording.error().message;
  ASSERT_EQ(recording->lines.size(), 2U);
  EXPECT_EQ(recording->lines[0].us, 3000);
  EXPECT_EQ(recording->lines[0].hop, "front");
  EXPECT_EQ(recording->lines[0].method, "tools/call");
  EXPECT_EQ(recording->lines[1].kind, LineKind::reply);
  EXPECT_EQ(recording->lines[1].call, 1U);
  EXPECT_EQ(recording->place(1), path.text() + ":3");
}

TEST_F(RecordFileTest, RedactsSecrets) {
  const auto service = recorded({.path = path.text(), .keys = {"pin"}, .secrets = {"known \"value\""}});
  text(service, tool_call("login", R"({"password":"open-sesame","pin":"1234","note":"Bearer abc.def.ghi"})"));
  text(service, tool_call("echo", R"({"text":"it is known \"value\"."})"));
  server.on_call = [](Call&) -> Task<Result<Reply>> {
    co_return fail(ErrorKind::closed, "https://user:hunter2@example.com is gone");
  };
  text(service, tool_call("gone"));
  EXPECT_THAT(path.content(), AllOf(Not(HasSubstr("open-sesame")), Not(HasSubstr("1234")), Not(HasSubstr("abc.def")),
                                    Not(HasSubstr("known")), Not(HasSubstr("hunter2")), HasSubstr("[redacted]")));
}

TEST_F(RecordFileTest, KeepsArgumentNamesInLists) {
  const auto service = recorded({.path = path.text(), .secrets = {"known-value"}});
  server.on_call = [](Call&) -> Task<Result<Reply>> {
    co_return test::reply(R"({"tools":[{"name":"a","description":"known-value","inputSchema":)"
                          R"({"properties":{"password":{"type":"string"}}}}]})");
  };
  text(service, call_of("tools/list"));
  EXPECT_THAT(path.content(), AllOf(HasSubstr(R"("password":{"type":"string"})"), Not(HasSubstr("known-value"))));
}

TEST_F(RecordFileTest, AFullDiskEndsTheRecordingAndNotTheSession) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  const auto service = recorded({.path = "/dev/full", .force = true});
  EXPECT_EQ(text(service, call_of("tools/list")), "{}");
  EXPECT_EQ(text(service, call_of("tools/list")), "{}");
  std::size_t warnings = 0;
  for (const auto& line : log.lines()) warnings += line.component == "record" ? 1 : 0;
  EXPECT_EQ(warnings, 1U);
  EXPECT_TRUE(
      log.contains("the recording /dev/full stopped after 0 lines: No space left on device; the session continues"));
}

TEST_F(RecordFileTest, NamesTheLineOfATruncatedFile) {
  EXPECT_EQ(parse_error(head + call), "");
  EXPECT_THAT(parse_error(head + call + R"({"us":2,"hop":"fr)"), StartsWith("s.mcpl:3: the file ends in the middle"));
  EXPECT_THAT(parse_error(""), StartsWith("s.mcpl:1: "));
}

TEST_F(RecordFileTest, NamesTheLineOfAMalformedFile) {
  EXPECT_THAT(parse_error("{\"a\":1}\n"), StartsWith("s.mcpl:1: "));
  EXPECT_EQ(parse_error("{\"mcpl\":3}\n"), "s.mcpl:1: expected recording format 2, got 3; use a newer fairlead");
  EXPECT_THAT(parse_error(head + "not json\n"), StartsWith("s.mcpl:2: is not JSON"));
  EXPECT_THAT(parse_error(head + R"({"us":1,"hop":"front","session":1,"from":"server","kind":"sing"})"
                                 "\n"),
              AllOf(StartsWith("s.mcpl:2: "), HasSubstr("kind")));
  EXPECT_THAT(parse_error(head + R"({"us":1,"hop":"front","session":1,"from":"server","kind":"server_notification"})"
                                 "\n"),
              "s.mcpl:2: method is missing");
  EXPECT_THAT(
      parse_error(head + R"({"us":1,"hop":"front","session":1,"from":"server","kind":"reply","call":7,"result":{}})"
                         "\n"),
      "s.mcpl:2: a reply without its call");
}

TEST_F(RecordFileTest, RefusesRecordingsOfVersion01WithAHint) {
  EXPECT_EQ(parse_error("{\"mcpl\":1,\"fairlead\":\"0.1.0\",\"hop\":\"front\"}\n"),
            "s.mcpl:1: expected recording format 2, got 1; record the session again");
}

TEST_F(RecordFileTest, RecordsCancelledCalls) {
  const auto service = recorded({.path = path.text()});
  server.on_call = [this](Call&) { return never_answered(io.get_executor()); };
  start(service, tool_call("slow"));
  calls.cancel();
  settle();
  const auto recording = read_recording(path.text());
  ASSERT_TRUE(recording && recording->lines.size() == 2);
  ASSERT_TRUE(recording->lines[1].error);
  EXPECT_EQ(recording->lines[1].error->kind, ErrorKind::cancelled);
}

}  // namespace
}  // namespace fairlead::gateway::record_file_test
