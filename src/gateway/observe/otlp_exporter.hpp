#pragma once

#include <deque>
#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/http/client.hpp>

#include "base/async_event.hpp"
#include "gateway/observe/span.hpp"

namespace fairlead::gateway {

struct OtlpOptions {
  std::string endpoint = "http://localhost:4318";  ///< `/v1/traces` is appended.
  std::string service = "fairlead";
  std::vector<http::Header> headers = {};              ///< May contain secrets.
  std::size_t batch = 512;                             ///< Spans per request.
  Duration delay = std::chrono::seconds{1};            ///< Longest wait for a full batch.
  std::size_t max_queued = 4096;                       ///< Further spans are dropped.
  Duration timeout = std::chrono::seconds{10};         ///< Per request.
  Duration initial_backoff = std::chrono::seconds{1};  ///< Delay after a failure, doubled each time.
  Duration max_backoff = std::chrono::seconds{30};
  std::size_t max_attempts = 8;                         ///< Attempts per batch; then its spans are dropped.
  Duration shutdown_timeout = std::chrono::seconds{3};  ///< For the remaining spans at shutdown.
};

/// Exports spans to an OTLP/HTTP receiver as JSON, in batches. Adding a span never waits. On one loop.
class OtlpExporter : NonCopyable {
 public:
  using Post = std::function<Task<Result<http::ClientResponse>>(http::ClientRequest)>;

  /// Without `post` it uses its own HTTP client.
  OtlpExporter(EventLoop loop, OtlpOptions options, Post post = {});

  void add(const Span& span);

  /// Number of dropped spans.
  std::uint64_t dropped() const { return dropped_; }

  /// Sends the remaining spans within `shutdown_timeout`. Await it before destruction; add no spans afterwards.
  Task<void> stop();

 private:
  /// Result of one attempt.
  struct SendOutcome {
    enum class Kind : std::uint8_t { delivered, retry, permanent_failure };
    Kind kind = Kind::delivered;
    std::string why = {};
    Duration wait = {};  ///< Minimum delay before the next attempt.
  };

  void send_soon();
  void begin_sending();
  Task<void> send_all();
  Task<void> deliver(std::string body, std::size_t count);
  Task<SendOutcome> try_once(std::string body);
  Task<void> backoff(Duration time);
  Task<Result<void>> finished();
  SendOutcome outcome_of_post(const Result<http::ClientResponse>& answer);
  void delivered();
  void on_failure(std::string_view why);
  void drop(std::uint64_t count, std::string_view why);

  EventLoop loop_;
  OtlpOptions options_;
  std::string url_;
  std::string redacted_url_;
  Post post_;
  std::unique_ptr<http::Client> client_;
  std::deque<std::string> waiting_;
  Timer timer_;
  AsyncEvent wake_;
  TaskScope scope_;
  std::uint64_t dropped_ = 0, dropped_before_failure_ = 0;
  std::size_t pending_ = 0;
  bool sending_ = false, stopping_ = false;
  bool failing_ = false, logged_drops_ = false;
};

}  // namespace fairlead::gateway
