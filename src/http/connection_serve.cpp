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

// Runs a handler up to its first wait, or returns its response.
std::optional<Response> Connection::start_handler(Task<Response> task) {
  // Before the start: the handler may use views of the request after a wait.
  reader_->own_head();
  std::optional<Response> response;
  early_ = &response;
  handling_ = listener_->scope().spawn(std::move(task), [self = shared_from_this()](TaskOutcome<Response>&& outcome) {
    self->on_response(std::move(outcome));
  });
  early_ = nullptr;
  if (!handling_) return error_response(503, "The server is shutting down.");
  if (response) handling_ = {};
  return response;
}

void Connection::on_response(TaskOutcome<Response>&& outcome) {
  handling_ = {};
  if (!outcome) outcome = internal_error(outcome.error());
  if (early_ != nullptr) {
    *early_ = std::move(*outcome);
  } else if (phase_ == Phase::writing) {
    unsent_->next = std::move(*outcome);
  } else if (phase_ == Phase::serving) {
    finish(std::move(*outcome));
  }
}

// All previous responses were written.
void Connection::serve(std::optional<Response> response) {
  phase_ = Phase::serving;
  // Buffered bytes wait; watches for more input or the end of the connection.
  if (pending_.size() < listener_->policy().limits.pipelined_bytes) read_on();
  if (response) finish(std::move(*response));
}

// Not in the shared output buffer, which another connection may be using.
void Connection::finish(Response&& response) {
  if (body_waits_ && response.status == admitted_status) return read_body();
  if (response.stream) {
    if (!listener_->scope().spawn(run(shared_from_this(), std::move(response.stream)))) close();
    return;
  }
  const bool stay = keeps_alive();
  // Another connection may be using the shared buffer.
  std::string own;
  auto& head = listener_->output().empty() ? listener_->output() : own;
  append_whole(head, response, stay);
  next_ = stay ? Next::read : Next::end;
  const bool sent = send(head, std::move(response.body));
  head.clear();
  if (sent) return after_answer(stay);
  if (phase_ == Phase::writing) reader_->next();
}

// A small frame, because it lives as long as the stream; cleanup is in separate functions.
Task<void> Connection::run(std::shared_ptr<Connection> self, std::unique_ptr<StreamedBody> stream) {
  // A local, because it must be destroyed before `self`, whose request it may use.
  auto body = std::move(stream);
  ServerExchange exchange(*self);
  self->exchange_ = &exchange;
  std::exception_ptr failure;
  try {
    co_await body->send(exchange);
  } catch (...) {
    failure = std::current_exception();
  }
  // A cancelled coroutine cannot await anything.
  if (self->may_send_internal_error(failure)) co_await exchange.send_internal_error();
  body.reset();
  self->after_exchange();
}

bool Connection::may_send_internal_error(const std::exception_ptr& failure) {
  if (is_cancelled(failure)) return false;
  if (failure) report(failure);
  return !exchange_->response_started();
}

// A handler that was stopped has not failed; its response is not sent.
Response Connection::internal_error(const std::exception_ptr& failure) {
  if (phase_ != Phase::closed || !is_cancelled(failure)) report(failure);
  return error_response(500, "Internal server error. See the log of the server.");
}

void Connection::report(const std::exception_ptr& failure) {
  listener_->loop().log.write(LogLevel::error, "http", "a handler failed: " + describe(failure));
}

void Connection::after_exchange() {
  const auto& exchange = *std::exchange(exchange_, nullptr);
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

void Connection::adopt(std::unique_ptr<RequestReader> reader, std::string pending, bool checked) {
  reader_ = std::move(reader);
  admitted_ = checked;
  if (answer(pending, true)) consume(pending);
}

// Ends the waits on this socket; this connection does not use it any more.
void Connection::hand_off() {
  phase_ = Phase::closed;
  ConnectionHandoff passage{.wire = stream_.release(),
                            .remote = std::move(remote_),
                            .certificate = std::move(certificate_),
                            .reader = std::move(reader_),
                            .pending = std::move(pending_),
                            .checked = admitted_};
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
