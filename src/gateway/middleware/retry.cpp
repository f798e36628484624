#include <fairlead/gateway/retry.hpp>

#include <algorithm>
#include <fairlead/base/log.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <set>

#include "gateway/middleware/async_sleep.hpp"
#include "gateway/middleware/builtin_middleware.hpp"
#include "gateway/model/call_label.hpp"
#include "gateway/model/gateway_error.hpp"
#include "gateway/model/list_items.hpp"
#include "gateway/model/request_target.hpp"

namespace fairlead::gateway {
namespace {

bool only_reads(std::string_view method) {
  static constexpr std::string_view others[] = {protocol::Ping::method, protocol::ReadResource::method,
                                                protocol::GetPrompt::method, protocol::Complete::method};
  return list_kind_of(method).has_value() || std::ranges::find(others, method) != std::end(others);
}

class Retry final : public Middleware {
 public:
  Retry(RetryOptions options, EventLoop loop) : options_(options), loop_(std::move(loop)) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    const auto begun = loop_.timers.clock().now();
    auto delay = options_.delay;
    for (std::size_t left = options_.times;; --left) {
      auto attempt = call;
      auto reply = co_await next.call(attempt);
      if (reply && call.method == protocol::ListTools::method) learn(reply->body);
      if (reply || left == 0 || !may_repeat(call, reply.error())) co_return reply;
      const auto wait = std::max(delay, retry_after(reply.error()).value_or(Duration{}));
      const auto spent = loop_.timers.clock().now() - begun;
      // The call would time out before the retry.
      if (wait > options_.max_delay || wait >= call.timeouts.total - std::min(spent, call.timeouts.total))
        co_return reply;
      log(loop_.log, LogLevel::info, "retry", [&] {
        return fmt::format("{}: {}; retry in {:.1f} s", call_label(call), reply.error().message,
                           std::chrono::duration<double>(wait).count());
      });
      if (!co_await async_sleep(loop_.timers, wait)) co_return fail(ErrorKind::cancelled, "cancelled by the caller");
      ++retries_;
      delay = std::min(delay * 2, options_.max_delay);
    }
  }

  std::optional<Explanation> explain(Call& call, Service& next) const override {
    auto list = on_behalf_of(call, protocol::ListTools::method);
    const auto tools = next.call(list).take();
    Retry knowing(options_, loop_);
    if (tools) knowing.learn(tools->body);
    const auto when = !tools ? "if the request was not sent, or if the tool is idempotent"
                      : knowing.is_harmless(call)
                          ? "after transport failures: the tool is read-only or idempotent"
                          : "only if the request was not sent: the tool is not declared idempotent";
    return Explanation{.summary = fmt::format("retries up to {} times, {}", options_.times, when)};
  }

  std::vector<Metric> metrics() const override {
    return {{"retries", "Retried calls.", static_cast<double>(retries_)}};
  }

 private:
  static constexpr std::size_t max_tools = 20'000;

  bool may_repeat(const Call& call, const Error& error) const {
    if (is_rejected(error)) return true;
    return is_transport_failure(error) && !is_timeout(error) && is_harmless(call);
  }

  bool is_harmless(const Call& call) const {
    if (only_reads(call.method)) return true;
    if (call.method != protocol::CallTool::method) return false;
    const auto tool = string_member(call.params, "name");
    return tool && harmless_.contains(tool->name);
  }

  void learn(const json::Payload& tools) {
    for_each_item(tools, ListKind::tools, [&](std::string_view item, const std::string& name) {
      const auto annotations = json::member_of(item, "annotations");
      const bool harmless = json::member_of(annotations, "readOnlyHint") == "true" ||
                            json::member_of(annotations, "idempotentHint") == "true";
      if (!harmless) harmless_.erase(name);
      if (harmless && harmless_.size() < max_tools) harmless_.insert(name);
    });
  }

  RetryOptions options_;
  EventLoop loop_;
  std::set<std::string> harmless_;
  std::uint64_t retries_ = 0;
};

}  // namespace

std::unique_ptr<Middleware> retry(RetryOptions options, EventLoop loop) {
  return std::make_unique<Retry>(options, std::move(loop));
}

Registry::Entry retry_entry() {
  return {.usage = "retry(2, delay=300ms, max_delay=30s)",
          .summary = "Retries calls after transport failures if that is safe.",
          .make = [](MiddlewareArguments& arguments, EventLoop loop) -> Result<std::unique_ptr<Middleware>> {
            constexpr std::int64_t max_times = 20;
            RetryOptions options;
            const auto times = arguments.number("times", 1, max_times);
            options.times = static_cast<std::size_t>(times.value_or(static_cast<std::int64_t>(options.times)));
            options.delay = arguments.duration("delay").value_or(options.delay);
            options.max_delay = arguments.duration("max_delay").value_or(options.max_delay);
            if (options.max_delay < options.delay) arguments.report_error("max_delay", "is shorter than delay");
            return retry(options, std::move(loop));
          }};
}

}  // namespace fairlead::gateway
