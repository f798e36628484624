#include <fairlead/base/log.hpp>
#include <fairlead/transport/http_client.hpp>

#include "jsonrpc/recover_id.hpp"
#include "transport/excerpt.hpp"
#include "transport/http_client/authorized_request.hpp"
#include "transport/http_client/inbox.hpp"
#include "transport/http_client/tool_call_protocol.hpp"
#include "transport/tool_call_schema.hpp"

namespace fairlead::transport {
namespace {

constexpr std::string_view calls_only = "rpc+";

/// An open WebSocket, shared with its tasks.
struct WebSocketClientState {
  WebSocketClientState(EventLoop on, TaskScope& owner, std::unique_ptr<http::WebSocket> opened)
      : loop(on), scope(owner), socket(std::move(opened)), inbox(loop) {}

  /// Writes what the socket accepts before it returns.
  static Task<Result<void>> send(const std::shared_ptr<WebSocketClientState>& self, std::string_view text) {
    auto sending = self->socket->send(text);
    return sending.is_ready() ? std::move(sending) : wait_for(self, std::move(sending));
  }
  static Task<Result<void>> wait_for(std::shared_ptr<WebSocketClientState>, Task<Result<void>> sending) {
    co_return co_await std::move(sending);
  }

  static Task<void> send_close(std::shared_ptr<WebSocketClientState> self) {
    co_await self->socket->close(http::close_code::normal, "");
  }

  void close(const std::shared_ptr<WebSocketClientState>& self) noexcept {
    if (std::exchange(closed, true)) return;
    inbox.end({.kind = ErrorKind::closed, .message = "the connection was closed on this side"});
    if (!scope.spawn(send_close(self))) socket->abort();
  }

  EventLoop loop;
  TaskScope& scope;
  std::unique_ptr<http::WebSocket> socket;
  Inbox inbox;  // Used by tool-call clients only.
  bool closed = false;
};

/// JSON-RPC messages as text frames.
class WebSocketClient final : public Transport, NonCopyable {
 public:
  explicit WebSocketClient(std::shared_ptr<WebSocketClientState> state) : state_(std::move(state)) {}
  ~WebSocketClient() override { state_->close(state_); }

  Task<Result<Received>> receive() override {
    const auto state = state_;
    auto text = co_await state->socket->receive();
    if (!text) co_return std::unexpected(std::move(text.error()));
    co_return read_received(std::move(*text));
  }

  Task<Result<void>> send(Outgoing outgoing) override {
    return WebSocketClientState::send(state_, jsonrpc::write(outgoing.message));
  }

  Task<Result<void>> send_all(std::vector<Outgoing> several) override {
    std::vector<std::string> texts;
    for (const auto& outgoing : several) texts.push_back(jsonrpc::write(outgoing.message));
    return WebSocketClientState::wait_for(state_, state_->socket->send_all(std::move(texts)));
  }

  void close() noexcept override { state_->close(state_); }

 private:
  std::shared_ptr<WebSocketClientState> state_;
};

/// Tool calls as frames `{id, name, arguments}`, answered by JSON-RPC responses.
class ToolSocketClient final : public Transport, NonCopyable {
 public:
  ToolSocketClient(std::shared_ptr<WebSocketClientState> state, std::string peer)
      : state_(std::move(state)), peer_(std::move(peer)) {
    state_->scope.spawn(read(state_));
  }
  ~ToolSocketClient() override { state_->close(state_); }

  Task<Result<Received>> receive() override { return state_->inbox.receive(); }

  Task<Result<void>> send(Outgoing outgoing) override {
    if (state_->inbox.ended()) return fail(ErrorKind::closed, "the WebSocket is not open");
    const auto* request = std::get_if<jsonrpc::Request>(&outgoing.message);
    if (!request) return Result<void>();
    if (auto known = answer_for_tool_server(*request, peer_)) return answer(state_, std::move(*known));
    if (auto fits = check_tool_request(jsonrpc::write(minimal_call(*request))); !fits) {
      state_->inbox.fail_request(request->id, std::move(fits.error()));
      return Result<void>();
    }
    return WebSocketClientState::send(state_, call_frame(*request));
  }

  void close() noexcept override { state_->close(state_); }

 private:
  static Task<Result<void>> answer(std::shared_ptr<WebSocketClientState> state, jsonrpc::Message known) {
    co_await state->inbox.deliver(std::move(known));
    co_return Result<void>();
  }

  static Task<void> read(std::shared_ptr<WebSocketClientState> state) {
    while (true) {
      auto text = co_await state->socket->receive();
      if (!text) {
        state->inbox.end(std::move(text.error()));
        co_return;
      }
      if (!check_tool_response(*text) && !check_tool_error(*text)) {
        if (auto id = jsonrpc::recover_response_id(*text)) {
          Received lost = RequestFailed{
              *id, {.kind = ErrorKind::malformed, .message = "the server's response is not a tool result"}};
          co_await state->inbox.deliver(std::move(lost));
          continue;
        }
        // Servers may send pings and other frames.
        log(state->loop.log, LogLevel::debug, "websocket", [] { return std::string("not a response frame"); });
        continue;
      }
      auto incoming = jsonrpc::read(std::move(*text));
      if (incoming) {
        co_await state->inbox.deliver(std::move(std::get<jsonrpc::Message>(*incoming)));
      } else {
        InvalidMessage bad(std::move(incoming.error()));
        co_await state->inbox.deliver(std::move(bad));
      }
    }
  }

  std::shared_ptr<WebSocketClientState> state_;
  std::string peer_;
};

using OpenedSocket = Result<std::unique_ptr<http::WebSocket>>;

// With a token source, a refused handshake is repeated as open_authorized() repeats a request.
Task<OpenedSocket> open_socket(EventLoop loop, http::Client& client, HttpClientOptions options,
                               http::ClientRequest request, http::WebSocketOptions socket_options) {
  // RFC 9449, 4.2: a proof names the HTTP request.
  options.url = "http" + options.url.substr(std::string_view("ws").size());
  std::optional<http::ClientResponse> refusal;
  socket_options.on_refusal = [&refusal](const http::ClientResponse& response) { refusal = response; };
  AuthorizedAttempts attempts(loop, options);
  while (true) {
    auto credential = co_await attempts.credential();
    if (!credential) co_return std::unexpected(std::move(credential.error()));
    refusal.reset();
    auto attempt = request;
    auto added = auth::add_authorization(attempt.headers, *credential, "GET", options.url);
    if (!added) co_return std::unexpected(std::move(added.error()));
    auto socket = co_await client.websocket(std::move(attempt), socket_options);
    if (socket || !refusal || !attempts.is_refused(*credential, *refusal)) co_return socket;
  }
}

}  // namespace

Task<Result<std::unique_ptr<Transport>>> connect_websocket(EventLoop loop, TaskScope& scope,
                                                           HttpClientOptions options) {
  const bool is_bare = options.url.starts_with(calls_only);
  if (is_bare) options.url.erase(0, calls_only.size());
  http::Client client(loop, options.http);
  http::ClientRequest request{.url = options.url, .headers = options.headers};
  if (!options.bearer.empty()) request.headers.push_back({"Authorization", "Bearer " + options.bearer});
  http::WebSocketOptions socket_options{.max_message = options.max_message};
  if (!is_bare) socket_options.subprotocols = {"mcp"};
  auto socket = co_await open_socket(loop, client, options, std::move(request), std::move(socket_options));
  if (!socket) co_return std::unexpected(std::move(socket.error()));
  auto state = std::make_shared<WebSocketClientState>(loop, scope, std::move(*socket));
  if (is_bare) co_return std::make_unique<ToolSocketClient>(std::move(state), options.url);
  co_return std::make_unique<WebSocketClient>(std::move(state));
}

}  // namespace fairlead::transport
