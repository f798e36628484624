#include "session/answering.hpp"

#include <boost/system/system_error.hpp>
#include <cerrno>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <string>
#include <utility>

namespace fairlead::session {
namespace {

std::optional<jsonrpc::Id> progress_token(const json::Payload& params, const jsonrpc::Landmarks& landmarks) {
  const auto token = protocol::progress_token_in(landmarks.meta.in(params.text()));
  if (token.empty()) return std::nullopt;
  auto id = json::decode<jsonrpc::Id>(token);
  return id ? std::optional(std::move(*id)) : std::nullopt;
}

}  // namespace

std::optional<jsonrpc::Message> admit(Era& era, jsonrpc::Request& request, Call& call) {
  std::string spelled = request.method;
  era.resolve_alias(request.method);
  const bool is_alias = spelled != request.method;
  auto token = progress_token(request.params, request.landmarks);
  auto prepared = era.prepare(request.method, request.params, request.landmarks, is_alias);
  if (!prepared) return refusal(request.id, prepared.error(), era);
  if (request.method == protocol::Ping::method) {
    return jsonrpc::Response{request.id, json::Payload::trusted("{}")};
  }
  call.method = std::move(request.method);
  call.params = std::move(prepared->params);
  // How long its sender waits is not known; whoever stands between it and the answer may have an opinion.
  call.patience = Patience::endless();
  call.context.revision = prepared->revision;
  call.context.caller = std::move(prepared->caller);
  call.context.id = request.id;
  call.context.progress_token = std::move(token);
  if (is_alias) call.context.spelled = std::move(spelled);
  call.context.luggage = request.luggage;
  return std::nullopt;
}

Error failure_of(const Call& call, Reporter reporter) {
  std::string what;
  try {
    throw;
  } catch (const boost::system::system_error& error) {
    what = error.what();
    if (error.code() == boost::system::errc::operation_canceled || error.code().value() == ECANCELED) {
      return {.kind = ErrorKind::cancelled, .message = "cancelled"};
    }
  } catch (const std::exception& error) {
    what = error.what();
  } catch (...) {
    what = "an exception of no known type";
  }
  log(reporter.log, LogLevel::error, reporter.name,
      [&] { return "the handler of " + call.method + " threw: " + what; });
  return protocol::fault_error(protocol::Fault::internal, std::move(what), call.method);
}

void give_back(jsonrpc::Request& request, Call& call) {
  request.method = call.context.spelled.empty() ? std::move(call.method) : std::move(call.context.spelled);
  if (request.params.empty()) request.params = std::move(call.params);
}

std::optional<Result<Reply>> answered_now(Service& service, Call& call, Reporter reporter) {
  try {
    return service.answer_now(call);
  } catch (...) {
    return std::unexpected(failure_of(call, reporter));
  }
}

jsonrpc::Message answer(const jsonrpc::Id& id, const Call& call, Result<Reply>&& reply, const Service& service,
                        protocol::Dialect dialect) {
  const auto& revision = *call.context.revision;
  const auto lower = [&](json::Payload&& body, protocol::ResultKind kind, std::string_view other,
                         const protocol::Revision* written_in) {
    const protocol::ResultStamp stamp{
        .method = call.method, .kind = kind, .server = service.self(), .other_kind = other, .written_in = written_in};
    return jsonrpc::Message(std::in_place_type<jsonrpc::Response>, id,
                            revision.codec->lower_result(std::move(body), stamp, revision), std::string(),
                            call.context.returns);
  };
  if (reply) return lower(std::move(reply->body), reply->kind, reply->other_kind, reply->written_in);
  auto lowered = protocol::lower_error(reply.error(), revision, dialect);
  if (auto* body = std::get_if<json::Payload>(&lowered)) {
    return lower(std::move(*body), protocol::ResultKind::complete, {}, nullptr);
  }
  return jsonrpc::ErrorResponse{
      .id = id, .error = std::move(std::get<protocol::WireError>(lowered).error), .luggage = call.context.returns};
}

jsonrpc::Message refusal(const jsonrpc::Id& id, const Error& error, const Era& era) {
  auto lowered = protocol::lower_error(error, era.answers_in(), era.dialect());
  return jsonrpc::ErrorResponse{id, std::move(std::get<protocol::WireError>(lowered).error)};
}

}  // namespace fairlead::session
