#include <fairlead/base/log.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/fault.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

#include "gateway/task_extension.hpp"
#include "gateway/upstream/failure.hpp"
#include "gateway/upstream/upstream.hpp"

/// What callers want to be told, turned into what the server understands: it hears the sum of it.
namespace fairlead::gateway {
namespace {

using protocol::Fault;
using session::Call;
using session::Reply;

Reply done() {
  return {.body = json::Payload::trusted("{}")};
}

std::unexpected<Error> bad_params(const Error& why) {
  return std::unexpected(protocol::fault_error(Fault::invalid_params, why.message));
}

}  // namespace

Task<Result<Reply>> Upstream::set_level(Call& call) {
  auto params = json::decode<protocol::SetLevelParams>(call.params);
  if (!params) co_return bad_params(params.error());
  if (auto reached = co_await reach(); !reached) co_return std::unexpected(std::move(reached.error()));
  if (!connection_.server().capabilities.logging) {
    co_return std::unexpected(protocol::fault_error(Fault::unknown_method, "", call.method));
  }
  audience_.set_level(call.context.conversation, params->level);
  auto told = co_await want_level(params->level);
  if (!told) co_return std::unexpected(told_by(options_, std::move(told.error()), connection_.server(), call));
  co_return done();
}

// The server tells as much as the most curious wants; the others are spared what they did not ask for.
Task<Result<void>> Upstream::want_level(protocol::LoggingLevel level) {
  const auto& server = connection_.server();
  if (server.revision->request_log_level || !server.capabilities.logging) co_return Result<void>();
  if (level_ && *level_ <= level) co_return Result<void>();
  level_ = level;
  co_return co_await connection_.set_log_level(level);
}

Task<Result<Reply>> Upstream::follow(Call& call) {
  auto params = json::decode<protocol::ResourceUriParams>(call.params);
  if (!params) co_return bad_params(params.error());
  if (auto reached = co_await reach(); !reached) co_return std::unexpected(std::move(reached.error()));
  if (auto fits = audience_.may_follow(call.context.conversation, params->uri); !fits)
    co_return bad_params(fits.error());
  // Without a session, who follows and who calls cannot be known to be the same client.
  const bool stateless = call.context.revision && call.context.revision->lifecycle == protocol::Lifecycle::stateless;
  if (!stateless || !call.context.principal.empty()) note_used(caller_of(call.context));
  if (!audience_.follow(call.context.conversation, params->uri)) co_return done();
  auto subscribed = co_await connection_.subscribe(params->uri);
  if (subscribed) co_return done();
  audience_.unfollow(call.context.conversation, params->uri);
  const bool silent = subscribed.error().kind == ErrorKind::timeout && !connection_.server().revision->server_asks;
  if (silent) co_return std::unexpected(not_acknowledged(options_.name, subscribed.error()));
  co_return std::unexpected(told_by(options_, std::move(subscribed.error()), connection_.server(), call));
}

Task<Result<Reply>> Upstream::unfollow(Call& call) {
  auto params = json::decode<protocol::ResourceUriParams>(call.params);
  if (!params) co_return bad_params(params.error());
  if (!audience_.unfollow(call.context.conversation, params->uri)) co_return done();
  auto told = co_await connection_.unsubscribe(params->uri);
  if (!told) co_return std::unexpected(told_by(options_, std::move(told.error()), connection_.server(), call));
  co_return done();
}

Task<void> Upstream::forget(std::vector<std::string> uris) {
  for (const auto& uri : uris) {
    if (!audience_.is_followed(uri) && connection_.is_open()) co_await connection_.unsubscribe(uri);
  }
}

std::shared_ptr<const protocol::Caller> Upstream::caller_for(const Call& call) {
  const auto& revision = *connection_.server().revision;
  if (revision.lifecycle == protocol::Lifecycle::handshake) return session::nobody();
  const auto& caller = call.context.caller;
  const bool asks_each_time = call.context.revision && call.context.revision->request_log_level;
  const auto level = asks_each_time ? caller->log_level : audience_.level(call.context.conversation);
  if (caller == last_caller_ && last_lowered_->log_level == level && last_lowered_->revision == revision.name) {
    return last_lowered_;
  }
  auto lowered = std::make_shared<protocol::Caller>(*caller);
  lowered->revision = revision.name;
  lowered->log_level = level;
  without_tasks(lowered->capabilities.extensions);
  if (!lowered->info) lowered->info = options_.client.self;
  last_caller_ = caller;
  last_lowered_ = lowered;
  return lowered;
}

}  // namespace fairlead::gateway
