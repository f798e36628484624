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

/// Sends a task away at the end of a scope.
struct Dismissal {
  explicit Dismissal(TaskScope::Handle& one) : task(one) {}
  Dismissal(const Dismissal&) = delete;
  Dismissal& operator=(const Dismissal&) = delete;
  ~Dismissal() { task.cancel(); }

  TaskScope::Handle& task;
};

constexpr std::string_view pong = R"({"type":"pong"})";

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
  if (waiting_) socket_.abort();
}

void WebSocketTransport::finish() noexcept {
  end_ = End::by_us;
  closed_ = true;
  reader_.cancel();
}

Task<void> WebSocketTransport::run(Hosted& hosted) {
  co_await with_scope(log_, "ws", [this, &hosted](TaskScope& scope) { return start(scope, hosted); });
  // What was said last, while the writer was leaving.
  socket_.flush_now();
  if (end_ == End::failed) hosted.close();
}

Task<void> WebSocketTransport::start(TaskScope& scope, Hosted& hosted) {
  writer_ = scope.spawn(write_all());
  reader_ = scope.spawn(read_all(hosted));
  co_return;
}

Task<void> WebSocketTransport::read_all(Hosted& hosted) {
  const Dismissal dismissal(writer_);
  while (!closed_) {
    Result<std::string> first;
    {
      const Flag waiting(waiting_);
      first = co_await socket_.receive();
    }
    if (!first) {
      if (first.error().kind != ErrorKind::cancelled) end_ = End::by_peer;
      co_return;
    }
    std::optional text = std::move(*first);
    while (text && !closed_) {
      // A client that does not read its answers is not listened to until it does.
      if (hosted.is_behind()) co_await hosted.caught_up();
      const Flag bringing(bringing_);
      for (; text && !hosted.is_behind(); text = socket_.receive_now()) {
        if (bring(std::move(*text), hosted)) continue;
        const Flag waiting(waiting_);
        co_await socket_.send(pong);
      }
      if (!socket_.flush_now()) said_.ring();
    }
  }
  end_ = End::by_us;
}

Task<void> WebSocketTransport::write_all() {
  const Flag writing(writing_);
  while (co_await socket_.flush()) co_await said_.wait();
}

// False for a ping whose answer has to be waited for.
bool WebSocketTransport::bring(std::string text, Hosted& hosted) {
  if (tool_frames_) {
    const PlainFrame frame(text);
    if (frame.is_ping()) {
      if (!socket_.has_room()) return false;
      socket_.put(pong);
      return true;
    }
    if (frame.is_call()) {
      auto call = read_tool_call(frame.as_request());
      if (call) calls_.push_back(call->id);
      hosted.take(call ? Received(jsonrpc::Message(std::move(*call)))
                       : Received(Unreadable{.reply = {std::move(call.error()), {}}}));
      return true;
    }
  }
  auto incoming = jsonrpc::read(std::move(text));
  if (!incoming) {
    hosted.take(Unreadable{.reply = std::move(incoming.error())});
  } else {
    std::visit([&](auto& what) { hosted.take(std::move(what)); }, *incoming);
  }
  return true;
}

std::string WebSocketTransport::text_of(Outgoing outgoing) {
  const auto* id = calls_.empty() ? nullptr : answered_id(outgoing.message);
  const auto found = id ? std::ranges::find(calls_, *id) : calls_.end();
  if (found == calls_.end()) return jsonrpc::write(outgoing.message);
  calls_.erase(found);
  return jsonrpc::write(tool_answer(std::move(outgoing.message)));
}

bool WebSocketTransport::send_now(Outgoing& outgoing) {
  if (!writing_ || !socket_.has_room()) return false;
  socket_.put(text_of(std::move(outgoing)));
  if (!bringing_) said_.ring();
  return true;
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
