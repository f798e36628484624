#include <algorithm>
#include <fairlead/base/log.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>

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
  return state_->send(std::move(outgoing.message));
}

// Each request has its own stream and need not wait.
Task<Result<void>> StreamableClientState::send(jsonrpc::Message&& message) {
  const auto* request = std::get_if<jsonrpc::Request>(&message);
  if (session_gone) {
    if (request) inbox.fail_request(request->id, no_such_session());
    return Result<void>();
  }
  if (closed) return std::unexpected(closed_here());
  const auto method = method_of(message);
  if (method == protocol::Initialized::method) return send_initialized(shared_from_this(), std::move(message));
  if (method == protocol::Cancelled::method) {
    scope.spawn(send_cancellation(shared_from_this(), std::move(message)));
    return Result<void>();
  }
  if (!request && drop_if_backlogged(message)) return Result<void>();
  return start(std::move(message));
}

// Waits for the server to receive `initialized` before later messages are sent.
Task<Result<void>> StreamableClientState::send_initialized(std::shared_ptr<StreamableClientState> self,
                                                           jsonrpc::Message message) {
  PostedMessage post(std::move(message));
  const auto deadline = Deadline::in(initialized_wait, self->loop.timers.clock());
  const auto delivered = co_await with_deadline(self->loop.timers, deadline, self->exchange(post));
  if (!delivered) log(self->loop.log, LogLevel::debug, "http client", [&] { return delivered.error().message; });
  if (self->agreed && self->agreed->get_stream && !self->closed) self->listener = self->scope.spawn(listen(self));
  co_return Result<void>();
}

// Servers of some revisions need the notification; then the response stream is closed.
Task<void> StreamableClientState::send_cancellation(std::shared_ptr<StreamableClientState> self,
                                                    jsonrpc::Message cancelled) {
  PostedMessage post(std::move(cancelled));
  if (!post.stateless && self->agreed) co_await self->exchange(post);
  self->cancel_request(std::get<jsonrpc::Notification>(post.message).params);
}

// Senders do not wait for notifications, so these would accumulate for a slow server: drop them beyond the limit.
bool StreamableClientState::drop_if_backlogged(const jsonrpc::Message& message) {
  if (unsent < max_unsent && unsent_bytes < max_unsent_bytes) {
    dropping = false;
    return false;
  }
  if (!std::exchange(dropping, true)) {
    log(loop.log, LogLevel::warning, "http client", [&] {
      const auto method = method_of(message);
      return fmt::format(
          "dropped {} and further messages: {} messages ({} bytes) are queued, and the server does not "
          "accept them",
          method.empty() ? "a response" : method, unsent, unsent_bytes);
    });
  }
  return true;
}

Result<void> StreamableClientState::start(jsonrpc::Message&& message) {
  auto post = std::make_shared<PostedMessage>(std::move(message));
  const auto id = post->id;
  if (id) {
    post->position = posts.size();
    posts.push_back(post);
  }
  const auto task = scope.spawn(run(shared_from_this(), std::move(post)));
  if (!task) {
    if (id) posts.pop_back();
    inbox.end(closed_here());
    return std::unexpected(closed_here());
  }
  // The task may have ended already.
  if (auto* pending = id ? find(*id) : nullptr) pending->task = task;
  return {};
}

// Usually the newest is wanted.
PostedMessage* StreamableClientState::find(const jsonrpc::Id& id) const {
  const auto found = std::find_if(posts.rbegin(), posts.rend(), [&](const auto& post) { return *post->id == id; });
  return found == posts.rend() ? nullptr : found->get();
}

// In some revisions, closing the response stream cancels the request.
void StreamableClientState::cancel_request(const json::Payload& params) {
  const auto cancelled = json::decode<protocol::CancelledParams>(params);
  if (!cancelled || !cancelled->requestId) return;
  if (auto* pending = find(*cancelled->requestId)) pending->task.cancel();
}

void StreamableClientState::close() noexcept {
  if (std::exchange(closed, true)) return;
  inbox.end(closed_here());
  listener.cancel();
  for (const auto& post : posts) post->task.cancel();
  if (!session.empty() && !session_gone) scope.spawn(delete_session(shared_from_this(), std::exchange(session, {})));
}

Task<void> StreamableClientState::delete_session(std::shared_ptr<StreamableClientState> self, std::string ended) {
  std::vector<http::Header> headers;
  self->add_common_headers(headers);
  headers.push_back({std::string(protocol::header::session_id), std::move(ended)});
  const auto deadline = Deadline::in(self->options.close_timeout, self->loop.timers.clock());
  // The body is not read: the deadline covers the head only, and a server could send the body for ever.
  co_await self->open_without_body("DELETE", std::move(headers), deadline);
}

}  // namespace fairlead::transport
