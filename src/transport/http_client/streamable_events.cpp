#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fairlead/base/log.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/http/sse.hpp>
#include <utility>

#include "transport/http_client/http_refusal.hpp"
#include "transport/http_client/streamable_state.hpp"

namespace fairlead::transport {
namespace {

// For a server to end a stream on which it has nothing more to say, so that its connection can be used again.
constexpr Duration after_answer = std::chrono::seconds{1};

}  // namespace

Task<void> StreamableClient::State::wait(Duration duration) {
  boost::asio::steady_timer timer(loop.executor, duration);
  co_await timer.async_wait(boost::asio::use_awaitable);
}

// The end of a stream is no error, however it came: whether something is missing is for others to judge.
Task<Result<void>> StreamableClient::State::read_events(Post& post, http::ResponseStream& stream) {
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
      if (!inbox.has_room()) co_await inbox.room();
      ++post.messages;
      take(post, std::move(event->data));
    }
    if (!parser.last_event_id().empty()) post.cursor.last_id = parser.last_event_id();
    if (parser.retry()) post.cursor.retry = parser.retry();
  }
}

// A stream that broke off before the answer goes on where it was, if the server has numbered it.
Task<Result<void>> StreamableClient::State::resume(Post& post) {
  const auto lost = [] { return fail(ErrorKind::closed, "the server closed the stream before it had answered"); };
  const bool can_resume = !post.stateless && (!agreed || agreed->resumable);
  std::size_t in_vain = 0;
  for (std::size_t tries = 0; !post.answered; ++tries) {
    const auto before = post.cursor.last_id;
    const auto heard = post.messages;
    if (!can_resume || before.empty() || tries == options.max_resumes) co_return lost();
    if (tries == 0) inbox.deliver_now(Paused{*post.id});
    co_await wait(post.cursor.pause(options, in_vain++));
    http::ClientRequest request{.url = options.url, .headers = get_headers(post.cursor)};
    auto opened = co_await client.open(std::move(request));
    if (!opened && opened.error().kind == ErrorKind::cancelled) co_return std::unexpected(std::move(opened.error()));
    if (!opened) continue;
    if ((*opened)->head().media_type() != "text/event-stream" || (*opened)->head().status != 200) co_return lost();
    auto read = co_await read_events(post, **opened);
    if (!read) co_return read;
    if (post.cursor.last_id != before) tries = 0;
    if (post.messages != heard) in_vain = 0;
  }
  co_return Result<void>();
}

// What the server says of its own accord. Not every server does, and none has to.
Task<void> StreamableClient::State::listen(std::shared_ptr<State> self) {
  Post unasked{.message = jsonrpc::Notification{}};
  std::size_t failures = 0;
  std::size_t in_vain = 0;
  while (!self->closed && failures <= self->options.max_resumes) {
    const auto heard = unasked.messages;
    http::ClientRequest request{.url = self->options.url, .headers = self->get_headers(unasked.cursor)};
    auto opened = co_await self->client.open(std::move(request));
    if (opened) {
      const auto& head = (*opened)->head();
      if (head.status != 200 || head.media_type() != "text/event-stream") co_return;
      auto read = co_await self->read_events(unasked, **opened);
      if (!read) co_return;
    }
    failures = opened ? 0 : failures + 1;
    opened = fail(ErrorKind::closed, "");
    if (unasked.messages != heard) in_vain = 0;
    co_await self->wait(unasked.cursor.pause(self->options, in_vain++));
  }
}

}  // namespace fairlead::transport
