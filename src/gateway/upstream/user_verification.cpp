#include "gateway/upstream/user_verification.hpp"

#include <utility>

#include "auth/client/form.hpp"
#include "crypto/secret.hpp"

namespace fairlead::gateway {
namespace {

// The value that another task sets. That task may be in a destructor, so this one continues in the next turn.
Task<Result<std::string>> value_of(Promise<Result<std::string>>& promise) {
  auto value = co_await promise.wait();
  if (!value) co_return fail(ErrorKind::cancelled, "cancelled");
  co_await next_turn;
  co_return std::move(*value);
}

}  // namespace

std::string parameter_of(std::string_view query, std::string_view name) {
  const auto form = auth::Form::parse(query);
  return form ? std::string(form->get(name)) : std::string();
}

std::string state_of(std::string_view url) {
  const auto question = url.find('?');
  return question == std::string_view::npos ? std::string() : parameter_of(url.substr(question + 1), "state");
}

Task<Result<std::string>> UserVerification::page() {
  return value_of(page_);
}

bool UserVerification::expects(std::string_view cookie, std::string_view state) const {
  return !state_.empty() && state == state_ && !returned_.is_set() && cookie.size() == cookie_.size() &&
         crypto::equal_in_constant_time(cookie, cookie_);
}

Task<Result<std::string>> UserVerification::check(std::string_view query) {
  returned_.set(Result<std::string>(redirect_uri_ + "?" + std::string(query)));
  return value_of(principal_);
}

void UserVerification::finish(Result<std::string> principal) {
  if (!principal) page_.set(Result<std::string>(std::unexpected(principal.error())));
  principal_.set(std::move(principal));
}

void UserVerification::end() {
  returned_.set(fail(ErrorKind::timeout, "the link has expired, or was opened again"));
}

Task<Result<std::string>> UserVerification::show(EventLoop, auth::SignInRequest request) {
  state_ = state_of(request.url);
  page_.set(Result<std::string>(std::move(request.url)));
  return value_of(returned_);
}

}  // namespace fairlead::gateway
