#include "gateway/observe/otlp.hpp"

#include <algorithm>
#include <charconv>
#include <fairlead/base/log.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fmt/format.h>
#include <utility>

#include "gateway/observe/otlp_json.hpp"
#include "http/url.hpp"

namespace fairlead::gateway {
namespace {

constexpr std::string_view traces_path = "/v1/traces";
constexpr std::size_t longest_answer = std::size_t{64} * 1024;
constexpr auto log_name = "trace";

std::string traces_url(std::string endpoint) {
  while (endpoint.ends_with('/')) endpoint.pop_back();
  return endpoint.ends_with(traces_path) ? endpoint : endpoint + std::string(traces_path);
}

std::string url_without_secrets(const std::string& url) {
  const auto parsed = http::parse_url(url);
  return parsed ? parsed->shown() : "its endpoint";
}

// Those of OTLP, after which the same request may succeed later.
bool may_be_tried_again(std::uint16_t status) {
  return status == 429 || status == 502 || status == 503 || status == 504;
}

// A number of seconds; dates are not understood, and there is a pause anyway.
Duration retry_after(const http::ClientResponse& answer) {
  const auto field = answer.header("Retry-After").value_or("");
  constexpr unsigned longest = 300;
  unsigned seconds = 0;
  const auto read = std::from_chars(field.data(), field.data() + field.size(), seconds);
  return read.ec == std::errc() ? std::chrono::seconds{std::min(seconds, longest)} : Duration{};
}

// Of a receiver that took a part only; numbers of 64 bits are texts in the JSON of protobuf.
std::uint64_t rejected_spans(const http::ClientResponse& answer) {
  const auto body = json::Payload::parse(answer.body);
  if (!body) return 0;
  auto count = json::member_of(json::member_of(body->text(), "partialSuccess"), "rejectedSpans");
  if (count.starts_with('"')) count = count.substr(1, count.size() - 2);
  std::uint64_t rejected = 0;
  std::from_chars(count.data(), count.data() + count.size(), rejected);
  return rejected;
}

http::ClientOptions for_few_words() {
  http::ClientOptions options;
  options.max_body = longest_answer;
  options.max_idle = 1;
  return options;
}

}  // namespace

Otlp::Otlp(Loop loop, OtlpOptions options, Post post)
    : loop_(loop),
      options_(std::move(options)),
      url_(traces_url(options_.endpoint)),
      shown_url_(url_without_secrets(url_)),
      post_(std::move(post)),
      timer_(loop.timers, [this] { begin_sending(); }),
      wake_(loop.executor),
      scope_(loop.executor, loop.log, log_name) {
  if (post_) return;
  client_ = std::make_unique<http::Client>(loop_, for_few_words());
  post_ = [this](http::ClientRequest request) { return client_->fetch(std::move(request)); };
}

void Otlp::add(const Span& span) {
  if (stopping_ || waiting_.size() >= options_.most_waiting) return lose(1, "too many wait to be sent");
  waiting_.push_back(otlp_span(span));
  if (!sending_) send_soon();
}

void Otlp::send_soon() {
  if (waiting_.empty()) return;
  if (waiting_.size() >= options_.batch || stopping_) {
    begin_sending();
  } else if (!timer_.armed()) {
    timer_.arm(Deadline::in(options_.delay, loop_.timers.clock()));
  }
}

void Otlp::begin_sending() {
  timer_.disarm();
  if (std::exchange(sending_, true)) return;
  if (!scope_.spawn(send_all())) sending_ = false;
}

Task<void> Otlp::send_all() {
  while (!waiting_.empty()) {
    const auto count = std::min(options_.batch, waiting_.size());
    auto body = otlp_request(waiting_, count, options_.service);
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
    under_way_ = count;
    co_await deliver(std::move(body), count);
    under_way_ = 0;
    if (waiting_.size() < options_.batch && !stopping_) break;
  }
  sending_ = false;
  send_soon();
}

Task<void> Otlp::deliver(std::string body, std::size_t count) {
  auto pause = options_.first_pause;
  for (std::size_t tried = 1;; ++tried) {
    const auto verdict = co_await try_once(body);
    if (verdict.kind == Verdict::Kind::delivered) co_return delivered();
    const bool is_last = tried >= options_.tries || stopping_;
    if (verdict.kind == Verdict::Kind::hopeless || is_last) co_return lose(count, verdict.why);
    in_trouble(verdict.why);
    co_await rest(std::max(pause, verdict.wait));
    pause = std::min(pause * 2, options_.longest_pause);
  }
}

Task<Otlp::Verdict> Otlp::try_once(std::string body) {
  http::ClientRequest request{.method = "POST", .url = url_, .headers = options_.headers, .body = std::move(body)};
  request.headers.push_back({"Content-Type", "application/json"});
  request.deadline = Deadline::in(options_.timeout, loop_.timers.clock());
  auto answering = post_(std::move(request));
  const auto answer = co_await std::move(answering);
  co_return judge(answer);
}

Otlp::Verdict Otlp::judge(const Result<http::ClientResponse>& answer) {
  if (!answer) {
    const bool lost_its_way = plane(answer.error().kind) == ErrorPlane::transport;
    return {lost_its_way ? Verdict::Kind::again : Verdict::Kind::hopeless, answer.error().message};
  }
  if (answer->status >= 200 && answer->status < 300) {
    const auto rejected = std::min<std::uint64_t>(rejected_spans(*answer), under_way_);
    if (rejected > 0) lose(rejected, "the receiver has rejected them");
    return {};
  }
  auto why = fmt::format("it answers with status {}", answer->status);
  if (!may_be_tried_again(answer->status)) return {Verdict::Kind::hopeless, std::move(why)};
  return {Verdict::Kind::again, std::move(why), retry_after(*answer)};
}

Task<void> Otlp::rest(Duration time) {
  const auto& clock = loop_.timers.clock();
  const auto until = Deadline::in(time, clock);
  Timer timer(loop_.timers, [this] { wake_.ring(); });
  timer.arm(until);
  while (!until.passed(clock) && !stopping_) co_await wake_.wait();
}

Task<void> Otlp::stop() {
  stopping_ = true;
  wake_.ring();
  if (!sending_) send_soon();
  const auto until = Deadline::in(options_.farewell, loop_.timers.clock());
  // Whoever is cut off by the deadline has ended too, and left something.
  co_await with_deadline(loop_.timers, until, finished());
  const auto left = under_way_ + waiting_.size();
  if (left > 0) lose(left, "there was no time for them at the end");
  under_way_ = 0;
  waiting_.clear();
}

Task<Result<void>> Otlp::finished() {
  co_await scope_.join();
  co_return Result<void>();
}

void Otlp::delivered() {
  if (!std::exchange(troubled_, false)) return;
  told_of_losses_ = false;
  log(loop_.log, LogLevel::info, log_name,
      [&] { return fmt::format("{} takes spans again; {} were lost", shown_url_, lost_ - lost_before_trouble_); });
}

// Said once, however long it lasts.
void Otlp::in_trouble(std::string_view why) {
  if (std::exchange(troubled_, true)) return;
  lost_before_trouble_ = lost_;
  log(loop_.log, LogLevel::warning, log_name, [&] {
    return fmt::format("{} takes no spans: {}; up to {} are kept for when it does", shown_url_, why,
                       options_.most_waiting);
  });
}

void Otlp::lose(std::uint64_t count, std::string_view why) {
  lost_ += count;
  if (std::exchange(told_of_losses_, true)) return;
  log(loop_.log, LogLevel::warning, log_name, [&] {
    return fmt::format("{} spans for {} are lost: {}; more of it is counted, not told", count, shown_url_, why);
  });
}

}  // namespace fairlead::gateway
