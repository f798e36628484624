#include "http/worker_listener.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <fairlead/base/log.hpp>
#include <fcntl.h>
#include <limits>
#include <sys/resource.h>
#include <sys/socket.h>
#include <system_error>

#include "base/release_memory.hpp"
#include "http/connection.hpp"

namespace fairlead::http {
namespace asio = boost::asio;

namespace {

constexpr std::size_t input_size = 64 * 1024;
constexpr std::size_t max_pooled_readers = 8;
constexpr int max_accepts_per_turn = 64;
// This many connections beyond the limit receive a 503; more are closed.
constexpr std::size_t max_rejections = 64;
// After a peak of this many connections, memory is released once half of them are closed.
constexpr std::size_t memory_release_peak = 512;
constexpr Duration timeout_check_interval = std::chrono::seconds{1};
constexpr Duration accept_retry_delay = std::chrono::milliseconds{100};

// Descriptors that idle connections must not use: starting a child process needs about ten of them.
constexpr rlim_t max_reserved_descriptors = 64;

/// Descriptors from this number on are reserved. The kernel assigns the lowest free number.
int first_reserved_descriptor() {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return std::numeric_limits<int>::max();
  const auto first = limit.rlim_cur - std::min(limit.rlim_cur / 4, max_reserved_descriptors);
  return static_cast<int>(std::min<rlim_t>(first, std::numeric_limits<int>::max()));
}

std::string name_of(const sockaddr_storage& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address.ss_family == AF_INET6) {
    const auto& six = reinterpret_cast<const sockaddr_in6&>(address);
    ::inet_ntop(AF_INET6, &six.sin6_addr, text.data(), text.size());
    return "[" + std::string(text.data()) + "]:" + std::to_string(ntohs(six.sin6_port));
  }
  const auto& four = reinterpret_cast<const sockaddr_in&>(address);
  ::inet_ntop(AF_INET, &four.sin_addr, text.data(), text.size());
  return std::string(text.data()) + ":" + std::to_string(ntohs(four.sin_port));
}

}  // namespace

WorkerListener::WorkerListener(EventLoop loop, asio::io_context& context, std::size_t index,
                               std::shared_ptr<ListenerPolicy> policy)
    : loop_(loop),
      context_(context),
      index_(index),
      first_reserved_(first_reserved_descriptor()),
      policy_(std::move(policy)),
      listening_(context),
      scope_(loop.executor, loop.log, "http"),
      closing_(loop.executor, loop.log, "http"),
      timeout_timer_(loop.timers, [this] { check_timeouts(); }),
      accept_again_(loop.timers, [this] { accept(); }),
      drain_deadline_(loop.timers, [this] { abort(); }) {}

WorkerListener::~WorkerListener() = default;

void WorkerListener::start(Descriptor socket, MakeHandler make_handler, std::shared_ptr<const Siblings> siblings) {
  asio::post(context_,
             [self = shared_from_this(), socket = std::move(socket), make = std::move(make_handler),
              siblings = std::move(siblings)]() mutable { self->begin(std::move(socket), make, std::move(siblings)); });
}

void WorkerListener::begin(Descriptor socket, const MakeHandler& make_handler,
                           std::shared_ptr<const Siblings> siblings) {
  if (ending_) return;
  input_.resize(input_size);
  siblings_ = std::move(siblings);
  handler_ = make_handler(loop_, index_);
  boost::system::error_code error;
  listening_.assign(socket.get(), error);
  if (!error) socket.release();
  wait_for_connections();
}

void WorkerListener::wait_for_connections() {
  listening_.async_wait(Native::wait_read, [self = shared_from_this()](const boost::system::error_code& error) {
    if (!error) self->accept();
  });
}

void WorkerListener::accept() {
  for (int i = 0; i < max_accepts_per_turn && listening_.is_open(); ++i) {
    sockaddr_storage address = {};
    socklen_t size = sizeof(address);
    Descriptor peer(::accept4(listening_.native_handle(), reinterpret_cast<sockaddr*>(&address), &size,
                              SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (peer) {
      if (peer.get() >= first_reserved_) peer = move_below_reserved(std::move(peer));
      on_accept(std::move(peer), name_of(address));
      continue;
    }
    if (errno == EAGAIN) break;
    if (errno == EINTR || errno == ECONNABORTED) continue;
    if ((errno == EMFILE || errno == ENFILE) && close_longest_idle()) continue;
    // Out of descriptors or memory: new clients wait in the accept queue.
    loop_.log.write(LogLevel::warning, "http", "cannot accept: " + std::system_category().message(errno));
    return accept_again_.arm(Deadline::in(accept_retry_delay, loop_.timers.clock()));
  }
  if (listening_.is_open()) wait_for_connections();
}

// All lower numbers are in use: closes enough idle connections and moves `peer` to a lower number.
Descriptor WorkerListener::move_below_reserved(Descriptor peer) {
  for (int over = peer.get() - first_reserved_; over >= 0 && close_longest_idle();) --over;
  Descriptor lower(::fcntl(peer.get(), F_DUPFD_CLOEXEC, 0));
  return lower && lower.get() < peer.get() ? std::move(lower) : std::move(peer);
}

void WorkerListener::on_accept(Descriptor socket, std::string remote) {
  const auto present = policy_->connections.load();
  const auto limit = policy_->limits.connections;
  const bool room = present >= limit && close_longest_idle();
  if (!room && present >= limit + max_rejections) return;
  disable_nagle(socket.get());
  RawSocket wire{.socket = std::move(socket)};
  const auto connection = std::make_shared<Connection>(shared_from_this(), std::move(wire), std::move(remote), nullptr);
  if (present >= limit && !room) return connection->reject_overload();
  connection->start();
}

// Closing an idle connection is harmless: its client reconnects, while a new client could not connect at all.
bool WorkerListener::close_longest_idle() {
  Connection* longest = nullptr;
  for (auto* connection : connections_) {
    const auto since = connection->idle_since();
    if (since && (longest == nullptr || *since < *longest->idle_since())) longest = connection;
  }
  const auto alive = longest != nullptr ? longest->weak_from_this().lock() : nullptr;
  if (alive) alive->shed();
  return alive != nullptr;
}

void WorkerListener::adopt(ConnectionHandoff passage) {
  asio::post(context_, [self = shared_from_this(), passage = std::move(passage)]() mutable {
    // The listener may have ended meanwhile, and its handler with it.
    if (!self->handler_) return;
    const auto connection = std::make_shared<Connection>(self, std::move(passage.wire), std::move(passage.remote),
                                                         std::move(passage.certificate));
    connection->adopt(std::move(passage.reader), std::move(passage.pending), passage.checked);
  });
}

std::shared_ptr<WorkerListener> WorkerListener::other_worker(const Request& request) const {
  if (siblings_->size() < 2) return nullptr;
  const auto home = handler_->preferred_worker(request);
  if (!home || *home == index_ || *home >= siblings_->size()) return nullptr;
  return (*siblings_)[*home].lock();
}

std::unique_ptr<RequestReader> WorkerListener::acquire_reader() {
  if (readers_.empty()) return std::make_unique<RequestReader>(policy_->limits);
  auto reader = std::move(readers_.back());
  readers_.pop_back();
  return reader;
}

void WorkerListener::release_reader(std::unique_ptr<RequestReader> reader) {
  // Clear the reader, so that no data of one client reaches another.
  reader->next();
  if (readers_.size() < max_pooled_readers) readers_.push_back(std::move(reader));
}

void WorkerListener::add(Connection& connection) {
  ++policy_->connections;
  connection.set_index(connections_.size());
  connections_.push_back(&connection);
  if (!timeout_timer_.armed()) timeout_timer_.arm(Deadline::in(timeout_check_interval, loop_.timers.clock()));
}

void WorkerListener::remove(Connection& connection) {
  --policy_->connections;
  connections_[connection.index()] = connections_.back();
  connections_[connection.index()]->set_index(connection.index());
  connections_.pop_back();
  if (ending_ && connections_.empty()) {
    // Posted: the connection and its task still exist here.
    asio::post(context_, [self = shared_from_this()] { self->finish_if_empty(); });
  }
}

std::vector<std::shared_ptr<Connection>> WorkerListener::connections() const {
  std::vector<std::shared_ptr<Connection>> all;
  for (auto* connection : connections_) {
    // A connection that is being destroyed cannot be locked.
    if (auto alive = connection->weak_from_this().lock()) all.push_back(std::move(alive));
  }
  return all;
}

void WorkerListener::check_timeouts() {
  const auto time = now();
  for (const auto& connection : connections()) connection->check_time(time);
  peak_connections_ = std::max(peak_connections_, connections_.size());
  if (peak_connections_ >= memory_release_peak && connections_.size() < peak_connections_ / 2) {
    peak_connections_ = connections_.size();
    release_memory();
  }
  if (!connections_.empty()) timeout_timer_.arm(Deadline::in(timeout_check_interval, loop_.timers.clock()));
}

void WorkerListener::end(Duration drain, std::function<void()> done) {
  asio::post(context_, [self = shared_from_this(), drain, done = std::move(done)]() mutable {
    self->begin_end(drain, std::move(done));
  });
}

void WorkerListener::begin_end(Duration drain, std::function<void()> done) {
  when_ended_.push_back(std::move(done));
  boost::system::error_code ignored;
  listening_.close(ignored);
  accept_again_.disarm();
  ending_ = true;
  for (const auto& connection : connections()) connection->drain();
  if (drain <= Duration::zero()) {
    abort();
  } else {
    drain_deadline_.arm(Deadline::in(drain, loop_.timers.clock()));
  }
  finish_if_empty();
}

void WorkerListener::abort() {
  for (const auto& connection : connections()) connection->abort();
  scope_.cancel();
}

void WorkerListener::finish_if_empty() {
  if (!connections_.empty()) return;
  if (scope_.count() > 0) return asio::post(context_, [self = shared_from_this()] { self->finish_if_empty(); });
  drain_deadline_.disarm();
  timeout_timer_.disarm();
  if (handler_) {
    if (closing_.count() == 0) closing_.spawn(close_handler(shared_from_this()));
    return;
  }
  if (closing_.count() > 0) return asio::post(context_, [self = shared_from_this()] { self->finish_if_empty(); });
  const auto ended = std::exchange(when_ended_, {});
  for (const auto& done : ended) done();
}

Task<void> WorkerListener::close_handler(std::shared_ptr<WorkerListener> self) {
  co_await self->handler_->close();
  self->handler_.reset();
  // Posted: this task has not ended yet.
  asio::post(self->context_, [self] { self->finish_if_empty(); });
}

}  // namespace fairlead::http
