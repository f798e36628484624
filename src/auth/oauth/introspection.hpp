#pragma once

#include <fairlead/auth/oauth_check.hpp>
#include <fairlead/http/client.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "auth/oauth/background_worker.hpp"
#include "base/async_event.hpp"
#include "base/async_semaphore.hpp"
#include "base/log_throttle.hpp"

namespace fairlead::auth {

/// Asks an issuer about opaque tokens (RFC 7662), on a worker that is stopped before it is destroyed.
class TokenIntrospection {
 public:
  TokenIntrospection(BackgroundWorker& background, std::string issuer, IntrospectionClient client,
                     http::ClientOptions http);

  /// The response of an active token as JSON; empty if the token is not active. An error means that the issuer gave no
  /// usable answer within five seconds. Requests for the same token share one question. Thread-safe.
  Task<Result<std::string>> check(std::string token);

 private:
  /// A question and its answer, once there is one.
  struct Question {
    explicit Question(const boost::asio::any_io_executor& executor) : answered(executor) {}
    std::optional<Result<std::string>> answer = {};
    AsyncEvent answered;
  };

  // All on the worker.
  Task<Result<std::string>> check_on_worker(std::string token);
  Task<Result<std::string>> answer_of(std::shared_ptr<Question> question);
  Task<void> answer(std::shared_ptr<Question> question, std::string token, std::string digest);
  Task<Result<std::string>> introspect(std::string token);
  Task<Result<void>> find_endpoint();
  void report(const Error& error);

  BackgroundWorker& background_;
  std::string issuer_;
  IntrospectionClient client_;
  http::ClientOptions options_;
  AsyncSemaphore slots_;
  std::map<std::string, std::shared_ptr<Question>> questions_;  // By SHA-256 of the token.
  std::string endpoint_;
  std::optional<std::vector<std::string>> auth_methods_;
  LogThrottle throttle_;
};

}  // namespace fairlead::auth
