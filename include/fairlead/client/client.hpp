#pragma once

#include <fairlead/client/connection.hpp>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace fairlead::client {

/// Thrown by the calls of a blocking client.
class Failure : public std::runtime_error {
 public:
  explicit Failure(Error error) : std::runtime_error(error.message), error_(std::move(error)) {}
  const Error& error() const { return error_; }

 private:
  Error error_;
};

struct ClientThread;
template <class T>
class Started;

/// A client for programs without an event loop: every call blocks until its result arrives and throws `Failure` on
/// error. Thread-safe.
///
/// For results instead of exceptions, or to cancel a call, use
/// `client.wait(client.async().call<int>("add", {{"a", 1}}), stop_token)`.
class Client {
 public:
  explicit Client(Endpoint endpoint, ClientOptions options = {});
  Client(Client&&) noexcept;
  Client& operator=(Client&&) = delete;
  /// Disconnects. A child process has ended afterwards.
  ~Client();

  template <class T = protocol::CallToolResult>
  T call(std::string tool, Arguments arguments = {}, CallOptions options = {}) {
    return value(wait(async().call<T>(std::move(tool), std::move(arguments), std::move(options))));
  }

  /// Calls a tool without waiting for its result. Needs `ClientOptions::tasks`, without which it waits.
  template <class T = protocol::CallToolResult>
  Started<T> start(std::string tool, Arguments arguments = {}, CallOptions options = {});
  /// Takes up a task by the text of Started::reference, also in another process.
  template <class T = protocol::CallToolResult>
  Started<T> resume(std::string_view reference);

  std::vector<protocol::Tool> tools();
  std::vector<protocol::Resource> resources();
  std::vector<protocol::ResourceTemplate> resource_templates();
  std::vector<protocol::Prompt> prompts();
  protocol::ReadResourceResult read(std::string uri, CallOptions options = {});
  protocol::GetPromptResult prompt(std::string name, std::map<std::string, std::string> arguments = {},
                                   CallOptions options = {});
  protocol::Completion complete(std::variant<protocol::PromptReference, protocol::ResourceReference> of,
                                std::string argument, std::string value, std::map<std::string, std::string> known = {});
  void ping();
  void set_log_level(protocol::LoggingLevel level);
  void subscribe(std::string uri);
  void unsubscribe(std::string uri);
  void set_roots(std::vector<protocol::Root> roots);
  json::Payload request(std::string method, json::Payload params = {}, CallOptions options = {});

  /// The server's description from the last successful connect.
  ServerDescription server();

  /// Disconnects and waits until that is done. Calls of other threads fail with `closed`.
  void close() noexcept;

  /// The coroutine interface of this connection; pass its tasks to `wait`.
  Connection& async();

  /// Runs a task on the client's event loop and blocks until it has ended. `stop` cancels the task.
  template <class T>
  Result<T> wait(Task<Result<T>> task, std::stop_token stop = {}) {
    std::optional<Result<T>> result;
    auto ran = run(store_result(std::move(task), &result), std::move(stop));
    if (!ran) return std::unexpected(ran.error());
    return std::move(*result);
  }

 private:
  template <class T>
  friend class Started;
  template <class T>
  static Task<void> store_result(Task<Result<T>> task, std::optional<Result<T>>* result) {
    result->emplace(co_await std::move(task));
  }
  template <class T>
  static T value(Result<T> result) {
    if (!result) throw Failure(std::move(result.error()));
    if constexpr (!std::is_void_v<T>) return std::move(*result);
  }

  Result<void> run(Task<void> task, std::stop_token stop);

  std::unique_ptr<ClientThread> thread_;
};

/// A call that was started without waiting for its result. Does not outlive its client. Not thread-safe.
template <class T>
class Started {
 public:
  Started(Client& client, RemoteTask task) : client_(&client), task_(std::move(task)) {}

  /// True if the result is known: `wait` returns at once.
  bool done() const { return task_.done(); }
  /// Asks the server for the state of the task.
  protocol::ExtensionTask status() { return Client::value(client_->wait(task_.status())); }
  /// Waits for the result and answers questions of the server. Throws `Failure` with `timeout` after `limit`; the task
  /// goes on.
  T wait(Duration limit = Duration::max()) {
    auto result = Client::value(client_->wait(task_.wait(limit)));
    if constexpr (!std::is_same_v<T, protocol::CallToolResult>) {
      result = Client::value(require_success(std::move(result), task_.tool()));
    }
    return Client::value(read_result<T>(std::move(result)));
  }
  /// Asks the server to cancel the task, which may still complete.
  void cancel() { Client::value(client_->wait(task_.cancel())); }
  /// A text for Client::resume; empty if the call did not become a task.
  std::string reference() const { return task_.reference(); }

 private:
  Client* client_;
  RemoteTask task_;
};

template <class T>
Started<T> Client::start(std::string tool, Arguments arguments, CallOptions options) {
  return {*this, value(wait(async().start(std::move(tool), std::move(arguments), std::move(options))))};
}

template <class T>
Started<T> Client::resume(std::string_view reference) {
  return {*this, value(async().resume(reference))};
}

/// Connects to a server: a command, an address, or a server object in this process. Throws `Failure`.
inline Client connect(Endpoint endpoint, ClientOptions options = {}) {
  return Client(std::move(endpoint), std::move(options));
}

}  // namespace fairlead::client
