#include <fairlead/base/log.hpp>
#include <fairlead/http/sse.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/transport/http_client.hpp>
#include <map>

#include "transport/http_client/http_error.hpp"
#include "transport/http_client/inbox.hpp"
#include "transport/http_client/tool_call_protocol.hpp"
#include "transport/tool_call_schema.hpp"

namespace fairlead::transport {
namespace {

constexpr std::string_view event_stream_type = "text/event-stream";
constexpr std::size_t max_refused_body = 64 * 1024;

std::unexpected<Error> closed_on_this_side() {
  return fail(ErrorKind::closed, "the connection was closed on this side");
}

/// State of a tool-call client, shared with its calls.
struct ToolClientState : std::enable_shared_from_this<ToolClientState> {
  ToolClientState(EventLoop on, TaskScope& owner, HttpClientOptions with)
      : loop(on), scope(owner), options(std::move(with)), client(loop, options.http), inbox(loop) {
    streams = options.url.starts_with("sse+");
    options.url.erase(0, options.url.find('+') + 1);
  }

  Result<void> start(jsonrpc::Request call);
  static Task<void> run(std::shared_ptr<ToolClientState> self, jsonrpc::Request call);
  Task<Result<jsonrpc::Message>> post(const jsonrpc::Request& call);
  Task<Result<jsonrpc::Message>> read_refusal(const jsonrpc::Request& call, http::ResponseStream& stream);
  Task<Result<jsonrpc::Message>> read_events(const jsonrpc::Request& call, http::ResponseStream& stream);
  void cancel_request(const json::Payload& params);
  void close() noexcept;

  EventLoop loop;
  TaskScope& scope;
  HttpClientOptions options;
  http::Client client;
  Inbox inbox;
  std::map<jsonrpc::Id, TaskScope::Handle> calls;
  bool streams = false;
};

/// Parses a complete response or error of the closed schemas.
Result<jsonrpc::Message> read_envelope(const std::string& text, const jsonrpc::Id& id) {
  auto fits = check_tool_response(text);
  if (!fits && check_tool_error(text)) fits = {};
  if (!fits) return std::unexpected(std::move(fits.error()));
  auto incoming = jsonrpc::read(text);
  if (!incoming) return fail(ErrorKind::malformed, incoming.error().error.message);
  auto& message = std::get<jsonrpc::Message>(*incoming);
  if (auto* error = std::get_if<jsonrpc::ErrorResponse>(&message)) {
    if (!error->id) error->id = id;
    if (*error->id == id) return std::move(message);
  } else if (std::get<jsonrpc::Response>(message).id == id) {
    return std::move(message);
  }
  return fail(ErrorKind::malformed, "the server's response does not match the call");
}

/// Collects the events of one call.
class CallEvents {
 public:
  CallEvents(jsonrpc::Id id, std::size_t max_size) : id_(std::move(id)), left_(max_size) {}

  /// Returns the response once it is complete.
  std::optional<Result<jsonrpc::Message>> on_event(const http::SseEvent& event) {
    if (event.data.empty()) return std::nullopt;
    if (event.event == "error") return read_envelope(event.data, id_);
    if (event.event == "complete") return complete(event.data);
    if (event.event != "result" && event.event != "message") return std::nullopt;
    if (event.data.size() > left_) return fail(ErrorKind::malformed, "the pieces of the server's answer are too large");
    left_ -= event.data.size();
    if (!json::Payload::parse(event.data)) return fail(ErrorKind::malformed, "an event's data is not JSON");
    // Some servers send a complete response under this event name.
    if (!json::member_of(event.data, "jsonrpc").empty()) {
      whole_ = event.data;
    } else if (!fragments_.add(event.data)) {
      return fail(ErrorKind::malformed, "an event is not a fragment of a result");
    }
    return std::nullopt;
  }

  Result<jsonrpc::Message> end() const {
    if (whole_) return read_envelope(*whole_, id_);
    return fail(ErrorKind::closed, "the server closed the stream before the call was complete");
  }

 private:
  Result<jsonrpc::Message> complete(const std::string& data) const {
    auto whole = read_envelope(data, id_);
    const auto pieces = fragments_.response(id_);
    if (whole || !pieces) return whole;
    return read_envelope(*pieces, id_);
  }

  jsonrpc::Id id_;
  std::size_t left_;  // Remaining size limit of the response.
  ToolResultAssembler fragments_;
  std::optional<std::string> whole_;
};

Result<void> ToolClientState::start(jsonrpc::Request call) {
  const auto id = call.id;
  calls.try_emplace(id);
  const auto handle = scope.spawn(run(shared_from_this(), std::move(call)));
  if (!handle) return closed_on_this_side();
  if (const auto found = calls.find(id); found != calls.end()) found->second = handle;
  return {};
}

Task<void> ToolClientState::run(std::shared_ptr<ToolClientState> self, jsonrpc::Request call) {
  auto answer = co_await self->post(call);
  self->calls.erase(call.id);
  if (answer) {
    co_await self->inbox.deliver(std::move(*answer));
  } else {
    self->inbox.fail_request(call.id, std::move(answer.error()));
  }
}

Task<Result<jsonrpc::Message>> ToolClientState::post(const jsonrpc::Request& call) {
  http::ClientRequest request{.method = "POST", .url = options.url, .headers = options.headers};
  request.headers.push_back({"Content-Type", "application/json"});
  request.headers.push_back({"Accept", std::string(streams ? event_stream_type : "application/json")});
  if (!options.bearer.empty()) request.headers.push_back({"Authorization", "Bearer " + options.bearer});
  request.body = jsonrpc::write(minimal_call(call));
  if (auto fits = check_tool_request(request.body); !fits) co_return std::unexpected(std::move(fits.error()));
  auto opened = co_await client.open(std::move(request));
  if (!opened) co_return std::unexpected(std::move(opened.error()));
  auto& stream = **opened;
  if (stream.head().status != 200) co_return co_await read_refusal(call, stream);
  if (stream.head().media_type() == event_stream_type) co_return co_await read_events(call, stream);
  auto body = co_await stream.rest(options.max_message);
  if (!body) co_return std::unexpected(std::move(body.error()));
  co_return read_envelope(*body, call.id);
}

Task<Result<jsonrpc::Message>> ToolClientState::read_refusal(const jsonrpc::Request& call,
                                                             http::ResponseStream& stream) {
  const auto body = (co_await stream.rest(max_refused_body)).value_or("");
  auto error = read_envelope(body, call.id);
  if (error && std::holds_alternative<jsonrpc::ErrorResponse>(*error)) co_return error;
  co_return std::unexpected(status_error(stream.head(), body));
}

Task<Result<jsonrpc::Message>> ToolClientState::read_events(const jsonrpc::Request& call,
                                                            http::ResponseStream& stream) {
  http::SseParser parser({.max_line = options.max_message, .max_event = options.max_message});
  CallEvents events(call.id, options.max_message);
  while (true) {
    const auto piece = co_await stream.next();
    if (!piece && piece.error().kind != ErrorKind::closed) co_return std::unexpected(piece.error());
    if (!piece || piece->empty()) co_return events.end();
    if (auto fed = parser.feed(*piece); !fed) co_return std::unexpected(std::move(fed.error()));
    while (const auto event = parser.next()) {
      if (auto answer = events.on_event(*event)) co_return std::move(*answer);
    }
  }
}

void ToolClientState::cancel_request(const json::Payload& params) {
  const auto cancelled = json::decode<protocol::CancelledParams>(params);
  if (!cancelled || !cancelled->requestId) return;
  const auto found = calls.find(*cancelled->requestId);
  if (found == calls.end()) return;
  auto handle = found->second;
  calls.erase(found);
  handle.cancel();
}

void ToolClientState::close() noexcept {
  inbox.end({.kind = ErrorKind::closed, .message = "the connection was closed on this side"});
  for (auto& [id, handle] : std::exchange(calls, {})) TaskScope::Handle(handle).cancel();
}

class ToolClient final : public Transport, NonCopyable {
 public:
  ToolClient(EventLoop loop, TaskScope& scope, HttpClientOptions options)
      : state_(std::make_shared<ToolClientState>(loop, scope, std::move(options))) {}
  ~ToolClient() override { state_->close(); }

  Task<Result<Received>> receive() override { return state_->inbox.receive(); }

  Task<Result<void>> send(Outgoing outgoing) override {
    if (state_->inbox.ended()) return closed_on_this_side();
    if (const auto* notice = std::get_if<jsonrpc::Notification>(&outgoing.message)) {
      if (notice->method == protocol::Cancelled::method) state_->cancel_request(notice->params);
    }
    auto* request = std::get_if<jsonrpc::Request>(&outgoing.message);
    if (!request) return Result<void>();
    if (auto known = answer_for_tool_server(*request, state_->options.url)) return answer(state_, std::move(*known));
    return state_->start(std::move(*request));
  }

  void close() noexcept override { state_->close(); }

 private:
  static Task<Result<void>> answer(std::shared_ptr<ToolClientState> state, jsonrpc::Message known) {
    co_await state->inbox.deliver(std::move(known));
    co_return Result<void>();
  }

  std::shared_ptr<ToolClientState> state_;
};

}  // namespace

std::unique_ptr<Transport> make_tool_client(EventLoop loop, TaskScope& scope, HttpClientOptions options) {
  return std::make_unique<ToolClient>(loop, scope, std::move(options));
}

}  // namespace fairlead::transport
