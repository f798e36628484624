#include "transport/http_server/websocket_transport.hpp"

#include <algorithm>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/scan.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <optional>
#include <utility>

#include "transport/http_server/rpc_answer.hpp"
#include "transport/http_server/tool_answer.hpp"

namespace fairlead::transport {
namespace {

/// Up while it lives; a coroutine may be cancelled at any wait.
struct Flag {
  explicit Flag(bool& up) : flag(up) { flag = true; }
  Flag(const Flag&) = delete;
  Flag& operator=(const Flag&) = delete;
  ~Flag() { flag = false; }

  bool& flag;
};

/// A frame that is no JSON-RPC, by its members.
struct PlainFrame {
  explicit PlainFrame(const std::string& frame) : text(frame) { valid = !json::scan(text, {}, &outline); }

  std::string_view get(std::string_view name) const {
    const auto* member = outline.find(text, name);
    return member ? member->value.in(text) : std::string_view();
  }
  bool is_ping() const { return valid && get("method").empty() && get("type") == R"("ping")"; }
  bool is_call() const { return valid && get("method").empty() && get("jsonrpc").empty() && !get("name").empty(); }

  std::string as_request() const {
    std::string request;
    json::ObjectWriter whole(request);
    whole.text("jsonrpc", "2.0");
    // Without an id it would be a notification, which a call is not.
    whole.raw("id", get("id").empty() ? "null" : get("id"));
    whole.text("method", protocol::CallTool::method);
    json::ObjectWriter params(whole.member("params"));
    params.raw("name", get("name"));
    if (!get("arguments").empty()) params.raw("arguments", get("arguments"));
    return request;
  }

  const std::string& text;
  json::Outline outline;
  bool valid = false;
};

}  // namespace

void WebSocketTransport::close() noexcept {
  closed_ = true;
  if (receiving_) socket_.abort();
}

Task<Result<Received>> WebSocketTransport::receive() {
  while (!closed_) {
    const Flag receiving(receiving_);
    auto text = co_await socket_.receive();
    if (!text) {
      ended_by_peer_ = true;
      co_return std::unexpected(std::move(text.error()));
    }
    if (tool_frames_) {
      const PlainFrame frame(*text);
      if (frame.is_ping()) {
        auto answered = co_await socket_.send(R"({"type":"pong"})");
        if (answered) continue;
        co_return std::unexpected(std::move(answered.error()));
      }
      if (frame.is_call()) {
        auto call = read_tool_call(frame.as_request());
        if (!call) co_return Unreadable{std::move(call.error())};
        calls_.push_back(call->id);
        co_return jsonrpc::Message(std::move(*call));
      }
    }
    auto incoming = jsonrpc::read(std::move(*text));
    if (!incoming) co_return Unreadable{std::move(incoming.error())};
    co_return std::visit([](auto& what) { return Received(std::move(what)); }, *incoming);
  }
  co_return fail(ErrorKind::closed, "the conversation is over");
}

std::string WebSocketTransport::text_of(Outgoing outgoing) {
  const auto* id = calls_.empty() ? nullptr : answered_id(outgoing.message);
  const auto found = id ? std::ranges::find(calls_, *id) : calls_.end();
  if (found == calls_.end()) return jsonrpc::write(outgoing.message);
  calls_.erase(found);
  return jsonrpc::write(tool_answer(std::move(outgoing.message)));
}

Task<Result<void>> WebSocketTransport::send(Outgoing outgoing) {
  const auto text = text_of(std::move(outgoing));
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
  co_return co_await socket_.send(text);
}

}  // namespace fairlead::transport
