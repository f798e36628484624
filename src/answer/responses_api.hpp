#pragma once

#include <chrono>
#include <cstdint>
#include <fairlead/base/clock.hpp>
#include <fairlead/base/result.hpp>
#include <fairlead/base/task.hpp>
#include <functional>
#include <string>
#include <vector>

#include "answer/config.hpp"

namespace fairlead {
class LogSink;
}

namespace fairlead::answer {

/// Why the endpoint gave no reply.
struct ApiFailure {
  ErrorKind kind = ErrorKind::refused;
  std::string message = {};
  int status = 0;         ///< Of HTTP; 0 where there was none.
  std::string type = {};  ///< The endpoint's own word for it.
  std::string name = {};  ///< What the official clients call it.
};

/// The key to an endpoint. Nothing prints it: it can only be taken out.
class ApiKey {
 public:
  ApiKey() = default;
  explicit ApiKey(std::string value) : value_(std::move(value)) {}

  bool empty() const { return value_.empty(); }
  const std::string& reveal() const { return value_; }

 private:
  std::string value_;
};

/// Told before each attempt, counted from 1.
using OnAttempt = std::function<Task<void>(std::int64_t attempt)>;

/// `POST {base_url}/responses` of any endpoint that is compatible with OpenAI's.
///
/// Tries again after 429 and 5xx, as long as the time of the whole request allows; each attempt is one HTTP request.
/// Whoever cancels closes its connection. Any thread may call.
class ResponsesApi {
 public:
  struct Options {
    EndpointConfig endpoint = {};
    RequestConfig request = {};
    ApiKey key = {};
    std::string user_agent = {};
    std::size_t max_reply = std::size_t{16} * 1024 * 1024;  ///< In bytes.
    Duration first_pause =
        std::chrono::milliseconds{300};  ///< Before the second attempt; then twice as long each time.
  };

  /// `log` outlives it.
  ResponsesApi(Options options, LogSink& log);

  /// The body of the reply.
  Task<std::expected<std::string, ApiFailure>> create(std::string body, OnAttempt on_attempt) const;

 private:
  Task<std::expected<std::string, ApiFailure>> run(std::string body, OnAttempt on_attempt) const;
  ApiFailure failed(const Error& error) const;

  Options options_;
  LogSink& log_;
};

}  // namespace fairlead::answer
