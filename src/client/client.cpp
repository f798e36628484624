#include <fairlead/client/client.hpp>

#include <boost/asio/post.hpp>
#include <csignal>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log_sinks.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/workers.hpp>
#include <future>

#include "base/promise.hpp"

namespace fairlead::client {
namespace asio = boost::asio;

/// The event loop thread of a blocking client. All members except `workers` and the futures belong to that thread.
struct ClientThread : private NonCopyable {
  explicit ClientThread(LogSink* sink) : log(sink ? *sink : own_log), workers(1, log) {}
  ~ClientThread() {
    close();
    workers.stop();
  }

  Result<void> open(Endpoint endpoint, ClientOptions options);
  Result<void> run(Task<void> task, std::stop_token stop);
  void close() noexcept;

  Task<Result<void>> serve_calls(Connection& opened);

  StderrSink own_log{LogLevel::warning};
  LogSink& log;
  Workers workers;
  std::promise<Result<void>> opened;
  std::promise<void> ended;
  std::shared_future<void> end = ended.get_future().share();
  std::optional<Connection> connection;  // Set before `opened`; stays set after close.
  TaskScope* calls = nullptr;            // Null unless calls are possible.
  Promise<bool> close_requested;
};

namespace {

EventLoop loop_of(ClientThread& thread) {
  return {thread.workers[0].executor(), thread.workers[0].timers(), thread.log};
}

Task<void> wait_for_end(ClientThread& thread, Connection& connection, TaskScope& calls) {
  thread.calls = &calls;
  thread.opened.set_value({});
  co_await thread.close_requested.wait();
  thread.calls = nullptr;
  // Fails pending calls, so that the scope can end.
  connection.close();
}

// Reports the end of a task, also by an exception.
Task<void> run_and_report(Task<void> task, std::shared_ptr<std::promise<Result<void>>> done) {
  std::exception_ptr failure;
  try {
    co_await std::move(task);
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) {
    done->set_exception(failure);
  } else {
    done->set_value({});
  }
}

Task<Result<ServerDescription>> describe(Connection& connection) {
  co_return connection.server();
}

}  // namespace

Task<Result<void>> ClientThread::serve_calls(Connection& with) {
  connection.emplace(with);
  co_await with_scope(log, "calls", [this, &with](TaskScope& scope) { return wait_for_end(*this, with, scope); });
  co_return Result<void>();
}

Result<void> ClientThread::open(Endpoint endpoint, ClientOptions options) {
  // Writing to a dead server must fail the call, not kill the process.
  std::signal(SIGPIPE, SIG_IGN);
  auto answer = opened.get_future();
  auto session_task = with_server(loop_of(*this), std::move(endpoint), std::move(options),
                                  [this](Connection& connected) { return serve_calls(connected); });
  async_start(workers[0].executor(), std::move(session_task),
              [this](const std::exception_ptr& failure, Result<void> outcome) {
                if (failure && !connection) opened.set_exception(failure);
                if (!failure && !connection) opened.set_value(std::move(outcome));
                ended.set_value();
              });
  workers.start();
  return answer.get();
}

Result<void> ClientThread::run(Task<void> task, std::stop_token stop) {
  if (workers[0].is_current()) {
    return fail(ErrorKind::invalid, "a blocking call on the client's event loop would deadlock; use co_await");
  }
  // Shared: `set_value` may still run when the caller has returned.
  const auto done = std::make_shared<std::promise<Result<void>>>();
  const auto handle = std::make_shared<TaskScope::Handle>();
  const auto executor = workers[0].executor();
  asio::post(executor, [this, handle, done, task = std::move(task)]() mutable {
    if (calls) *handle = calls->spawn(run_and_report(std::move(task), done));
    if (!*handle) done->set_value(fail(ErrorKind::closed, "the client was closed"));
  });
  const std::stop_callback cancel(stop, [executor, handle] { asio::post(executor, [handle] { handle->cancel(); }); });
  return done->get_future().get();
}

void ClientThread::close() noexcept {
  asio::post(workers[0].executor(), [this] { close_requested.set(true); });
  if (!workers[0].is_current()) end.wait();
}

Client::Client(Endpoint endpoint, ClientOptions options) : thread_(std::make_unique<ClientThread>(options.log)) {
  if (auto opened = thread_->open(std::move(endpoint), std::move(options)); !opened) throw Failure(opened.error());
}

Client::Client(Client&&) noexcept = default;
Client::~Client() = default;

Result<void> Client::run(Task<void> task, std::stop_token stop) {
  return thread_->run(std::move(task), std::move(stop));
}

void Client::close() noexcept {
  thread_->close();
}

Connection& Client::async() {
  return *thread_->connection;
}

std::vector<protocol::Tool> Client::tools() {
  return value(wait(async().tools()));
}
std::vector<protocol::Resource> Client::resources() {
  return value(wait(async().resources()));
}
std::vector<protocol::ResourceTemplate> Client::resource_templates() {
  return value(wait(async().resource_templates()));
}
std::vector<protocol::Prompt> Client::prompts() {
  return value(wait(async().prompts()));
}
protocol::ReadResourceResult Client::read(std::string uri, CallOptions options) {
  return value(wait(async().read(std::move(uri), std::move(options))));
}
protocol::GetPromptResult Client::prompt(std::string name, std::map<std::string, std::string> arguments,
                                         CallOptions options) {
  return value(wait(async().prompt(std::move(name), std::move(arguments), std::move(options))));
}
protocol::Completion Client::complete(std::variant<protocol::PromptReference, protocol::ResourceReference> of,
                                      std::string argument, std::string text,
                                      std::map<std::string, std::string> known) {
  return value(wait(async().complete(std::move(of), std::move(argument), std::move(text), std::move(known))));
}
void Client::ping() {
  value(wait(async().ping()));
}
void Client::set_log_level(protocol::LoggingLevel level) {
  value(wait(async().set_log_level(level)));
}
void Client::subscribe(std::string uri) {
  value(wait(async().subscribe(std::move(uri))));
}
void Client::unsubscribe(std::string uri) {
  value(wait(async().unsubscribe(std::move(uri))));
}
void Client::set_roots(std::vector<protocol::Root> roots) {
  value(wait(async().set_roots(std::move(roots))));
}
json::Payload Client::request(std::string method, json::Payload params, CallOptions options) {
  return value(wait(async().request(std::move(method), std::move(params), std::move(options))));
}

ServerDescription Client::server() {
  return value(wait(describe(async())));
}

}  // namespace fairlead::client
