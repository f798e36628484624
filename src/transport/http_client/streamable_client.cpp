#include <fairlead/base/log.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <utility>

#include "transport/http_client/streamable_state.hpp"

namespace fairlead::transport {
namespace {

constexpr Duration initialized_wait = std::chrono::seconds{10};

Error closed_here() {
  return {.kind = ErrorKind::closed, .message = "the connection was closed on this side"};
}

}  // namespace

StreamableClientState::StreamableClientState(EventLoop on, TaskScope& owner, HttpClientOptions with)
    : loop(on), scope(owner), options(std::move(with)), client(loop, options.http), inbox(loop) {}

StreamableClient::StreamableClient(EventLoop loop, TaskScope& scope, HttpClientOptions options)
    : state_(std::make_shared<StreamableClientState>(loop, scope, std::move(options))) {}

StreamableClient::~StreamableClient() {
  state_->close();
}

Task<Result<Received>> StreamableClient::receive() {
  return state_->inbox.receive();
}

std::uint16_t StreamableClient::rejected_initialize_status() const {
  return state_->rejected_initialize_status;
}

void StreamableClient::close() noexcept {
  state_->close();
}

Task<Result<void>> StreamableClient::send(Outgoing outgoing) {
  const auto self = state_;
  auto post = StreamableClientState::prepare(std::move(outgoing.message));
  if (self->session_gone) {
    if (post->id) self->inbox.fail_request(*post->id, StreamableClientState::no_such_session());
    co_return Result<void>();
  }
  if (self->closed) co_return std::unexpected(closed_here());
  if (post->method == protocol::Cancelled::method) {
    const auto notice = std::get<jsonrpc::Notification>(post->message);
    if (post->stateless || !self->agreed) {
      self->cancel_request(notice.params);
    } else {
      self->scope.spawn(StreamableClientState::send_cancellation(self, std::move(post), notice));
    }
    co_return Result<void>();
  }
  if (post->method != protocol::Initialized::method) {
    if (!post->id && self->drop_if_backlogged(*post)) co_return Result<void>();
    co_return self->start(std::move(post));
  }
  // Wait for the server to receive `initialized` before later messages are sent.
  const auto deadline = Deadline::in(initialized_wait, self->loop.timers.clock());
  const auto delivered = co_await with_deadline(self->loop.timers, deadline, self->exchange(*post));
  if (!delivered) log(self->loop.log, LogLevel::debug, "http client", [&] { return delivered.error().message; });
  if (self->agreed && self->agreed->get_stream && !self->closed) {
    self->listener = self->scope.spawn(StreamableClientState::listen(self));
  }
  co_return Result<void>();
}

// Each request has its own stream and need not wait. If no task can be started, the inbox reports it.
bool StreamableClient::send_now(Outgoing& outgoing) {
  if (state_->session_gone || state_->closed) return false;
  if (!std::holds_alternative<jsonrpc::Request>(outgoing.message)) return false;
  (void)state_->start(StreamableClientState::prepare(std::move(outgoing.message)));
  return true;
}

// Senders do not wait for notifications, so these would accumulate for a slow server: drop them beyond the limit.
bool StreamableClientState::drop_if_backlogged(const PostedMessage& post) {
  if (unsent < max_unsent && unsent_bytes < max_unsent_bytes) {
    dropping = false;
    return false;
  }
  if (!std::exchange(dropping, true)) {
    log(loop.log, LogLevel::warning, "http client", [&] {
      return fmt::format(
          "dropped {} and further messages: {} messages ({} bytes) are queued, and the server does not "
          "accept them",
          post.method.empty() ? "a response" : post.method, unsent, unsent_bytes);
    });
  }
  return true;
}

Result<void> StreamableClientState::start(std::unique_ptr<PostedMessage> post) {
  if (start_quick(post)) return {};
  return spawn(std::move(post), ExchangeProgress());
}

Result<void> StreamableClientState::spawn(std::unique_ptr<PostedMessage> post, ExchangeProgress progress) {
  const auto id = post->id;
  if (id) posts.try_emplace(*id);
  const auto handle = scope.spawn(run(shared_from_this(), std::move(post), std::move(progress)));
  if (!handle) {
    inbox.end(closed_here());
    return std::unexpected(closed_here());
  }
  // The task may have ended already.
  if (const auto found = id ? posts.find(*id) : posts.end(); found != posts.end()) found->second.task = handle;
  return {};
}

// In some revisions, closing the response stream cancels the request.
void StreamableClientState::cancel_request(const json::Payload& params) {
  const auto cancelled = json::decode<protocol::CancelledParams>(params);
  if (!cancelled || !cancelled->requestId) return;
  const auto found = posts.find(*cancelled->requestId);
  if (found == posts.end()) return;
  if (!found->second.sent) {
    auto task = found->second.task;
    return task.cancel();
  }
  const auto pending = posts.extract(found);
  inbox.fail_request(pending.key(), {.kind = ErrorKind::cancelled, .message = "cancelled by the caller"});
  end_if_session_gone();
}

void StreamableClientState::close() noexcept {
  if (std::exchange(closed, true)) return;
  inbox.end(closed_here());
  listener.cancel();
  for (auto& [id, pending] : std::exchange(posts, {})) pending.task.cancel();
  if (!session.empty() && !session_gone) scope.spawn(delete_session(shared_from_this(), std::exchange(session, {})));
}

Task<void> StreamableClientState::delete_session(std::shared_ptr<StreamableClientState> self, std::string ended) {
  http::ClientRequest request{.method = "DELETE", .url = self->options.url};
  self->add_common_headers(request.headers);
  request.headers.push_back({std::string(protocol::header::session_id), std::move(ended)});
  request.deadline = Deadline::in(self->options.close_timeout, self->loop.timers.clock());
  co_await self->client.fetch(std::move(request));
}

}  // namespace fairlead::transport
