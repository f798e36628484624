#include <fairlead/base/log.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/http/sse.hpp>
#include <fairlead/transport/http_client.hpp>

#include "base/promise.hpp"
#include "base/scope_exit.hpp"
#include "http/url.hpp"
#include "transport/excerpt.hpp"
#include "transport/http_client/authorized_request.hpp"
#include "transport/http_client/http_error.hpp"
#include "transport/http_client/inbox.hpp"

namespace fairlead::transport {
namespace {

// Timeout for the `endpoint` event.
constexpr Duration endpoint_wait = std::chrono::seconds{10};

/// State of an HTTP+SSE client, shared with its tasks.
struct HttpSseState : std::enable_shared_from_this<HttpSseState> {
  HttpSseState(EventLoop on, TaskScope& owner, HttpClientOptions with)
      : loop(on),
        scope(owner),
        options(std::move(with)),
        client(loop, options.http),
        inbox(loop),
        parser({.max_line = options.max_message, .max_event = options.max_message}) {}

  std::vector<http::Header> headers(std::string_view accept) const;
  Task<Result<void>> open();
  Task<Result<void>> find_endpoint();
  Result<void> use_endpoint(const std::string& reference);
  Task<Result<void>> read_more();
  static Task<void> read_on(std::shared_ptr<HttpSseState> self);
  Task<void> deliver_events();
  static Task<void> post(std::shared_ptr<HttpSseState> self, jsonrpc::Message message,
                         std::shared_ptr<Promise<bool>> done);
  void close() noexcept;

  EventLoop loop;
  TaskScope& scope;
  HttpClientOptions options;
  http::Client client;
  Inbox inbox;
  http::SseParser parser;
  std::unique_ptr<http::ResponseStream> stream;
  std::string endpoint;
  TaskScope::Handle reader, posting;
};

std::vector<http::Header> HttpSseState::headers(std::string_view accept) const {
  auto all = options.headers;
  all.push_back({"Accept", std::string(accept)});
  if (!options.bearer.empty()) all.push_back({"Authorization", "Bearer " + options.bearer});
  return all;
}

Task<Result<void>> HttpSseState::open() {
  http::ClientRequest request{.url = options.url, .headers = headers("text/event-stream")};
  auto opened = co_await open_authorized(loop, client, options, std::move(request));
  if (!opened) co_return std::unexpected(std::move(opened.error()));
  const auto& head = (*opened)->head();
  if (head.status != 200 || head.media_type() != "text/event-stream") {
    constexpr std::size_t max_refusal = 64 * 1024;
    const auto body = (co_await (*opened)->rest(max_refusal)).value_or("");
    co_return std::unexpected(status_error(head, body));
  }
  stream = std::move(*opened);
  co_return co_await find_endpoint();
}

Task<Result<void>> HttpSseState::find_endpoint() {
  while (true) {
    while (const auto event = parser.next()) {
      if (event->event == "endpoint") co_return use_endpoint(event->data);
    }
    auto more = co_await read_more();
    if (!more) co_return more;
  }
}

// The endpoint must have the same origin, or messages and credentials would go to another host.
Result<void> HttpSseState::use_endpoint(const std::string& reference) {
  const auto base = http::parse_url(stream->head().url);
  if (!base) return std::unexpected(base.error());
  const auto resolved = http::resolve_url(*base, reference);
  if (!resolved) {
    return fail(ErrorKind::malformed, "the server sent no valid endpoint to post to: " + resolved.error().message);
  }
  if (!resolved->same_origin(*base)) {
    return fail(ErrorKind::malformed, "the server's endpoint " + resolved->redacted() + " has another origin");
  }
  endpoint = resolved->origin() + resolved->target;
  return {};
}

Task<Result<void>> HttpSseState::read_more() {
  auto piece = co_await stream->next();
  if (!piece) co_return std::unexpected(std::move(piece.error()));
  if (piece->empty()) co_return fail(ErrorKind::closed, "the server closed the event stream");
  co_return parser.feed(*piece);
}

Task<void> HttpSseState::read_on(std::shared_ptr<HttpSseState> self) {
  while (!self->inbox.ended()) {
    co_await self->deliver_events();
    auto more = co_await self->read_more();
    if (!more) self->inbox.end(std::move(more.error()));
  }
  self->stream.reset();
}

Task<void> HttpSseState::deliver_events() {
  while (auto event = parser.next()) {
    if (event->event != "message" || event->data.empty()) continue;
    auto received = read_received(std::move(event->data));
    co_await inbox.deliver(std::move(received));
  }
}

Task<void> HttpSseState::post(std::shared_ptr<HttpSseState> self, jsonrpc::Message message,
                              std::shared_ptr<Promise<bool>> done) {
  const ScopeExit at_end([&done] { done->set(true); });
  http::ClientRequest request{.method = "POST", .url = self->endpoint, .headers = self->headers("*/*")};
  request.headers.push_back({"Content-Type", "application/json"});
  request.body = jsonrpc::write(message);
  constexpr std::size_t max_answer = 64 * 1024;
  auto answer = co_await open_authorized(self->loop, self->client, self->options, std::move(request));
  // Not in a conditional expression: GCC 12 destroys the temporaries of a co_await there although they do not exist.
  Result<std::string> body;
  if (answer) body = co_await (*answer)->rest(max_answer);
  if (answer && (*answer)->head().status >= 200 && (*answer)->head().status < 300) co_return;
  auto error = answer ? status_error((*answer)->head(), body.value_or("")) : std::move(answer.error());
  if (const auto* pending_request = std::get_if<jsonrpc::Request>(&message)) {
    self->inbox.fail_request(pending_request->id, std::move(error));
  } else {
    log(self->loop.log, LogLevel::warning, "http client", [&] { return "message not delivered: " + error.message; });
  }
}

void HttpSseState::close() noexcept {
  inbox.end({.kind = ErrorKind::closed, .message = "the connection was closed on this side"});
  reader.cancel();
  // A server that does not respond must not block `close`.
  posting.cancel();
}

class HttpSseClient final : public Transport, NonCopyable {
 public:
  explicit HttpSseClient(std::shared_ptr<HttpSseState> state) : state_(std::move(state)) {}
  ~HttpSseClient() override { state_->close(); }

  Task<Result<Received>> receive() override { return state_->inbox.receive(); }

  // Posts are sequential: the order of messages in a session matters.
  Task<Result<void>> send(Outgoing outgoing) override {
    const auto state = state_;
    if (state->inbox.ended()) co_return fail(ErrorKind::closed, "the connection was closed");
    const auto done = std::make_shared<Promise<bool>>();
    state->posting = state->scope.spawn(HttpSseState::post(state, std::move(outgoing.message), done));
    if (!state->posting) co_return fail(ErrorKind::closed, "the connection was closed");
    const auto ended = co_await done->wait();
    if (!ended) {
      state->posting.cancel();
      co_return Result<void>();
    }
    // Not inside post(), which is ending.
    co_await next_turn;
    co_return Result<void>();
  }

  void close() noexcept override { state_->close(); }

 private:
  std::shared_ptr<HttpSseState> state_;
};

}  // namespace

Task<Result<std::unique_ptr<Transport>>> connect_http_sse(EventLoop loop, TaskScope& scope, HttpClientOptions options) {
  const auto state = std::make_shared<HttpSseState>(loop, scope, std::move(options));
  const auto deadline = Deadline::in(endpoint_wait, loop.timers.clock());
  auto opened = co_await with_deadline(loop.timers, deadline, state->open());
  if (!opened) co_return std::unexpected(std::move(opened.error()));
  state->reader = scope.spawn(HttpSseState::read_on(state));
  co_return std::make_unique<HttpSseClient>(state);
}

}  // namespace fairlead::transport
