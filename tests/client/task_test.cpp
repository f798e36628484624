#include <atomic>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/client.hpp>
#include <fairlead/server.hpp>
#include <future>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stop_token>

namespace fairlead::client::task_test {
namespace {

using namespace std::chrono_literals;
using protocol::TaskStatus;
using testing::HasSubstr;

struct Confirm {
  bool yes = false;
};

ToolOptions as_task() {
  ToolOptions options;
  options.task = {.mode = server::TaskMode::optional, .after = Duration::zero(), .poll = 100ms};
  return options;
}

struct ClientTaskTest : testing::Test {
  Server app{"demo", "1.0"};
  std::atomic<bool> open = false;
  std::atomic<int> elicitations = 0;
  ClientOptions options;

  ClientTaskTest() {
    options.era = EraPreference::stateless;
    options.tasks = true;
    options.on_elicit = [this](protocol::ElicitFormParams) {
      ++elicitations;
      protocol::ElicitResult result;
      result.action = protocol::ElicitAction::accept;
      result.content = json::Payload::trusted(R"({"yes":true})");
      return result;
    };
    app.tool("wait", as_task(), [this](Context& context) -> Task<std::string> {
      co_await context.status("waiting");
      while (!open) {
        boost::asio::steady_timer timer(co_await this_task::executor, 5ms);
        co_await timer.async_wait(use_task);
      }
      co_return "done";
    });
    app.tool("ask", as_task(), [](Context& context) -> Task<std::string> {
      const auto first = co_await context.elicit<Confirm>("First?");
      const auto second = co_await context.elicit<Confirm>("Second?");
      co_return first.yes&& second.yes ? "yes" : "no";
    });
    app.tool("fails", as_task(), []() -> Result<std::string> { return fail(ErrorKind::invalid, "no luck"); });
    app.tool("quick", "", [] { return 7; });
  }
};

TEST_F(ClientTaskTest, CallWaitsForTheEndOfTheTask) {
  Client client(app, options);
  open = true;
  EXPECT_EQ(client.call<std::string>("wait"), "done");
}

TEST_F(ClientTaskTest, CallAnswersEachQuestionOnce) {
  Client client(app, options);
  EXPECT_EQ(client.call<std::string>("ask"), "yes");
  EXPECT_EQ(elicitations, 2);
}

TEST_F(ClientTaskTest, CallReportsTheFailureOfTheTool) {
  Client client(app, options);
  try {
    client.call<std::string>("fails");
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_STREQ(failure.what(), "no luck");
  }
}

TEST_F(ClientTaskTest, CallShowsTheStatusTextAsProgress) {
  Client client(app, options);
  std::string message;
  CallOptions call;
  call.on_progress = [&](const protocol::ProgressParams& progress) {
    message = progress.message.value_or("");
    open = true;
  };
  EXPECT_EQ(client.call<std::string>("wait", {}, std::move(call)), "done");
  EXPECT_EQ(message, "waiting");
}

TEST_F(ClientTaskTest, CallThatIsStoppedCancelsTheTask) {
  std::promise<void> cancelled;
  app.tool("observed", as_task(), [&](Context& context) -> Task<std::string> {
    co_await context.status("running");
    const auto shield = co_await this_task::shield;
    while (!context.cancelled()) {
      boost::asio::steady_timer timer(co_await this_task::executor, 5ms);
      co_await timer.async_wait(boost::asio::as_tuple(use_task));
    }
    cancelled.set_value();
    co_return "";
  });
  Client client(app, options);
  std::stop_source stop;
  CallOptions call;
  call.on_progress = [&](const protocol::ProgressParams&) { stop.request_stop(); };
  const auto result =
      client.wait(client.async().call<std::string>("observed", Arguments(), std::move(call)), stop.get_token());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::cancelled);
  EXPECT_EQ(cancelled.get_future().wait_for(30s), std::future_status::ready);
}

TEST_F(ClientTaskTest, StartReturnsAHandle) {
  Client client(app, options);
  auto job = client.start<std::string>("wait");
  EXPECT_FALSE(job.done());
  EXPECT_EQ(job.status().status, TaskStatus::working);
  try {
    job.wait(10ms);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.error().kind, ErrorKind::timeout);
  }
  open = true;
  EXPECT_EQ(job.wait(), "done");
  EXPECT_TRUE(job.done());
}

TEST_F(ClientTaskTest, StartOfAPlainToolIsDone) {
  Client client(app, options);
  auto job = client.start<int>("quick");
  EXPECT_TRUE(job.done());
  EXPECT_EQ(job.wait(), 7);
  EXPECT_EQ(job.reference(), "");
  EXPECT_EQ(job.status().status, TaskStatus::completed);
  job.cancel();
}

TEST_F(ClientTaskTest, CancelledTaskHasNoResult) {
  Client client(app, options);
  auto job = client.start<std::string>("wait");
  job.cancel();
  try {
    job.wait();
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("was cancelled"));
  }
}

TEST_F(ClientTaskTest, ReferenceTakesUpATask) {
  Client client(app, options);
  const auto reference = client.start<std::string>("wait").reference();
  EXPECT_THAT(reference, HasSubstr(R"("tool":"wait")"));
  auto again = client.resume<std::string>(reference);
  open = true;
  EXPECT_EQ(again.wait(), "done");
}

TEST_F(ClientTaskTest, MissingTaskIsAnErrorOfItsOwn) {
  Client client(app, options);
  auto gone = client.resume<std::string>(R"({"task":"AAAAAAAAAAAAAAAAAAAAAA","tool":"wait"})");
  try {
    gone.wait();
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.error().cause, cause_task_gone);
  }
  EXPECT_THROW(client.resume<std::string>("not a reference"), Failure);
}

TEST_F(ClientTaskTest, DeclaresNothingByDefault) {
  options.tasks = false;
  open = true;
  Client client(app, options);
  auto job = client.start<std::string>("wait");
  EXPECT_TRUE(job.done());
  EXPECT_EQ(job.reference(), "");
}

// The same program with a server of 2025-11-25.
struct LegacyClientTaskTest : ClientTaskTest {
  LegacyClientTaskTest() {
    options.era = EraPreference::handshake;
    auto required = as_task();
    required.task.mode = server::TaskMode::required;
    app.tool("must", required, [](Context& context) -> Task<std::string> {
      const auto go = co_await context.elicit<Confirm>("Go?");
      co_return go.yes ? "went" : "stayed";
    });
  }
};

TEST_F(LegacyClientTaskTest, StartGivesAHandleAndWaitTheResult) {
  Client client(app, options);
  auto job = client.start<std::string>("wait");
  EXPECT_FALSE(job.done());
  EXPECT_EQ(job.status().status, TaskStatus::working);
  EXPECT_EQ(job.status().statusMessage, "waiting");
  open = true;
  EXPECT_EQ(job.wait(), "done");
}

TEST_F(LegacyClientTaskTest, CallRunsAToolThatIsOnlyATask) {
  Client client(app, options);
  EXPECT_EQ(client.call<std::string>("must"), "went");
  EXPECT_EQ(elicitations, 1);
}

TEST_F(LegacyClientTaskTest, StartOfAPlainToolReturnsItsResult) {
  Client client(app, options);
  EXPECT_EQ(client.start<int>("quick").wait(), 7);
}

TEST_F(LegacyClientTaskTest, FailedToolIsAFailure) {
  Client client(app, options);
  EXPECT_THROW(client.start<std::string>("fails").wait(), Failure);
}

TEST_F(LegacyClientTaskTest, CancelledTaskHasNoResult) {
  Client client(app, options);
  auto job = client.start<std::string>("wait");
  job.cancel();
  EXPECT_EQ(job.status().status, TaskStatus::cancelled);
  EXPECT_THROW(job.wait(), Failure);
}

TEST_F(LegacyClientTaskTest, ReferenceTakesUpATask) {
  std::string reference;
  Client client(app, options);
  reference = client.start<std::string>("wait").reference();
  Client other(app, options);
  auto again = other.resume<std::string>(reference);
  open = true;
  EXPECT_EQ(again.wait(), "done");
}

}  // namespace
}  // namespace fairlead::client::task_test
