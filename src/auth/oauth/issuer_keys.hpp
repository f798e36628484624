#pragma once

#include <chrono>
#include <fairlead/base/synchronized.hpp>
#include <fairlead/http/client.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "auth/jose/jose.hpp"
#include "auth/oauth/background_worker.hpp"
#include "auth/oauth/claims.hpp"
#include "base/async_event.hpp"

namespace fairlead::auth {

/// How keys are fetched.
struct KeyFetching {
  BackgroundWorker& background;  ///< Shared by all issuers. It is stopped before the keys are destroyed.
  http::ClientOptions http;
  std::function<WallTime()> now;
  std::function<void()> on_key_removed;  ///< Called on the worker when a key has left the set of an issuer.
};

/// The signing keys of one issuer: fixed, or fetched from the URL in its metadata and kept fresh. Thread-safe.
class IssuerKeys {
 public:
  using KeySet = std::shared_ptr<const std::vector<jose::Key>>;

  explicit IssuerKeys(std::vector<jose::Key> fixed);
  /// `required` is false for an issuer whose tokens may all be opaque: it need not publish keys.
  IssuerKeys(std::string issuer, bool required, KeyFetching fetching);

  /// Starts to fetch.
  void start();

  /// Null before the first fetch, and if the last successful one is more than 24 hours ago.
  KeySet current() const;
  bool may_change() const { return fetcher_ != nullptr; }
  /// False if the last fetch failed: then a missing key does not mean that a token is invalid.
  bool reachable() const;
  /// Waits for a fetch, at most five seconds. Starts one if the last began more than a minute ago. Never for fixed
  /// keys.
  Task<void> refresh();

 private:
  struct Shared {
    KeySet keys = {};
    WallTime fetched = {};
    bool reachable = true;
  };
  /// State on the worker of the fetches.
  struct Fetcher {
    explicit Fetcher(KeyFetching chosen)
        : how(std::move(chosen)),
          finished_event(how.background.loop().executor),
          wake(how.background.loop().executor) {}
    KeyFetching how;
    AsyncEvent finished_event;
    AsyncEvent wake;
    WallTime begun = {};
    std::size_t finished = 0;
    std::size_t failures = 0;  // Consecutive.
    bool running = false;
    bool wanted = false;
  };

  Task<void> run();
  Task<void> pause(Duration time);
  Duration accept(Result<std::vector<jose::Key>> keys, Duration fresh);
  Task<Result<bool>> next_fetch();
  Task<void> wait_for_fetch();

  std::string issuer_;
  bool required_ = true;
  Synchronized<Shared> shared_;
  std::unique_ptr<Fetcher> fetcher_;  // Null for fixed keys.
};

/// How long fetched keys stay fresh: `max-age` of the response, from five minutes to a day; one hour without it.
Duration freshness(std::string_view cache_control);

}  // namespace fairlead::auth
