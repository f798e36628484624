#include <boost/asio/post.hpp>
#include <exception>
#include <fairlead/base/log.hpp>
#include <utility>

#include "base/exceptions.hpp"
#include "http/connection.hpp"
#include "http/error_response.hpp"
#include "http/exchange.hpp"

namespace fairlead::http {
namespace asio = boost::asio;

void Connection::serve() {
  phase_ = Phase::serving;
  // Buffered bytes wait; watches for more input or the end of the connection.
  if (pending_.size() < listener_->policy().limits.pipelined_bytes) read_on();
  later_ = std::move(reader_->request().later);
  later_ ? start_later() : serve_in_time();
}

void Connection::start_later() {
  if (!reading_) held_ = shared_from_this();
  // The response may be written before this returns.
  const auto later = later_;
  try {
    later->start([this] { on_answer(); });
  } catch (...) {
    report(std::current_exception());
    later_.reset();
    finish(error_response(500, "Internal server error. See the log of the server."));
  }
}

void Connection::on_answer() {
  const auto self = shared_from_this();
  held_.reset();
  auto response = later_->whole();
  if (!response) return serve_in_time();
  later_.reset();
  finish(std::move(*response));
}

// Not in the shared output buffer, which another connection may be using.
void Connection::finish(Response response) {
  const bool stay = keeps_alive();
  std::string head;
  append_whole(head, response, stay);
  next_ = stay ? Next::read : Next::end;
  if (send(head, std::move(response.body))) return after_answer(stay);
  if (phase_ == Phase::writing) reader_->next();
}

void Connection::serve_in_time() {
  if (!listener_->scope().spawn(run(shared_from_this()))) close();
}

Task<void> Connection::write_answer(ServerExchange& exchange) {
  return later_ ? later_->serve(exchange) : listener_->handler().serve(exchange);
}

// A small frame, because it lives as long as the stream; cleanup is in separate functions.
Task<void> Connection::run(std::shared_ptr<Connection> self) {
  ServerExchange exchange(*self);
  self->exchange_ = &exchange;
  std::exception_ptr failure;
  try {
    co_await self->write_answer(exchange);
  } catch (...) {
    failure = std::current_exception();
  }
  // A cancelled coroutine cannot await anything.
  if (self->may_send_internal_error(failure)) co_await exchange.send_internal_error();
  self->after_exchange();
}

bool Connection::may_send_internal_error(const std::exception_ptr& failure) {
  if (is_cancelled(failure)) return false;
  if (failure) report(failure);
  return !exchange_->response_started();
}

void Connection::report(const std::exception_ptr& failure) {
  listener_->loop().log.write(LogLevel::error, "http", "a handler failed: " + describe(failure));
}

void Connection::after_exchange() {
  const auto& exchange = *std::exchange(exchange_, nullptr);
  later_.reset();
  if (!exchange.complete()) return close();
  after_answer(keeps_alive() && !exchange.ends_with_connection());
}

void Connection::after_answer(bool stay) {
  stalled_ = false;
  if (phase_ != Phase::serving) return close();
  if (!stay) return end();
  if (hung_up_) return close();
  reader_->next();
  if (pending_.empty()) {
    listener_->release_reader(std::exchange(reader_, nullptr));
    enter(Phase::idle);
    return read_on();
  }
  // Posted, to limit the stack depth for pipelined requests that are answered without waiting. Until then new input is
  // appended to `pending_`.
  asio::post(listener_->context(), [self = shared_from_this()] {
    if (self->phase_ == Phase::serving) self->resume();
  });
}

void Connection::adopt(std::unique_ptr<RequestReader> reader, std::string pending) {
  reader_ = std::move(reader);
  if (answer(pending, true)) consume(pending);
}

// Ends the waits on this socket; this connection does not use it any more.
void Connection::hand_off() {
  phase_ = Phase::closed;
  ConnectionHandoff passage{.wire = stream_.release(),
                            .remote = std::move(remote_),
                            .subject = std::move(subject_),
                            .reader = std::move(reader_),
                            .pending = std::move(pending_)};
  std::exchange(destination_, nullptr)->adopt(std::move(passage));
}

void Connection::set_stalled(bool stalled) {
  stalled_ = stalled;
  since_ = listener_->now();
}

std::string Connection::detach_reader() {
  phase_ = Phase::upgraded;
  return std::exchange(pending_, {});
}

}  // namespace fairlead::http
