#include "gateway/observe/otlp_exporter.hpp"

#include <algorithm>
#include <charconv>
#include <fairlead/base/log.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fmt/format.h>

#include "gateway/observe/otlp_json.hpp"
#include "http/url.hpp"

namespace fairlead::gateway {
namespace {

constexpr std::string_view traces_path = "/v1/traces";
constexpr std::size_t max_response_bytes = std::size_t{64} * 1024;
constexpr auto log_name = "trace";

std::string traces_url(std::string endpoint) {
  while (endpoint.ends_with('/')) endpoint.pop_back();
  return endpoint.ends_with(traces_path) ? endpoint : endpoint + std::string(traces_path);
}

std::string url_without_secrets(const std::string& url) {
  const auto parsed = http::parse_url(url);
  return parsed ? parsed->redacted() : "its endpoint";
}

// Statuses that OTLP declares retryable.
bool is_retryable(std::uint16_t status) {
  return status == 429 || status == 502 || status == 503 || status == 504;
}

// Seconds; HTTP dates are ignored.
Duration retry_after(const http::ClientResponse& answer) {
  const auto field = answer.header("Retry-After").value_or("");
  constexpr unsigned longest = 300;
  unsigned seconds = 0;
  const auto read = std::from_chars(field.data(), field.data() + field.size(), seconds);
  return read.ec == std::errc() ? std::chrono::seconds{std::min(seconds, longest)} : Duration{};
}

// Partial success; 64-bit numbers are strings in protobuf JSON.
std::uint64_t rejected_spans(const http::ClientResponse& answer) {
  const auto body = json::Payload::parse(answer.body);
  if (!body) return 0;
  auto count = json::member_of(json::member_of(body->text(), "partialSuccess"), "rejectedSpans");
  if (count.starts_with('"')) count = count.substr(1, count.size() - 2);
  std::uint64_t rejected = 0;
  std::from_chars(count.data(), count.data() + count.size(), rejected);
  return rejected;
}

http::ClientOptions client_options() {
  http::ClientOptions options;
  options.max_body = max_response_bytes;
  options.max_idle_connections = 1;
  return options;
}

}  // namespace

OtlpExporter::OtlpExporter(EventLoop loop, OtlpOptions options, Post post)
    : loop_(loop),
      options_(std::move(options)),
      url_(traces_url(options_.endpoint)),
      redacted_url_(url_without_secrets(url_)),
      post_(std::move(post)),
      timer_(loop.timers, [this] { begin_sending(); }),
      wake_(loop.executor),
      scope_(loop.executor, loop.log, log_name) {
  if (post_) return;
  client_ = std::make_unique<http::Client>(loop_, client_options());
  post_ = [this](http::ClientRequest request) { return client_->fetch(std::move(request)); };
}

void OtlpExporter::add(const Span& span) {
  if (stopping_ || waiting_.size() >= options_.max_queued) return drop(1, "the queue is full");
  waiting_.push_back(otlp_span(span));
  if (!sending_) send_soon();
}

void OtlpExporter::send_soon() {
  if (waiting_.empty()) return;
  if (waiting_.size() >= options_.batch || stopping_) {
    begin_sending();
  } else if (!timer_.armed()) {
    timer_.arm(Deadline::in(options_.delay, loop_.timers.clock()));
  }
}

void OtlpExporter::begin_sending() {
  timer_.disarm();
  if (std::exchange(sending_, true)) return;
  if (!scope_.spawn(send_all())) sending_ = false;
}

Task<void> OtlpExporter::send_all() {
  while (!waiting_.empty()) {
    const auto count = std::min(options_.batch, waiting_.size());
    auto body = otlp_request(waiting_, count, options_.service);
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
    pending_ = count;
    co_await deliver(std::move(body), count);
    pending_ = 0;
    if (waiting_.size() < options_.batch && !stopping_) break;
  }
  sending_ = false;
  send_soon();
}

Task<void> OtlpExporter::deliver(std::string body, std::size_t count) {
  auto pause = options_.initial_backoff;
  for (std::size_t tried = 1;; ++tried) {
    const auto outcome = co_await try_once(body);
    if (outcome.kind == SendOutcome::Kind::delivered) co_return delivered();
    const bool is_last = tried >= options_.max_attempts || stopping_;
    if (outcome.kind == SendOutcome::Kind::permanent_failure || is_last) co_return drop(count, outcome.why);
    on_failure(outcome.why);
    co_await backoff(std::max(pause, outcome.wait));
    pause = std::min(pause * 2, options_.max_backoff);
  }
}

Task<OtlpExporter::SendOutcome> OtlpExporter::try_once(std::string body) {
  http::ClientRequest request{.method = "POST", .url = url_, .headers = options_.headers, .body = std::move(body)};
  request.headers.push_back({"Content-Type", "application/json"});
  request.deadline = Deadline::in(options_.timeout, loop_.timers.clock());
  auto answering = post_(std::move(request));
  const auto answer = co_await std::move(answering);
  co_return outcome_of_post(answer);
}

OtlpExporter::SendOutcome OtlpExporter::outcome_of_post(const Result<http::ClientResponse>& answer) {
  if (!answer) {
    const bool is_transport_error = plane(answer.error().kind) == ErrorPlane::transport;
    return {is_transport_error ? SendOutcome::Kind::retry : SendOutcome::Kind::permanent_failure,
            answer.error().message};
  }
  if (answer->status >= 200 && answer->status < 300) {
    const auto rejected = std::min<std::uint64_t>(rejected_spans(*answer), pending_);
    if (rejected > 0) drop(rejected, "the receiver rejected them");
    return {};
  }
  auto why = fmt::format("it answered with status {}", answer->status);
  if (!is_retryable(answer->status)) return {SendOutcome::Kind::permanent_failure, std::move(why)};
  return {SendOutcome::Kind::retry, std::move(why), retry_after(*answer)};
}

Task<void> OtlpExporter::backoff(Duration time) {
  const auto& clock = loop_.timers.clock();
  const auto until = Deadline::in(time, clock);
  Timer timer(loop_.timers, [this] { wake_.notify(); });
  timer.arm(until);
  while (!until.passed(clock) && !stopping_) co_await wake_.wait();
}

Task<void> OtlpExporter::stop() {
  stopping_ = true;
  wake_.notify();
  if (!sending_) send_soon();
  const auto until = Deadline::in(options_.shutdown_timeout, loop_.timers.clock());
  // At the deadline the remaining spans are dropped.
  co_await with_deadline(loop_.timers, until, finished());
  const auto left = pending_ + waiting_.size();
  if (left > 0) drop(left, "shutdown");
  pending_ = 0;
  waiting_.clear();
}

Task<Result<void>> OtlpExporter::finished() {
  co_await scope_.join();
  co_return Result<void>();
}

void OtlpExporter::delivered() {
  if (!std::exchange(failing_, false)) return;
  logged_drops_ = false;
  log(loop_.log, LogLevel::info, log_name, [&] {
    return fmt::format("{} accepts spans again; {} were dropped", redacted_url_, dropped_ - dropped_before_failure_);
  });
}

// Logged once per outage.
void OtlpExporter::on_failure(std::string_view why) {
  if (std::exchange(failing_, true)) return;
  dropped_before_failure_ = dropped_;
  log(loop_.log, LogLevel::warning, log_name, [&] {
    return fmt::format("{} does not accept spans: {}; up to {} are queued", redacted_url_, why, options_.max_queued);
  });
}

void OtlpExporter::drop(std::uint64_t count, std::string_view why) {
  dropped_ += count;
  if (std::exchange(logged_drops_, true)) return;
  log(loop_.log, LogLevel::warning, log_name, [&] {
    return fmt::format("{} spans for {} were dropped: {}; further drops are counted but not logged", count,
                       redacted_url_, why);
  });
}

}  // namespace fairlead::gateway
