#include "auth/oauth/introspection.hpp"

#include <fairlead/base/log.hpp>
#include <fairlead/base/run_on_worker.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <utility>

#include "auth/client/token_request.hpp"
#include "auth/jose/jose.hpp"
#include "crypto/digest.hpp"

namespace fairlead::auth {
namespace {

constexpr Duration introspection_timeout = std::chrono::seconds{5};
constexpr std::size_t max_concurrent = 16;
constexpr std::size_t max_questions = 1'024;

Result<std::string> read_introspection(http::ClientResponse response) {
  if (response.status != 200) return std::unexpected(endpoint_error("introspection", response));
  const auto members = jose::read_members(response.body);
  if (!members) return fail(ErrorKind::malformed, "the introspection endpoint did not answer with a JSON object");
  const auto active = members->find("active");
  return active != members->end() && active->second == "true" ? std::move(response.body) : std::string();
}

}  // namespace

TokenIntrospection::TokenIntrospection(BackgroundWorker& background, std::string issuer, IntrospectionClient client,
                                       http::ClientOptions http)
    : background_(background),
      issuer_(std::move(issuer)),
      client_(std::move(client)),
      options_(std::move(http)),
      slots_(max_concurrent),
      endpoint_(client_.endpoint),
      throttle_(background.worker().timers().clock()) {}

Task<Result<std::string>> TokenIntrospection::check(std::string token) {
  return run_on_worker(background_.worker(), check_on_worker(std::move(token)));
}

Task<Result<std::string>> TokenIntrospection::check_on_worker(std::string token) {
  auto digest = crypto::sha256(token);
  auto& question = questions_[digest];
  if (!question) {
    if (questions_.size() > max_questions) {
      questions_.erase(digest);
      co_return fail(ErrorKind::refused, "too many tokens are being checked");
    }
    question = std::make_shared<Question>(background_.worker().executor());
    // A task of its own: the first caller may be cancelled while others wait.
    background_.spawn(answer(question, std::move(token), std::move(digest)));
  }
  auto& timers = background_.worker().timers();
  const auto until = Deadline::in(introspection_timeout, timers.clock());
  co_return co_await with_deadline(timers, until, answer_of(question));
}

Task<Result<std::string>> TokenIntrospection::answer_of(std::shared_ptr<Question> question) {
  while (!question->answer) co_await question->answered.wait();
  co_return *question->answer;
}

Task<void> TokenIntrospection::answer(std::shared_ptr<Question> question, std::string token, std::string digest) {
  auto answered = co_await introspect(std::move(token));
  if (!answered) report(answered.error());
  question->answer = std::move(answered);
  question->answered.notify();
  questions_.erase(digest);
}

Task<Result<std::string>> TokenIntrospection::introspect(std::string token) {
  const auto slot = co_await slots_.acquire();
  if (endpoint_.empty()) {
    auto found = co_await find_endpoint();
    if (!found) co_return std::unexpected(std::move(found.error()));
  }
  const auto loop = background_.loop();
  TokenClient client;
  client.issuer = issuer_;
  client.client.client_id = client_.client_id;
  client.client.client_secret = client_.client_secret;
  client.auth_methods = auth_methods_;
  Form form;
  form.add("token", token).add("token_type_hint", "access_token");
  auto request = post_request(endpoint_, "application/x-www-form-urlencoded");
  if (auto added = authenticate(client, request, form); !added) co_return std::unexpected(std::move(added.error()));
  request.body = form.text();
  auto response = co_await fetch_direct(loop, options_, std::move(request), introspection_timeout);
  if (!response) co_return std::unexpected(std::move(response.error()));
  co_return read_introspection(std::move(*response));
}

Task<Result<void>> TokenIntrospection::find_endpoint() {
  const auto loop = background_.loop();
  auto metadata = co_await fetch_issuer_metadata(loop, options_, issuer_);
  if (!metadata) co_return std::unexpected(std::move(metadata.error()));
  if (!*metadata || !(*metadata)->introspection_endpoint) {
    co_return fail(ErrorKind::refused, "its metadata has no introspection_endpoint; set introspection.endpoint");
  }
  endpoint_ = *(*metadata)->introspection_endpoint;
  auth_methods_ = (*metadata)->introspection_endpoint_auth_methods_supported;
  co_return Result<void>();
}

void TokenIntrospection::report(const Error& error) {
  const auto note = throttle_.admit();
  if (!note) return;
  log(background_.log(), LogLevel::warning, "oauth",
      [&] { return "cannot introspect a token at " + issuer_ + ": " + error.message + *note; });
}

}  // namespace fairlead::auth
