#include "transport/http_server/http_session.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/scope_exit.hpp"
#include "transport/http_server/jsonrpc_response.hpp"

namespace fairlead::transport {
namespace {

constexpr auto ended_before_response =
    "Session not found: it ended before this request was answered; start over with initialize";

RequestIds request_ids(const jsonrpc::Batch& batch) {
  RequestIds ids;
  for (const auto& entry : batch.entries) {
    if (const auto* request = entry ? std::get_if<jsonrpc::Request>(&*entry) : nullptr) ids.add(request->id);
  }
  return ids;
}

std::unexpected<Error> session_ended() {
  return fail(ErrorKind::closed, "the session has ended");
}

}  // namespace

Task<Result<void>> HttpSession::send(Outgoing outgoing) {
  if (closed()) return session_ended();
  if (const auto* id = answered_id(outgoing.message); id && is_starting(*id)) {
    starting_->whole = response_with(outgoing.message);
    return Result<void>();
  }
  auto* stream = stream_of(outgoing);
  // The client has cancelled the request.
  if (!stream) return Result<void>();
  // Backpressure applies to request streams only: a client that does not read the GET stream still receives its
  // responses.
  if (stream->number != 0 && stream->channel && stream->channel->full()) return send_when_writable(std::move(outgoing));
  send_on(*stream, outgoing.message);
  return Result<void>();
}

Task<Result<void>> HttpSession::send_when_writable(Outgoing outgoing) {
  if (const auto* stream = stream_of(outgoing); stream && stream->channel) {
    const auto channel = stream->channel;
    co_await channel->writable();
  }
  co_return co_await send(std::move(outgoing));
}

void HttpSession::send_on(HttpStream& stream, const jsonrpc::Message& message) {
  if (!is_answer(message)) {
    drop_stalled_channel(stream);
    return write_event(stream, jsonrpc::write(message));
  }
  const auto* id = answered_id(message);
  if (id) stream.pending_ids.remove(*id);
  write(stream, response_with(message), id);
}

http::Response HttpSession::response_with(const jsonrpc::Message& answer) {
  auto response = json_response(answer);
  // The first successful response is that of `initialize`.
  if (!opened_ && std::holds_alternative<jsonrpc::Response>(answer)) {
    opened_ = true;
    response.headers.push_back({std::string(protocol::header::session_id), id_});
  }
  return response;
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
void HttpSession::write(HttpStream& stream, http::Response&& whole, const jsonrpc::Id* answered) {
  const bool last = stream.number != 0 && stream.pending_ids.empty();
  drop_stalled_channel(stream);
  if (last && stream.channel && !stream.channel->streaming()) {
    const auto channel = std::exchange(stream.channel, nullptr);
    end(stream);
    return channel->answer(std::move(whole));
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

struct HttpSession::AttachedStream {
  AttachedStream(std::shared_ptr<HttpSession> of, const StartingPost& post, std::shared_ptr<void> until_written)
      : session(std::move(of)), number(post.number), channel(post.channel), owner(std::move(until_written)) {}
  AttachedStream(AttachedStream&&) noexcept = default;
  AttachedStream& operator=(AttachedStream&&) = delete;
  ~AttachedStream() {
    if (!channel) return;
    channel->close();
    session->detach(number, *channel);
  }

  std::shared_ptr<HttpSession> session;
  std::uint32_t number;
  std::shared_ptr<ResponseChannel> channel;
  std::shared_ptr<void> owner;
};

Task<http::Response> HttpSession::respond(Received&& body, Duration keep_alive, std::shared_ptr<void> owner) {
  StartingPost post;
  std::optional<jsonrpc::Id> id;
  if (const auto* batch = std::get_if<jsonrpc::Batch>(&body)) {
    open_stream(post).pending_ids = request_ids(*batch);
  } else {
    post.id = &id.emplace(std::get<jsonrpc::Request>(std::get<jsonrpc::Message>(body)).id);
  }
  const bool was_opened = opened_;
  {
    const ScopeExit at_end([this, outer = std::exchange(starting_, &post)] { starting_ = outer; });
    server_session_->on_message(std::move(body));
  }
  if (post.whole) return std::move(*post.whole);
  if (!post.channel && closed()) return error_response(404, session_not_found, ended_before_response, id);
  if (!post.channel) open_stream(post).pending_ids.add(std::move(*id));
  StreamStart start{.keep_alive = keep_alive};
  if (was_opened) {
    start = this->start({.stream = post.number}, keep_alive, false);
  } else {
    start.headers.push_back({std::string(protocol::header::session_id), id_});
  }
  AttachedStream attached(shared_from_this(), post, std::move(owner));
  return first_response(loop_.timers, post.channel, std::move(start), std::move(attached));
}

HttpStream& HttpSession::open_stream(StartingPost& post) {
  post.id = nullptr;
  post.number = ++last_number_;
  post.channel = fairlead::detail::make_pooled<ResponseChannel>();
  return streams_.emplace_back(HttpStream{.number = post.number, .channel = post.channel});
}

void HttpSession::end(HttpStream& stream) {
  if (stream.channel) stream.channel->end();
  if (&stream != &streams_.back()) stream = std::move(streams_.back());
  streams_.pop_back();
  // An idle session keeps memory for one stream.
  if (streams_.empty() && streams_.capacity() > 1) streams_ = {};
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
  stream->pending_ids.remove(request);
  if (stream->pending_ids.empty()) end(*stream);
}

void HttpSession::close() noexcept {
  if (std::exchange(closed_, true)) return;
  for (auto& stream : std::exchange(streams_, {})) {
    if (!stream.channel) continue;
    for (const auto& id : stream.pending_ids.all()) {
      auto refused = error_response(404, session_not_found, ended_before_response, id);
      if (stream.channel->streaming()) {
        stream.channel->write_message(refused.body);
      } else {
        stream.channel->answer(std::move(refused));
      }
    }
    stream.channel->end();
  }
  if (const auto channel = std::exchange(server_stream_.channel, nullptr)) channel->end();
}

}  // namespace fairlead::transport
