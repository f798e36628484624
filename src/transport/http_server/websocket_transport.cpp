#include "transport/http_server/websocket_transport.hpp"

#include <algorithm>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/scan.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <optional>
#include <utility>

#include "base/scope_exit.hpp"
#include "transport/http_server/jsonrpc_response.hpp"
#include "transport/http_server/tool_call_response.hpp"

namespace fairlead::transport {
namespace {

/// Sets a flag for a scope; a coroutine may be cancelled at any wait.
auto scoped_flag(bool& flag) {
  flag = true;
  return ScopeExit([&flag] { flag = false; });
}

constexpr std::string_view pong = R"({"type":"pong"})";

/// Members of a frame that is not JSON-RPC.
struct ToolFrame {
  explicit ToolFrame(const std::string& frame) : text(frame) { valid = !json::scan(text, {}, &index); }

  std::string_view get(std::string_view name) const {
    const auto* member = index.find(text, name);
    return member ? member->value.in(text) : std::string_view();
  }
  bool is_ping() const { return valid && get("method").empty() && get("type") == R"("ping")"; }
  bool is_call() const { return valid && get("method").empty() && get("jsonrpc").empty() && !get("name").empty(); }

  std::string as_request() const {
    std::string request;
    json::ObjectWriter whole(request);
    whole.text("jsonrpc", "2.0");
    // A call needs an id; without one it would be a notification.
    whole.raw("id", get("id").empty() ? "null" : get("id"));
    whole.text("method", protocol::CallTool::method);
    json::ObjectWriter params(whole.member("params"));
    params.raw("name", get("name"));
    if (!get("arguments").empty()) params.raw("arguments", get("arguments"));
    return request;
  }

  const std::string& text;
  json::MemberIndex index;
  bool valid = false;
};

}  // namespace

void WebSocketTransport::close() noexcept {
  closed_ = true;
  if (waiting_) socket_.abort();
}

void WebSocketTransport::finish(End why) noexcept {
  end_ = why;
  closed_ = true;
  reader_.cancel();
}

Task<void> WebSocketTransport::run(ServerSession& session) {
  co_await with_scope(log_, "ws", [this, &session](TaskScope& scope) { return start(scope, session); });
  // Output that was queued while the writer ended.
  socket_.flush_now();
  if (end_ == End::failed) session.close();
}

Task<void> WebSocketTransport::start(TaskScope& scope, ServerSession& session) {
  writer_ = scope.spawn(write_all());
  reader_ = scope.spawn(read_all(session));
  co_return;
}

Task<void> WebSocketTransport::read_all(ServerSession& session) {
  const ScopeExit at_end([this] { writer_.cancel(); });
  while (!closed_) {
    Result<std::string> first;
    {
      const auto waiting = scoped_flag(waiting_);
      first = co_await socket_.receive();
    }
    if (!first) {
      if (first.error().kind != ErrorKind::cancelled) end_ = End::by_peer;
      co_return;
    }
    std::optional text = std::move(*first);
    while (text && !closed_) {
      // Backpressure: stop reading from a client that does not read its responses.
      if (session.is_backlogged()) co_await session.backlog_cleared();
      const auto delivering = scoped_flag(delivering_);
      for (; text && !session.is_backlogged(); text = socket_.receive_now()) {
        if (deliver(std::move(*text), session)) continue;
        const auto waiting = scoped_flag(waiting_);
        co_await socket_.send(pong);
      }
      if (!socket_.flush_now()) output_ready_.notify();
    }
  }
  if (end_ == End::failed) end_ = End::by_us;
}

Task<void> WebSocketTransport::write_all() {
  const auto writing = scoped_flag(writing_);
  while (co_await socket_.flush()) co_await output_ready_.wait();
}

// False for a ping whose response does not fit into the queue.
bool WebSocketTransport::deliver(std::string text, ServerSession& session) {
  if (tool_frames_) {
    const ToolFrame frame(text);
    if (frame.is_ping()) {
      if (!socket_.has_room()) return false;
      socket_.queue(pong);
      return true;
    }
    if (frame.is_call()) {
      auto call = read_tool_call(frame.as_request());
      if (auto refused = call ? filter_.refuse(*call) : std::nullopt) call = std::unexpected(std::move(*refused));
      if (call) calls_.push_back(call->id);
      session.on_message(call ? Received(jsonrpc::Message(std::move(*call)))
                              : Received(InvalidMessage{.reply = {std::move(call.error()), {}}}));
      return true;
    }
  }
  auto incoming = jsonrpc::read(std::move(text));
  if (!incoming) {
    session.on_message(InvalidMessage{.reply = std::move(incoming.error())});
    return true;
  }
  if (auto* batch = std::get_if<jsonrpc::Batch>(&*incoming)) filter_.apply(*batch);
  const auto* message = std::get_if<jsonrpc::Message>(&*incoming);
  const auto* call = message != nullptr ? std::get_if<jsonrpc::Request>(message) : nullptr;
  if (auto refused = call != nullptr ? filter_.refuse(*call) : std::nullopt) {
    session.on_message(InvalidMessage{.reply = {std::move(*refused), {}}});
  } else {
    std::visit([&](auto& what) { session.on_message(std::move(what)); }, *incoming);
  }
  return true;
}

std::string WebSocketTransport::text_of(Outgoing outgoing) {
  const auto* id = calls_.empty() ? nullptr : answered_id(outgoing.message);
  const auto found = id ? std::ranges::find(calls_, *id) : calls_.end();
  if (found == calls_.end()) return jsonrpc::write(outgoing.message);
  calls_.erase(found);
  return jsonrpc::write(make_tool_response(std::move(outgoing.message)));
}

Task<Result<void>> WebSocketTransport::send(Outgoing outgoing) {
  auto text = text_of(std::move(outgoing));
  if (!writing_ || !socket_.has_room()) return send_text(std::move(text));
  socket_.queue(text);
  if (!delivering_) output_ready_.notify();
  return Result<void>();
}

Task<Result<void>> WebSocketTransport::send_text(std::string text) {
  co_return co_await socket_.send(text);
}

Task<Result<void>> WebSocketTransport::send_all(std::vector<Outgoing> several) {
  std::vector<std::string> texts;
  for (auto& outgoing : several) texts.push_back(text_of(std::move(outgoing)));
  return socket_.send_all(std::move(texts));
}

Task<Result<void>> WebSocketTransport::send_batch(std::vector<jsonrpc::Message> messages) {
  std::string text = "[";
  for (const auto& message : messages) {
    if (text.size() > 1) text += ',';
    jsonrpc::write(text, message);
  }
  text += ']';
  return send_text(std::move(text));
}

}  // namespace fairlead::transport
