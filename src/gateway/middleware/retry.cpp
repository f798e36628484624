#include <fairlead/gateway/retry.hpp>

#include <algorithm>
#include <fairlead/base/log.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "gateway/asked_for.hpp"
#include "gateway/middleware/entries.hpp"
#include "gateway/middleware/items.hpp"
#include "gateway/middleware/pause.hpp"
#include "gateway/middleware/subject.hpp"
#include "gateway/middleware/trouble.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;
using session::Service;

bool only_reads(std::string_view method) {
  static constexpr std::string_view others[] = {protocol::Ping::method, protocol::ReadResource::method,
                                                protocol::GetPrompt::method, protocol::Complete::method};
  return list_asked_by(method).has_value() || std::ranges::find(others, method) != std::end(others);
}

class Retry final : public Middleware {
 public:
  Retry(RetryOptions options, Loop loop) : options_(options), loop_(std::move(loop)) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    const auto begun = loop_.timers.clock().now();
    auto delay = options_.delay;
    for (std::size_t left = options_.times;; --left) {
      auto attempt = call;
      auto reply = co_await next.call(attempt);
      if (reply && call.method == protocol::ListTools::method) learn(reply->body);
      if (reply || left == 0 || !may_repeat(call, reply.error())) co_return reply;
      const auto wait = std::max(delay, wait_of(reply.error()).value_or(Duration{}));
      const auto spent = loop_.timers.clock().now() - begun;
      // Whoever asked would not be there any more.
      if (wait > options_.most || wait >= call.patience.cap - std::min(spent, call.patience.cap)) co_return reply;
      log(loop_.log, LogLevel::info, "retry", [&] {
        return fmt::format("{}: {}; once more in {:.1f} s", asked_for(call), reply.error().message,
                           std::chrono::duration<double>(wait).count());
      });
      if (!co_await pause(loop_.timers, wait)) co_return fail(ErrorKind::cancelled, "cancelled by the caller");
      ++retries_;
      delay = std::min(delay * 2, options_.most);
    }
  }

  std::optional<Result<Reply>> answer_now(Call& call, Service& next) override {
    auto answer = next.answer_now(call);
    if (answer && *answer && call.method == protocol::ListTools::method) learn((*answer)->body);
    return answer && !*answer && may_repeat(call, answer->error()) ? std::nullopt : std::move(answer);
  }

  std::optional<Explanation> explain(Call& call, Service& next) const override {
    auto list = on_behalf_of(call, protocol::ListTools::method);
    const auto tools = next.answer_now(list);
    Retry knowing(options_, loop_);
    if (tools && *tools) knowing.learn((*tools)->body);
    const auto when = !tools                      ? "if it was not made, or the tool says that repeating does no harm"
                      : knowing.is_harmless(call) ? "if the way fails: the tool says that repeating does no harm"
                                                  : "only if it was not made: the tool does not say it may be repeated";
    return Explanation{.says = fmt::format("asks again up to {} times, {}", options_.times, when)};
  }

  std::vector<Count> counts() const override {
    return {{"retries", "Calls that were made once more.", static_cast<double>(retries_)}};
  }

 private:
  static constexpr std::size_t most_tools = 20'000;

  bool may_repeat(const Call& call, const Error& error) const {
    if (is_not_made(error)) return true;
    return is_broken_way(error) && !is_timeout(error) && is_harmless(call);
  }

  bool is_harmless(const Call& call) const {
    if (only_reads(call.method)) return true;
    if (call.method != protocol::CallTool::method) return false;
    const auto tool = named_by(call.params, "name");
    return tool && harmless_.contains(tool->name);
  }

  void learn(const json::Payload& tools) {
    for_each_item(tools, ListKind::tools, [&](std::string_view item, const std::string& name) {
      const auto annotations = json::member_of(item, "annotations");
      const bool harmless = json::member_of(annotations, "readOnlyHint") == "true" ||
                            json::member_of(annotations, "idempotentHint") == "true";
      if (!harmless) harmless_.erase(name);
      if (harmless && harmless_.size() < most_tools) harmless_.insert(name);
    });
  }

  RetryOptions options_;
  Loop loop_;
  std::set<std::string> harmless_;
  std::uint64_t retries_ = 0;
};

}  // namespace

std::unique_ptr<Middleware> retry(RetryOptions options, Loop loop) {
  return std::make_unique<Retry>(options, std::move(loop));
}

Registry::Entry retry_entry() {
  return {.usage = "retry(2, delay=300ms, most=30s)",
          .summary = "Asks again where the way to the server failed and asking again does no harm.",
          .make = [](Arguments& arguments, Loop loop) -> Result<std::unique_ptr<Middleware>> {
            constexpr std::int64_t most_times = 20;
            RetryOptions options;
            const auto times = arguments.number("times", 1, most_times);
            options.times = static_cast<std::size_t>(times.value_or(static_cast<std::int64_t>(options.times)));
            options.delay = arguments.duration("delay").value_or(options.delay);
            options.most = arguments.duration("most").value_or(options.most);
            if (options.most < options.delay) arguments.wrong("most", "is shorter than delay");
            return retry(options, std::move(loop));
          }};
}

}  // namespace fairlead::gateway
