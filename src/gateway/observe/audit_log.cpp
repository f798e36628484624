#include <fairlead/gateway/audit_log.hpp>

#include <fairlead/base/log.hpp>
#include <fairlead/base/redactor.hpp>
#include <fairlead/base/timer_wheel.hpp>

#include "gateway/middleware/builtin_middleware.hpp"
#include "gateway/observe/access_log_line.hpp"
#include "gateway/observe/observing_middleware.hpp"

namespace fairlead::gateway {
namespace {

/// Writes the log lines.
class AuditObserver final : public Observer {
 public:
  AuditObserver(AuditOptions options, LogSink& log) : options_(std::move(options)), log_(log) {}

  // Taken at the start, because later steps may change the params.
  void on_start(Call& call, CallRecord& record) override {
    if (options_.params) record.params = redactor_.redact(call.params.text());
  }
  void on_end(Call&, const CallRecord& record) override {
    log(log_, LogLevel::info, options_.name, [&] { return access_log_line(record, options_.json); });
  }

 private:
  AuditOptions options_;
  LogSink& log_;
  Redactor redactor_;
};

class Audit final : public Middleware {
 public:
  Audit(AuditOptions options, EventLoop loop)
      : log_(loop.log),
        observers_(std::make_shared<ObserverList>()),
        observing_(observers_, loop.timers.clock(), {.plain = true}) {
    observers_->add(std::make_shared<AuditObserver>(std::move(options), log_));
  }

  Task<Result<Reply>> call(Call& call, Service& next) override {
    return log_.enabled(LogLevel::info) ? observing_.call(call, next) : next.call(call);
  }
  std::optional<Explanation> explain(Call&, Service&) const override { return Explanation{.summary = "logs the call"}; }

 private:
  LogSink& log_;
  std::shared_ptr<ObserverList> observers_;
  ObservingMiddleware observing_;
};

}  // namespace

std::unique_ptr<Middleware> audit(AuditOptions options, EventLoop loop) {
  return std::make_unique<Audit>(std::move(options), std::move(loop));
}

Registry::Entry log_entry() {
  return {.usage = "log(outer, format=json, params=yes)",
          .summary = "Logs one line per call: caller, target, server, outcome and time.",
          .make = [](MiddlewareArguments& arguments, EventLoop loop) -> Result<std::unique_ptr<Middleware>> {
            AuditOptions options;
            options.name = arguments.text("name").value_or(options.name);
            const auto form = arguments.text("format").value_or("text");
            if (form != "text" && form != "json") arguments.report_error("format", "expected text or json");
            options.json = form == "json";
            options.params = arguments.flag("params").value_or(false);
            return audit(std::move(options), std::move(loop));
          }};
}

}  // namespace fairlead::gateway
