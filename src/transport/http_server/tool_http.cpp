#include <fairlead/transport/tool_http.hpp>

#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/http/sse.hpp>
#include <fairlead/protocol/fault.hpp>
#include <utility>

#include "transport/http_server/luggage.hpp"
#include "transport/http_server/media.hpp"
#include "transport/http_server/one_shot.hpp"
#include "transport/http_server/rpc_answer.hpp"
#include "transport/http_server/tool_answer.hpp"

namespace fairlead::transport {
namespace {

Guest caller(const http::Request& request, const Host& host) {
  return {.principal = request.principal, .name = "rpc", .tool_calls_only = true, .luggage = luggage_of(request, host)};
}

http::Response whole(const jsonrpc::Message& answer) {
  return json_answer(answer, tool_status(answer));
}

std::optional<http::Response> refuse(const http::Request& request) {
  if (request.method != "POST") return method_not_allowed("POST");
  if (has_type(request, json_type)) return std::nullopt;
  return refusal(415, jsonrpc::code::invalid_request, "Unsupported Media Type: send Content-Type: application/json");
}

std::string event(std::string name, std::string data) {
  std::string out;
  const http::SseEvent what{.event = std::move(name), .data = std::move(data)};
  if (!http::write_sse(out, what)) out.clear();
  return out;
}

/// A call that is answered by a body, or by events.
class ToolShot final : public OneShot {
 public:
  ToolShot(jsonrpc::Request call, bool stream) : OneShot(std::move(call)), stream_(stream) {}

  void finish(jsonrpc::Message answer) override {
    answer = tool_answer(std::move(answer));
    if (!stream_) return lane()->answer(whole(answer));
    if (const auto* response = std::get_if<jsonrpc::Response>(&answer)) {
      for (auto& fragment : tool_fragments(*response)) lane()->say(event("result", std::move(fragment)));
      lane()->say(event("complete", jsonrpc::write(answer)));
    } else {
      lane()->say(event("error", jsonrpc::write(answer)));
    }
    lane()->end();
  }

  void time_out() {
    const Error late{.kind = ErrorKind::timeout, .message = "the tool took too long; try again later"};
    auto lowered = protocol::lower_error(late, protocol::newest_handshake());
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
  if (!call) return whole(call.error());
  if (auto answer = host_.answer_now(*call, caller(request, host_))) return whole(tool_answer(std::move(*answer)));
  return std::nullopt;
}

Task<void> ToolHttp::serve(http::Exchange& exchange) {
  auto refused = refuse(exchange.request());
  auto call = read_tool_call(std::move(exchange.request().body));
  if (!refused && !call) refused = whole(call.error());
  if (refused) {
    co_await exchange.respond(std::move(*refused));
    co_return;
  }
  const auto loop = exchange.loop();
  ToolShot shot(std::move(*call), options_.stream);
  Timer late(loop.timers, [&shot] { shot.time_out(); });
  if (options_.timeout > Duration::zero()) late.arm(Deadline::in(options_.timeout, loop.timers.clock()));
  StreamStart start{.keep_alive = options_.stream ? options_.heartbeat : Duration::zero(),
                    .comment = ": heartbeat\n\n",
                    .at_once = options_.stream};
  co_await serve_once(exchange, host_, caller(exchange.request(), host_), shot, std::move(start));
}

}  // namespace fairlead::transport
