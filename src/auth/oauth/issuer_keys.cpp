#include "auth/oauth/issuer_keys.hpp"

#include <algorithm>
#include <charconv>
#include <fairlead/base/log.hpp>
#include <fairlead/base/run_on_worker.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/base/with_deadline.hpp>
#include <fmt/format.h>
#include <utility>

#include "auth/client/metadata.hpp"

namespace fairlead::auth {
namespace {

constexpr std::size_t max_key_set = std::size_t{256} * 1024;
constexpr Duration key_set_timeout = std::chrono::seconds{5};
constexpr Duration longest_key_wait = std::chrono::seconds{5};
constexpr std::chrono::hours longest_use{24};
constexpr std::chrono::minutes between_forced_fetches{1};
constexpr Duration longest_retry = std::chrono::seconds{30};

struct FetchedKeys {
  std::vector<jose::Key> keys = {};
  Duration fresh = {};
};

Task<Result<FetchedKeys>> fetch_keys(EventLoop loop, http::ClientOptions options, std::string issuer, bool required) {
  auto metadata = co_await fetch_issuer_metadata(loop, options, issuer);
  if (!metadata) co_return std::unexpected(std::move(metadata.error()));
  if (!*metadata) co_return fail(ErrorKind::refused, issuer + " has no metadata document");
  const auto& url = (*metadata)->jwks_uri;
  if (!url && !required) co_return FetchedKeys{.fresh = freshness("")};
  if (!url) co_return fail(ErrorKind::refused, "the metadata of " + issuer + " has no jwks_uri");
  options.max_body = max_key_set;
  options.max_redirects = 0;
  http::Client client(loop, std::move(options));
  auto request = get_request(*url);
  request.deadline = Deadline::in(key_set_timeout, loop.timers.clock());
  auto response = co_await client.fetch(std::move(request));
  if (!response) co_return fail(response.error().kind, "cannot fetch " + *url + ": " + response.error().message);
  if (response->status != 200) {
    co_return fail(ErrorKind::refused, fmt::format("{} answered {}", *url, response->status));
  }
  FetchedKeys fetched;
  auto keys = jose::read_jwk_set(response->body);
  if (!keys) co_return fail(ErrorKind::malformed, *url + ": " + keys.error().message);
  if (keys->empty()) co_return fail(ErrorKind::malformed, *url + " has no key that can be used");
  fetched.keys = std::move(*keys);
  fetched.fresh = freshness(response->header("Cache-Control").value_or(""));
  co_return fetched;
}

bool contains_key(const std::vector<jose::Key>& keys, const jose::Key& wanted) {
  return std::ranges::any_of(
      keys, [&](const jose::Key& key) { return key.kid() == wanted.kid() && key.public_jwk() == wanted.public_jwk(); });
}

}  // namespace

Duration freshness(std::string_view cache_control) {
  constexpr std::string_view name = "max-age=";
  constexpr std::int64_t shortest = 300;
  constexpr std::int64_t longest = 86'400;
  std::int64_t seconds = 3'600;
  for (std::size_t i = 0; i + name.size() <= cache_control.size(); ++i) {
    // `s-maxage` has no hyphen before `age`.
    if (!protocol::same_header(cache_control.substr(i, name.size()), name)) continue;
    const auto digits = cache_control.substr(i + name.size());
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
    if (read.ec == std::errc::result_out_of_range) seconds = longest;
    break;
  }
  return std::chrono::seconds(std::clamp(seconds, shortest, longest));
}

IssuerKeys::IssuerKeys(std::vector<jose::Key> fixed)
    : shared_(Shared{.keys = std::make_shared<const std::vector<jose::Key>>(std::move(fixed))}) {}

IssuerKeys::IssuerKeys(std::string issuer, bool required, KeyFetching fetching)
    : issuer_(std::move(issuer)), required_(required), fetcher_(std::make_unique<Fetcher>(std::move(fetching))) {}

void IssuerKeys::start() {
  if (fetcher_) fetcher_->how.background.spawn(run());
}

IssuerKeys::KeySet IssuerKeys::current() const {
  return shared_.with([this](const Shared& shared) {
    const bool stale = fetcher_ && shared.keys && fetcher_->how.now() - shared.fetched > longest_use;
    return stale ? nullptr : shared.keys;
  });
}

bool IssuerKeys::reachable() const {
  return shared_.with([](const Shared& shared) { return shared.reachable; });
}

Task<void> IssuerKeys::refresh() {
  if (fetcher_) co_await run_on_worker(fetcher_->how.background.worker(), wait_for_fetch());
}

Task<void> IssuerKeys::wait_for_fetch() {
  auto& fetcher = *fetcher_;
  if (!fetcher.running) {
    if (fetcher.how.now() - fetcher.begun < between_forced_fetches) co_return;
    fetcher.wanted = true;
    fetcher.wake.notify();
  }
  auto& timers = fetcher.how.background.worker().timers();
  co_await with_deadline(timers, Deadline::in(longest_key_wait, timers.clock()), next_fetch());
}

Task<Result<bool>> IssuerKeys::next_fetch() {
  const auto before = fetcher_->finished;
  while (fetcher_->finished == before) co_await fetcher_->finished_event.wait();
  co_return true;
}

// The only task that fetches: other tasks wait for it, so that one fetch serves all.
Task<void> IssuerKeys::run() {
  auto& fetcher = *fetcher_;
  const auto loop = fetcher.how.background.loop();
  while (true) {
    fetcher.running = true;
    fetcher.wanted = false;
    fetcher.begun = fetcher.how.now();
    auto fetched = co_await fetch_keys(loop, fetcher.how.http, issuer_, required_);
    Duration next = {};
    if (fetched) {
      next = accept(std::move(fetched->keys), fetched->fresh);
    } else {
      next = accept(std::unexpected(std::move(fetched.error())), {});
    }
    fetcher.running = false;
    ++fetcher.finished;
    fetcher.finished_event.notify();
    co_await pause(next);
  }
}

Task<void> IssuerKeys::pause(Duration time) {
  auto& fetcher = *fetcher_;
  auto& timers = fetcher.how.background.worker().timers();
  bool over = false;
  Timer timer(timers, [&] {
    over = true;
    fetcher.wake.notify();
  });
  timer.arm(Deadline::in(time, timers.clock()));
  while (!over && !fetcher.wanted) co_await fetcher.wake.wait();
}

/// Returns the time to the next fetch.
Duration IssuerKeys::accept(Result<std::vector<jose::Key>> keys, Duration fresh) {
  auto& fetcher = *fetcher_;
  if (!keys) {
    shared_.with([](Shared& shared) { shared.reachable = false; });
    if (++fetcher.failures == 1) {
      log(fetcher.how.background.log(), LogLevel::warning, "oauth", [&] {
        return fmt::format("cannot get the keys of {}: {}. Tokens are checked with the last keys, if any", issuer_,
                           keys.error().message);
      });
    }
    return std::min<Duration>(longest_retry,
                              std::chrono::seconds{1} * (1 << std::min<std::size_t>(fetcher.failures - 1, 5)));
  }
  if (std::exchange(fetcher.failures, 0) > 0) {
    log(fetcher.how.background.log(), LogLevel::info, "oauth", [&] { return "got the keys of " + issuer_; });
  }
  const auto fetched = std::make_shared<const std::vector<jose::Key>>(std::move(*keys));
  const auto before = shared_.with([&](Shared& shared) {
    shared.fetched = fetcher.how.now();
    shared.reachable = true;
    return std::exchange(shared.keys, fetched);
  });
  const auto is_gone = [&](const jose::Key& key) { return !contains_key(*fetched, key); };
  if (before && std::ranges::any_of(*before, is_gone)) fetcher.how.on_key_removed();
  return fresh;
}

}  // namespace fairlead::auth
