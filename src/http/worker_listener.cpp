#include "http/worker_listener.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <fairlead/base/log.hpp>
#include <sys/socket.h>
#include <system_error>

#include "base/memory.hpp"
#include "http/connection.hpp"

namespace fairlead::http {
namespace asio = boost::asio;

namespace {

constexpr std::size_t input_size = 64 * 1024;
constexpr std::size_t most_readers = 8;
constexpr int most_accepted_at_once = 64;
// So many beyond the limit are told so; the rest is dropped.
constexpr std::size_t most_told = 64;
// When so many have been here and half of them have gone, the memory that they took is given back.
constexpr std::size_t crowd = 512;
constexpr Duration sweep_every = std::chrono::seconds{1};
constexpr Duration accept_pause = std::chrono::milliseconds{100};

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

WorkerListener::WorkerListener(Loop loop, asio::io_context& context, std::size_t index,
                               std::shared_ptr<ListenRules> rules)
    : loop_(loop),
      context_(context),
      index_(index),
      rules_(std::move(rules)),
      listening_(context),
      scope_(loop.executor, loop.log, "http"),
      closing_(loop.executor, loop.log, "http"),
      sweeper_(loop.timers, [this] { sweep(); }),
      accept_again_(loop.timers, [this] { accept(); }),
      last_call_(loop.timers, [this] { cut(); }) {}

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
  wait_for_peers();
}

void WorkerListener::wait_for_peers() {
  listening_.async_wait(Native::wait_read, [self = shared_from_this()](const boost::system::error_code& error) {
    if (!error) self->accept();
  });
}

void WorkerListener::accept() {
  for (int i = 0; i < most_accepted_at_once && listening_.is_open(); ++i) {
    sockaddr_storage address = {};
    socklen_t size = sizeof(address);
    Descriptor peer(::accept4(listening_.native_handle(), reinterpret_cast<sockaddr*>(&address), &size,
                              SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (peer) {
      welcome(std::move(peer), name_of(address));
      continue;
    }
    if (errno == EAGAIN) break;
    if (errno == EINTR || errno == ECONNABORTED) continue;
    if ((errno == EMFILE || errno == ENFILE) && shed_longest_idle()) continue;
    // Out of descriptors or memory: whoever waits stays in the queue meanwhile.
    loop_.log.write(LogLevel::warning, "http", "cannot accept: " + std::system_category().message(errno));
    return accept_again_.arm(Deadline::in(accept_pause, loop_.timers.clock()));
  }
  if (listening_.is_open()) wait_for_peers();
}

void WorkerListener::welcome(Descriptor socket, std::string remote) {
  const auto present = rules_->connections.load();
  const auto limit = rules_->limits.connections;
  const bool room = present >= limit && shed_longest_idle();
  if (!room && present >= limit + most_told) return;
  send_without_delay(socket.get());
  Wire wire{.socket = std::move(socket)};
  const auto connection =
      std::make_shared<Connection>(shared_from_this(), std::move(wire), std::move(remote), std::string());
  if (present >= limit && !room) return connection->turn_away();
  connection->start();
}

// A client whose kept connection is closed between two requests opens another; one that cannot connect is kept out.
bool WorkerListener::shed_longest_idle() {
  Connection* longest = nullptr;
  for (auto* connection : connections_) {
    const auto since = connection->idle_since();
    if (since && (longest == nullptr || *since < *longest->idle_since())) longest = connection;
  }
  const auto alive = longest != nullptr ? longest->weak_from_this().lock() : nullptr;
  if (alive) alive->shed();
  return alive != nullptr;
}

void WorkerListener::adopt(Passage passage) {
  asio::post(context_, [self = shared_from_this(), passage = std::move(passage)]() mutable {
    // An end that was quicker has taken the handler with it.
    if (!self->handler_) return;
    const auto connection = std::make_shared<Connection>(self, std::move(passage.wire), std::move(passage.remote),
                                                         std::move(passage.subject));
    connection->arrive(std::move(passage.reader), std::move(passage.pending));
  });
}

std::shared_ptr<WorkerListener> WorkerListener::elsewhere(std::optional<std::size_t> home) const {
  if (!home || *home == index_ || *home >= siblings_->size()) return nullptr;
  return (*siblings_)[*home].lock();
}

std::unique_ptr<RequestReader> WorkerListener::borrow_reader() {
  if (readers_.empty()) return std::make_unique<RequestReader>(rules_->limits);
  auto reader = std::move(readers_.back());
  readers_.pop_back();
  return reader;
}

void WorkerListener::give_back(std::unique_ptr<RequestReader> reader) {
  // Nothing of one client's request may reach another's.
  reader->next();
  if (readers_.size() < most_readers) readers_.push_back(std::move(reader));
}

void WorkerListener::enter(Connection& connection) {
  ++rules_->connections;
  connection.set_place(connections_.size());
  connections_.push_back(&connection);
  if (!sweeper_.armed()) sweeper_.arm(Deadline::in(sweep_every, loop_.timers.clock()));
}

void WorkerListener::leave(Connection& connection) {
  --rules_->connections;
  connections_[connection.place()] = connections_.back();
  connections_[connection.place()]->set_place(connection.place());
  connections_.pop_back();
  if (ending_ && connections_.empty()) {
    // Later: the connection is not gone yet, nor is the task that had it.
    asio::post(context_, [self = shared_from_this()] { self->finish_if_empty(); });
  }
}

std::vector<std::shared_ptr<Connection>> WorkerListener::connections() const {
  std::vector<std::shared_ptr<Connection>> all;
  for (auto* connection : connections_) {
    // One that is just being destroyed cannot be had any more.
    if (auto alive = connection->weak_from_this().lock()) all.push_back(std::move(alive));
  }
  return all;
}

void WorkerListener::sweep() {
  const auto time = now();
  for (const auto& connection : connections()) connection->check_time(time);
  most_present_ = std::max(most_present_, connections_.size());
  if (most_present_ >= crowd && connections_.size() < most_present_ / 2) {
    most_present_ = connections_.size();
    give_memory_back();
  }
  if (!connections_.empty()) sweeper_.arm(Deadline::in(sweep_every, loop_.timers.clock()));
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
    cut();
  } else {
    last_call_.arm(Deadline::in(drain, loop_.timers.clock()));
  }
  finish_if_empty();
}

void WorkerListener::cut() {
  for (const auto& connection : connections()) connection->cut();
  scope_.cancel();
}

void WorkerListener::finish_if_empty() {
  if (!connections_.empty()) return;
  if (scope_.count() > 0) return asio::post(context_, [self = shared_from_this()] { self->finish_if_empty(); });
  last_call_.disarm();
  sweeper_.disarm();
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
  // Later: this task has not ended yet.
  asio::post(self->context_, [self] { self->finish_if_empty(); });
}

}  // namespace fairlead::http
