#include "transport/http_server/session_post_response.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

#include "transport/http_server/post_classifier.hpp"

namespace fairlead::transport {
namespace {

std::vector<jsonrpc::Id> request_ids(const Received& body) {
  std::vector<jsonrpc::Id> ids;
  const auto add = [&](const jsonrpc::Message& message) {
    if (const auto* request = std::get_if<jsonrpc::Request>(&message)) ids.push_back(request->id);
  };
  if (const auto* message = std::get_if<jsonrpc::Message>(&body)) add(*message);
  if (const auto* batch = std::get_if<jsonrpc::Batch>(&body)) {
    for (const auto& entry : batch->entries) {
      if (entry) add(*entry);
    }
  }
  return ids;
}

// A POST may have been classified before earlier pipelined responses were written: check again.
std::optional<http::Response> check_still_valid(const HttpSession& session, const std::vector<jsonrpc::Id>& ids) {
  if (session.closed()) return session_gone(ids.front());
  const auto twice = std::ranges::find_if(ids, [&](const auto& id) { return session.awaits(id); });
  return twice == ids.end() ? std::nullopt : std::optional(id_in_use(*twice));
}

}  // namespace

SessionPostResponse::SessionPostResponse(EventLoop loop, std::shared_ptr<HttpSession> session, Received body,
                                         Duration keep_alive)
    : loop_(loop),
      session_(std::move(session)),
      body_(std::move(body)),
      keep_alive_(keep_alive),
      keep_alive_timer_(loop.timers, [this] {
        start_.at_once = true;
        notify_ready();
      }) {}

SessionPostResponse::~SessionPostResponse() {
  channel_->close();
  if (number_ != 0) session_->detach(number_, *channel_);
}

void SessionPostResponse::start(std::function<void()> ready) {
  ready_ = std::move(ready);
  auto ids = request_ids(body_);
  refused_ = check_still_valid(*session_, ids);
  if (refused_) return notify_ready();
  number_ = session_->await(std::move(ids), channel_);
  start_ = session_->start({.stream = number_}, keep_alive_, false);
  if (ready_) channel_->set_writer(*this);
  session_->server_session().on_message(std::move(body_));
  if (ready_ && keep_alive_ > Duration::zero()) keep_alive_timer_.arm(Deadline::in(keep_alive_, loop_.timers.clock()));
}

void SessionPostResponse::on_wake(ResponseChannel::Wake how) {
  if (how == ResponseChannel::Wake::now) return notify_ready();
  boost::asio::post(loop_.executor, [answer = weak_from_this()] {
    if (const auto alive = answer.lock()) alive->notify_ready();
  });
}

// Must be the last statement of its callers: `ready` may destroy this object.
void SessionPostResponse::notify_ready() {
  keep_alive_timer_.disarm();
  if (const auto ready = std::exchange(ready_, nullptr)) ready();
}

std::optional<http::Response> SessionPostResponse::whole() {
  return refused_ ? std::exchange(refused_, std::nullopt) : channel_->take_whole();
}

Task<void> SessionPostResponse::serve(http::Exchange& exchange) {
  co_await write(exchange);
}

Task<Written> SessionPostResponse::write(http::Exchange& exchange, std::vector<http::Header> headers) {
  if (auto refused = std::exchange(refused_, std::nullopt)) {
    co_await exchange.respond(std::move(*refused));
    co_return Written::all;
  }
  start_.headers = std::move(headers);
  const auto written = co_await write_response(exchange, channel_, std::move(start_));
  session_->detach(number_, *channel_);
  co_return written;
}

}  // namespace fairlead::transport
