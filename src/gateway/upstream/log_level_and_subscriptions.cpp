#include <fairlead/base/log.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/protocol_error.hpp>

#include "gateway/upstream/upstream.hpp"
#include "gateway/upstream/upstream_errors.hpp"

/// Log levels and subscriptions of all callers, combined into one setting at the server.
namespace fairlead::gateway {
namespace {

using protocol::ProtocolError;
using session::Call;
using session::Reply;

Reply empty_reply() {
  return {.body = json::Payload::trusted("{}")};
}

std::unexpected<Error> bad_params(const Error& why) {
  return std::unexpected(protocol::protocol_error(ProtocolError::invalid_params, why.message));
}

}  // namespace

Task<Result<Reply>> Upstream::set_level(Call& call) {
  auto params = json::decode<protocol::SetLevelParams>(call.params);
  if (!params) co_return bad_params(params.error());
  if (auto reached = co_await ensure_connected(); !reached) co_return std::unexpected(std::move(reached.error()));
  if (!connection_.server().capabilities.logging) {
    co_return std::unexpected(protocol::protocol_error(ProtocolError::unknown_method, "", call.method));
  }
  notifier_.set_level(call.context.session_key, params->level);
  auto outcome = co_await raise_log_level(params->level);
  if (!outcome) co_return std::unexpected(map_error(options_, std::move(outcome.error()), connection_.server(), call));
  co_return empty_reply();
}

// The server gets the most verbose level of all callers; the notifier filters for the others.
Task<Result<void>> Upstream::raise_log_level(protocol::LoggingLevel level) {
  const auto& server = connection_.server();
  if (server.revision->request_log_level || !server.capabilities.logging) return Result<void>();
  if (level_ && *level_ <= level) return Result<void>();
  level_ = level;
  return connection_.set_log_level(level);
}

Task<Result<Reply>> Upstream::subscribe(Call& call) {
  auto params = json::decode<protocol::ResourceUriParams>(call.params);
  if (!params) co_return bad_params(params.error());
  if (auto reached = co_await ensure_connected(); !reached) co_return std::unexpected(std::move(reached.error()));
  if (auto fits = notifier_.check_subscription_limits(call.context.session_key, params->uri); !fits)
    co_return bad_params(fits.error());
  // Without a session, a subscription and a call cannot be attributed to the same client.
  const bool stateless = call.context.revision && call.context.revision->lifecycle == protocol::Lifecycle::stateless;
  if (!stateless || !call.context.principal.empty()) record_caller(caller_of(call.context));
  if (!notifier_.subscribe(call.context.session_key, params->uri)) co_return empty_reply();
  auto subscribed = co_await connection_.subscribe(params->uri);
  if (subscribed) co_return empty_reply();
  notifier_.unsubscribe(call.context.session_key, params->uri);
  const bool silent =
      subscribed.error().kind == ErrorKind::timeout && !connection_.server().revision->server_initiated_requests;
  if (silent) co_return std::unexpected(not_acknowledged(options_.name, subscribed.error()));
  co_return std::unexpected(map_error(options_, std::move(subscribed.error()), connection_.server(), call));
}

Task<Result<Reply>> Upstream::unsubscribe(Call& call) {
  auto params = json::decode<protocol::ResourceUriParams>(call.params);
  if (!params) co_return bad_params(params.error());
  if (!notifier_.unsubscribe(call.context.session_key, params->uri)) co_return empty_reply();
  auto outcome = co_await connection_.unsubscribe(params->uri);
  if (!outcome) co_return std::unexpected(map_error(options_, std::move(outcome.error()), connection_.server(), call));
  co_return empty_reply();
}

Task<void> Upstream::unsubscribe_unused(std::vector<std::string> uris) {
  for (const auto& uri : uris) {
    if (!notifier_.has_subscribers(uri) && connection_.is_open()) co_await connection_.unsubscribe(uri);
  }
}

std::shared_ptr<const protocol::ClientIdentity> Upstream::identity_for(const Call& call) {
  const auto& revision = *connection_.server().revision;
  if (revision.lifecycle == protocol::Lifecycle::handshake) return session::anonymous_caller();
  const auto& caller = call.context.caller;
  const bool level_per_request = call.context.revision && call.context.revision->request_log_level;
  const auto level = level_per_request ? caller->log_level : notifier_.level(call.context.session_key);
  if (caller == last_identity_ && last_adapted_->log_level == level && last_adapted_->revision == revision.name) {
    return last_adapted_;
  }
  auto adapted = std::make_shared<protocol::ClientIdentity>(*caller);
  adapted->revision = revision.name;
  adapted->log_level = level;
  if (!adapted->info) adapted->info = options_.client.client_info;
  last_identity_ = caller;
  last_adapted_ = adapted;
  return adapted;
}

}  // namespace fairlead::gateway
