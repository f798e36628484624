#include <fairlead/base/log.hpp>
#include <fairlead/http/sse.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/transport/http_client.hpp>
#include <map>
#include <utility>

#include "transport/http_client/http_refusal.hpp"
#include "transport/http_client/inbox.hpp"
#include "transport/http_client/tool_calls.hpp"
#include "transport/tool_envelope.hpp"

namespace fairlead::transport {
namespace {

constexpr std::string_view event_stream_type = "text/event-stream";
constexpr std::size_t max_refused_body = 64 * 1024;

std::unexpected<Error> closed_on_this_side() {
  return fail(ErrorKind::closed, "the connection was closed on this side");
}

/// All that a client of tool calls knows; its calls hold it.
struct ToolCaller : std::enable_shared_from_this<ToolCaller> {
  ToolCaller(Loop on, TaskScope& owner, HttpClientOptions with)
      : loop(on), scope(owner), options(std::move(with)), client(loop, options.http), inbox(loop) {
    streams = options.url.starts_with("sse+");
    options.url.erase(0, options.url.find('+') + 1);
  }

  Result<void> start(jsonrpc::Request call);
  static Task<void> run(std::shared_ptr<ToolCaller> self, jsonrpc::Request call);
  Task<Result<jsonrpc::Message>> post(const jsonrpc::Request& call);
  Task<Result<jsonrpc::Message>> read_refusal(const jsonrpc::Request& call, http::ResponseStream& stream);
  Task<Result<jsonrpc::Message>> read_events(const jsonrpc::Request& call, http::ResponseStream& stream);
  void give_up(const json::Payload& params);
  void close() noexcept;

  Loop loop;
  TaskScope& scope;
  HttpClientOptions options;
  http::Client client;
  Inbox inbox;
  std::map<jsonrpc::Id, TaskScope::Handle> calls;
  bool streams = false;
};

/// A whole response or error, as the closed schemas want it.
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
  return fail(ErrorKind::malformed, "the server answered another call than it was asked");
}

/// Reads the events of one call until the last.
class CallEvents {
 public:
  CallEvents(jsonrpc::Id id, std::size_t max_size) : id_(std::move(id)), left_(max_size) {}

  /// The answer, once it is whole.
  std::optional<Result<jsonrpc::Message>> take(const http::SseEvent& event) {
    if (event.data.empty()) return std::nullopt;
    if (event.event == "error") return read_envelope(event.data, id_);
    if (event.event == "complete") return complete(event.data);
    if (event.event != "result" && event.event != "message") return std::nullopt;
    if (event.data.size() > left_) return fail(ErrorKind::malformed, "the pieces of the server's answer are too large");
    left_ -= event.data.size();
    if (!json::Payload::parse(event.data)) return fail(ErrorKind::malformed, "an event's data is not JSON");
    // Some servers end with a whole response under this name.
    if (!json::member_of(event.data, "jsonrpc").empty()) {
      whole_ = event.data;
    } else if (!fragments_.add(event.data)) {
      return fail(ErrorKind::malformed, "an event holds no fragment of a result");
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
  std::size_t left_;  // Of the bytes that an answer may have in all.
  Fragments fragments_;
  std::optional<std::string> whole_;
};

Result<void> ToolCaller::start(jsonrpc::Request call) {
  const auto id = call.id;
  calls.try_emplace(id);
  const auto handle = scope.spawn(run(shared_from_this(), std::move(call)));
  if (!handle) return closed_on_this_side();
  if (const auto found = calls.find(id); found != calls.end()) found->second = handle;
  return {};
}

Task<void> ToolCaller::run(std::shared_ptr<ToolCaller> self, jsonrpc::Request call) {
  auto answer = co_await self->post(call);
  self->calls.erase(call.id);
  if (answer) {
    co_await self->inbox.deliver(std::move(*answer));
  } else {
    self->inbox.deliver_now(Lost{call.id, std::move(answer.error())});
  }
}

Task<Result<jsonrpc::Message>> ToolCaller::post(const jsonrpc::Request& call) {
  http::ClientRequest request{.method = "POST", .url = options.url, .headers = options.headers};
  request.headers.push_back({"Content-Type", "application/json"});
  request.headers.push_back({"Accept", std::string(streams ? event_stream_type : "application/json")});
  if (!options.bearer.empty()) request.headers.push_back({"Authorization", "Bearer " + options.bearer});
  request.body = jsonrpc::write(bare_call(call));
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

Task<Result<jsonrpc::Message>> ToolCaller::read_refusal(const jsonrpc::Request& call, http::ResponseStream& stream) {
  const auto body = (co_await stream.rest(max_refused_body)).value_or("");
  auto told = read_envelope(body, call.id);
  if (told && std::holds_alternative<jsonrpc::ErrorResponse>(*told)) co_return told;
  co_return std::unexpected(status_error(stream.head(), body));
}

Task<Result<jsonrpc::Message>> ToolCaller::read_events(const jsonrpc::Request& call, http::ResponseStream& stream) {
  http::SseParser parser({.max_line = options.max_message, .max_event = options.max_message});
  CallEvents events(call.id, options.max_message);
  while (true) {
    const auto piece = co_await stream.next();
    if (!piece && piece.error().kind != ErrorKind::closed) co_return std::unexpected(piece.error());
    if (!piece || piece->empty()) co_return events.end();
    if (auto fed = parser.feed(*piece); !fed) co_return std::unexpected(std::move(fed.error()));
    while (const auto event = parser.next()) {
      if (auto answer = events.take(*event)) co_return std::move(*answer);
    }
  }
}

void ToolCaller::give_up(const json::Payload& params) {
  const auto cancelled = json::decode<protocol::CancelledParams>(params);
  if (!cancelled || !cancelled->requestId) return;
  const auto found = calls.find(*cancelled->requestId);
  if (found == calls.end()) return;
  auto handle = found->second;
  calls.erase(found);
  handle.cancel();
}

void ToolCaller::close() noexcept {
  inbox.end({.kind = ErrorKind::closed, .message = "the connection was closed on this side"});
  for (auto& [id, handle] : std::exchange(calls, {})) TaskScope::Handle(handle).cancel();
}

class ToolClient final : public Transport {
 public:
  ToolClient(Loop loop, TaskScope& scope, HttpClientOptions options)
      : caller_(std::make_shared<ToolCaller>(loop, scope, std::move(options))) {}
  ToolClient(const ToolClient&) = delete;
  ToolClient& operator=(const ToolClient&) = delete;
  ~ToolClient() override { caller_->close(); }

  Task<Result<Received>> receive() override { return caller_->inbox.receive(); }

  Task<Result<void>> send(Outgoing outgoing) override {
    const auto caller = caller_;
    if (caller->inbox.ended()) co_return closed_on_this_side();
    if (const auto* notice = std::get_if<jsonrpc::Notification>(&outgoing.message)) {
      if (notice->method == protocol::Cancelled::method) caller->give_up(notice->params);
    }
    auto* request = std::get_if<jsonrpc::Request>(&outgoing.message);
    if (!request) co_return Result<void>();
    auto known = answer_on_behalf(*request, caller->options.url);
    if (!known) co_return caller->start(std::move(*request));
    caller->inbox.deliver_now(std::move(*known));
    co_return Result<void>();
  }

  void close() noexcept override { caller_->close(); }

 private:
  std::shared_ptr<ToolCaller> caller_;
};

}  // namespace

std::unique_ptr<Transport> make_tool_client(Loop loop, TaskScope& scope, HttpClientOptions options) {
  return std::make_unique<ToolClient>(loop, scope, std::move(options));
}

}  // namespace fairlead::transport
