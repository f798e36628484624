#include <fairlead/http/listener.hpp>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <condition_variable>
#include <fairlead/base/log.hpp>
#include <mutex>

#include "base/async_event.hpp"
#include "http/address.hpp"
#include "http/bind.hpp"
#include "http/worker_listener.hpp"

namespace fairlead::http {
namespace asio = boost::asio;

namespace {

// Time for handlers to end after their connections were closed.
constexpr Duration handler_end_timeout = std::chrono::seconds{5};
constexpr Duration look_every = std::chrono::milliseconds{20};

/// Waits until all workers have ended.
struct Countdown {
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t left = 0;

  void one_less() {
    const std::lock_guard lock(mutex);
    --left;
    changed.notify_all();
  }
};

// Host names allowed for a listener, as IP addresses.
std::string in_digits(std::string host) {
  host = without_brackets(std::move(host));
  return host == "localhost" ? "127.0.0.1" : host;
}

}  // namespace

struct ListenerState {
  struct WorkerSlot {
    EventLoop loop;
    asio::io_context* context;
  };

  ListenerState(ListenOptions how, MakeHandler make) : options(std::move(how)), make_handler(std::move(make)) {
    options.host = in_digits(std::move(options.host));
  }

  Result<void> check() const;
  Result<void> open();
  bool can_wait() const {
    if (threads == nullptr) return false;
    for (std::size_t i = 0; i < threads->size(); ++i) {
      if ((*threads)[i].is_current()) return false;
    }
    return true;
  }
  bool stopped() const {
    return std::ranges::all_of(slots, [](const WorkerSlot& slot) { return slot.context->stopped(); });
  }

  ListenOptions options;
  MakeHandler make_handler;
  Workers* threads = nullptr;
  std::vector<WorkerSlot> slots;
  std::vector<std::shared_ptr<WorkerListener>> workers;
  std::uint16_t port = 0;
};

Result<void> ListenerState::check() const {
  if (slots.empty()) {
    return fail(ErrorKind::invalid, "HTTP needs a loop whose executor is that of a boost::asio::io_context");
  }
  if (!workers.empty()) return fail(ErrorKind::invalid, "a listener can be opened only once");
  if (is_loopback(options.host) || options.authenticated || options.insecure) return {};
  return fail(ErrorKind::invalid, "refusing to listen on " + options.host +
                                      ", which other machines can reach, without authentication: ask for keys "
                                      "(--keys <file>) or client certificates (--tls-client-ca <file>), listen on "
                                      "127.0.0.1, or allow unauthenticated clients (--insecure)");
}

Result<void> ListenerState::open() {
  if (auto fine = check(); !fine) return fine;
  std::optional<TlsServer> tls;
  if (options.tls) {
    auto loaded = TlsServer::load(*options.tls);
    if (!loaded) return std::unexpected(std::move(loaded.error()));
    tls = std::move(*loaded);
  }
  auto bound = bind_port(options.host, options.port, slots.size());
  if (!bound) return std::unexpected(std::move(bound.error()));
  port = bound->port;
  auto guard = options.host_origin;
  guard.origins.insert(guard.origins.end(), options.cors.origins.begin(), options.cors.origins.end());
  const BoundAddress own{.host = options.host, .port = port, .secure = options.tls.has_value()};
  const auto policy = std::make_shared<ListenerPolicy>(options.limits, HostOriginCheck(std::move(guard), own),
                                                       Cors(options.cors), options.access_checks, std::move(tls));
  for (std::size_t i = 0; i < slots.size(); ++i) {
    workers.push_back(std::make_shared<WorkerListener>(slots[i].loop, *slots[i].context, i, policy));
  }
  const auto siblings = std::make_shared<const WorkerListener::Siblings>(workers.begin(), workers.end());
  for (std::size_t i = 0; i < workers.size(); ++i) {
    workers[i]->start(std::move(bound->sockets[i]), make_handler, siblings);
  }
  return {};
}

Listener::Listener(Workers& workers, LogSink& log, ListenOptions options, MakeHandler make_handler)
    : state_(std::make_unique<ListenerState>(std::move(options), std::move(make_handler))) {
  state_->threads = &workers;
  for (std::size_t i = 0; i < workers.size(); ++i) {
    auto& worker = workers[i];
    state_->slots.push_back({.loop = {worker.executor(), worker.timers(), log}, .context = &worker.context()});
  }
}

Listener::Listener(EventLoop loop, ListenOptions options, MakeHandler make_handler)
    : state_(std::make_unique<ListenerState>(std::move(options), std::move(make_handler))) {
  if (const auto context = context_of(loop)) state_->slots.push_back({.loop = loop, .context = *context});
}

Listener::~Listener() {
  if (state_->can_wait()) stop(Duration::zero());
  // The caller's loop may not be running: pending work keeps itself alive.
  for (const auto& worker : state_->workers) worker->end(Duration::zero(), [] {});
}

Result<void> Listener::open() {
  return state_->open();
}

std::uint16_t Listener::port() const {
  return state_->port;
}

std::string Listener::url() const {
  return (state_->options.tls ? "https://" : "http://") + in_url(state_->options.host) + ":" +
         std::to_string(state_->port);
}

void Listener::stop(Duration drain) {
  const auto countdown = std::make_shared<Countdown>();
  countdown->left = state_->workers.size();
  for (const auto& worker : state_->workers) worker->end(drain, [countdown] { countdown->one_less(); });
  const auto last = Deadline::in(std::max(drain, Duration::zero()) + handler_end_timeout);
  std::unique_lock lock(countdown->mutex);
  // A stopped loop never reports the end.
  while (countdown->left > 0 && !last.passed() && !state_->stopped()) countdown->changed.wait_for(lock, look_every);
  if (countdown->left > 0 && !state_->stopped()) {
    state_->slots.front().loop.log.write(LogLevel::error, "http", "a handler did not end in time; it is abandoned");
  }
  state_->workers.clear();
}

Task<void> Listener::close(Duration drain) {
  struct Waiting {
    AsyncEvent bell;
    std::size_t left;
  };
  const auto here = co_await this_task::executor;
  const auto waiting = std::make_shared<Waiting>(AsyncEvent(here), state_->workers.size());
  for (const auto& worker : state_->workers) {
    worker->end(drain, [waiting, here] {
      asio::post(here, [waiting] {
        --waiting->left;
        waiting->bell.notify();
      });
    });
  }
  while (waiting->left > 0) co_await waiting->bell.wait();
}

}  // namespace fairlead::http
