#include <boost/system/system_error.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

#include "session/session_state.hpp"

namespace fairlead::session {
namespace {

using protocol::Fault;
using protocol::fault_error;

std::optional<jsonrpc::Id> progress_token(const json::Payload& params, const jsonrpc::Landmarks& landmarks) {
  if (!landmarks.meta) return std::nullopt;
  json::Reader meta(landmarks.meta.in(params.text()));
  if (meta.kind() != json::Kind::object) return std::nullopt;
  for (meta.open(); meta.more();) {
    const bool wanted = meta.key() == protocol::meta::progress_token;
    const auto token = meta.skip();
    if (!wanted) continue;
    auto id = json::decode<jsonrpc::Id>(token);
    return id ? std::optional(std::move(*id)) : std::nullopt;
  }
  return std::nullopt;
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
  const auto entry = std::make_shared<InFlight>();
  in_flight.emplace(request.id, entry);
  entry->task = handlers->spawn(handle(std::move(call), entry, std::move(batch)));
  if (!entry->task) in_flight.erase(request.id);
}

Task<void> SessionState::handle(Call call, std::shared_ptr<InFlight> entry, std::shared_ptr<BatchReply> batch) {
  RelatedChannel back(*this, call);
  call.context.back = &back;
  const jsonrpc::Id id = *call.context.id;
  auto reply = co_await guarded(call);
  in_flight.erase(id);
  if (entry->cancelled) {
    // A batch waits for all of its answers; one that will not come must not hold up the rest.
    if (batch && --batch->missing == 0 && !batch->messages.empty()) outbox.push_now(std::move(batch->messages));
    co_return;
  }
  auto message = answer(id, call, std::move(reply));
  co_await deliver(std::move(message), std::move(batch), id);
}

// The one place where a handler's exception becomes an answer. Its text stays in the log.
Task<Result<Reply>> SessionState::guarded(Call& call) {
  std::string what;
  try {
    co_return co_await service.call(call);
  } catch (const boost::system::system_error& error) {
    what = error.what();
    if (error.code() == boost::system::errc::operation_canceled || error.code().value() == ECANCELED) {
      co_return fail(ErrorKind::cancelled, "cancelled");
    }
  } catch (const std::exception& error) {
    what = error.what();
  } catch (...) {
    what = "an exception of no known type";
  }
  log(loop.log, LogLevel::error, options.name, [&] { return "the handler of " + call.method + " threw: " + what; });
  co_return std::unexpected(fault_error(Fault::internal, std::move(what), call.method));
}

Task<void> SessionState::notify_service(Notice notice) {
  co_await service.notify(notice);
}

Task<void> SessionState::deliver(jsonrpc::Message message, std::shared_ptr<BatchReply> batch, jsonrpc::Id related_to) {
  if (batch) {
    deliver_now(std::move(message), batch);
  } else {
    Outbox::Item item = transport::Outgoing{std::move(message), std::move(related_to)};
    co_await outbox.push(std::move(item));
  }
}

void SessionState::deliver_now(jsonrpc::Message message, const std::shared_ptr<BatchReply>& batch) {
  if (!batch) return outbox.push_now(transport::Outgoing{std::move(message)});
  batch->messages.push_back(std::move(message));
  if (--batch->missing == 0) outbox.push_now(std::move(batch->messages));
}

jsonrpc::Message SessionState::answer(const jsonrpc::Id& id, const Call& call, Result<Reply> reply) const {
  const auto& revision = *call.context.revision;
  const auto lower = [&](json::Payload body, protocol::ResultKind kind, std::string_view other) {
    const protocol::ResultStamp stamp{.method = call.method,
                                      .kind = kind,
                                      .server = service.self(),
                                      .other_kind = other};
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
