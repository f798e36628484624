#include <fairlead/gateway/cache.hpp>

#include <algorithm>
#include <fairlead/auth/keyring.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <utility>

#include "base/duration.hpp"
#include "gateway/merge/member_list.hpp"
#include "gateway/middleware/entries.hpp"
#include "gateway/middleware/glob.hpp"
#include "gateway/middleware/kept_results.hpp"
#include "gateway/middleware/subject.hpp"
#include "gateway/observe/outcome.hpp"
#include "gateway/upstream/header_sets.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;
using session::Service;
using std::chrono::milliseconds;

// Whatever a server says: what it forgets to take back must not stay for ever.
constexpr milliseconds longest_kept = std::chrono::hours{24};

// Nobody's results are those of one conversation: who else calls without a name may be somebody else.
std::string owner_of(const Call& call) {
  const auto& context = call.context;
  return context.principal.empty() ? fmt::format("conversation {}", context.conversation) : "as " + context.principal;
}

// With whose credentials a server would be asked: the headers that the chain has asked for already, and those that came
// along with the call, which whoever comes later in the chain may forward. As a hash, because they are secrets.
std::string credentials_of(const Call& call, const json::ObjectEdit& params) {
  std::string all(asked_headers(params));
  if (call.context.luggage) {
    for (const auto& [name, value] : *call.context.luggage) {
      const auto is = [&](std::string_view other) { return protocol::same_header(name, other); };
      // Every call has its own trace, and none of it is forwarded by name.
      if (std::ranges::none_of(protocol::meta::trace, is)) all += '\0' + name + ':' + value;
    }
  }
  return all.empty() ? all : auth::hash_of(all);
}

class Cache final : public TwoWayMiddleware {
 public:
  Cache(CacheOptions options, Loop loop)
      : options_(std::move(options)), loop_(std::move(loop)), kept_(options_.entries, options_.bytes) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    auto key = key_of(call);
    if (!key) return next.call(call);
    if (auto known = find(*key, call)) return at_once(std::move(*known));
    ++misses_;
    return call_and_keep(call, next, std::move(*key));
  }

  std::optional<Result<Reply>> answer_now(Call& call, Service& next) override {
    const auto key = key_of(call);
    if (key) {
      if (auto known = find(*key, call)) return known;
    }
    return next.answer_now(call);
  }

  std::optional<Explanation> explain(Call& call, Service&) const override {
    if (!key_of(call)) return Explanation{.says = "does not keep the answers of this tool"};
    return Explanation{
        .says = fmt::format("uses an answer again for {}, for the same arguments, caller and forwarded headers",
                            write_duration(options_.ttl))};
  }

  bool tell_back(session::Notice& notice) override {
    const std::string_view method = notice.method;
    if (is_change(method)) ++news_;
    if (method == protocol::ToolListChanged::method) kept_.forget(protocol::CallTool::method);
    if (method == protocol::PromptListChanged::method) kept_.forget(protocol::GetPrompt::method);
    for (const auto kind : all_lists) {
      if (form_of(kind).notice == method) kept_.forget(form_of(kind).method);
    }
    if (method == protocol::ResourceUpdated::method) {
      const auto uri = named_by(notice.params, "uri");
      if (uri) kept_.forget(protocol::ReadResource::method, uri->name);
    }
    return true;
  }

  std::vector<Count> counts() const override {
    const auto kept = static_cast<double>(kept_.bytes());
    return {{"cache_hits", "Results that were used again.", static_cast<double>(hits_)},
            {"cache_misses", "Results that could be kept, and were not there.", static_cast<double>(misses_)},
            {.name = "cache_bytes", .help = "Memory for the results that are kept.", .value = kept, .gauge = true}};
  }

 private:
  const Clock& clock() const { return loop_.timers.clock(); }

  static bool is_change(std::string_view notice) {
    const auto is_of = [&](ListKind kind) { return form_of(kind).notice == notice; };
    return notice == protocol::ResourceUpdated::method || std::ranges::any_of(all_lists, is_of);
  }

  bool is_kept(const Call& call, const std::optional<Subject>& subject) const {
    if (list_asked_by(call.method)) return true;
    if (call.method == protocol::ReadResource::method) return true;
    if (call.method == protocol::GetPrompt::method) return options_.ttl > Duration{};
    return call.method == protocol::CallTool::method && any_matches(options_.tools, subject->named.name);
  }

  // Without a key, the call is none of ours.
  std::optional<KeptResults::Key> key_of(const Call& call) const {
    const auto subject = subject_of(call);
    if (!is_kept(call, subject)) return std::nullopt;
    json::ObjectEdit params(call.params.text());
    // A round of questions and answers is somebody's own.
    const bool is_a_round = !params.get("requestState").empty() || !params.get("inputResponses").empty();
    if (is_a_round || !params.get("task").empty()) return std::nullopt;
    auto credentials = credentials_of(call, params);
    params.erase("_meta");
    return KeptResults::Key{.method = call.method,
                            .subject = subject ? subject->named.name : "",
                            .whose = {},
                            .credentials = std::move(credentials),
                            .params = params.text()};
  }

  std::optional<Result<Reply>> find(KeptResults::Key key, const Call& call) {
    const auto* kept = kept_.find(key, clock());
    if (kept == nullptr) {
      key.whose = owner_of(call);
      kept = kept_.find(key, clock());
    }
    if (kept == nullptr) return std::nullopt;
    ++hits_;
    if (!kept->told) return Reply{.body = kept->body, .written_in = kept->written_in};
    // Whoever keeps it too must not keep it longer than we may.
    const auto left = std::chrono::floor<milliseconds>(kept->until.remaining(clock()));
    json::ObjectEdit result(kept->body.text());
    return Reply{.body = json::Payload::trusted(result.set("ttlMs", std::to_string(left.count())).text()),
                 .written_in = kept->written_in};
  }

  Task<Result<Reply>> call_and_keep(Call& call, Service& next, KeptResults::Key key) {
    const auto owner = owner_of(call);
    const bool is_tool = call.method == protocol::CallTool::method;
    const auto news = news_;
    auto reply = co_await next.call(call);
    if (!reply || reply->kind != protocol::ResultKind::complete || says_failure(*reply)) co_return reply;
    const auto hints = read_hints(reply->body.text());
    const bool told = hints.ttl.has_value() && !is_tool;
    const auto ttl = told ? Duration(std::min(*hints.ttl, longest_kept)) : options_.ttl;
    // What was told meanwhile may have been about this.
    if (ttl <= Duration{} || news != news_) co_return reply;
    if (hints.scope != protocol::CacheScope::public_) key.whose = owner;
    kept_.keep(
        key, {.body = reply->body, .until = Deadline::in(ttl, clock()), .told = told, .written_in = reply->written_in});
    co_return reply;
  }

  CacheOptions options_;
  Loop loop_;
  KeptResults kept_;
  std::uint64_t news_ = 0;  // Changes that were told.
  std::uint64_t hits_ = 0;
  std::uint64_t misses_ = 0;
};

}  // namespace

std::unique_ptr<Middleware> cache(CacheOptions options, Loop loop) {
  return std::make_unique<Cache>(std::move(options), std::move(loop));
}

Registry::Entry cache_entry() {
  return {.usage = "cache(60s, tool=get_*, entries=1000)",
          .summary = "Uses results again for as long as they are good; private ones for the same caller only.",
          .make = [](Arguments& arguments, Loop loop) -> Result<std::unique_ptr<Middleware>> {
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
            if (!options.tools.empty() && options.ttl <= Duration{}) arguments.needs("ttl");
            return cache(std::move(options), std::move(loop));
          }};
}

}  // namespace fairlead::gateway
