#include <fairlead/transport/tool_http.hpp>

#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/http/sse.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <utility>

#include "transport/http_server/content_negotiation.hpp"
#include "transport/http_server/forwarded_headers.hpp"
#include "transport/http_server/jsonrpc_response.hpp"
#include "transport/http_server/single_request_transport.hpp"
#include "transport/http_server/tool_call_response.hpp"

namespace fairlead::transport {
namespace {

PeerInfo peer_info(const http::Request& request, const SessionFactory& factory) {
  return {request.principal, "rpc", true, forwarded_headers(request, factory)};
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

/// A tool call whose response is a JSON body or events.
class ToolCallTransport final : public SingleRequestTransport {
 public:
  ToolCallTransport(jsonrpc::Request call, bool stream) : SingleRequestTransport(std::move(call)), stream_(stream) {}

  void on_response(jsonrpc::Message answer) override {
    answer = make_tool_response(std::move(answer));
    if (!stream_) return channel()->answer(to_http(answer));
    if (const auto* response = std::get_if<jsonrpc::Response>(&answer)) {
      for (auto& fragment : tool_fragments(*response)) channel()->write_events(event("result", std::move(fragment)));
      channel()->write_events(event("complete", jsonrpc::write(answer)));
    } else {
      channel()->write_events(event("error", jsonrpc::write(answer)));
    }
    channel()->end();
  }

  void time_out() {
    const Error late{.kind = ErrorKind::timeout, .message = "the tool took too long; try again later"};
    auto lowered = protocol::encode_error(late, protocol::newest_handshake());
    Outgoing outgoing{jsonrpc::ErrorResponse{id(), std::move(std::get<protocol::WireError>(lowered).error)}};
    send_now(outgoing);
  }

 private:
  bool stream_;
};

}  // namespace

std::optional<http::Response> ToolHttp::answer_now(http::Request& request) {
  if (auto refused = refuse(request)) return refused;
  if (options_.stream) return std::nullopt;
  auto call = read_tool_call(request.body);
  if (!call) return to_http(call.error());
  if (auto answer = factory_.answer_now(*call, peer_info(request, factory_)))
    return to_http(make_tool_response(std::move(*answer)));
  return std::nullopt;
}

Task<void> ToolHttp::serve(http::Exchange& exchange) {
  auto refused = refuse(exchange.request());
  auto call = read_tool_call(std::move(exchange.request().body));
  if (!refused && !call) refused = to_http(call.error());
  if (refused) {
    co_await exchange.respond(std::move(*refused));
    co_return;
  }
  const auto loop = exchange.loop();
  ToolCallTransport transport(std::move(*call), options_.stream);
  Timer late(loop.timers, [&transport] { transport.time_out(); });
  if (options_.timeout > Duration::zero()) late.arm(Deadline::in(options_.timeout, loop.timers.clock()));
  StreamStart start{.keep_alive = options_.stream ? options_.heartbeat : Duration::zero(),
                    .comment = ": heartbeat\n\n",
                    .at_once = options_.stream};
  co_await serve_single_request(exchange, factory_, peer_info(exchange.request(), factory_), transport,
                                std::move(start));
}

}  // namespace fairlead::transport
