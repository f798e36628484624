#include "transport/http_server/session_answer.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

#include "transport/http_server/post.hpp"

namespace fairlead::transport {
namespace {

std::vector<jsonrpc::Id> asked_ids(const Received& body) {
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

// A POST may have been sorted a while ago: before what its connection still had to send had left.
std::optional<http::Response> overtaken(const HttpSession& session, const std::vector<jsonrpc::Id>& ids) {
  if (session.closed()) return session_gone(ids.front());
  const auto twice = std::ranges::find_if(ids, [&](const auto& id) { return session.awaits(id); });
  return twice == ids.end() ? std::nullopt : std::optional(id_in_use(*twice));
}

}  // namespace

SessionAnswer::SessionAnswer(Loop loop, std::shared_ptr<HttpSession> session, Received body, Duration keep_alive)
    : loop_(loop),
      session_(std::move(session)),
      body_(std::move(body)),
      keep_alive_(keep_alive),
      patience_(loop.timers, [this] {
        start_.at_once = true;
        tell();
      }) {}

SessionAnswer::~SessionAnswer() {
  lane_->close();
  if (number_ != 0) session_->leave(number_, *lane_);
}

void SessionAnswer::start(std::function<void()> ready) {
  ready_ = std::move(ready);
  auto ids = asked_ids(body_);
  refused_ = overtaken(*session_, ids);
  if (refused_) return tell();
  number_ = session_->await(std::move(ids), lane_);
  start_ = session_->start({.stream = number_}, keep_alive_, false);
  if (ready_) lane_->set_writer(*this);
  session_->hosted().take(std::move(body_));
  if (ready_ && keep_alive_ > Duration::zero()) patience_.arm(Deadline::in(keep_alive_, loop_.timers.clock()));
}

void SessionAnswer::go_on(Lane::Wake how) {
  if (how == Lane::Wake::now) return tell();
  boost::asio::post(loop_.executor, [answer = weak_from_this()] {
    if (const auto alive = answer.lock()) alive->tell();
  });
}

// Nothing is left to be done afterwards: whoever is told may destroy this.
void SessionAnswer::tell() {
  patience_.disarm();
  if (const auto ready = std::exchange(ready_, nullptr)) ready();
}

std::optional<http::Response> SessionAnswer::whole() {
  return refused_ ? std::exchange(refused_, std::nullopt) : lane_->take_whole();
}

Task<void> SessionAnswer::serve(http::Exchange& exchange) {
  co_await write(exchange);
}

Task<Written> SessionAnswer::write(http::Exchange& exchange, std::vector<http::Header> headers) {
  if (auto refused = std::exchange(refused_, std::nullopt)) {
    co_await exchange.respond(std::move(*refused));
    co_return Written::all;
  }
  start_.headers = std::move(headers);
  const auto written = co_await pump(exchange, lane_, std::move(start_));
  session_->leave(number_, *lane_);
  co_return written;
}

}  // namespace fairlead::transport
