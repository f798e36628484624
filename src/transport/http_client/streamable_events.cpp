#include <boost/asio/steady_timer.hpp>
#include <fairlead/base/asio_task.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/http/sse.hpp>

#include "transport/http_client/http_error.hpp"
#include "transport/http_client/streamable_state.hpp"

namespace fairlead::transport {
namespace {

// Time for the server to end the stream after the response, so that the connection can be reused.
constexpr Duration after_answer = std::chrono::seconds{1};

}  // namespace

Task<void> StreamableClientState::wait(Duration duration) {
  boost::asio::steady_timer timer(loop.executor, duration);
  co_await timer.async_wait(use_task);
}

// The end of a stream is not an error; the caller checks whether the response has arrived.
Task<Result<void>> StreamableClientState::read_events(PostedMessage& post, http::ResponseStream& stream) {
  http::SseParser parser({.max_line = options.max_message, .max_event = options.max_message});
  while (true) {
    const auto deadline = post.answered ? Deadline::in(after_answer, loop.timers.clock()) : Deadline::never();
    auto reading = stream.next();
    if (post.answered) reading = with_deadline(loop.timers, deadline, std::move(reading));
    const auto piece = co_await std::move(reading);
    if (!piece && piece.error().kind == ErrorKind::cancelled) co_return std::unexpected(piece.error());
    if (!piece || piece->empty()) co_return Result<void>();
    if (auto fed = parser.feed(*piece); !fed) co_return fed;
    while (auto event = parser.next()) {
      if (event->event != "message" || event->data.empty()) continue;
      ++post.messages;
      co_await on_text(post, std::move(event->data));
    }
    if (!parser.last_event_id().empty()) post.resume_point.last_id = parser.last_event_id();
    if (parser.retry()) post.resume_point.retry = parser.retry();
  }
}

// Resumes a stream that ended before the response, if its events have ids.
Task<Result<void>> StreamableClientState::resume(PostedMessage& post) {
  const auto lost = [] { return fail(ErrorKind::closed, "the server closed the stream before it responded"); };
  const bool can_resume = !post.stateless && (!agreed || agreed->resumable);
  std::size_t failed_attempts = 0;
  for (std::size_t tries = 0; !post.answered; ++tries) {
    const auto before = post.resume_point.last_id;
    const auto messages_before = post.messages;
    if (!can_resume || before.empty() || tries == options.max_resumes) co_return lost();
    if (tries == 0) {
      ResponseDeferred deferred{*post.id};
      co_await inbox.deliver(std::move(deferred));
    }
    co_await wait(post.resume_point.delay(options, failed_attempts++));
    auto opened = co_await open_without_body("GET", get_headers(post.resume_point));
    if (!opened && opened.error().kind == ErrorKind::cancelled) co_return std::unexpected(std::move(opened.error()));
    if (!opened) continue;
    if ((*opened)->head().media_type() != "text/event-stream" || (*opened)->head().status != 200) co_return lost();
    auto read = co_await read_events(post, **opened);
    if (!read) co_return read;
    if (post.resume_point.last_id != before) tries = 0;
    if (post.messages != messages_before) failed_attempts = 0;
  }
  co_return Result<void>();
}

// Reads the GET stream of server messages. Optional for servers.
Task<void> StreamableClientState::listen(std::shared_ptr<StreamableClientState> self) {
  PostedMessage server_messages(jsonrpc::Notification{});
  std::size_t failures = 0;
  std::size_t failed_attempts = 0;
  while (!self->closed && failures <= self->options.max_resumes) {
    const auto messages_before = server_messages.messages;
    auto opened = co_await self->open_without_body("GET", self->get_headers(server_messages.resume_point));
    if (opened) {
      const auto& head = (*opened)->head();
      if (head.status != 200 || head.media_type() != "text/event-stream") co_return;
      auto read = co_await self->read_events(server_messages, **opened);
      if (!read) co_return;
    }
    failures = opened ? 0 : failures + 1;
    opened = fail(ErrorKind::closed, "");
    if (server_messages.messages != messages_before) failed_attempts = 0;
    co_await self->wait(server_messages.resume_point.delay(self->options, failed_attempts++));
  }
}

}  // namespace fairlead::transport
