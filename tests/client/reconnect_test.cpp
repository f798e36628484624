#include <boost/asio/steady_timer.hpp>
#include <fairlead/base/diagnosis.hpp>
#include <fairlead/client.hpp>
#include <fairlead/server.hpp>
#include <fairlead/session/session.hpp>
#include <fairlead/transport/memory.hpp>
#include <fairlead/transport/socket.hpp>
#include <filesystem>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

#include "client/scripted_server.hpp"
#include "support/test_loop.hpp"

namespace fairlead::client::reconnect_test {
namespace {

using testing::HasSubstr;

const char* const killable_server = R"(if method == 'initialize': initialized()
elif method == 'tools/list': result({'tools': []})
elif method == 'tools/call' and m['params']['name'] == 'die': os._exit(7)
elif method == 'tools/call' and m['params']['name'] == 'sleep': pass
elif method == 'tools/call' and m['params']['name'] == 'cancelled': result({'content': [{'type': 'text', 'text': str(cancelled)}]})
elif method == 'tools/call': result({'content': [{'type': 'text', 'text': str(os.getpid())}]})
elif method == 'notifications/cancelled': cancelled = m['params']['requestId']
elif 'id' in m: error(-32601, 'no'))";

ErrorKind kind_of(Result<std::string> result) {
  EXPECT_FALSE(result);
  return result ? ErrorKind::invalid : result.error().kind;
}

TEST(Reconnect, FailsPendingCallsWhenTheServerDies_S1_17_S1_18) {
  auto client = connect(scripted_server(killable_server));
  const auto died = client.wait(client.async().call<std::string>("die"));
  ASSERT_FALSE(died);
  EXPECT_EQ(died.error().kind, ErrorKind::closed);
  EXPECT_THAT(died.error().message, HasSubstr("status 7"));
}

TEST(Reconnect, Finding_D1_ExceptionIncludesStderr) {
  try {
    connect({"sh", "-c", "echo 'FATAL: GITHUB_TOKEN is not set' >&2; exit 1"});
    FAIL() << "connected";
  } catch (const Failure& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("FATAL: GITHUB_TOKEN is not set"));
    ASSERT_TRUE(failure.error().diagnosis);
    EXPECT_EQ(failure.error().diagnosis->status, 1);
    EXPECT_EQ(failure.error().diagnosis->step, "initialize");
  }
}

/// The stderr that a program sees of a server that never starts, after both attempts.
std::vector<std::string> shown_stderr(std::string script) {
  std::vector<std::string> lines;
  transport::ChildOptions command{.command = {"sh", "-c", std::move(script)}};
  command.on_stderr = [&](std::string_view line) { lines.emplace_back(line); };
  EXPECT_THROW(connect(command), Failure);
  return lines;
}

TEST(Reconnect, Finding_D1_ShowsStderrOnceForBothAttempts) {
  EXPECT_THAT(shown_stderr("echo starting >&2; echo >&2; echo FATAL >&2; exit 1"),
              testing::ElementsAre("starting", "", "FATAL"));
}

TEST(Reconnect, ShowsTheStderrOfTheSecondAttemptFromTheFirstNewLine) {
  EXPECT_THAT(shown_stderr("echo starting >&2; echo $$ >&2; echo FATAL >&2; exit 1"),
              testing::ElementsAre("starting", testing::_, "FATAL", testing::_, "FATAL"));
}

TEST(Reconnect, Finding_D1_TimeoutNamesTheStepAndIncludesStderr) {
  ClientOptions options;
  options.era = EraPreference::handshake;
  std::string message;
  // On a busy machine, the shell may need longer to print its lines than the shortest timeout.
  for (const auto timeout :
       {std::chrono::milliseconds{300}, std::chrono::milliseconds{3'000}, std::chrono::milliseconds{30'000}}) {
    options.timeouts.idle = timeout;
    try {
      connect({"sh", "-c", "echo waiting for a database >&2; echo hello; cat >/dev/null"}, options);
      FAIL() << "connected";
    } catch (const Failure& failure) {
      message = failure.what();
    }
    if (message.contains("on stdout")) break;
  }
  EXPECT_THAT(message, HasSubstr("no answer to initialize in time"));
  EXPECT_THAT(message, HasSubstr("waiting for a database"));
  EXPECT_THAT(message, HasSubstr("it printed \"hello\" on stdout"));
}

TEST(Reconnect, Finding_D3_CallsOnConnectionLost) {
  std::promise<Error> lost;
  ClientOptions options;
  options.on_connection_lost = [&](const Error& why) { lost.set_value(why); };
  auto client = connect(scripted_server(killable_server), options);
  EXPECT_THROW(client.call("die"), Failure);
  auto why = lost.get_future();
  ASSERT_EQ(why.wait_for(std::chrono::seconds{30}), std::future_status::ready) << "on_connection_lost is not called";
  EXPECT_THAT(why.get().message, HasSubstr("status 7"));
}

TEST(Reconnect, NextCallRestartsTheServer) {
  auto client = connect(scripted_server(killable_server));
  const auto first = client.call<std::string>("pid");
  EXPECT_EQ(client.call<std::string>("pid"), first);
  EXPECT_THROW(client.call("die"), Failure);
  const auto second = client.call<std::string>("pid");
  EXPECT_NE(second, first);
}

TEST(Reconnect, ConcurrentCallsShareOneRestartedServer) {
  auto client = connect(scripted_server(killable_server));
  EXPECT_THROW(client.call("die"), Failure);
  std::vector<std::string> pids(8);
  {
    std::vector<std::jthread> threads;
    for (auto& pid : pids) threads.emplace_back([&] { pid = client.call<std::string>("pid"); });
  }
  EXPECT_THAT(pids, testing::Each(pids.front()));
}

TEST(Reconnect, DoesNotReconnectIfDisabled) {
  ClientOptions options;
  options.reconnect = false;
  auto client = connect(scripted_server(killable_server), options);
  EXPECT_THROW(client.call("die"), Failure);
  EXPECT_EQ(kind_of(client.wait(client.async().call<std::string>("pid"))), ErrorKind::closed);
}

TEST(Reconnect, TimeoutCancelsTheRequest_S1_50_S4_25) {
  auto client = connect(scripted_server(killable_server));
  CallOptions short_timeout;
  short_timeout.timeouts =
      session::Timeouts{.idle = std::chrono::milliseconds{50}, .total = std::chrono::milliseconds{50}};
  EXPECT_EQ(kind_of(client.wait(client.async().call<std::string>("sleep", {}, short_timeout))), ErrorKind::timeout);
  EXPECT_NE(client.call<std::string>("cancelled"), "");
}

TEST(Reconnect, StopTokenCancelsACall) {
  auto client = connect(scripted_server(killable_server));
  std::stop_source stop;
  std::jthread later([&] { stop.request_stop(); });
  EXPECT_EQ(kind_of(client.wait(client.async().call<std::string>("sleep"), stop.get_token())), ErrorKind::cancelled);
}

TEST(Reconnect, CloseFailsCallsOfOtherThreads) {
  auto client = connect(scripted_server(killable_server));
  std::jthread other([&] { EXPECT_THROW(client.call("sleep"), Failure); });
  client.call("pid");
  client.close();
  EXPECT_EQ(kind_of(client.wait(client.async().call<std::string>("pid"))), ErrorKind::closed);
  client.close();
}

TEST(Reconnect, RejectsABlockingCallOnTheClientsOwnLoop) {
  server::Server app("a", "1");
  app.tool("x", "", [](Context& context) -> Task<std::string> {
    co_await context.progress(1);
    co_return "x";
  });
  auto client = connect(app);
  std::string failure_text;
  CallOptions options;
  options.on_progress = [&](const protocol::ProgressParams&) {
    try {
      client.ping();
    } catch (const Failure& failure) {
      failure_text = failure.what();
    }
  };
  client.call("x", {}, options);
  EXPECT_THAT(failure_text, HasSubstr("co_await"));
}

TEST(Reconnect, IsMovable) {
  server::Server app("a", "1");
  auto client = connect(app);
  auto moved = std::move(client);
  moved.ping();
}

Task<Result<void>> serve_one(EventLoop loop, transport::SocketListener& listener, server::Server& app) {
  auto accepted = co_await listener.accept();
  if (!accepted) co_return std::unexpected(accepted.error());
  session::Session session(loop, **accepted, app);
  co_return co_await session.run();
}

Task<Result<void>> call_add(Connection& server) {
  Arguments numbers = {{"a", 1}, {"b", 2}};
  auto sum = co_await server.call<int>("add", std::move(numbers));
  if (!sum) co_return std::unexpected(sum.error());
  EXPECT_EQ(*sum, 3);
  co_return Result<void>();
}

struct SocketClientTest : testing::Test {
  SocketClientTest() {
    app.tool("add", "Adds", [](Arg<"a", int> a, Arg<"b", int> b) { return a + b; });
  }
  void serve_and_call(transport::SocketListener& listener, const std::string& address) {
    const auto served = loop.start(serve_one(loop.loop(), listener, app));
    const auto called = loop.run(with_server(loop.loop(), address, {}, call_add));
    EXPECT_TRUE(called) << called.error().message;
    EXPECT_TRUE(loop.finish(served));
  }
  server::Server app{"demo", "1.0"};
  test::TestLoop loop;
};

TEST_F(SocketClientTest, ConnectsToAUnixSocket) {
  const auto path = std::filesystem::temp_directory_path() / ("fairlead-" + std::to_string(getpid()) + ".sock");
  const auto listener = transport::SocketListener::on_unix(loop.loop(), path.string());
  ASSERT_TRUE(listener);
  serve_and_call(**listener, "unix:" + path.string());
}

TEST_F(SocketClientTest, ConnectsToATcpPort) {
  const auto listener = transport::SocketListener::on_tcp(loop.loop(), 0);
  ASSERT_TRUE(listener);
  serve_and_call(**listener, "tcp:127.0.0.1:" + std::to_string((*listener)->port()));
  serve_and_call(**listener, "tcp://localhost:" + std::to_string((*listener)->port()));
}

TEST_F(SocketClientTest, ConnectsThroughACustomOpener) {
  const auto listener = transport::SocketListener::on_tcp(loop.loop(), 0);
  ASSERT_TRUE(listener);
  const auto port = (*listener)->port();
  const Endpoint::Opener opener = [port](EventLoop on) { return transport::connect_tcp(on, "127.0.0.1", port); };
  const auto served = loop.start(serve_one(loop.loop(), **listener, app));
  EXPECT_TRUE(loop.run(with_server(loop.loop(), opener, {}, call_add)));
  EXPECT_TRUE(loop.finish(served));
}

TEST_F(SocketClientTest, ConnectionRefusedIsAClosedError) {
  const auto called = loop.run(with_server(loop.loop(), "tcp:127.0.0.1:1", {}, call_add));
  ASSERT_FALSE(called);
  EXPECT_EQ(called.error().kind, ErrorKind::closed) << called.error().message;
}

}  // namespace
}  // namespace fairlead::client::reconnect_test
