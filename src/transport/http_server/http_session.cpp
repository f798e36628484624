#include "transport/http_server/http_session.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "transport/http_server/jsonrpc_response.hpp"

namespace fairlead::transport {
namespace {

std::unexpected<Error> session_ended() {
  return fail(ErrorKind::closed, "the session has ended");
}

}  // namespace

Task<Result<void>> HttpSession::send(Outgoing outgoing) {
  while (!closed()) {
    if (send_now(outgoing)) co_return Result<void>();
    const auto* stream = stream_of(outgoing);
    const auto channel = stream ? stream->channel : nullptr;
    if (channel) co_await channel->writable();
  }
  co_return session_ended();
}

bool HttpSession::send_now(Outgoing& outgoing) {
  if (closed()) return false;
  auto* stream = stream_of(outgoing);
  // The client has cancelled the request.
  if (!stream) return true;
  // Backpressure applies to request streams only: a client that does not read the GET stream still receives its
  // responses.
  if (stream->number != 0 && stream->channel && stream->channel->full()) return false;
  if (!is_answer(outgoing.message)) {
    drop_stalled_channel(*stream);
    write_event(*stream, jsonrpc::write(outgoing.message));
    return true;
  }
  const auto* id = answered_id(outgoing.message);
  if (id) std::erase(stream->pending_ids, *id);
  auto response = json_response(outgoing.message);
  // The first successful response is that of `initialize`.
  if (!opened_ && std::holds_alternative<jsonrpc::Response>(outgoing.message)) {
    opened_ = true;
    response.headers.push_back({std::string(protocol::header::session_id), id_});
  }
  write(*stream, std::move(response), id);
  return true;
}

Task<Result<void>> HttpSession::send_batch(std::vector<jsonrpc::Message> messages) {
  if (closed()) co_return session_ended();
  HttpStream* stream = nullptr;
  std::string text = "[";
  for (const auto& message : messages) {
    if (const auto* id = answered_id(message); id && !stream) stream = find(*id);
    if (text.size() > 1) text += ',';
    jsonrpc::write(text, message);
  }
  if (!stream) co_return Result<void>();
  stream->pending_ids.clear();
  write(*stream, json_response(text + ']'));
  co_return Result<void>();
}

HttpStream* HttpSession::stream_of(const Outgoing& outgoing) {
  if (is_answer(outgoing.message)) {
    const auto* id = answered_id(outgoing.message);
    return id ? find(*id) : nullptr;
  }
  HttpStream* stream = outgoing.related_request ? find(*outgoing.related_request) : nullptr;
  return stream ? stream : &server_stream_;
}

// If the client does not read the GET stream, the stream ends and later events wait for the next one.
void HttpSession::drop_stalled_channel(HttpStream& stream) {
  if (stream.channel && stream.channel->closed()) stream.channel = nullptr;
  if (stream.number == 0 && stream.channel && stream.channel->full()) std::exchange(stream.channel, nullptr)->end();
}

// Sends a complete response if nothing was sent before, else an event.
void HttpSession::write(HttpStream& stream, http::Response whole, const jsonrpc::Id* answered) {
  const bool last = stream.number != 0 && stream.pending_ids.empty();
  drop_stalled_channel(stream);
  if (last && stream.channel && !stream.channel->streaming()) {
    const auto channel = std::exchange(stream.channel, nullptr);
    end(stream);
    return channel->answer_now(std::move(whole));
  }
  write_event(stream, std::move(whole.body), answered);
  if (last) end(stream);
}

// A response whose client disconnected before it received an event id cannot be resumed and is not stored.
void HttpSession::write_event(HttpStream& stream, std::string text, const jsonrpc::Id* answered) {
  if (stream.number != 0 && !stream.channel && !stream.resumable) return;
  if (!log_) log_ = store::memory_event_log(settings_.log);
  const auto shared = settings_.texts->share(std::move(text));
  const auto event = log_->add(stream.number, to_keep(shared, answered));
  stream.last = event.sequence;
  if (!stream.channel) return;
  stream.last_sent = event.sequence;
  stream.resumable = true;
  stream.channel->write_message(*shared, id_text(event));
}

// A client that resumes for a response that is too large to store receives an error instead. Notifications of that size
// are not stored.
store::SharedText HttpSession::to_keep(const store::SharedText& text, const jsonrpc::Id* answered) const {
  if (text->size() <= settings_.log.max_bytes) return text;
  if (!answered) return nullptr;
  auto why = fmt::format(
      "the response of {} bytes was lost with its connection: up to {} are kept for reconnecting clients; call again",
      text->size(), settings_.log.max_bytes);
  const jsonrpc::ErrorResponse lost{.id = *answered,
                                    .error = {.code = jsonrpc::code::internal_error, .message = std::move(why)}};
  return std::make_shared<const std::string>(jsonrpc::write(lost));
}

void HttpSession::end(HttpStream& stream) {
  if (stream.channel) stream.channel->end();
  std::erase_if(streams_, [number = stream.number](const HttpStream& other) { return other.number == number; });
  if (streams_.empty()) streams_ = {};
}

void HttpSession::release_stream(const jsonrpc::Id& request) noexcept {
  auto* stream = find(request);
  const auto* revision = server_session_ ? server_session_->revision() : nullptr;
  // Without a priming event the client would have no id to resume with.
  if (!stream || !stream->channel || !revision || !revision->priming_event) return;
  stream->resumable = true;
  std::exchange(stream->channel, nullptr)->end();
}

void HttpSession::on_request_cancelled(const jsonrpc::Id& request) noexcept {
  auto* stream = find(request);
  if (!stream) return;
  std::erase(stream->pending_ids, request);
  if (stream->pending_ids.empty()) end(*stream);
}

void HttpSession::close() noexcept {
  if (std::exchange(closed_, true)) return;
  constexpr auto what = "Session not found: it ended before this request was answered; start over with initialize";
  for (auto& stream : streams_) {
    if (!stream.channel) continue;
    for (const auto& id : stream.pending_ids) {
      auto refused = error_response(404, session_not_found, what, id);
      if (stream.channel->streaming()) {
        stream.channel->write_message(refused.body);
      } else {
        stream.channel->answer(std::move(refused));
      }
    }
    stream.channel->end();
  }
  if (server_stream_.channel) server_stream_.channel->end();
  streams_ = {};
  server_stream_.channel = nullptr;
}

}  // namespace fairlead::transport
