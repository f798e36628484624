#include <fairlead/http/listener.hpp>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <condition_variable>
#include <fairlead/base/log.hpp>
#include <mutex>

#include "base/bell.hpp"
#include "http/address.hpp"
#include "http/bind.hpp"
#include "http/worker_listener.hpp"

namespace fairlead::http {
namespace asio = boost::asio;

namespace {

// For handlers to notice that they were cut.
constexpr Duration patience = std::chrono::seconds{5};
constexpr Duration look_every = std::chrono::milliseconds{20};

/// Counts the workers that have ended.
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

// The names that a listener may be told to take, in digits.
std::string in_digits(std::string host) {
  host = without_brackets(std::move(host));
  return host == "localhost" ? "127.0.0.1" : host;
}

}  // namespace

struct Listener::State {
  struct Place {
    Loop loop;
    asio::io_context* context;
  };

  State(ListenOptions how, MakeHandler make) : options(std::move(how)), make_handler(std::move(make)) {
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
    return std::ranges::all_of(places, [](const Place& place) { return place.context->stopped(); });
  }

  ListenOptions options;
  MakeHandler make_handler;
  Workers* threads = nullptr;
  std::vector<Place> places;
  std::vector<std::shared_ptr<WorkerListener>> workers;
  std::uint16_t port = 0;
};

Result<void> Listener::State::check() const {
  if (places.empty()) {
    return fail(ErrorKind::invalid, "HTTP needs a loop whose executor is that of a boost::asio::io_context");
  }
  if (!workers.empty()) return fail(ErrorKind::invalid, "a listener is opened once");
  if (is_loopback(options.host) || options.authenticated || options.insecure) return {};
  return fail(ErrorKind::invalid, "refusing to listen on " + options.host +
                                      ", which other machines can reach, without authentication: ask for keys "
                                      "(--keys <file>) or client certificates (--tls-client-ca <file>), listen on "
                                      "127.0.0.1, or allow everybody (--insecure)");
}

Result<void> Listener::State::open() {
  if (auto fine = check(); !fine) return fine;
  std::optional<TlsServer> tls;
  if (options.tls) {
    auto loaded = TlsServer::load(*options.tls);
    if (!loaded) return std::unexpected(std::move(loaded.error()));
    tls = std::move(*loaded);
  }
  auto bound = bind_port(options.host, options.port, places.size());
  if (!bound) return std::unexpected(std::move(bound.error()));
  port = bound->port;
  auto guard = options.guard;
  guard.origins.insert(guard.origins.end(), options.cors.origins.begin(), options.cors.origins.end());
  const OwnAddress own{.host = options.host, .port = port, .secure = options.tls.has_value()};
  const auto rules = std::make_shared<ListenRules>(options.limits, Guard(std::move(guard), own), Cors(options.cors),
                                                   options.gates, std::move(tls));
  for (std::size_t i = 0; i < places.size(); ++i) {
    workers.push_back(std::make_shared<WorkerListener>(places[i].loop, *places[i].context, i, rules));
  }
  const auto siblings = std::make_shared<const WorkerListener::Siblings>(workers.begin(), workers.end());
  for (std::size_t i = 0; i < workers.size(); ++i) {
    workers[i]->start(std::move(bound->sockets[i]), make_handler, siblings);
  }
  return {};
}

Listener::Listener(Workers& workers, LogSink& log, ListenOptions options, MakeHandler make_handler)
    : state_(std::make_unique<State>(std::move(options), std::move(make_handler))) {
  state_->threads = &workers;
  for (std::size_t i = 0; i < workers.size(); ++i) {
    auto& worker = workers[i];
    state_->places.push_back({.loop = {worker.executor(), worker.timers(), log}, .context = &worker.context()});
  }
}

Listener::Listener(Loop loop, ListenOptions options, MakeHandler make_handler)
    : state_(std::make_unique<State>(std::move(options), std::move(make_handler))) {
  if (const auto context = context_of(loop)) state_->places.push_back({.loop = loop, .context = *context});
}

Listener::~Listener() {
  if (state_->can_wait()) stop(Duration::zero());
  // A loop of the caller's may not be running: what is left holds on to itself until it does.
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
  const auto last = Deadline::in(std::max(drain, Duration::zero()) + patience);
  std::unique_lock lock(countdown->mutex);
  // Loops that were stopped will never tell.
  while (countdown->left > 0 && !last.passed() && !state_->stopped()) countdown->changed.wait_for(lock, look_every);
  if (countdown->left > 0 && !state_->stopped()) {
    state_->places.front().loop.log.write(LogLevel::error, "http", "a handler does not end: the listener leaves it");
  }
  state_->workers.clear();
}

Task<void> Listener::close(Duration drain) {
  struct Waiting {
    Bell bell;
    std::size_t left;
  };
  const auto here = co_await asio::this_coro::executor;
  const auto waiting = std::make_shared<Waiting>(Bell(here), state_->workers.size());
  for (const auto& worker : state_->workers) {
    worker->end(drain, [waiting, here] {
      asio::post(here, [waiting] {
        --waiting->left;
        waiting->bell.ring();
      });
    });
  }
  while (waiting->left > 0) co_await waiting->bell.wait();
}

}  // namespace fairlead::http
