#pragma once

#include <fairlead/client/connection.hpp>
#include <optional>
#include <stdexcept>
#include <stop_token>
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

/// Connects to a server: a command, an address, or a server object in this process. Throws `Failure`.
inline Client connect(Endpoint endpoint, ClientOptions options = {}) {
  return Client(std::move(endpoint), std::move(options));
}

}  // namespace fairlead::client
