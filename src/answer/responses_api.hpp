#pragma once

#include <fairlead/base/clock.hpp>
#include <fairlead/base/task.hpp>
#include <functional>

#include "answer/config.hpp"

namespace fairlead {
class LogSink;
}

namespace fairlead::answer {

/// The reason for a failed request.
struct ApiFailure {
  ErrorKind kind = ErrorKind::refused;
  std::string message = {};
  int status = 0;         ///< HTTP status; 0 without a response.
  std::string type = {};  ///< Error type of the endpoint.
  std::string name = {};  ///< Error class of the official SDKs.
};

/// An API key. Not printable or formattable; use reveal().
class ApiKey {
 public:
  ApiKey() = default;
  explicit ApiKey(std::string value) : value_(std::move(value)) {}

  bool empty() const { return value_.empty(); }
  const std::string& reveal() const { return value_; }

 private:
  std::string value_;
};

/// Called before each attempt, counted from 1.
using OnAttempt = std::function<Task<void>(std::int64_t attempt)>;

/// Client for `POST {base_url}/responses` of an OpenAI-compatible endpoint.
///
/// Retries after 429 and 5xx until the timeout of the whole request. Cancellation closes the connection. Thread-safe.
class ResponsesApi {
 public:
  struct Options {
    EndpointConfig endpoint = {};
    RequestConfig request = {};
    ApiKey key = {};
    std::string user_agent = {};
    std::size_t max_reply = std::size_t{16} * 1024 * 1024;      ///< Bytes.
    Duration initial_backoff = std::chrono::milliseconds{300};  ///< Before the second attempt; doubles each time.
  };

  /// `log` outlives the client.
  ResponsesApi(Options options, LogSink& log);

  /// Returns the body of the reply.
  Task<std::expected<std::string, ApiFailure>> create(std::string body, OnAttempt on_attempt) const;

 private:
  Task<std::expected<std::string, ApiFailure>> run(std::string body, OnAttempt on_attempt) const;
  ApiFailure failed(const Error& error) const;

  Options options_;
  LogSink& log_;
};

}  // namespace fairlead::answer
