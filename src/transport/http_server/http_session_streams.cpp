#include <algorithm>
#include <utility>

#include "transport/http_server/http_session.hpp"
#include "transport/http_server/jsonrpc_response.hpp"

namespace fairlead::transport {

HttpStream* HttpSession::find(std::uint32_t number) {
  if (number == 0) return &server_stream_;
  const auto found = std::ranges::find(streams_, number, &HttpStream::number);
  return found == streams_.end() ? nullptr : &*found;
}

HttpStream* HttpSession::find(const jsonrpc::Id& id) {
  if (is_starting(id)) {
    auto& stream = open_stream(*starting_);
    stream.pending_ids.add(id);
    return &stream;
  }
  const auto found =
      std::ranges::find_if(streams_, [&](const auto& stream) { return stream.pending_ids.contains(id); });
  return found == streams_.end() ? nullptr : &*found;
}

bool HttpSession::awaits(const jsonrpc::Id& id) const {
  return std::ranges::any_of(streams_, [&](const HttpStream& stream) { return stream.pending_ids.contains(id); });
}

Task<bool> HttpSession::follow(std::shared_ptr<ResponseChannel> channel, store::EventId from) {
  if (from.stream > last_number_) co_return false;
  if (auto* stream = find(from.stream); stream && stream->channel) std::exchange(stream->channel, nullptr)->end();
  while (true) {
    std::vector<store::Event> rest;
    if (log_) rest = co_await log_->after(from);
    for (const auto& event : rest) channel->write_message(*event.data, id_text(event.id));
    if (!rest.empty()) from = rest.back().id;
    auto* stream = find(from.stream);
    if (closed() || !stream) {
      // All requests were answered, and the responses have been replayed.
      channel->end();
      co_return true;
    }
    if (!rest.empty() && stream->last > from.sequence) continue;
    stream->last_sent = std::max(stream->last, from.sequence);
    if (stream->channel) std::exchange(stream->channel, nullptr)->end();
    stream->channel = std::move(channel);
    co_return true;
  }
}

void HttpSession::detach(std::uint32_t number, const ResponseChannel& channel) {
  auto* stream = find(number);
  if (!stream || stream->channel.get() != &channel) return;
  // A client that received the start of a stream may resume it.
  stream->resumable = stream->resumable || channel.streaming();
  stream->channel = nullptr;
}

std::string HttpSession::id_text(store::EventId id) const {
  const auto* revision = server_session_ ? server_session_->revision() : nullptr;
  return revision && revision->resumable ? id.text() : std::string();
}

StreamStart HttpSession::start(store::EventId from, Duration keep_alive, bool again) {
  StreamStart start{.keep_alive = keep_alive};
  const auto* revision = server_session_ ? server_session_->revision() : nullptr;
  if (!revision || !revision->priming_event) return start;
  start.priming_event =
      StreamStart::PrimingEvent{.id = from, .opening = again ? ++openings_ : 0, .retry = settings_.retry};
  return start;
}

}  // namespace fairlead::transport
