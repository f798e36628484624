#include "session/session_fixture.hpp"

#include <boost/asio/post.hpp>
#include <fairlead/base/asio_task.hpp>

namespace fairlead::session {
namespace {

Task<void> calling(Service& peer, Call call, std::shared_ptr<std::optional<Result<Reply>>> result) {
  *result = co_await peer.call(call);
}

}  // namespace

Task<TestTransport::Item> TestTransport::receive() {
  if (inbox_.empty()) {
    waiting_ = std::make_shared<Promise<bool>>();
    const auto woken = waiting_;
    const auto is_set = co_await woken->wait();
    if (is_set) co_await next_turn;
    if (inbox_.empty()) co_return closed_error();
  }
  auto item = std::move(inbox_.front());
  inbox_.pop_front();
  co_return item;
}

Task<Result<void>> TestTransport::send(transport::Outgoing outgoing) {
  if (stalled) {
    stall_ = std::make_shared<Promise<bool>>();
    const auto released = stall_;
    const auto is_set = co_await released->wait();
    if (is_set) co_await next_turn;
  }
  if (broken) co_return std::unexpected(*broken);
  lines.push_back(jsonrpc::write(outgoing.message));
  related.push_back(outgoing.related_request);
  co_return Result<void>();
}

Task<Result<void>> TestTransport::send_batch(std::vector<jsonrpc::Message> messages) {
  std::string array = "[";
  for (const auto& message : messages) array += (array.size() > 1 ? "," : "") + jsonrpc::write(message);
  lines.push_back(array + "]");
  related.emplace_back();
  co_return Result<void>();
}

Task<Result<Reply>> TestService::call(Call& call) {
  calls.push_back(call.method);
  if (on_call) return on_call(call);
  return echo(call);
}

Task<void> TestService::notify(Notification& notice) {
  notices.push_back(notice.method);
  if (on_notify) co_await on_notify(notice);
}

Task<Result<Reply>> TestService::echo(Call& call) {
  co_return Reply{.body = json::Payload::trusted(call.params.empty() ? "{}" : std::string(call.params.text()))};
}

SessionFixture::SessionFixture(SessionOptions options)
    : session(EventLoop{io.get_executor(), timers, log}, transport, service, std::move(options)) {
  async_start(io, session.run(), [this](std::exception_ptr failure, Result<void> result) {
    failed = failure;
    ended = std::move(result);
  });
  run_ready();
}

SessionFixture::~SessionFixture() {
  close();
  transport.release();
  advance(std::chrono::hours{1});
}

void SessionFixture::run_on_loop(std::function<void()> action) {
  boost::asio::post(io, std::move(action));
  run_ready();
}

void SessionFixture::peer_sends(std::string text) {
  auto incoming = jsonrpc::read(std::move(text));
  if (!incoming) {
    transport.deliver(transport::Received(transport::InvalidMessage{incoming.error()}));
  } else if (auto* message = std::get_if<jsonrpc::Message>(&*incoming)) {
    transport.deliver(transport::Received(std::move(*message)));
  } else {
    transport.deliver(transport::Received(std::move(std::get<jsonrpc::Batch>(*incoming))));
  }
  run_ready();
}

std::shared_ptr<std::optional<Result<Reply>>> SessionFixture::call_peer(Call call) {
  auto result = std::make_shared<std::optional<Result<Reply>>>();
  async_start(io, calling(session.peer(), std::move(call), result), [](std::exception_ptr) {});
  run_ready();
  return result;
}

}  // namespace fairlead::session
