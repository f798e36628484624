#include <fairlead/gateway/timeout.hpp>

#include <fmt/format.h>

#include "base/change_result.hpp"
#include "base/duration.hpp"
#include "gateway/middleware/builtin_middleware.hpp"
#include "gateway/model/call_label.hpp"

namespace fairlead::gateway {
namespace {

using session::Timeouts;

class Timeout final : public Middleware {
 public:
  explicit Timeout(Timeouts timeouts) : timeouts_(timeouts) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    call.timeouts = call.timeouts.within(timeouts_);
    return change_result(next.call(call), [&call, &next](Result<Reply>& reply) {
      if (!reply && reply.error().kind == ErrorKind::timeout) describe_timeout(reply.error(), call, next);
    });
  }

  std::optional<Explanation> explain(Call& call, Service&) const override {
    call.timeouts = call.timeouts.within(timeouts_);
    return Explanation{.summary = fmt::format("times out after {} without progress and after {} in total",
                                              write_duration(timeouts_.idle), write_duration(timeouts_.total))};
  }

 private:
  static void describe_timeout(Error& error, const Call& call, const Service& next) {
    const auto* server = next.server_info();
    const auto from = server != nullptr ? " from " + server->name : std::string();
    error.message = fmt::format("{}: no progress{} for {}, or no reply within {} ({})", call_label(call), from,
                                write_duration(call.timeouts.idle), write_duration(call.timeouts.total), error.message);
  }

  Timeouts timeouts_;
};

}  // namespace

std::unique_ptr<Middleware> timeout(Timeouts timeouts) {
  return std::make_unique<Timeout>(timeouts);
}

Registry::Entry timeout_entry() {
  return {.usage = "timeout(30s, max_time=5m)",
          .summary = "Limits the time of calls: without progress, and in total (max_time).",
          .make = [](MiddlewareArguments& arguments, EventLoop) -> Result<std::unique_ptr<Middleware>> {
            Timeouts timeouts;
            const auto idle = arguments.duration("idle");
            const auto max_time = arguments.duration("max_time");
            if (!idle && !max_time) arguments.report_missing("idle");
            if (idle) timeouts.idle = *idle;
            timeouts.total = max_time.value_or(std::max(timeouts.total, timeouts.idle));
            if (idle && timeouts.total < timeouts.idle) arguments.report_error("max_time", "is shorter than idle");
            timeouts.idle = std::min(timeouts.idle, timeouts.total);
            return timeout(timeouts);
          }};
}

}  // namespace fairlead::gateway
