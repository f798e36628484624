#include <fairlead/transport/tool_http.hpp>

#include <fairlead/base/task_scope.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/http/sse.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <utility>

#include "transport/http_server/caller.hpp"
#include "transport/http_server/content_negotiation.hpp"
#include "transport/http_server/forwarded_headers.hpp"
#include "transport/http_server/jsonrpc_response.hpp"
#include "transport/http_server/operation_scopes.hpp"
#include "transport/http_server/response_writer.hpp"
#include "transport/http_server/tool_call_response.hpp"

namespace fairlead::transport {
namespace {

PeerInfo tool_peer(const http::Request& request, const SessionFactory& factory) {
  auto peer = peer_info(request, "rpc");
  peer.tool_calls_only = true;
  peer.request_headers = forwarded_headers(request, factory);
  return peer;
}

http::Response to_http(const jsonrpc::Message& answer) {
  return json_response(answer, tool_status(answer));
}

std::optional<http::Response> refuse(const http::Request& request) {
  if (request.method != "POST") return method_not_allowed("POST");
  if (has_type(request, json_type)) return std::nullopt;
  return error_response(415, jsonrpc::code::invalid_request,
                        "Unsupported Media Type: send Content-Type: application/json");
}

std::string event(std::string name, std::string data) {
  std::string out;
  const http::SseEvent what{.event = std::move(name), .data = std::move(data)};
  if (!http::write_sse(out, what)) out.clear();
  return out;
}

jsonrpc::Message timed_out(const jsonrpc::Id& id) {
  const Error late{.kind = ErrorKind::timeout, .message = "the tool took too long; try again later"};
  auto lowered = protocol::encode_error(late, protocol::newest_handshake());
  return jsonrpc::ErrorResponse{id, std::move(std::get<protocol::WireError>(lowered).error)};
}

/// A tool call has no stream for notifications.
class DiscardedNotifications final : public NotificationSink {
 public:
  Task<Result<void>> send(jsonrpc::Notification) override { return Result<void>(); }
};

// `with_deadline` needs a task with a result, which fails if it was stopped.
Task<Result<jsonrpc::Message>> as_result(Task<jsonrpc::Message> responding) {
  auto response = co_await std::move(responding);
  const auto stop = co_await this_task::stop_token;
  if (stop.stop_requested()) co_return fail(ErrorKind::cancelled, "the call was cancelled");
  co_return response;
}

Task<jsonrpc::Message> respond_in_time(EventLoop loop, Duration timeout, jsonrpc::Id id,
                                       Task<jsonrpc::Message> responding) {
  if (timeout == Duration::zero()) co_return make_tool_response(co_await std::move(responding));
  const auto deadline = Deadline::in(timeout, loop.timers.clock());
  auto response = co_await with_deadline(loop.timers, deadline, as_result(std::move(responding)));
  co_return response ? make_tool_response(std::move(*response)) : timed_out(id);
}

void write_events(ResponseChannel& channel, const jsonrpc::Message& answer) {
  if (const auto* response = std::get_if<jsonrpc::Response>(&answer)) {
    for (auto& fragment : tool_fragments(*response)) channel.write_events(event("result", std::move(fragment)));
    channel.write_events(event("complete", jsonrpc::write(answer)));
  } else {
    channel.write_events(event("error", jsonrpc::write(answer)));
  }
  channel.end();
}

Task<void> write_when_answered(std::shared_ptr<ResponseChannel> channel, Task<jsonrpc::Message> responding) {
  write_events(*channel, co_await std::move(responding));
}

Task<void> write_until_gone(http::Exchange& exchange, std::shared_ptr<ResponseChannel> channel, StreamStart start,
                            TaskScope& calls) {
  co_await write_response(exchange, std::move(channel), std::move(start));
  calls.cancel();
}

Task<void> stream(http::Exchange& exchange, Duration heartbeat, Task<jsonrpc::Message> responding) {
  const auto loop = exchange.loop();
  const auto body = [&](TaskScope& calls) {
    auto channel = std::make_shared<ResponseChannel>();
    calls.spawn(write_when_answered(channel, std::move(responding)));
    StreamStart start{.keep_alive = heartbeat, .comment = ": heartbeat\n\n", .at_once = true};
    return write_until_gone(exchange, std::move(channel), std::move(start), calls);
  };
  co_await with_scope(loop.log, "rpc", body);
}

Task<http::Response> respond(Task<jsonrpc::Message> responding) {
  co_return to_http(co_await std::move(responding));
}

}  // namespace

Task<http::Response> ToolHttp::handle(http::Request& request) {
  static DiscardedNotifications discarded;
  if (auto refused = refuse(request)) return std::move(*refused);
  auto call = read_tool_call(std::move(request.body));
  if (!call) return to_http(call.error());
  if (auto refused = refuse_operation(request, *call)) return std::move(*refused);
  const auto id = call->id;
  auto answering = factory_.respond(loop_, std::move(*call), tool_peer(request, factory_), discarded);
  if (answering.is_ready() && !options_.stream) return to_http(make_tool_response(answering.take()));
  auto responding = respond_in_time(loop_, options_.timeout, id, std::move(answering));
  if (!options_.stream) return respond(std::move(responding));
  return http::streamed(
      [heartbeat = options_.heartbeat, responding = std::move(responding)](http::Exchange& exchange) mutable {
        return stream(exchange, heartbeat, std::move(responding));
      });
}

}  // namespace fairlead::transport
