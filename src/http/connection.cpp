#include "http/connection.hpp"

#include <boost/asio/post.hpp>
#include <fairlead/http/identity.hpp>
#include <utility>

#include "http/error_response.hpp"
#include "http/exchange.hpp"

namespace fairlead::http {
namespace asio = boost::asio;

namespace {

// Bytes that a client may still send while the connection lingers.
constexpr std::size_t max_lingering_bytes = 4 * 1024 * 1024;

std::shared_ptr<const Identity> certificate_identity(const TlsSession& tls) {
  auto subject = tls.peer_subject();
  if (subject.empty()) return nullptr;
  return std::make_shared<const Identity>(Identity{.principal = std::move(subject),
                                                   .scopes = {},
                                                   .binding = TokenBinding::certificate,
                                                   .bound_to = tls.peer_thumbprint()});
}

}  // namespace

Connection::Connection(std::shared_ptr<WorkerListener> listener, RawSocket wire, std::string remote,
                       std::shared_ptr<const Identity> certificate)
    : listener_(std::move(listener)),
      stream_(listener_->context(), std::move(wire)),
      remote_(std::move(remote)),
      certificate_(std::move(certificate)),
      since_(listener_->now()) {
  listener_->add(*this);
}

Connection::~Connection() {
  listener_->remove(*this);
}

void Connection::start() {
  if (!listener_->policy().tls) return read_on();
  enter(Phase::handshake);
  stream_.begin_tls(listener_->policy().tls->context(), {});
  do_handshake();
}

void Connection::do_handshake() {
  const auto done = stream_.tls()->do_handshake();
  if (!done) return close();
  if (*done) {
    certificate_ = certificate_identity(*stream_.tls());
    enter(Phase::idle);
  }
  read_on();
}

void Connection::reject_overload() {
  // Before the TLS handshake no response can be sent.
  if (listener_->policy().tls) return close();
  auto response = error_response(503, "Too many connections. Try again later.");
  const ResponseFraming last{.keep_alive = false};
  append_head(listener_->output(), response, last, listener_->policy().cors, listener_->date());
  next_ = Next::end;
  if (flush(std::move(response.body))) proceed();
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
  if (phase_ == Phase::handshake) return do_handshake();
  const auto input = listener_->input();
  const auto size = stream_.read_now(input);
  if (!size || *size == std::size_t{0}) return on_peer_closed();
  if (!*size) return read_on();
  on_bytes({input.data(), **size});
}

void Connection::on_bytes(std::string_view bytes) {
  if (phase_ == Phase::lingering) {
    lingered_ += bytes.size();
    return lingered_ > max_lingering_bytes ? close() : read_on();
  }
  if (phase_ != Phase::serving) return consume(bytes);
  pending_ += bytes;
  // Reading resumes after the response if the client has sent too much ahead.
  if (pending_.size() < listener_->policy().limits.pipelined_bytes) read_on();
}

void Connection::on_peer_closed() {
  if (phase_ != Phase::serving || handling_) return close();
  // A response that was started is still sent: the client may have closed only its writing direction.
  hung_up_ = true;
  if (exchange_ != nullptr) exchange_->stop();
}

void Connection::check_time(TimePoint now) {
  const auto& limits = listener_->policy().limits;
  const auto waited = now - since_;
  switch (phase_) {
    case Phase::idle:
      if (waited > limits.idle_timeout) close();
      break;
    case Phase::handshake:
      if (waited > limits.head_timeout) close();
      break;
    case Phase::head:
      if (waited > limits.head_timeout) refuse({.status = 408, .why = "the request took too long to arrive"});
      break;
    case Phase::body:
      if (waited > limits.body_timeout) refuse({.status = 408, .why = "the body took too long to arrive"});
      break;
    case Phase::serving:
      if (stalled_ && waited > limits.write_timeout && is_stuck()) abort();
      break;
    case Phase::writing:
      if (waited > limits.write_timeout && is_stuck()) abort();
      break;
    case Phase::lingering:
      if (waited > limits.linger_timeout) close();
      break;
    case Phase::upgraded:
    case Phase::closed: break;
  }
}

// A slow client drains the kernel buffer before the socket becomes writable: check the queued bytes.
bool Connection::is_stuck() {
  const auto queued = std::exchange(queued_, stream_.queued());
  if (queued_ == queued) return true;
  since_ = listener_->now();
  return false;
}

void Connection::drain() {
  if (phase_ == Phase::idle || phase_ == Phase::handshake) return close();
  if (exchange_ != nullptr && exchange_->endless()) exchange_->stop();
}

void Connection::abort() {
  close();
  if (exchange_ != nullptr) exchange_->stop();
}

// Closes the writing direction and waits for the client to close: a plain close with unread input could reset the
// connection and lose the response.
void Connection::end() {
  enter(Phase::lingering);
  if (reader_) listener_->release_reader(std::exchange(reader_, nullptr));
  pending_ = {};
  stream_.end_output();
  if (hung_up_) return close();
  read_on();
}

void Connection::close() {
  phase_ = Phase::closed;
  stream_.close();
  std::exchange(handling_, {}).cancel();
}

}  // namespace fairlead::http
