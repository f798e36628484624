#include "answer/responses_api.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/json.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/timer_wheel_driver.hpp>
#include <fairlead/http/client.hpp>
#include <fairlead/json/payload.hpp>
#include <fmt/format.h>

#include "answer/json_access.hpp"
#include "answer/retry.hpp"
#include "base/duration.hpp"

namespace fairlead::answer {
namespace {

namespace asio = boost::asio;

std::string endpoint_url(std::string base) {
  while (base.ends_with('/')) base.pop_back();
  return base + "/responses";
}

std::string_view official_name(int status) {
  switch (status) {
    case 400: return "BadRequestError";
    case 401: return "AuthenticationError";
    case 403: return "PermissionDeniedError";
    case 404: return "NotFoundError";
    case 409: return "ConflictError";
    case 422: return "UnprocessableEntityError";
    case 429: return "RateLimitError";
    default: return status >= 500 ? "InternalServerError" : "APIError";
  }
}

std::string advice_for(int status, const EndpointConfig& endpoint) {
  if (status == 401) return fmt::format("; check the key in {}", endpoint.api_key_env);
  if (status == 404) return "; check openai.base_url and the model's name";
  return "";
}

/// The error of the response, with the endpoint's message if it has one.
ApiFailure failure_of(const http::ClientResponse& response, const EndpointConfig& endpoint) {
  ApiFailure failure{.status = response.status, .name = std::string(official_name(response.status))};
  std::string message_text(http::reason_phrase(response.status));
  if (const auto payload = json::Payload::parse(response.body)) {
    if (const auto* error = member_at(payload->value(), "error")) {
      if (const auto message = text_at(*error, "message"); !message.empty()) message_text = message;
      failure.type = text_at(*error, "type");
    }
  }
  while (message_text.ends_with('.')) message_text.pop_back();
  failure.message = fmt::format("{} {}{}", response.status, message_text, advice_for(response.status, endpoint));
  return failure;
}

http::ClientRequest request_of(const ResponsesApi::Options& options, const std::string& body, Deadline deadline) {
  http::ClientRequest request{.method = "POST", .url = endpoint_url(options.endpoint.base_url), .body = body};
  request.headers = {{"Authorization", "Bearer " + options.key.reveal()},
                     {"Content-Type", "application/json"},
                     {"Accept", "application/json"},
                     {"User-Agent", options.user_agent}};
  request.deadline = deadline;
  return request;
}

}  // namespace

ResponsesApi::ResponsesApi(Options options, LogSink& log) : options_(std::move(options)), log_(log) {}

ApiFailure ResponsesApi::failed(const Error& error) const {
  if (error.kind == ErrorKind::cancelled) return {.kind = error.kind, .message = error.message};
  if (error.kind == ErrorKind::timeout) {
    const auto time = write_duration(std::chrono::milliseconds{options_.request.timeout_ms});
    return {.message = fmt::format("Request timed out after {}; raise request.timeout_ms", time),
            .name = "APIConnectionTimeoutError"};
  }
  return {.message = error.message, .name = "APIConnectionError"};
}

Task<std::expected<std::string, ApiFailure>> ResponsesApi::create(std::string body, OnAttempt on_attempt) const {
  if (options_.key.empty()) {
    ApiFailure missing{.message = "Missing API key: set " + options_.endpoint.api_key_env};
    co_return std::unexpected(std::move(missing));
  }
  co_return co_await run(std::move(body), std::move(on_attempt));
}

Task<std::expected<std::string, ApiFailure>> ResponsesApi::run(std::string body, OnAttempt on_attempt) const {
  // One HTTP client per question: calls run on the event loop of any worker, and a connection belongs to one loop. The
  // cost is negligible compared to the response time of a model.
  const auto executor = co_await this_task::executor;
  TimerWheelDriver timers(executor);
  const EventLoop loop{executor, timers.wheel(), log_};
  http::ClientOptions client_options;
  client_options.max_body = options_.max_reply;
  http::Client client(loop, client_options);
  const auto deadline = Deadline::in(std::chrono::milliseconds{options_.request.timeout_ms});

  for (std::int64_t attempt = 1;; ++attempt) {
    co_await on_attempt(attempt);
    auto request = request_of(options_, body, deadline);
    auto response = co_await client.fetch(std::move(request));
    if (!response) co_return std::unexpected(failed(response.error()));
    if (response->status / 100 == 2) co_return std::move(response->body);
    auto failure = failure_of(*response, options_.endpoint);
    log(log_, LogLevel::debug, "answer", [&] { return fmt::format("attempt {}: status {}", attempt, failure.status); });
    if (!is_retryable(response->status)) co_return std::unexpected(std::move(failure));

    const auto requested_delay = retry_after(*response, std::chrono::system_clock::now());
    const auto delay = backoff_before(attempt + 1, options_.initial_backoff, requested_delay);
    const bool was_last = attempt > options_.request.max_retries;
    if (was_last || delay >= deadline.remaining()) {
      failure.message += fmt::format("; gave up after {} attempt{}", attempt, attempt == 1 ? "" : "s");
      if (!was_last) failure.message += fmt::format(", because the endpoint asks to wait {}", write_duration(delay));
      co_return std::unexpected(std::move(failure));
    }
    asio::steady_timer timer(executor, delay);
    co_await timer.async_wait(use_task);
  }
}

}  // namespace fairlead::answer
