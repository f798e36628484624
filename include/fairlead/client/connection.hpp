#pragma once

#include <fairlead/client/arguments.hpp>
#include <fairlead/client/endpoint.hpp>
#include <fairlead/client/options.hpp>
#include <fairlead/client/tool_result.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <sys/types.h>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace fairlead::client {

struct ConnectionState;

/// A server at the other end, for coroutines on the loop where it was opened; `with_server` makes one.
///
/// Errors say who failed: `closed`, `timeout` and `cancelled` are the way's, `refused` and `malformed` the server's. A
/// tool that failed is a `refused` with the fault `tool_failed`, unless the whole CallToolResult was asked for.
class Connection final : public session::Service {
 public:
  explicit Connection(std::shared_ptr<ConnectionState> state) : state_(std::move(state)) {}

  /// As it was when it was last reached.
  const ServerDescription& server() const;
  /// Makes sure that somebody is there.
  Task<Result<ServerDescription>> reach();
  /// Whether it was reached and has not gone.
  bool is_open() const;
  /// The process of a server that we have started, while it runs; 0 for others.
  pid_t process() const;

  template <class T = protocol::CallToolResult>
  Task<Result<T>> call(std::string tool, Arguments arguments = Arguments(), CallOptions options = CallOptions()) {
    const bool whole = std::is_same_v<T, protocol::CallToolResult>;
    auto result = co_await call_tool(std::move(tool), std::move(arguments), std::move(options), whole);
    if (!result) co_return std::unexpected(std::move(result.error()));
    co_return read_result<T>(std::move(*result));
  }

  // Lists come whole, however many pages they have.
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

  /// Whether anybody is there.
  Task<Result<void>> ping();
  /// From now on `on_log` hears what is at least as grave.
  Task<Result<void>> set_log_level(protocol::LoggingLevel level);
  /// From now on `on_resource_updated` hears of this resource, a server that was restarted in between included.
  Task<Result<void>> subscribe(std::string uri);
  Task<Result<void>> unsubscribe(std::string uri);
  /// Replaces what `roots` of the options said, and tells a server that asked to know.
  Task<Result<void>> set_roots(std::vector<protocol::Root> roots);

  /// Any method, in typed or in plain form. Questions that come back are answered on the way.
  template <class Method>
  Task<Result<typename Method::Result>> request(typename Method::Params params, CallOptions options = CallOptions()) {
    auto body = co_await request(std::string(Method::method), json::to_payload(params), std::move(options));
    if (!body) co_return std::unexpected(std::move(body.error()));
    co_return json::decode<typename Method::Result>(*body);
  }
  Task<Result<json::Payload>> request(std::string method, json::Payload params, CallOptions options = CallOptions());

  /// The server as a service: one request, and its answer as it comes, be it a question.
  Task<Result<session::Reply>> call(session::Call& call) override;
  Task<void> notify(session::Notice& notice) override;

  /// Lets the server go; the next call starts it, or reaches it, anew. Calls under way fail with `closed`.
  void hang_up() noexcept;

  /// Ends the conversation; calls under way fail with `closed`, as do later ones.
  void close() noexcept;

 private:
  Task<Result<protocol::CallToolResult>> call_tool(std::string tool, Arguments arguments, CallOptions options,
                                                   bool whole);

  std::shared_ptr<ConnectionState> state_;
};

/// A server that is reached by its first call. The tasks of the connection run in `scope`, which outlives it: `close`,
/// then join.
Connection connection_in(TaskScope& scope, Loop loop, Endpoint endpoint, ClientOptions options);

/// Reaches a server, runs `body` with it, and hangs up: a child has ended when this returns. The error says why there
/// was nobody to talk to, or is what `body` returned.
Task<Result<void>> with_server(Loop loop, Endpoint endpoint, ClientOptions options,
                               std::function<Task<Result<void>>(Connection&)> body);

}  // namespace fairlead::client
