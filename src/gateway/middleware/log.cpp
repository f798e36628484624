#include <fairlead/gateway/log.hpp>

#include <fairlead/base/log.hpp>
#include <fairlead/base/redactor.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <utility>

#include "gateway/middleware/entries.hpp"
#include "gateway/observe/call_line.hpp"
#include "gateway/observe/watch.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;
using session::Service;

/// Writes the lines.
class AuditObserver final : public Observer {
 public:
  AuditObserver(AuditOptions options, LogSink& log) : options_(std::move(options)), log_(log) {}

  // Whoever stands behind may change what was asked.
  void begins(Call& call, Sight& sight) override {
    if (options_.params) sight.params = redactor_.redact(call.params.text());
  }
  void ended(Call&, const Sight& sight) override {
    log(log_, LogLevel::info, options_.name, [&] { return call_line(sight, options_.json); });
  }

 private:
  AuditOptions options_;
  LogSink& log_;
  Redactor redactor_;
};

class Audit final : public Middleware {
 public:
  Audit(AuditOptions options, Loop loop)
      : log_(loop.log),
        observers_(std::make_shared<Observers>()),
        watch_(observers_, loop.timers.clock(), {.plain = true}) {
    observers_->add(std::make_shared<AuditObserver>(std::move(options), log_));
  }

  Task<Result<Reply>> call(Call& call, Service& next) override {
    return log_.enabled(LogLevel::info) ? watch_.call(call, next) : next.call(call);
  }
  std::optional<Result<Reply>> answer_now(Call& call, Service& next) override {
    return log_.enabled(LogLevel::info) ? watch_.answer_now(call, next) : next.answer_now(call);
  }
  std::optional<Explanation> explain(Call&, Service&) const override {
    return Explanation{.says = "logs a line about it"};
  }

 private:
  LogSink& log_;
  std::shared_ptr<Observers> observers_;
  Watch watch_;
};

}  // namespace

std::unique_ptr<Middleware> audit(AuditOptions options, Loop loop) {
  return std::make_unique<Audit>(std::move(options), std::move(loop));
}

Registry::Entry log_entry() {
  return {.usage = "log(outer, format=json, params=yes)",
          .summary = "Logs a line for each call: who, what, of which server, how it ended and how long it took.",
          .make = [](Arguments& arguments, Loop loop) -> Result<std::unique_ptr<Middleware>> {
            AuditOptions options;
            options.name = arguments.text("name").value_or(options.name);
            const auto form = arguments.text("format").value_or("text");
            if (form != "text" && form != "json") arguments.wrong("format", "is neither text nor json");
            options.json = form == "json";
            options.params = arguments.flag("params").value_or(false);
            return audit(std::move(options), std::move(loop));
          }};
}

}  // namespace fairlead::gateway
