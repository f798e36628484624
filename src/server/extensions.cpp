#include <stdexcept>
#include <utility>

#include "server/run_handler.hpp"

namespace fairlead::server {
namespace {

/// A call of a method of an extension. `method` is a member of ServerState::methods.
struct MethodInvocation {
  static constexpr std::optional<ProtocolError> handler_fault = std::nullopt;

  const HandlerFunction<json::Payload>& method;

  const auto& handler() const { return method; }
  static Input input() { return {}; }

  static Result<session::Reply> finish(const session::Call& call, Result<json::Payload> output) {
    if (!output)
      return std::unexpected(as_handler_error(std::move(output.error()), ProtocolError::internal, call.method));
    if (output->empty()) *output = json::Payload::trusted("{}");
    return session::Reply{.body = std::move(*output)};
  }
};

bool is_object(const json::Payload& value) {
  return value.text().starts_with('{');
}

}  // namespace

Server& Server::extension(std::string name, json::Payload settings) {
  return try_register([&] {
    if (settings.empty()) settings = json::Payload::trusted("{}");
    if (!is_object(settings))
      throw std::invalid_argument("extension '" + name + "': the settings must be a JSON object");
    state_->extensions.insert_or_assign(std::move(name), std::move(settings));
  });
}

Server& Server::method(std::string name, MethodHandler handler) {
  return try_register([&] {
    if (ServerState::is_core_method(name))
      throw std::invalid_argument("method '" + name + "' is a method of MCP itself; use a name of your own");
    HandlerFunction<json::Payload> function;
    function.coroutine = [handler = std::move(handler)](const Input&, Context& context) {
      return handler(context.params(), context);
    };
    if (!state_->methods.try_emplace(name, std::move(function)).second)
      throw std::invalid_argument("method '" + name + "' is already registered");
  });
}

Task<Result<session::Reply>> ServerState::call_method(session::Call& call) {
  const auto found = methods.find(call.method);
  if (found == methods.end()) return refuse(ProtocolError::unknown_method, "", call.method);
  return invoke(*this, call, MethodInvocation{found->second});
}

}  // namespace fairlead::server
