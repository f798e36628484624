#include "transport/http_server/http_session.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "transport/http_server/rpc_answer.hpp"

namespace fairlead::transport {
namespace {

std::unexpected<Error> over() {
  return fail(ErrorKind::closed, "the session has ended");
}

}  // namespace

Task<Result<void>> HttpSession::send(Outgoing outgoing) {
  while (!closed()) {
    if (send_now(outgoing)) co_return Result<void>();
    const auto* stream = stream_of(outgoing);
    const auto lane = stream ? stream->lane : nullptr;
    if (lane) co_await lane->room();
  }
  co_return over();
}

bool HttpSession::send_now(Outgoing& outgoing) {
  if (closed()) return false;
  auto* stream = stream_of(outgoing);
  // An answer that nobody waits for any more.
  if (!stream) return true;
  // Only the one who asked is waited for: a client that does not read what it is told unasked still gets its answers.
  if (stream->number != 0 && stream->lane && stream->lane->full()) return false;
  if (!is_answer(outgoing.message)) {
    tidy(*stream);
    say_event(*stream, jsonrpc::write(outgoing.message));
    return true;
  }
  const auto* id = answered_id(outgoing.message);
  if (id) std::erase(stream->awaited, *id);
  auto response = json_answer(outgoing.message);
  // The first answer that is no error is that to `initialize`.
  if (!opened_ && std::holds_alternative<jsonrpc::Response>(outgoing.message)) {
    opened_ = true;
    response.headers.push_back({std::string(protocol::header::session_id), id_});
  }
  say(*stream, std::move(response), id);
  return true;
}

Task<Result<void>> HttpSession::send_batch(std::vector<jsonrpc::Message> messages) {
  if (closed()) co_return over();
  HttpStream* stream = nullptr;
  std::string text = "[";
  for (const auto& message : messages) {
    if (const auto* id = answered_id(message); id && !stream) stream = find(*id);
    if (text.size() > 1) text += ',';
    jsonrpc::write(text, message);
  }
  if (!stream) co_return Result<void>();
  stream->awaited.clear();
  say(*stream, json_answer(text + ']'));
  co_return Result<void>();
}

HttpStream* HttpSession::stream_of(const Outgoing& outgoing) {
  if (is_answer(outgoing.message)) {
    const auto* id = answered_id(outgoing.message);
    return id ? find(*id) : nullptr;
  }
  HttpStream* stream = outgoing.related_to ? find(*outgoing.related_to) : nullptr;
  return stream ? stream : &unasked_;
}

// Who does not read what it is told unasked is not waited for: its stream ends, and the rest waits for the next one.
void HttpSession::tidy(HttpStream& stream) {
  if (stream.lane && stream.lane->closed()) stream.lane = nullptr;
  if (stream.number == 0 && stream.lane && stream.lane->full()) std::exchange(stream.lane, nullptr)->end();
}

// As the whole answer where nothing was said before, else as an event.
void HttpSession::say(HttpStream& stream, http::Response whole, const jsonrpc::Id* answered) {
  const bool last = stream.number != 0 && stream.awaited.empty();
  tidy(stream);
  if (last && stream.lane && !stream.lane->streaming()) {
    const auto lane = std::exchange(stream.lane, nullptr);
    end(stream);
    return lane->answer_now(std::move(whole));
  }
  say_event(stream, std::move(whole.body), answered);
  if (last) end(stream);
}

// What nobody can ever read is not kept: an answer whose client left before it had seen an id.
void HttpSession::say_event(HttpStream& stream, std::string text, const jsonrpc::Id* answered) {
  if (stream.number != 0 && !stream.lane && !stream.begun) return;
  if (!log_) log_ = store::memory_event_log(terms_.log);
  const auto shared = terms_.texts->share(std::move(text));
  const auto event = log_->add(stream.number, worth_keeping(shared, answered));
  stream.last = event.sequence;
  if (!stream.lane) return;
  stream.given = event.sequence;
  stream.begun = true;
  stream.lane->say_message(*shared, id_text(event));
}

// Whoever comes back for an answer that is too large to be kept learns that it will not come. A notification of that
// size is not kept at all.
store::SharedText HttpSession::worth_keeping(const store::SharedText& text, const jsonrpc::Id* answered) const {
  if (text->size() <= terms_.log.max_bytes) return text;
  if (!answered) return nullptr;
  auto why = fmt::format(
      "the answer of {} bytes was lost with its connection: up to {} are kept for a client that comes back; call again",
      text->size(), terms_.log.max_bytes);
  const jsonrpc::ErrorResponse lost{.id = *answered,
                                    .error = {.code = jsonrpc::code::internal_error, .message = std::move(why)}};
  return std::make_shared<const std::string>(jsonrpc::write(lost));
}

void HttpSession::end(HttpStream& stream) {
  if (stream.lane) stream.lane->end();
  std::erase_if(streams_, [number = stream.number](const HttpStream& other) { return other.number == number; });
  if (streams_.empty()) streams_ = {};
}

void HttpSession::pause(const jsonrpc::Id& request) noexcept {
  auto* stream = find(request);
  const auto* revision = hosted_ ? hosted_->revision() : nullptr;
  // Without an event of its own at the start, the client would have no id to come back with.
  if (!stream || !stream->lane || !revision || !revision->priming_event) return;
  stream->begun = true;
  std::exchange(stream->lane, nullptr)->end();
}

void HttpSession::abandon(const jsonrpc::Id& request) noexcept {
  auto* stream = find(request);
  if (!stream) return;
  std::erase(stream->awaited, request);
  if (stream->awaited.empty()) end(*stream);
}

void HttpSession::close() noexcept {
  if (std::exchange(closed_, true)) return;
  constexpr auto what = "Session not found: it ended before this request was answered; start over with initialize";
  for (auto& stream : streams_) {
    if (!stream.lane) continue;
    for (const auto& id : stream.awaited) {
      auto refused = refusal(404, session_not_found, what, id);
      if (stream.lane->streaming()) {
        stream.lane->say_message(refused.body);
      } else {
        stream.lane->answer(std::move(refused));
      }
    }
    stream.lane->end();
  }
  if (unasked_.lane) unasked_.lane->end();
  streams_ = {};
  unasked_.lane = nullptr;
}

}  // namespace fairlead::transport
