#include <fairlead/http/client.hpp>

#include <fairlead/base/with_deadline.hpp>
#include <fmt/format.h>
#include <utility>

#include "http/client_state.hpp"
#include "http/redirect.hpp"
#include "http/traffic_log.hpp"
#include "http/vectored_write.hpp"

namespace fairlead::http {
namespace {

bool is_idempotent(std::string_view method) {
  return method == "GET" || method == "HEAD" || method == "OPTIONS" || method == "PUT" || method == "DELETE";
}

/// Returns its connection to the pool once the body was read.
class PooledResponse final : public ResponseStream {
 public:
  PooledResponse(const std::shared_ptr<ClientState>& client, std::string origin,
                 std::unique_ptr<ClientConnection> connection, ClientResponse head)
      : log_(client->loop.log),
        client_(client),
        origin_(std::move(origin)),
        connection_(std::move(connection)),
        head_(std::move(head)) {
    wire::received(log_, head_);
    release_reader();
  }

  const ClientResponse& head() const override { return head_; }

  Task<Result<std::string>> next() override {
    if (!connection_) co_return std::string();
    auto piece = co_await connection_->next();
    if (piece && !piece->empty()) wire::received_body(log_, wire::client, *piece);
    release_reader();
    co_return piece;
  }

 private:
  void release_reader() {
    if (!connection_->finished()) return;
    if (const auto client = client_.lock()) client->keep(origin_, std::move(connection_));
    connection_.reset();
  }

  LogSink& log_;
  std::weak_ptr<ClientState> client_;
  std::string origin_;
  std::unique_ptr<ClientConnection> connection_;  // Null after the end.
  ClientResponse head_;
};

}  // namespace

ClientState::ClientState(EventLoop on, ClientOptions with) : loop(on), options(std::move(with)) {
  if (options.proxies) proxies = Proxies::from_environment();
}

// Cache of the last parsed URL: most clients use one.
Result<Url> ClientState::parse(const std::string& text) {
  if (text == last_text) return last_url;
  auto url = parse_url(text);
  if (!url) return url;
  last_text = text;
  last_url = *url;
  return url;
}

Task<ClientState::Opened> ClientState::send(std::shared_ptr<ClientState> self, Url url, const ClientRequest& request,
                                            StartedExchange begun) {
  Result<std::string> head;
  std::string_view body = request.body;
  const auto write = [&] {
    head = self->write_head(url, request);
    if (head) wire::sent(self->loop.log, wire::client, *head, request.body);
    if (head && body.size() <= max_joined_body) *head += std::exchange(body, {});
    return head.has_value();
  };
  if (!begun.connection && !write()) co_return std::unexpected(std::move(head.error()));
  const auto origin = url.origin();
  const bool is_head = request.method == "HEAD";
  if (!begun.connection) {
    begun.connection = self->take_idle(origin);
    if (begun.connection) begun.sent = begun.connection->begin(*head, body);
  }
  if (auto kept = std::move(begun.connection)) {
    auto answer = co_await kept->finish(std::move(begun.sent), is_head);
    if (answer) {
      answer->url = origin + url.target;
      co_return std::make_unique<PooledResponse>(self, origin, std::move(kept), std::move(*answer));
    }
    const bool harmless = kept->unsent() || is_idempotent(request.method);
    if (answer.error().kind != ErrorKind::closed || kept->received_any() || !harmless) {
      co_return std::unexpected(std::move(answer.error()));
    }
  }
  if (head->empty() && !write()) co_return std::unexpected(std::move(head.error()));
  auto fresh = co_await self->dial(url);
  if (!fresh) co_return std::unexpected(std::move(fresh.error()));
  auto answer = co_await (*fresh)->exchange(*head, body, is_head);
  if (!answer) co_return std::unexpected(std::move(answer.error()));
  answer->url = origin + url.target;
  co_return std::make_unique<PooledResponse>(self, origin, std::move(*fresh), std::move(*answer));
}

Task<ClientState::Opened> ClientState::follow(std::shared_ptr<ClientState> self, ClientRequest request,
                                              StartedExchange begun) {
  auto url = self->parse(request.url);
  if (!url) co_return std::unexpected(std::move(url.error()));
  if (!url->scheme.starts_with("http")) {
    co_return fail(ErrorKind::invalid, fmt::format("{} is not a URL for HTTP requests", url->redacted()));
  }
  for (std::size_t hops = 0; hops <= self->options.max_redirects; ++hops) {
    auto answer = co_await send(self, *url, request, std::move(begun));
    begun = StartedExchange();
    if (!answer || !is_redirect((*answer)->head(), request)) co_return answer;
    constexpr std::size_t max_discarded_body = 64 * 1024;
    co_await (*answer)->rest(max_discarded_body);
    auto next = redirect((*answer)->head(), *url, request);
    if (!next) co_return std::unexpected(std::move(next.error()));
    url = std::move(next);
  }
  co_return fail(ErrorKind::refused,
                 fmt::format("{} redirects more than {} times", url->redacted(), self->options.max_redirects));
}

Task<ClientState::Opened> ClientState::open(std::shared_ptr<ClientState> self, ClientRequest request) {
  if (request.deadline.is_never()) co_return co_await follow(self, std::move(request), StartedExchange());
  const auto deadline = request.deadline;
  auto& timers = self->loop.timers;
  auto work = follow(std::move(self), std::move(request), StartedExchange());
  co_return co_await with_deadline(timers, deadline, std::move(work));
}

Task<Result<ClientResponse>> ClientState::fetch(std::shared_ptr<ClientState> self, ClientRequest request) {
  const auto max_body = self->options.max_body;
  const auto deadline = request.deadline;
  auto& timers = self->loop.timers;
  auto stream = co_await open(std::move(self), std::move(request));
  if (!stream) co_return std::unexpected(std::move(stream.error()));
  auto body = co_await with_deadline(timers, deadline, (*stream)->rest(max_body));
  if (!body) co_return std::unexpected(std::move(body.error()));
  auto response = (*stream)->head();
  response.body = std::move(*body);
  co_return response;
}

Client::Client(EventLoop loop, ClientOptions options)
    : state_(std::make_shared<ClientState>(loop, std::move(options))) {}

Client::~Client() = default;

Task<Result<ClientResponse>> Client::fetch(ClientRequest request) {
  return ClientState::fetch(state_, std::move(request));
}

Task<Result<std::unique_ptr<ResponseStream>>> Client::open(ClientRequest request) {
  return ClientState::open(state_, std::move(request));
}

Task<Result<std::unique_ptr<WebSocket>>> Client::websocket(ClientRequest request, WebSocketOptions options) {
  return ClientState::websocket(state_, std::move(request), std::move(options));
}

std::size_t Client::idle() const {
  std::size_t count = 0;
  for (const auto& [origin, kept] : state_->idle) count += kept.size();
  return count;
}

}  // namespace fairlead::http
