#include <fairlead/base/log.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/http/sse.hpp>
#include <fairlead/transport/http_client.hpp>
#include <utility>

#include "base/promise.hpp"
#include "http/url.hpp"
#include "transport/excerpt.hpp"
#include "transport/http_client/http_refusal.hpp"
#include "transport/http_client/inbox.hpp"

namespace fairlead::transport {
namespace {

// For the event that names the address to post to.
constexpr Duration endpoint_wait = std::chrono::seconds{10};

/// All that a client of HTTP+SSE knows; its tasks hold it.
struct SseTalk : std::enable_shared_from_this<SseTalk> {
  SseTalk(Loop on, TaskScope& owner, HttpClientOptions with)
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
  static Task<void> read_on(std::shared_ptr<SseTalk> self);
  Task<void> deliver_events();
  static Task<void> post(std::shared_ptr<SseTalk> self, jsonrpc::Message message, std::shared_ptr<Promise<bool>> done);
  void close() noexcept;

  Loop loop;
  TaskScope& scope;
  HttpClientOptions options;
  http::Client client;
  Inbox inbox;
  http::SseParser parser;
  std::unique_ptr<http::ResponseStream> stream;
  std::string endpoint;
  TaskScope::Handle reader, posting;
};

std::vector<http::Header> SseTalk::headers(std::string_view accept) const {
  auto all = options.headers;
  all.push_back({"Accept", std::string(accept)});
  if (!options.bearer.empty()) all.push_back({"Authorization", "Bearer " + options.bearer});
  return all;
}

Task<Result<void>> SseTalk::open() {
  http::ClientRequest request{.url = options.url, .headers = headers("text/event-stream")};
  auto opened = co_await client.open(std::move(request));
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

Task<Result<void>> SseTalk::find_endpoint() {
  while (true) {
    while (const auto event = parser.next()) {
      if (event->event == "endpoint") co_return use_endpoint(event->data);
    }
    auto more = co_await read_more();
    if (!more) co_return more;
  }
}

// Anywhere else our messages, and what identifies us, would go to a stranger.
Result<void> SseTalk::use_endpoint(const std::string& reference) {
  const auto base = http::parse_url(stream->head().url);
  if (!base) return std::unexpected(base.error());
  const auto resolved = http::resolve_url(*base, reference);
  if (!resolved) {
    return fail(ErrorKind::malformed, "the server names no address to post to: " + resolved.error().message);
  }
  if (!resolved->same_origin(*base)) {
    return fail(ErrorKind::malformed, "the server names " + resolved->shown() + " to post to, which is another origin");
  }
  endpoint = resolved->origin() + resolved->target;
  return {};
}

Task<Result<void>> SseTalk::read_more() {
  auto piece = co_await stream->next();
  if (!piece) co_return std::unexpected(std::move(piece.error()));
  if (piece->empty()) co_return fail(ErrorKind::closed, "the server has closed the stream of events");
  co_return parser.feed(*piece);
}

Task<void> SseTalk::read_on(std::shared_ptr<SseTalk> self) {
  while (!self->inbox.ended()) {
    co_await self->deliver_events();
    auto more = co_await self->read_more();
    if (!more) self->inbox.end(std::move(more.error()));
  }
  self->stream.reset();
}

Task<void> SseTalk::deliver_events() {
  while (auto event = parser.next()) {
    if (event->event != "message" || event->data.empty()) continue;
    auto received = read_received(std::move(event->data));
    co_await inbox.deliver(std::move(received));
  }
}

Task<void> SseTalk::post(std::shared_ptr<SseTalk> self, jsonrpc::Message message, std::shared_ptr<Promise<bool>> done) {
  struct AtTheEnd {
    explicit AtTheEnd(Promise<bool>& of) : done(of) {}
    AtTheEnd(const AtTheEnd&) = delete;
    AtTheEnd& operator=(const AtTheEnd&) = delete;
    ~AtTheEnd() { done.set(true); }
    Promise<bool>& done;
  } const at_the_end(*done);
  http::ClientRequest request{.method = "POST", .url = self->endpoint, .headers = self->headers("*/*")};
  request.headers.push_back({"Content-Type", "application/json"});
  request.body = jsonrpc::write(message);
  auto answer = co_await self->client.fetch(std::move(request));
  if (answer && answer->status >= 200 && answer->status < 300) co_return;
  auto error = answer ? status_error(*answer, answer->body) : std::move(answer.error());
  if (const auto* asked = std::get_if<jsonrpc::Request>(&message)) {
    self->inbox.deliver_now(Lost{asked->id, std::move(error)});
  } else {
    log(self->loop.log, LogLevel::warning, "http client", [&] { return "a message did not arrive: " + error.message; });
  }
}

void SseTalk::close() noexcept {
  inbox.end({.kind = ErrorKind::closed, .message = "the connection was closed on this side"});
  reader.cancel();
  // A server that never answers it must not keep whoever closes.
  posting.cancel();
}

class HttpSseClient final : public Transport {
 public:
  explicit HttpSseClient(std::shared_ptr<SseTalk> talk) : talk_(std::move(talk)) {}
  HttpSseClient(const HttpSseClient&) = delete;
  HttpSseClient& operator=(const HttpSseClient&) = delete;
  ~HttpSseClient() override { talk_->close(); }

  Task<Result<Received>> receive() override { return talk_->inbox.receive(); }

  // One after the other: they share one conversation, where order may matter.
  Task<Result<void>> send(Outgoing outgoing) override {
    const auto talk = talk_;
    if (talk->inbox.ended()) co_return fail(ErrorKind::closed, "the connection was closed");
    const auto done = std::make_shared<Promise<bool>>();
    talk->posting = talk->scope.spawn(SseTalk::post(talk, std::move(outgoing.message), done));
    if (!talk->posting) co_return fail(ErrorKind::closed, "the connection was closed");
    const bool ended = co_await done->wait(false);
    if (!ended) talk->posting.cancel();
    co_return Result<void>();
  }

  void close() noexcept override { talk_->close(); }

 private:
  std::shared_ptr<SseTalk> talk_;
};

}  // namespace

Task<Result<std::unique_ptr<Transport>>> connect_http_sse(Loop loop, TaskScope& scope, HttpClientOptions options) {
  const auto talk = std::make_shared<SseTalk>(loop, scope, std::move(options));
  const auto deadline = Deadline::in(endpoint_wait, loop.timers.clock());
  auto opened = co_await with_deadline(loop.timers, deadline, talk->open());
  if (!opened) co_return std::unexpected(std::move(opened.error()));
  talk->reader = scope.spawn(SseTalk::read_on(talk));
  co_return std::make_unique<HttpSseClient>(talk);
}

}  // namespace fairlead::transport
