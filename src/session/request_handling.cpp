#include "session/request_handling.hpp"

#include <boost/system/system_error.hpp>
#include <cerrno>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

namespace fairlead::session {
namespace {

std::optional<jsonrpc::Id> progress_token(const json::Payload& params, const jsonrpc::ParamSpans& param_spans) {
  const auto token = protocol::progress_token_in(param_spans.meta.in(params.text()));
  if (token.empty()) return std::nullopt;
  auto id = json::decode<jsonrpc::Id>(token);
  return id ? std::optional(std::move(*id)) : std::nullopt;
}

}  // namespace

std::optional<jsonrpc::Message> admit_request(RevisionNegotiator& negotiator, jsonrpc::Request& request, Call& call) {
  call.context.original_method = negotiator.resolve_alias(request.method);
  const bool is_alias = !call.context.original_method.empty();
  if (request.param_spans.meta) call.context.progress_token = progress_token(request.params, request.param_spans);
  const auto negotiated = negotiator.negotiate(request, is_alias, call);
  if (!negotiated) return error_response(request.id, negotiated.error(), negotiator);
  if (request.method == protocol::Ping::method) {
    return jsonrpc::Response{request.id, json::Payload::trusted("{}")};
  }
  call.method = std::move(request.method);
  // The timeout of the sender is unknown; middleware may set one.
  call.timeouts = Timeouts::endless();
  call.context.id = std::move(request.id);
  call.context.request_headers = std::move(request.headers);
  return std::nullopt;
}

Error error_from_exception(const std::exception_ptr& failure, const Call& call, ErrorLog error_log) {
  std::string what;
  try {
    std::rethrow_exception(failure);
  } catch (const boost::system::system_error& error) {
    what = error.what();
    if (error.code() == boost::system::errc::operation_canceled || error.code().value() == ECANCELED) {
      return {.kind = ErrorKind::cancelled, .message = "cancelled"};
    }
  } catch (const std::exception& error) {
    what = error.what();
  } catch (...) {
    what = "an exception of unknown type";
  }
  log(error_log.log, LogLevel::error, error_log.name,
      [&] { return "the handler of " + call.method + " threw: " + what; });
  return protocol::protocol_error(protocol::ProtocolError::internal, std::move(what), call.method);
}

Task<Result<Reply>> call_service(Service& service, Call& call, ErrorLog error_log) {
  try {
    return service.call(call);
  } catch (...) {
    return std::unexpected(error_from_exception(std::current_exception(), call, error_log));
  }
}

jsonrpc::Message make_response(const jsonrpc::Id& id, const Call& call, Result<Reply>&& reply, const Service& service,
                               protocol::ErrorDialect dialect) {
  const auto& revision = *call.context.revision;
  const auto lower = [&](json::Payload&& body, protocol::ResultKind kind, std::string_view other,
                         const protocol::Revision* written_in) {
    const protocol::ResultEnvelope envelope{call.method, kind, service.server_info(), other, written_in};
    return jsonrpc::Message(std::in_place_type<jsonrpc::Response>, id,
                            revision.codec->encode_result(std::move(body), envelope, revision), std::string(),
                            call.context.response_headers);
  };
  if (reply) return lower(std::move(reply->body), reply->kind, reply->other_kind, reply->written_in);
  auto lowered = protocol::encode_error(reply.error(), revision, dialect);
  if (auto* body = std::get_if<json::Payload>(&lowered)) {
    return lower(std::move(*body), protocol::ResultKind::complete, {}, nullptr);
  }
  return jsonrpc::ErrorResponse{.id = id,
                                .error = std::move(std::get<protocol::WireError>(lowered).error),
                                .headers = call.context.response_headers};
}

jsonrpc::Message error_response(const jsonrpc::Id& id, const Error& error, const RevisionNegotiator& negotiator) {
  auto lowered = protocol::encode_error(error, negotiator.error_revision(), negotiator.dialect());
  return jsonrpc::ErrorResponse{id, std::move(std::get<protocol::WireError>(lowered).error)};
}

}  // namespace fairlead::session
