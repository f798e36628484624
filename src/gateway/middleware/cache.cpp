#include <fairlead/gateway/cache.hpp>

#include <algorithm>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/http/identity.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "base/duration.hpp"
#include "crypto/digest.hpp"
#include "gateway/middleware/builtin_middleware.hpp"
#include "gateway/middleware/glob.hpp"
#include "gateway/middleware/reply_cache.hpp"
#include "gateway/model/added_headers.hpp"
#include "gateway/model/backend_list.hpp"
#include "gateway/model/outcome.hpp"
#include "gateway/model/request_target.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;
using session::Service;
using std::chrono::milliseconds;

// Upper limit for a server's own `ttlMs`, since servers may not report changes.
constexpr milliseconds max_ttl = std::chrono::hours{24};

// Anonymous callers share results within one session only, because they may be different users. A token with fewer
// scopes of the same user must not get the results of another one.
std::string owner_of(const Call& call) {
  const auto& context = call.context;
  if (context.principal.empty()) return fmt::format("session {}", context.session_key);
  auto owner = "as " + context.principal;
  if (context.identity) owner += fmt::format("\n{}", fmt::join(context.identity->scopes, " "));
  return owner;
}

// Hash of the credentials for the server: headers that earlier steps added, and headers of the client, which later
// steps may forward. Hashed because they are secret.
std::string credentials_of(const Call& call) {
  std::string all;
  for (const auto& [name, value] : added_headers(call)) all += '\0' + name + '=' + value;
  if (call.context.request_headers) {
    for (const auto& [name, value] : *call.context.request_headers) {
      const auto is = [&](std::string_view other) { return protocol::same_header(name, other); };
      // Each call has its own trace, which is never forwarded by name.
      if (std::ranges::none_of(protocol::meta::trace, is)) all += '\0' + name + ':' + value;
    }
  }
  return all.empty() ? all : crypto::sha256_hex(all);
}

class Cache final : public BidirectionalMiddleware {
 public:
  Cache(CacheOptions options, EventLoop loop)
      : options_(std::move(options)), loop_(std::move(loop)), cache_(options_.entries, options_.bytes) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    auto key = key_of(call);
    if (!key) return next.call(call);
    if (auto known = find(*key, call)) return std::move(*known);
    ++misses_;
    return call_and_store(call, next, std::move(*key));
  }

  std::optional<Explanation> explain(Call& call, Service&) const override {
    if (!key_of(call)) return Explanation{.summary = "does not cache results of this tool"};
    return Explanation{.summary =
                           fmt::format("caches the result for {}, for the same arguments, caller and forwarded headers",
                                       write_duration(options_.ttl))};
  }

  bool on_server_notification(session::Notification& notice) override {
    const std::string_view method = notice.method;
    if (is_change(method)) ++changes_;
    if (method == protocol::ToolListChanged::method) cache_.invalidate(protocol::CallTool::method);
    if (method == protocol::PromptListChanged::method) cache_.invalidate(protocol::GetPrompt::method);
    for (const auto kind : all_lists) {
      if (list_info(kind).changed_method == method) cache_.invalidate(list_info(kind).method);
    }
    if (method == protocol::ResourceUpdated::method) {
      const auto uri = string_member(notice.params, "uri");
      if (uri) cache_.invalidate(protocol::ReadResource::method, uri->name);
    }
    return true;
  }

  std::vector<Metric> metrics() const override {
    const auto kept = static_cast<double>(cache_.bytes());
    return {{"cache_hits", "Results served from the cache.", static_cast<double>(hits_)},
            {"cache_misses", "Cacheable requests without a cached result.", static_cast<double>(misses_)},
            {.name = "cache_bytes", .help = "Size of the cached results in bytes.", .value = kept, .gauge = true}};
  }

 private:
  const Clock& clock() const { return loop_.timers.clock(); }

  static bool is_change(std::string_view notice) {
    const auto is_of = [&](ListKind kind) { return list_info(kind).changed_method == notice; };
    return notice == protocol::ResourceUpdated::method || std::ranges::any_of(all_lists, is_of);
  }

  bool is_cacheable(const Call& call, const std::optional<RequestTarget>& target) const {
    if (list_kind_of(call.method)) return true;
    if (call.method == protocol::ReadResource::method) return true;
    if (call.method == protocol::GetPrompt::method) return options_.ttl > Duration{};
    return call.method == protocol::CallTool::method && any_matches(options_.tools, target->named.name);
  }

  // Returns nothing for calls that are not cached.
  std::optional<ReplyCache::Key> key_of(const Call& call) const {
    const auto target = target_of(call);
    if (!is_cacheable(call, target)) return std::nullopt;
    json::ObjectEdit params(call.params.text());
    // Input rounds and tasks belong to one caller.
    const bool is_a_round = !params.get("requestState").empty() || !params.get("inputResponses").empty();
    if (is_a_round || !params.get("task").empty()) return std::nullopt;
    auto credentials = credentials_of(call);
    params.erase("_meta");
    return ReplyCache::Key{.method = call.method,
                           .target = target ? target->named.name : "",
                           .owner = {},
                           .credentials = std::move(credentials),
                           .params = params.text()};
  }

  std::optional<Result<Reply>> find(ReplyCache::Key key, const Call& call) {
    const auto* kept = cache_.find(key, clock());
    if (kept == nullptr) {
      key.owner = owner_of(call);
      kept = cache_.find(key, clock());
    }
    if (kept == nullptr) return std::nullopt;
    ++hits_;
    if (!kept->has_own_ttl) return Reply{.body = kept->body, .written_in = kept->written_in};
    // The client must not cache it longer than this cache.
    const auto left = std::chrono::floor<milliseconds>(kept->until.remaining(clock()));
    json::ObjectEdit result(kept->body.text());
    return Reply{.body = json::Payload::trusted(result.set("ttlMs", std::to_string(left.count())).text()),
                 .written_in = kept->written_in};
  }

  Task<Result<Reply>> call_and_store(Call& call, Service& next, ReplyCache::Key key) {
    const auto owner = owner_of(call);
    const bool is_tool = call.method == protocol::CallTool::method;
    const auto changes = changes_;
    auto reply = co_await next.call(call);
    if (!reply || reply->kind != protocol::ResultKind::complete || is_tool_failure(*reply)) co_return reply;
    const auto hints = read_hints(reply->body.text());
    const bool has_own_ttl = hints.ttl.has_value() && !is_tool;
    const auto ttl = has_own_ttl ? Duration(std::min(*hints.ttl, max_ttl)) : options_.ttl;
    // A change that was reported during the call may concern this result.
    if (ttl <= Duration{} || changes != changes_) co_return reply;
    if (hints.scope != protocol::CacheScope::public_) key.owner = owner;
    cache_.store(key, {.body = reply->body,
                       .until = Deadline::in(ttl, clock()),
                       .has_own_ttl = has_own_ttl,
                       .written_in = reply->written_in});
    co_return reply;
  }

  CacheOptions options_;
  EventLoop loop_;
  ReplyCache cache_;
  std::uint64_t changes_ = 0;  // Change notifications received.
  std::uint64_t hits_ = 0;
  std::uint64_t misses_ = 0;
};

}  // namespace

std::unique_ptr<Middleware> cache(CacheOptions options, EventLoop loop) {
  return std::make_unique<Cache>(std::move(options), std::move(loop));
}

Registry::Entry cache_entry() {
  return {.usage = "cache(60s, tool=get_*, entries=1000)",
          .summary = "Caches results until they expire; private ones per caller.",
          .make = [](MiddlewareArguments& arguments, EventLoop loop) -> Result<std::unique_ptr<Middleware>> {
            constexpr std::int64_t most = 1'000'000;
            CacheOptions options;
            options.ttl = arguments.duration("ttl").value_or(options.ttl);
            options.tools = arguments.texts("tool");
            if (const auto entries = arguments.number("entries", 1, most)) {
              options.entries = static_cast<std::size_t>(*entries);
            }
            if (const auto megabytes = arguments.number("megabytes", 1, most)) {
              options.bytes = static_cast<std::size_t>(*megabytes) * 1024 * 1024;
            }
            if (!options.tools.empty() && options.ttl <= Duration{}) arguments.report_missing("ttl");
            return cache(std::move(options), std::move(loop));
          }};
}

}  // namespace fairlead::gateway
