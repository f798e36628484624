#include <fairlead/server/file_task_store.hpp>

#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "server/pending_request.hpp"
#include "server/task_fixture.hpp"

namespace fairlead::server::test::file_task_store_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct Confirm {
  bool yes = false;
};
constexpr auto yes = R"({"q0":{"action":"accept","content":{"yes":true}}})";

/// A server with a file store that the test starts again.
struct FileTaskStoreTest : TaskFixture {
  fs::path folder = fs::temp_directory_path() / ("fairlead-task-store-" + std::to_string(::getpid()));
  std::unique_ptr<Server> server;
  int plans = 0;
  bool with_tool = true;
  bool hold_plan = false;
  IfInterrupted interrupted = IfInterrupted::fail;
  TaskRestart restart = TaskRestart::resume;

  FileTaskStoreTest() {
    fs::remove_all(folder);
    start_server();
  }
  ~FileTaskStoreTest() override {
    stop_server();
    fs::remove_all(folder);
  }

  void start_server() {
    server = std::make_unique<Server>("demo", "1.0");
    server->tasks(file_task_store(folder));
    gate_changed = std::make_unique<AsyncEvent>(loop->context().get_executor());
    if (!with_tool) return;
    auto options = task_options(TaskMode::required);
    options.task.restart = restart;
    server->tool("deploy", options, [this](Context& context) -> Task<std::string> {
      const auto plan = co_await context.once("plan", [this] { return ++plans; });
      const auto answer = co_await context.elicit<Confirm>("Deploy?");
      while (!gate) co_await gate_changed->wait();
      co_return std::string(answer.yes ? "deployed" : "kept") + " by plan " + std::to_string(plan);
    });
    server->tool("slow-plan", task_options(TaskMode::required), [this](Context& context) -> Task<std::string> {
      const auto plan = [this]() -> Task<int> {
        ++plans;
        while (hold_plan) co_await gate_changed->wait();
        co_return plans;
      };
      co_await context.once("plan", plan, interrupted);
      co_return "planned";
    });
  }
  void stop_server() {
    gate_changed.reset();
    loop.reset();
    server.reset();
  }
  /// As after a crash: nothing is told to the tasks.
  void restart_server() {
    stop_server();
    loop = std::make_unique<fairlead::test::TestLoop>();
    start_server();
    TaskScope tasks(loop->context().get_executor(), loop->log(), "test");
    FakePeer peer;
    server->on_session_open({.key = 1, .peer = peer, .tasks = tasks, .single_request = true});
  }
  Server& current() override { return *server; }
};

TEST_F(FileTaskStoreTest, GoesOnAfterARestartWhileItWaitsForAnAnswer) {
  gate = true;
  const auto id = task_of("deploy");
  wait_for(id, TaskStatus::input_required);
  restart_server();
  EXPECT_TRUE(get(id).inputRequests->contains("q0"));
  ASSERT_TRUE(answer(id, yes));
  const auto task = wait_for(id, TaskStatus::completed);
  EXPECT_EQ(text_of(std::string(task.result->text())), "deployed by plan 1");
  EXPECT_EQ(plans, 1);
}

TEST_F(FileTaskStoreTest, GoesOnAfterARestartWhileItWorks) {
  const auto id = task_of("deploy");
  wait_for(id, TaskStatus::input_required);
  ASSERT_TRUE(answer(id, yes));
  restart_server();
  EXPECT_EQ(get(id).status, TaskStatus::working);
  gate = true;
  gate_changed->notify();
  EXPECT_EQ(text_of(std::string(wait_for(id, TaskStatus::completed).result->text())), "deployed by plan 1");
}

// The effect of the function is unknown: it is not run again, unless it may be repeated.
TEST_F(FileTaskStoreTest, StepThatARestartInterruptedIsNotRepeated) {
  for (const bool may_repeat : {false, true}) {
    plans = 0;
    interrupted = may_repeat ? IfInterrupted::repeat : IfInterrupted::fail;
    hold_plan = true;
    const auto id = task_of("slow-plan");
    while (plans == 0) loop->context().run_one_for(std::chrono::milliseconds{10});
    hold_plan = false;
    restart_server();
    const auto task = wait_for(id, TaskStatus::completed);
    EXPECT_EQ(plans, may_repeat ? 2 : 1);
    EXPECT_THAT(std::string(task.result->text()), HasSubstr(may_repeat ? "planned" : "which is not repeated"));
  }
}

TEST_F(FileTaskStoreTest, KeepsAResultOverARestart) {
  gate = true;
  const auto id = task_of("deploy");
  wait_for(id, TaskStatus::input_required);
  ASSERT_TRUE(answer(id, yes));
  wait_for(id, TaskStatus::completed);
  restart_server();
  EXPECT_EQ(text_of(std::string(get(id).result->text())), "deployed by plan 1");
}

TEST_F(FileTaskStoreTest, KeepsAFailureAndACancellationOverARestart) {
  server->tool("fault", task_options(TaskMode::required), []() -> Result<std::string> {
    return std::unexpected(protocol::protocol_error(ProtocolError::invalid_params, "a fault"));
  });
  const auto failed = task_of("fault");
  wait_for(failed, TaskStatus::failed);
  const auto cancelled = task_of("deploy");
  ASSERT_TRUE(request("tasks/cancel", with_id(cancelled)));
  wait_for(cancelled, TaskStatus::cancelled);
  restart_server();
  EXPECT_THAT(std::string(wait_for(failed, TaskStatus::failed).error->text()), HasSubstr("a fault"));
  wait_for(cancelled, TaskStatus::cancelled);
}

TEST_F(FileTaskStoreTest, EndsATaskWhoseToolIsGone) {
  const auto id = task_of("deploy");
  wait_for(id, TaskStatus::input_required);
  with_tool = false;
  restart_server();
  EXPECT_THAT(std::string(wait_for(id, TaskStatus::failed).error->text()), HasSubstr("the server was restarted"));
}

TEST_F(FileTaskStoreTest, EndsATaskThatCannotBeRepeated) {
  restart = TaskRestart::fail;
  restart_server();
  const auto id = task_of("deploy");
  wait_for(id, TaskStatus::input_required);
  restart_server();
  EXPECT_THAT(std::string(wait_for(id, TaskStatus::failed).error->text()), HasSubstr("the server was restarted"));
}

TEST_F(FileTaskStoreTest, EncryptsItsFilesAndIgnoresChangedOnes) {
  const auto id = task_of("deploy");
  wait_for(id, TaskStatus::input_required);
  const auto path = folder / (id + ".task");
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_EQ(bytes.find("deploy"), std::string::npos);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  stop_server();
  std::ofstream(path, std::ios::binary) << bytes;
  loop = std::make_unique<fairlead::test::TestLoop>();
  start_server();
  EXPECT_EQ(error_of("tasks/get", with_id(id)), ProtocolError::invalid_params);
}

TEST_F(FileTaskStoreTest, BelongsToOneProcess) {
  EXPECT_THROW(file_task_store(folder), std::runtime_error);
}

// A folder takes the name of the file that is written: as if the disk was full.
TEST_F(FileTaskStoreTest, RefusesAnAnswerThatCannotBeWritten) {
  gate = true;
  const auto id = task_of("deploy");
  wait_for(id, TaskStatus::input_required);
  fs::create_directory(folder / (id + ".draft"));
  EXPECT_FALSE(answer(id, yes));
  EXPECT_EQ(get(id).status, TaskStatus::input_required);
  fs::remove(folder / (id + ".draft"));
  ASSERT_TRUE(answer(id, yes));
  EXPECT_EQ(wait_for(id, TaskStatus::completed).taskId, id);
}

TEST_F(FileTaskStoreTest, FailsATaskWhoseEndCannotBeWritten) {
  const auto id = task_of("deploy");
  wait_for(id, TaskStatus::input_required);
  ASSERT_TRUE(answer(id, yes));
  fs::create_directory(folder / (id + ".draft"));
  gate = true;
  gate_changed->notify();
  EXPECT_THAT(std::string(wait_for(id, TaskStatus::failed).error->text()), HasSubstr("could not be stored"));
  EXPECT_FALSE(fs::exists(folder / (id + ".task")));
}

}  // namespace
}  // namespace fairlead::server::test::file_task_store_test
