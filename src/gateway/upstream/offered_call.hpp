#pragma once

#include <fairlead/base/task_scope.hpp>

#include "base/async_event.hpp"
#include "base/promise.hpp"
#include "gateway/upstream/offered_tasks.hpp"

namespace fairlead::gateway {

/// A call that may outlive its request as a task. Used on one event loop.
class OfferedCall final : public session::PeerChannel, public std::enable_shared_from_this<OfferedCall> {
 public:
  OfferedCall(const EventLoop& loop, const Call& request, std::shared_ptr<OfferedTasks> tasks);

  /// Makes the call. Await it in a scope that outlives the request.
  static Task<void> run(std::shared_ptr<OfferedCall> self, std::shared_ptr<Backend> server);

  /// Waits for the result. Nothing if the call takes longer, and no request of the server waits for the client.
  Task<std::optional<Result<Reply>>> wait(TimerWheel& timers, Deadline until);
  /// Goes on as a task; the client's request may end. Fails if the caller has too many tasks.
  Task<Result<Reply>> become_task();
  /// Responses to questions; unknown and answered ones are ignored.
  Task<void> answer(protocol::InputResponses responses);
  /// Set by the one who starts run().
  TaskScope::Handle handle = {};

  Task<Result<Reply>> request(std::string method, json::Payload params) override;
  Task<Result<void>> notify(std::string method, json::Payload params) override;

 private:
  Task<Result<Reply>> call_server(Backend& server);
  Task<Result<Reply>> call_as_legacy_task(Backend& server);
  Task<Result<Reply>> answer_rounds(Backend& server, Reply first);
  Task<void> end(Result<Reply> reply);
  Task<void> show_progress(std::string_view params);

  Call call_;
  session::PeerChannel* client_;  // Null once it is a task.
  std::shared_ptr<OfferedTasks> tasks_;
  AsyncEvent changed_;
  std::string id_ = {};  // Empty before it is a task.
  std::optional<Result<Reply>> outcome_ = {};
  std::map<std::string, std::shared_ptr<Promise<Result<Reply>>>> questions_ = {};
  std::size_t last_question_ = 0;
  std::size_t at_client_ = 0;  // Requests that wait for the client.
};

}  // namespace fairlead::gateway
