#include <fairlead/base/log.hpp>
#include <fairlead/transport/http_client.hpp>
#include <utility>

#include "jsonrpc/recover_id.hpp"
#include "transport/excerpt.hpp"
#include "transport/http_client/inbox.hpp"
#include "transport/http_client/tool_calls.hpp"
#include "transport/tool_envelope.hpp"

namespace fairlead::transport {
namespace {

constexpr std::string_view calls_only = "rpc+";

/// An open socket; whoever reads it or says goodbye on it holds it.
struct SocketTalk {
  SocketTalk(Loop on, TaskScope& owner, std::unique_ptr<http::WebSocket> opened)
      : loop(on), scope(owner), socket(std::move(opened)), inbox(loop) {}

  static Task<void> say_goodbye(std::shared_ptr<SocketTalk> self) {
    co_await self->socket->close(http::close_code::normal, "");
  }

  void close(const std::shared_ptr<SocketTalk>& self) noexcept {
    if (std::exchange(closed, true)) return;
    inbox.end({.kind = ErrorKind::closed, .message = "the connection was closed on this side"});
    if (!scope.spawn(say_goodbye(self))) socket->abort();
  }

  Loop loop;
  TaskScope& scope;
  std::unique_ptr<http::WebSocket> socket;
  Inbox inbox;  // Of a client of tool calls.
  bool closed = false;
};

/// Messages as text frames.
class WebSocketClient final : public Transport {
 public:
  explicit WebSocketClient(std::shared_ptr<SocketTalk> talk) : talk_(std::move(talk)) {}
  WebSocketClient(const WebSocketClient&) = delete;
  WebSocketClient& operator=(const WebSocketClient&) = delete;
  ~WebSocketClient() override { talk_->close(talk_); }

  Task<Result<Received>> receive() override {
    const auto talk = talk_;
    auto text = co_await talk->socket->receive();
    if (!text) co_return std::unexpected(std::move(text.error()));
    co_return read_received(std::move(*text));
  }

  Task<Result<void>> send(Outgoing outgoing) override {
    const auto talk = talk_;
    const auto text = jsonrpc::write(outgoing.message);
    co_return co_await talk->socket->send(text);
  }

  Task<Result<void>> send_all(std::vector<Outgoing> several) override {
    const auto talk = talk_;
    std::vector<std::string> texts;
    for (const auto& outgoing : several) texts.push_back(jsonrpc::write(outgoing.message));
    co_return co_await talk->socket->send_all(std::move(texts));
  }

  void close() noexcept override { talk_->close(talk_); }

 private:
  std::shared_ptr<SocketTalk> talk_;
};

/// Tool calls as frames of their own kind; replies are whole responses.
class ToolSocketClient final : public Transport {
 public:
  ToolSocketClient(std::shared_ptr<SocketTalk> talk, std::string peer)
      : talk_(std::move(talk)), peer_(std::move(peer)) {
    talk_->scope.spawn(read(talk_));
  }
  ToolSocketClient(const ToolSocketClient&) = delete;
  ToolSocketClient& operator=(const ToolSocketClient&) = delete;
  ~ToolSocketClient() override { talk_->close(talk_); }

  Task<Result<Received>> receive() override { return talk_->inbox.receive(); }

  Task<Result<void>> send(Outgoing outgoing) override {
    const auto talk = talk_;
    if (talk->inbox.ended()) co_return fail(ErrorKind::closed, "the WebSocket is not open");
    const auto* request = std::get_if<jsonrpc::Request>(&outgoing.message);
    if (!request) co_return Result<void>();
    if (auto known = answer_on_behalf(*request, peer_)) {
      talk->inbox.deliver_now(std::move(*known));
      co_return Result<void>();
    }
    if (auto fits = check_tool_request(jsonrpc::write(bare_call(*request))); !fits) {
      talk->inbox.deliver_now(Lost{request->id, std::move(fits.error())});
      co_return Result<void>();
    }
    const auto frame = call_frame(*request);
    co_return co_await talk->socket->send(frame);
  }

  void close() noexcept override { talk_->close(talk_); }

 private:
  static Task<void> read(std::shared_ptr<SocketTalk> talk) {
    while (true) {
      auto text = co_await talk->socket->receive();
      if (!text) {
        talk->inbox.end(std::move(text.error()));
        co_return;
      }
      if (!check_tool_response(*text) && !check_tool_error(*text)) {
        if (auto id = jsonrpc::recover_answered_id(*text)) {
          Lost lost{*id,
                    {.kind = ErrorKind::malformed, .message = "the server's answer to this call is no tool result"}};
          co_await talk->inbox.deliver(std::move(lost));
          continue;
        }
        // Pings and notices of the server's own: there may be any.
        log(talk->loop.log, LogLevel::debug, "websocket", [] { return std::string("a frame answers no call"); });
        continue;
      }
      auto incoming = jsonrpc::read(std::move(*text));
      if (incoming) {
        co_await talk->inbox.deliver(std::move(std::get<jsonrpc::Message>(*incoming)));
      } else {
        Unreadable bad(std::move(incoming.error()));
        co_await talk->inbox.deliver(std::move(bad));
      }
    }
  }

  std::shared_ptr<SocketTalk> talk_;
  std::string peer_;
};

}  // namespace

Task<Result<std::unique_ptr<Transport>>> connect_websocket(Loop loop, TaskScope& scope, HttpClientOptions options) {
  const bool is_bare = options.url.starts_with(calls_only);
  if (is_bare) options.url.erase(0, calls_only.size());
  http::Client client(loop, options.http);
  http::ClientRequest request{.url = options.url, .headers = options.headers};
  if (!options.bearer.empty()) request.headers.push_back({"Authorization", "Bearer " + options.bearer});
  http::WebSocketOptions socket_options{.max_message = options.max_message};
  if (!is_bare) socket_options.subprotocols = {"mcp"};
  auto socket = co_await client.websocket(std::move(request), std::move(socket_options));
  if (!socket) co_return std::unexpected(std::move(socket.error()));
  auto talk = std::make_shared<SocketTalk>(loop, scope, std::move(*socket));
  if (is_bare) co_return std::make_unique<ToolSocketClient>(std::move(talk), options.url);
  co_return std::make_unique<WebSocketClient>(std::move(talk));
}

}  // namespace fairlead::transport
