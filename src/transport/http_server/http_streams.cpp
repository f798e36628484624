#include <algorithm>
#include <fairlead/http/sse.hpp>
#include <utility>

#include "transport/http_server/http_session.hpp"
#include "transport/http_server/rpc_answer.hpp"

namespace fairlead::transport {

HttpStream* HttpSession::find(std::uint32_t number) {
  if (number == 0) return &unasked_;
  const auto found = std::ranges::find(streams_, number, &HttpStream::number);
  return found == streams_.end() ? nullptr : &*found;
}

HttpStream* HttpSession::find(const jsonrpc::Id& awaited) {
  const auto found = std::ranges::find_if(streams_, [&](const HttpStream& stream) {
    return std::ranges::find(stream.awaited, awaited) != stream.awaited.end();
  });
  return found == streams_.end() ? nullptr : &*found;
}

bool HttpSession::awaits(const jsonrpc::Id& id) const {
  return std::ranges::any_of(streams_, [&](const HttpStream& stream) {
    return std::ranges::find(stream.awaited, id) != stream.awaited.end();
  });
}

std::uint32_t HttpSession::await(std::vector<jsonrpc::Id> ids, std::shared_ptr<Lane> lane) {
  streams_.push_back({.number = ++numbered_, .awaited = std::move(ids), .lane = std::move(lane)});
  return numbered_;
}

Task<bool> HttpSession::follow(std::shared_ptr<Lane> lane, store::EventId from) {
  if (from.stream > numbered_) co_return false;
  if (auto* stream = find(from.stream); stream && stream->lane) std::exchange(stream->lane, nullptr)->end();
  while (true) {
    std::vector<store::Event> rest;
    if (log_) rest = co_await log_->after(from);
    for (const auto& event : rest) lane->say_message(*event.data, id_text(event.id));
    if (!rest.empty()) from = rest.back().id;
    auto* stream = find(from.stream);
    if (closed() || !stream) {
      // All its requests are answered, and the answers have just been said again.
      lane->end();
      co_return true;
    }
    if (!rest.empty() && stream->last > from.sequence) continue;
    stream->given = std::max(stream->last, from.sequence);
    if (stream->lane) std::exchange(stream->lane, nullptr)->end();
    stream->lane = std::move(lane);
    co_return true;
  }
}

void HttpSession::leave(std::uint32_t number, const Lane& lane) {
  auto* stream = find(number);
  if (!stream || stream->lane.get() != &lane) return;
  // What it has begun on a stream it may ask for again, its opening included.
  stream->begun = stream->begun || lane.streaming();
  stream->lane = nullptr;
}

std::string HttpSession::id_text(store::EventId id) const {
  const auto* revision = hosted_ ? hosted_->revision() : nullptr;
  return revision && revision->resumable ? id.text() : std::string();
}

StreamStart HttpSession::start(store::EventId from, Duration keep_alive, bool again) {
  StreamStart start{.keep_alive = keep_alive};
  const auto* revision = hosted_ ? hosted_->revision() : nullptr;
  if (!revision || !revision->priming_event) return start;
  http::SseEvent event{.id = from.text(again ? ++openings_ : 0), .retry = terms_.retry};
  start.opening = std::make_unique<http::SseEvent>(std::move(event));
  return start;
}

}  // namespace fairlead::transport
