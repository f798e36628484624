#include "http/connection.hpp"

#include <boost/asio/post.hpp>
#include <utility>

#include "http/exchange.hpp"
#include "http/refusal.hpp"

namespace fairlead::http {
namespace asio = boost::asio;

namespace {

// What a client that we are done with may still send before it is cut off.
constexpr std::size_t most_lingered = 4 * 1024 * 1024;

}  // namespace

Connection::Connection(std::shared_ptr<WorkerListener> listener, Wire wire, std::string remote, std::string subject)
    : listener_(std::move(listener)),
      stream_(listener_->context(), std::move(wire)),
      remote_(std::move(remote)),
      subject_(std::move(subject)),
      since_(listener_->now()) {
  listener_->enter(*this);
}

Connection::~Connection() {
  listener_->leave(*this);
}

void Connection::start() {
  if (!listener_->rules().tls) return read_on();
  enter(Phase::handshake);
  stream_.begin_tls(listener_->rules().tls->context(), {});
  shake_hands();
}

void Connection::shake_hands() {
  const auto done = stream_.tls()->shake_hands();
  if (!done) return close();
  if (*done) {
    subject_ = stream_.tls()->peer_subject();
    enter(Phase::idle);
  }
  read_on();
}

void Connection::turn_away() {
  // Under TLS there is nobody to talk to yet.
  if (listener_->rules().tls) return close();
  const auto response = refusal(503, "Too many connections. Try again later.");
  const Delivery last{.keep_alive = false};
  append_head(listener_->output(), response, last, listener_->rules().cors, listener_->date());
  next_ = Next::end;
  if (flush(response.body)) proceed();
}

void Connection::enter(Phase phase) {
  phase_ = phase;
  since_ = listener_->now();
}

void Connection::read_on() {
  if (reading_ || !stream_.open()) return;
  reading_ = true;
  if (stream_.may_read_at_once()) {
    return asio::post(listener_->context(), [self = shared_from_this()] {
      self->reading_ = false;
      self->on_readable();
    });
  }
  stream_.when_readable([self = shared_from_this()](bool ready) {
    self->reading_ = false;
    if (ready) self->on_readable();
  });
}

void Connection::on_readable() {
  if (phase_ == Phase::closed || phase_ == Phase::upgraded || phase_ == Phase::writing) return;
  if (phase_ == Phase::handshake) return shake_hands();
  const auto input = listener_->input();
  const auto size = stream_.read_now(input);
  if (!size || *size == std::size_t{0}) return on_hang_up();
  if (!*size) return read_on();
  on_bytes({input.data(), **size});
}

void Connection::on_bytes(std::string_view bytes) {
  if (phase_ == Phase::lingering) {
    lingered_ += bytes.size();
    return lingered_ > most_lingered ? close() : read_on();
  }
  if (phase_ != Phase::serving) return take(bytes);
  pending_ += bytes;
  // One that sends on and on while it waits for an answer is read again once it has it.
  if (pending_.size() < listener_->rules().limits.pipelined_bytes) return read_on();
  if (awaits_answer()) held_ = shared_from_this();
}

void Connection::on_hang_up() {
  if (phase_ != Phase::serving) return close();
  // The answer is still sent: a client may have closed only its own direction.
  hung_up_ = true;
  if (awaits_answer()) return close();
  if (exchange_ != nullptr) exchange_->leave();
}

void Connection::check_time(TimePoint now) {
  const auto& limits = listener_->rules().limits;
  const auto waited = now - since_;
  switch (phase_) {
    case Phase::idle:
      if (waited > limits.idle_time) close();
      break;
    case Phase::handshake:
      if (waited > limits.head_time) close();
      break;
    case Phase::head:
      if (waited > limits.head_time) refuse({.status = 408, .why = "the request took too long to arrive"});
      break;
    case Phase::body:
      if (waited > limits.body_pause) refuse({.status = 408, .why = "the body took too long to arrive"});
      break;
    case Phase::serving:
      if (stalled_ && waited > limits.write_pause && is_stuck()) cut();
      break;
    case Phase::writing:
      if (waited > limits.write_pause && is_stuck()) cut();
      break;
    case Phase::lingering:
      if (waited > limits.linger_time) close();
      break;
    case Phase::upgraded:
    case Phase::closed: break;
  }
}

// A slow client takes from the kernel's buffer long before there is room again for us to notice.
bool Connection::is_stuck() {
  const auto queued = std::exchange(queued_, stream_.queued());
  if (queued_ == queued) return true;
  since_ = listener_->now();
  return false;
}

void Connection::drain() {
  if (phase_ == Phase::idle || phase_ == Phase::handshake) return close();
  if (exchange_ != nullptr && exchange_->endless()) exchange_->leave();
}

void Connection::cut() {
  close();
  if (exchange_ != nullptr) exchange_->leave();
}

// Says that this was all and lets the client close: if it still sends, a plain close could take the answer back.
void Connection::end() {
  enter(Phase::lingering);
  if (reader_) listener_->give_back(std::exchange(reader_, nullptr));
  pending_ = {};
  stream_.end_output();
  if (hung_up_) return close();
  read_on();
}

void Connection::close() {
  phase_ = Phase::closed;
  stream_.close();
  if (awaits_answer()) later_.reset();
  held_.reset();
}

}  // namespace fairlead::http
