#include <boost/asio/post.hpp>
#include <exception>
#include <fairlead/base/log.hpp>
#include <utility>

#include "base/aborted.hpp"
#include "http/connection.hpp"
#include "http/exchange.hpp"
#include "http/refusal.hpp"

namespace fairlead::http {
namespace asio = boost::asio;

void Connection::serve() {
  phase_ = Phase::serving;
  // Bytes that have come already wait for their turn; more of them, or the end of them, is watched for.
  if (pending_.size() < listener_->rules().limits.pipelined_bytes) read_on();
  later_ = std::move(reader_->request().later);
  later_ ? start_later() : serve_in_time();
}

void Connection::start_later() {
  if (!reading_) held_ = shared_from_this();
  // The answer may have left before this returns.
  const auto later = later_;
  try {
    later->start([this] { on_answer(); });
  } catch (...) {
    report(std::current_exception());
    later_.reset();
    finish(refusal(500, "The server failed. Its log says why."));
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

// Not by way of the listener's output, which may be another connection's at the moment.
void Connection::finish(Response response) {
  const bool stay = stays();
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

// Small, because it lasts as long as a stream does: what is only needed in the end is in functions of its own.
Task<void> Connection::run(std::shared_ptr<Connection> self) {
  ServerExchange exchange(*self);
  self->exchange_ = &exchange;
  std::exception_ptr failure;
  try {
    co_await self->write_answer(exchange);
  } catch (...) {
    failure = std::current_exception();
  }
  // One that was cancelled cannot wait for anything any more.
  if (self->may_apologise(failure)) co_await exchange.apologise();
  self->after_exchange();
}

bool Connection::may_apologise(const std::exception_ptr& failure) {
  if (is_aborted(failure)) return false;
  if (failure) report(failure);
  return !exchange_->answered();
}

void Connection::report(const std::exception_ptr& failure) {
  listener_->loop().log.write(LogLevel::error, "http", "a handler failed: " + describe(failure));
}

void Connection::after_exchange() {
  const auto& exchange = *std::exchange(exchange_, nullptr);
  later_.reset();
  if (!exchange.complete()) return close();
  after_answer(stays() && !exchange.ends_with_connection());
}

void Connection::after_answer(bool stay) {
  stalled_ = false;
  if (phase_ != Phase::serving) return close();
  if (!stay) return end();
  if (hung_up_) return close();
  reader_->next();
  if (pending_.empty()) {
    listener_->give_back(std::exchange(reader_, nullptr));
    enter(Phase::idle);
    return read_on();
  }
  // From a fresh stack: a row of requests that are served without waiting would pile up on this one. Until then what
  // arrives goes behind what is pending.
  asio::post(listener_->context(), [self = shared_from_this()] {
    if (self->phase_ == Phase::serving) self->resume();
  });
}

void Connection::arrive(std::unique_ptr<RequestReader> reader, std::string pending) {
  reader_ = std::move(reader);
  if (answer(pending, true)) take(pending);
}

// What waits for this socket here ends; nothing of it is touched here any more.
void Connection::depart() {
  phase_ = Phase::closed;
  Passage passage{.wire = stream_.release(),
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

std::string Connection::give_up_reading() {
  phase_ = Phase::upgraded;
  return std::exchange(pending_, {});
}

}  // namespace fairlead::http
