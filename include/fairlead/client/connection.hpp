#pragma once

#include <fairlead/client/arguments.hpp>
#include <fairlead/client/endpoint.hpp>
#include <fairlead/client/options.hpp>
#include <fairlead/client/remote_task.hpp>
#include <fairlead/client/tool_result.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <map>
#include <sys/types.h>
#include <utility>

namespace fairlead::client {

struct ConnectionState;

/// A connection to a server, for coroutines. Made by `with_server` or `make_connection`; use it on that event loop
/// only.
///
/// `closed`, `timeout` and `cancelled` are errors of the connection; `refused` and `malformed` come from the server. A
/// failed tool is `refused` with ProtocolError::tool_failed, unless the result type is CallToolResult.
class Connection final : public session::Service {
 public:
  explicit Connection(std::shared_ptr<ConnectionState> state) : state_(std::move(state)) {}

  /// The server's description from the last successful connect.
  const ServerDescription& server() const;
  /// Connects unless already connected.
  Task<Result<ServerDescription>> ensure_connected();
  /// True while connected.
  bool is_open() const;
  /// Process id of the server if this client started it and it runs; else 0.
  pid_t child_pid() const;

  template <class T = protocol::CallToolResult>
  Task<Result<T>> call(std::string tool, Arguments arguments = Arguments(), CallOptions options = CallOptions()) {
    const bool complete_result = std::is_same_v<T, protocol::CallToolResult>;
    auto result = co_await call_tool(std::move(tool), std::move(arguments), std::move(options), complete_result);
    if (!result) co_return std::unexpected(std::move(result.error()));
    co_return read_result<T>(std::move(*result));
  }

  /// Calls a tool without waiting for the end of the task that the call may become. Needs `ClientOptions::tasks`.
  Task<Result<RemoteTask>> start(std::string tool, Arguments arguments = Arguments(),
                                 CallOptions options = CallOptions());
  /// Finds a task by the text of RemoteTask::reference. Does not ask the server.
  Result<RemoteTask> resume(std::string_view reference);

  // These fetch all pages.
  Task<Result<std::vector<protocol::Tool>>> tools();
  Task<Result<std::vector<protocol::Resource>>> resources();
  Task<Result<std::vector<protocol::ResourceTemplate>>> resource_templates();
  Task<Result<std::vector<protocol::Prompt>>> prompts();

  Task<Result<protocol::ReadResourceResult>> read(std::string uri, CallOptions options = CallOptions());
  Task<Result<protocol::GetPromptResult>> prompt(
      std::string name, std::map<std::string, std::string> arguments = std::map<std::string, std::string>(),
      CallOptions options = CallOptions());
  Task<Result<protocol::Completion>> complete(
      std::variant<protocol::PromptReference, protocol::ResourceReference> of, std::string argument, std::string value,
      std::map<std::string, std::string> known = std::map<std::string, std::string>());

  /// Sends ping, or server/discover in revisions without ping.
  Task<Result<void>> ping();
  /// Sets the lowest level that `on_log` receives.
  Task<Result<void>> set_log_level(protocol::LoggingLevel level);
  /// Subscribes to a resource: `on_resource_updated` is called for its changes. Renewed after a reconnect.
  Task<Result<void>> subscribe(std::string uri);
  Task<Result<void>> unsubscribe(std::string uri);
  /// Replaces the `roots` of the options and sends roots/list_changed where the revision has it.
  Task<Result<void>> set_roots(std::vector<protocol::Root> roots);

  /// Sends any request and answers the input requests of the server until the result is complete.
  template <class Method>
  Task<Result<typename Method::Result>> request(typename Method::Params params, CallOptions options = CallOptions()) {
    auto body = co_await request(std::string(Method::method), json::to_payload(params), std::move(options));
    if (!body) co_return std::unexpected(std::move(body.error()));
    co_return json::decode<typename Method::Result>(*body);
  }
  Task<Result<json::Payload>> request(std::string method, json::Payload params, CallOptions options = CallOptions());

  /// The server as a service: sends one request and returns its reply unchanged, also `input_required`.
  Task<Result<session::Reply>> call(session::Call& call) override;
  Task<void> notify(session::Notification& notification) override;

  /// Closes the session; pending calls fail with `closed`. The next call connects again.
  void disconnect() noexcept;

  /// Closes the connection for good; pending and later calls fail with `closed`.
  void close() noexcept;

 private:
  Task<Result<protocol::CallToolResult>> call_tool(std::string tool, Arguments arguments, CallOptions options,
                                                   bool complete_result);

  std::shared_ptr<ConnectionState> state_;
};

/// Makes a connection that connects on its first call. Its tasks run in `scope`, which outlives it: call `close`, then
/// join the scope.
Connection make_connection(TaskScope& scope, EventLoop loop, Endpoint endpoint, ClientOptions options);

/// Connects, runs `body` and disconnects. A child process has ended when this returns. Returns the connect error or the
/// result of `body`.
Task<Result<void>> with_server(EventLoop loop, Endpoint endpoint, ClientOptions options,
                               std::function<Task<Result<void>>(Connection&)> body);

}  // namespace fairlead::client
