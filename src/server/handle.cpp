#include <boost/asio/io_context.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/jsonrpc/read.hpp>
#include <fairlead/protocol/extension.hpp>
#include <fairlead/protocol/method_aliases.hpp>
#include <fairlead/protocol/unsupported_version.hpp>

#include "server/server_state.hpp"

namespace fairlead::server {
namespace {

using session::Call;
using session::Reply;

// The event loop of the call ends with it, so no task can outlive the call.
std::shared_ptr<const protocol::ClientIdentity> hide_tasks_extension(
    std::shared_ptr<const protocol::ClientIdentity> caller) {
  const std::string id(protocol::extension::tasks);
  if (!protocol::declares_extension(caller->capabilities.extensions, id)) return caller;
  auto adapted = std::make_shared<protocol::ClientIdentity>(*caller);
  adapted->capabilities.extensions->erase(id);
  return adapted;
}

Result<Call> prepare(jsonrpc::Request& request, std::string principal) {
  Call call{.method = request.method};
  if (const auto* alias = protocol::find_alias(request.method)) {
    call.context.original_method = std::exchange(call.method, std::string(alias->method));
  }
  auto decoded = protocol::newest().codec->decode_request(std::move(request.params), request.param_spans.meta);
  if (!decoded) return std::unexpected(std::move(decoded.error()));
  const auto* revision = protocol::find_revision(decoded->caller->revision);
  if (revision == nullptr || revision->lifecycle != protocol::Lifecycle::stateless) {
    return std::unexpected(protocol::unsupported_version(decoded->caller->revision));
  }
  if (!protocol::may_exist(&protocol::Revision::client_requests, *revision, call.method))
    return refuse(ProtocolError::unknown_method, "", request.method);
  call.params = std::move(decoded->params);
  call.context.revision = revision;
  call.context.caller = hide_tasks_extension(std::move(decoded->caller));
  call.context.principal = std::move(principal);
  call.context.id = request.id;
  return call;
}

// As in a session: an exception of a handler becomes an internal error without its text.
Result<Reply> run_call(ServerState& server, Call& call) {
  std::optional<Result<Reply>> reply;
  try {
    auto answer = server.dispatch(call);
    if (answer.is_ready()) return answer.take();
    boost::asio::io_context loop(1);
    async_start(loop, std::move(answer), [&](const std::exception_ptr& failure, Result<Reply> outcome) {
      if (!failure) reply.emplace(std::move(outcome));
    });
    loop.run();
  } catch (...) {  // Below.
  }
  return reply ? std::move(*reply) : refuse(ProtocolError::internal, "the handler failed", call.method);
}

jsonrpc::Message answer(const jsonrpc::Id& id, const std::string& method, Result<Reply> reply,
                        const ServerState& server) {
  const auto& revision = protocol::newest();
  protocol::ResultEnvelope envelope{.method = method, .server = &server.info};
  const auto lower = [&](json::Payload body) {
    return jsonrpc::Response{id, revision.codec->encode_result(std::move(body), envelope, revision)};
  };
  if (reply) {
    envelope.kind = reply->kind;
    envelope.other_kind = reply->other_kind;
    return lower(std::move(reply->body));
  }
  auto lowered = protocol::encode_error(reply.error(), revision);
  if (auto* body = std::get_if<json::Payload>(&lowered)) return lower(std::move(*body));
  return jsonrpc::ErrorResponse{id, std::move(std::get<protocol::WireError>(lowered).error)};
}

}  // namespace

std::string Server::handle(std::string request, std::string principal) {
  state_->begin_serving();
  auto incoming = jsonrpc::read(std::move(request));
  if (!incoming) return jsonrpc::write(incoming.error());
  auto* message = std::get_if<jsonrpc::Message>(&*incoming);
  if (message == nullptr) {
    return jsonrpc::write(
        jsonrpc::ErrorResponse{{}, {.code = jsonrpc::code::invalid_request, .message = "send one request at a time"}});
  }
  auto* request_in = std::get_if<jsonrpc::Request>(message);
  if (request_in == nullptr) return {};
  const jsonrpc::Id id = request_in->id;
  auto call = prepare(*request_in, std::move(principal));
  if (!call) return jsonrpc::write(answer(id, request_in->method, std::unexpected(std::move(call.error())), *state_));
  auto reply = run_call(*state_, *call);
  return jsonrpc::write(answer(id, call->method, std::move(reply), *state_));
}

}  // namespace fairlead::server
