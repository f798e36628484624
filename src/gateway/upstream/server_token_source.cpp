#include "gateway/upstream/server_token_source.hpp"

#include <fairlead/base/start_task.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/json/writer.hpp>
#include <fmt/format.h>

namespace fairlead::gateway {

bool is_credential_error(const Error& error) {
  return error.cause >= auth::cause_sign_in_needed && error.cause <= auth::cause_token_refused;
}

Task<Result<auth::Credential>> ServerTokenSource::get(const EventLoop& loop) {
  auto credential = inner_->get(loop);
  if (!credential.is_ready()) credential = get_slowly(shared_from_this(), std::move(credential));
  return credential;
}

Task<Result<auth::Credential>> ServerTokenSource::get_slowly(std::shared_ptr<ServerTokenSource> self,
                                                             Task<Result<auth::Credential>> waiting) {
  auto credential = co_await std::move(waiting);
  if (!credential) co_return std::unexpected(self->explained(std::move(credential.error())));
  co_return credential;
}

void ServerTokenSource::set_link(std::string link) {
  if (!renewal_) return;
  renewal_->link = std::move(link);
  renewal_->changed.notify();
}

std::shared_ptr<ServerTokenSource::Renewal> ServerTokenSource::begin(const EventLoop& loop, auth::Challenge why,
                                                                     auth::Credential used) {
  const auto renewal = std::make_shared<Renewal>(loop);
  renewal_ = renewal;
  auto done = [self = shared_from_this(), renewal](TaskOutcome<Result<auth::Credential>> outcome) {
    renewal->result = outcome ? std::move(*outcome) : fail(ErrorKind::closed, "the sign-in failed");
    if (self->renewal_ == renewal) self->renewal_.reset();
    renewal->changed.notify();
  };
  start(loop.executor, inner_->refused(loop, std::move(why), std::move(used)), std::move(done));
  return renewal;
}

Task<Result<auth::Credential>> ServerTokenSource::finished(std::shared_ptr<Renewal> renewal, bool or_link) {
  while (!renewal->result && !(or_link && !renewal->link.empty())) co_await renewal->changed.wait();
  if (renewal->result) co_return *renewal->result;
  co_return fail(ErrorKind::timeout, "waiting for the user");
}

Task<Result<auth::Credential>> ServerTokenSource::refused(EventLoop loop, auth::Challenge why, auth::Credential used) {
  const auto self = shared_from_this();
  const auto renewal = renewal_ ? renewal_ : begin(loop, std::move(why), std::move(used));
  if (options_.user_timeout > Duration()) {
    const auto until = Deadline::in(options_.user_timeout, loop.timers.clock());
    co_await with_deadline(loop.timers, until, finished(renewal, false));
  }
  auto result = co_await finished(renewal, true);
  if (!renewal->result) co_return std::unexpected(link_error(renewal->link));
  if (!result) co_return std::unexpected(explained(std::move(result.error())));
  co_return result;
}

Error ServerTokenSource::link_error(const std::string& link) const {
  Error error{.kind = ErrorKind::refused,
              .message = fmt::format("the server '{}' requires a sign-in", options_.server),
              .code = 401,
              .cause = auth::cause_sign_in_needed};
  json::ObjectWriter(error.data).text("url", link);
  return error;
}

// A code that is final for the negotiation: the server was not asked which revision it supports.
Error ServerTokenSource::explained(Error error) const {
  if (error.kind == ErrorKind::cancelled) return error;
  if (error.cause == auth::cause_sign_in_needed && !options_.command.empty()) {
    error.message = fmt::format("the server '{}' requires a sign-in; run: {}", options_.server, options_.command);
  } else {
    error.message = fmt::format("cannot sign in to the server '{}': {}", options_.server, error.message);
  }
  if (!is_credential_error(error)) error.cause = auth::cause_token_refused;
  error.kind = ErrorKind::refused;
  error.code = 401;
  return error;
}

}  // namespace fairlead::gateway
