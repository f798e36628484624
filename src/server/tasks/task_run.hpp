#pragma once

#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <fairlead/base/start_task.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/async_event.hpp"
#include "base/promise.hpp"
#include "server/context_state.hpp"
#include "server/tasks/task_watchers.hpp"

namespace fairlead::server {

/// Runs the handler of a call that may become a task. Owns everything that the handler uses, so that it can outlive the
/// request. Lives on one event loop, and ends with its handler or with the loop.
class TaskRun : public std::enable_shared_from_this<TaskRun> {
 public:
  /// A run for a request. Copies what it needs of `call`.
  TaskRun(ServerState& server, const session::Call& call, std::shared_ptr<const RegisteredTool> tool,
          boost::asio::any_io_executor executor);
  TaskRun(const TaskRun&) = delete;
  TaskRun& operator=(const TaskRun&) = delete;
  ~TaskRun();

  /// Starts the handler and returns the reply to the request: the result, an input round or the handle of a task.
  static Task<Result<session::Reply>> serve(std::shared_ptr<TaskRun> run);
  /// Starts the handler for a task that an earlier process began.
  static void resume(const std::shared_ptr<TaskRun>& run, const TaskRecord& record);

  // For the Context of the handler.

  bool is_task() const { return phase_ == Phase::task; }
  /// True if the handler may send to the client of the request.
  bool may_notify() const {
    const Phase now = phase_;
    return now == Phase::plain || now == Phase::plain_for_good;
  }
  Task<bool> become_task();
  /// Waits while the task is being created, and returns whether it is one.
  Task<bool> settle();
  Task<void> set_status(std::string text);
  /// Stores that the function of Context::once begins. Throws Failed if it had begun in an earlier process.
  Task<void> mark_begun(std::string key);
  Task<void> remember(std::string key, json::Payload value);
  /// Asks the client by the task and waits for the answers.
  Task<std::vector<json::Payload>> request_input(std::vector<ServerRequestSpec> specs);

  /// While it exists, the connection of the request is in use, and the handle is not sent.
  class PeerUse {
   public:
    explicit PeerUse(TaskRun* run) : run_(run) {
      if (run_ != nullptr) ++run_->peer_uses_;
    }
    PeerUse(const PeerUse&) = delete;
    PeerUse& operator=(const PeerUse&) = delete;
    ~PeerUse() {
      if (run_ != nullptr && --run_->peer_uses_ == 0) run_->changed_.notify();
    }

   private:
    TaskRun* run_;
  };

 private:
  enum class Phase : std::uint8_t {
    plain,
    creating,        ///< The store creates the task.
    task,            ///< The client has the handle.
    plain_for_good,  ///< The store has no room.
  };

  static Task<void> execute(std::shared_ptr<TaskRun> run);
  static Task<void> become_after_delay(std::shared_ptr<TaskRun> run);
  static Task<void> check_cancel(std::shared_ptr<TaskRun> run);
  static Task<void> end_cancelled(std::shared_ptr<TaskRun> run);

  Task<Result<session::Reply>> call_handler();
  Task<void> end(Result<session::Reply> reply);
  Task<void> finish(const Result<session::Reply>& reply);
  TaskRecord new_record() const;
  /// Now a task: observes the record, and releases everything of the request.
  void attach();
  void arm_delay();
  void stop_handler();
  void wake();
  void wake_at(TaskTime when);

  ServerState& server_;
  session::Call call_;
  std::shared_ptr<const RegisteredTool> tool_;
  boost::asio::any_io_executor executor_;
  ContextState state_;
  std::set<std::string, std::less<>> begun_ = {};        // Keys of Context::once in this process.
  std::set<std::string, std::less<>> interrupted_ = {};  // Keys whose functions an earlier process did not end.
  bool requested_;                                       // The client asked for a task (handshake era).
  std::string id_ = make_task_id();
  std::atomic<Phase> phase_ = Phase::plain;  // Also read by blocking handlers; changed on the event loop.
  Error creation_error_ = {};
  bool ended_ = false;
  bool request_gone_ = false;  // The client closed the request before it got a handle.
  bool stopping_ = false;
  std::size_t peer_uses_ = 0;
  std::size_t wakeups_ = 0;
  Promise<Result<session::Reply>> first_reply_;
  AsyncEvent changed_;
  boost::asio::steady_timer delay_;    // Until the call becomes a task.
  boost::asio::steady_timer timeout_;  // Of a cancelled handler, or of a question to the client.
  StopSource stop_;
  std::optional<TaskWatch> watch_;
  std::optional<StoredTasks::Running> running_;
};

}  // namespace fairlead::server
