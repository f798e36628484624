#include <boost/system/system_error.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

#include "session/session_state.hpp"

namespace fairlead::session {
namespace {

using protocol::Fault;
using protocol::fault_error;

std::optional<jsonrpc::Id> progress_token(const json::Payload& params, const jsonrpc::Landmarks& landmarks) {
  const auto token = json::member_of(landmarks.meta.in(params.text()), protocol::meta::progress_token);
  if (token.empty()) return std::nullopt;
  auto id = json::decode<jsonrpc::Id>(token);
  return id ? std::optional(std::move(*id)) : std::nullopt;
}

/// Reaches the peer on behalf of one of its requests.
class RelatedChannel final : public Backchannel {
 public:
  RelatedChannel(SessionState& session, const Call& call) : session_(session), call_(call) {}

  Task<Result<Reply>> ask(std::string method, json::Payload params) override {
    Call question{.method = std::move(method), .params = std::move(params), .patience = call_.patience};
    question.context.revision = call_.context.revision;
    co_return co_await session_.ask(question, call_.context.id);
  }

  Task<Result<void>> tell(std::string method, json::Payload params) override {
    return session_.outbox.push(
        transport::Outgoing{jsonrpc::Notification{std::move(method), std::move(params)}, call_.context.id});
  }

 private:
  SessionState& session_;
  const Call& call_;
};

}  // namespace

void SessionState::serve(jsonrpc::Request request, std::shared_ptr<BatchReply> batch) {
  const std::string spelled = request.method;
  era.resolve_alias(request.method);
  const bool is_alias = spelled != request.method;
  auto token = progress_token(request.params, request.landmarks);
  auto prepared = era.prepare(request.method, std::move(request.params), request.landmarks, is_alias);
  if (prepared && in_flight.contains(request.id)) {
    prepared = std::unexpected(fault_error(Fault::invalid_request, "this id belongs to a request still under way"));
  }
  if (prepared && in_flight.size() >= options.max_in_flight) {
    prepared = std::unexpected(fault_error(Fault::invalid_request, "too many requests at once; wait for some answers"));
  }
  if (!prepared) return deliver_now(refusal(request.id, prepared.error(), era.answers_in()), batch);
  if (request.method == protocol::Ping::method) {
    return deliver_now(jsonrpc::Response{request.id, json::Payload::trusted("{}")}, batch);
  }

  Call call{.method = std::move(request.method), .params = std::move(prepared->params)};
  call.context = {.revision = prepared->revision,
                  .caller = std::move(prepared->caller),
                  .principal = options.principal,
                  .conversation = key,
                  .id = request.id,
                  .progress_token = std::move(token),
                  .spelled = is_alias ? spelled : std::string(),
                  .over = over.get_token()};
  if (batch || outbox.has_room()) {
    if (auto now = answered_now(call)) {
      auto message = answer(request.id, call, std::move(*now));
      return deliver_now(std::move(message), batch, std::move(request.id));
    }
  }
  // The call lives here and not in its coroutine, because Asio recycles small frames only.
  const auto entry = std::make_shared<InFlight>(InFlight{.call = std::move(call), .batch = std::move(batch)});
  in_flight.emplace(request.id, entry);
  entry->task = handlers->spawn(handle(entry));
  if (!entry->task) in_flight.erase(request.id);
}

std::optional<Result<Reply>> SessionState::answered_now(Call& call) {
  try {
    return service.answer_now(call);
  } catch (...) {
    return std::unexpected(failure_of(call));
  }
}

Task<void> SessionState::handle(std::shared_ptr<InFlight> entry) {
  auto& call = entry->call;
  const auto& batch = entry->batch;
  RelatedChannel back(*this, call);
  call.context.back = &back;
  const jsonrpc::Id id = *call.context.id;
  Result<Reply> reply = fail(ErrorKind::invalid, "");
  try {
    reply = co_await service.call(call);
  } catch (...) {
    reply = std::unexpected(failure_of(call));
  }
  in_flight.erase(id);
  if (entry->cancelled) {
    // A batch waits for all of its answers; one that will not come must not hold up the rest.
    if (batch && --batch->missing == 0 && !batch->messages.empty()) outbox.push_now(std::move(batch->messages));
    co_return;
  }
  auto message = answer(id, call, std::move(reply));
  if (batch || outbox.has_room()) {
    deliver_now(std::move(message), batch, id);
  } else {
    Outbox::Item item = transport::Outgoing{std::move(message), id};
    co_await outbox.push(std::move(item));
  }
}

// The one place where a handler's exception, which is at hand, becomes an answer. Its text stays in the log.
Error SessionState::failure_of(const Call& call) const {
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
  log(loop.log, LogLevel::error, options.name, [&] { return "the handler of " + call.method + " threw: " + what; });
  return fault_error(Fault::internal, std::move(what), call.method);
}

Task<void> SessionState::notify_service(Notice notice) {
  co_await service.notify(notice);
}

void SessionState::deliver_now(jsonrpc::Message message, const std::shared_ptr<BatchReply>& batch,
                               std::optional<jsonrpc::Id> related_to) {
  if (!batch) return outbox.push_now(transport::Outgoing{std::move(message), std::move(related_to)});
  batch->messages.push_back(std::move(message));
  if (--batch->missing == 0) outbox.push_now(std::move(batch->messages));
}

jsonrpc::Message SessionState::answer(const jsonrpc::Id& id, const Call& call, Result<Reply> reply) const {
  const auto& revision = *call.context.revision;
  const auto lower = [&](json::Payload body, protocol::ResultKind kind, std::string_view other) {
    const protocol::ResultStamp stamp{
        .method = call.method, .kind = kind, .server = service.self(), .other_kind = other};
    return jsonrpc::Response{id, revision.codec->lower_result(std::move(body), stamp, revision)};
  };
  if (reply) return lower(std::move(reply->body), reply->kind, reply->other_kind);
  auto lowered = protocol::lower_error(reply.error(), revision, era.dialect());
  if (auto* body = std::get_if<json::Payload>(&lowered)) {
    return lower(std::move(*body), protocol::ResultKind::complete, {});
  }
  return jsonrpc::ErrorResponse{id, std::move(std::get<protocol::WireError>(lowered).error)};
}

jsonrpc::Message SessionState::refusal(const jsonrpc::Id& id, const Error& error,
                                       const protocol::Revision& revision) const {
  auto lowered = protocol::lower_error(error, revision, era.dialect());
  return jsonrpc::ErrorResponse{id, std::move(std::get<protocol::WireError>(lowered).error)};
}

}  // namespace fairlead::session
