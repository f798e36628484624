#include <fairlead/http/client.hpp>

#include <fairlead/base/with_deadline.hpp>
#include <fmt/format.h>
#include <utility>

#include "http/client_state.hpp"
#include "http/redirect.hpp"
#include "http/traffic_log.hpp"

namespace fairlead::http {
namespace {

bool is_idempotent(std::string_view method) {
  return method == "GET" || method == "HEAD" || method == "OPTIONS" || method == "PUT" || method == "DELETE";
}

// Only on a connection that the server closed while it was idle, so that the request has no effect twice.
bool may_send_again(const ClientConnection& connection, const Result<void>& answer, std::string_view method) {
  if (answer || answer.error().kind != ErrorKind::closed || connection.received_any()) return false;
  return connection.unsent() || is_idempotent(method);
}

/// Returns its connection to the pool once the body was read.
class PooledResponse final : public ResponseStream {
 public:
  PooledResponse(const std::shared_ptr<ClientState>& client, std::unique_ptr<ClientConnection> connection,
                 const Url& url)
      : log_(client->loop.log),
        client_(client),
        connection_(std::move(connection)),
        head_(std::move(connection_->response())) {
    head_.url.reserve(connection_->origin().size() + url.target.size());
    head_.url.append(connection_->origin()).append(url.target);
    head_.from_private_address = connection_->is_private();
    wire::received(log_, head_);
    if (connection_->finished()) release();
  }

  const ClientResponse& head() const override { return head_; }

  Task<Result<std::string>> next() override {
    if (!connection_) return std::string();
    auto piece = connection_->take_piece();
    if (piece && piece->empty() && !connection_->finished()) return wait_for_piece();
    on_piece(piece);
    return piece;
  }

 private:
  bool ended() const override { return !connection_; }

  Task<Result<std::string>> wait_for_piece() {
    auto piece = co_await connection_->wait_for_piece();
    on_piece(piece);
    co_return piece;
  }

  void on_piece(const Result<std::string>& piece) {
    if (piece && !piece->empty()) wire::received_body(log_, wire::client, *piece);
    if (connection_->finished()) release();
  }

  void release() {
    if (const auto client = client_.lock()) client->keep(std::move(connection_));
    connection_.reset();
  }

  LogSink& log_;
  std::weak_ptr<ClientState> client_;
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

Result<Url> ClientState::url_of(const ClientRequest& request) {
  if (request.prepared) return request.prepared->url;
  auto url = parse(request.url);
  if (!url || url->scheme.starts_with("http")) return url;
  return fail(ErrorKind::invalid, fmt::format("{} is not a URL for HTTP requests", url->redacted()));
}

Task<ClientState::Opened> ClientState::follow(std::shared_ptr<ClientState> self, ClientRequest request) {
  // The URL of a prepared request until a redirect, which is not copied.
  const auto prepared = request.prepared;
  if (prepared) request.method = "POST";
  auto other = prepared ? Result<Url>() : self->url_of(request);
  const auto* url = prepared ? &prepared->url : other ? &*other : nullptr;
  for (std::size_t hops = 0; url && hops <= self->options.max_redirects; ++hops) {
    std::string_view body;
    const auto head = self->write_request(*url, request, body);
    if (!head) co_return std::unexpected(head.error());
    const bool is_head = request.method == "HEAD";
    auto connection = self->take_idle(*url, request);
    Result<void> answer;
    if (connection) answer = co_await connection->exchange(*head, body, is_head);
    if (!connection || may_send_again(*connection, answer, request.method)) {
      auto fresh = co_await self->dial(*url);
      if (!fresh) co_return std::unexpected(std::move(fresh.error()));
      connection = std::move(*fresh);
      answer = co_await connection->exchange(*head, body, is_head);
    }
    if (!answer) co_return std::unexpected(std::move(answer.error()));
    auto response = std::make_unique<PooledResponse>(self, std::move(connection), *url);
    if (self->options.max_redirects == 0 || !is_redirect(response->head(), request)) co_return response;
    constexpr std::size_t max_discarded_body = 64 * 1024;
    co_await response->rest(max_discarded_body);
    if (std::exchange(request.prepared, nullptr)) request.headers = prepared->headers;
    other = redirect(response->head(), *url, request);
    url = other ? &*other : nullptr;
  }
  if (!url) co_return std::unexpected(std::move(other.error()));
  co_return fail(ErrorKind::refused,
                 fmt::format("{} redirects more than {} times", url->redacted(), self->options.max_redirects));
}

Task<ClientState::Opened> ClientState::open(std::shared_ptr<ClientState> self, ClientRequest&& request) {
  const auto deadline = request.deadline;
  auto& timers = self->loop.timers;
  auto work = follow(std::move(self), std::move(request));
  return deadline.is_never() ? std::move(work) : with_deadline(timers, deadline, std::move(work));
}

Task<Result<ClientResponse>> ClientState::fetch(std::shared_ptr<ClientState> self, ClientRequest request) {
  const auto max_body = self->options.max_body;
  const auto deadline = request.deadline;
  auto& timers = self->loop.timers;
  auto stream = co_await open(std::move(self), std::move(request));
  if (!stream) co_return std::unexpected(std::move(stream.error()));
  auto reading = (*stream)->rest(max_body);
  if (!reading.is_ready()) reading = with_deadline(timers, deadline, std::move(reading));
  auto body = co_await std::move(reading);
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

Task<Result<std::unique_ptr<ResponseStream>>> Client::open(ClientRequest&& request) {
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
