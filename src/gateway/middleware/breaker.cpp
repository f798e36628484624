#include <fairlead/gateway/breaker.hpp>

#include <fairlead/base/log.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/gateway/transformers.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <map>

#include "base/change_result.hpp"
#include "base/duration.hpp"
#include "base/scope_exit.hpp"
#include "gateway/middleware/builtin_middleware.hpp"
#include "gateway/model/backend_lookup.hpp"
#include "gateway/model/gateway_error.hpp"
#include "gateway/model/request_target.hpp"

namespace fairlead::gateway {
namespace {

/// State of one server.
struct Circuit {
  std::size_t failures = 0;  // Consecutive.
  bool open = false;
  bool trying = false;  // Half-open: a probe is pending.
  std::uint64_t opened = 0;
  std::uint64_t refused = 0;
  Deadline until = {};  // End of the open state.
};

class Breaker final : public Middleware {
 public:
  Breaker(BreakerOptions options, EventLoop loop) : options_(options), loop_(std::move(loop)) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    if (is_metadata(call.method) || call.method == protocol::Ping::method) return next.call(call);
    auto server = server_of(call, next);
    auto& circuit = circuits_[server];
    if (!circuit.open) {
      return change_result(next.call(call), [this, server](const Result<Reply>& reply) { count(server, reply); });
    }
    if (circuit.trying || !circuit.until.passed(clock())) return refusal(server, circuit);
    return probe(call, next, std::move(server));
  }

  std::optional<Explanation> explain(Call&, Service&) const override {
    return Explanation{.summary = fmt::format("refuses calls for {} after {} consecutive failures",
                                              write_duration(options_.open), options_.failures)};
  }

  std::vector<Metric> metrics() const override {
    std::vector<Metric> all;
    for (const auto& [server, circuit] : circuits_) {
      const std::vector<std::pair<std::string, std::string>> labels(1, {"server", server});
      all.push_back({.name = "breaker_open",
                     .help = "State of the circuit breaker: 0 closed, 0.5 half-open, 1 open.",
                     .value = circuit.trying ? 0.5
                              : circuit.open ? 1.0
                                             : 0.0,
                     .labels = labels,
                     .gauge = true});
      const auto opened = static_cast<double>(circuit.opened);
      all.push_back({"breaker_opened", "Times that a circuit breaker has opened.", opened, labels});
      const auto refused = static_cast<double>(circuit.refused);
      all.push_back({"breaker_refusals", "Calls refused by an open circuit breaker.", refused, labels});
    }
    return all;
  }

 private:
  const Clock& clock() const { return loop_.timers.clock(); }

  static std::string server_of(const Call& call, const Service& next) {
    const auto target = target_of(call);
    return target ? backend_name_of(next, target->kind, target->named.name).value_or("") : std::string();
  }

  Task<Result<Reply>> probe(Call& call, Service& next, std::string server) {
    log_event(LogLevel::info, "circuit.half_open", server, "one call may probe it");
    // The next call may probe after any end of this one, also by an exception.
    auto& circuit = circuits_[server];
    circuit.trying = true;
    const ScopeExit not_trying([&circuit] { circuit.trying = false; });
    auto reply = co_await next.call(call);
    count(server, reply);
    co_return reply;
  }

  void count(const std::string& server, const Result<Reply>& reply) {
    auto& circuit = circuits_[server];
    if (!reply && reply.error().kind == ErrorKind::cancelled) return;
    if (reply || !is_transport_failure(reply.error())) {
      // A request that was not sent says nothing about the server.
      if (!reply && is_rejected(reply.error())) return;
      if (std::exchange(circuit.open, false)) log_event(LogLevel::info, "circuit.closed", server, "it answers again");
      circuit.failures = 0;
      return;
    }
    ++circuit.failures;
    const bool opens = circuit.trying || (!circuit.open && circuit.failures >= options_.failures);
    if (!opens) return;
    circuit.open = true;
    ++circuit.opened;
    circuit.until = Deadline::in(options_.open, clock());
    log_event(LogLevel::warning, "circuit.opened", server,
              fmt::format("{} consecutive failures, the last: {}", circuit.failures, reply.error().message));
  }

  std::unexpected<Error> refusal(const std::string& server, Circuit& circuit) const {
    ++circuit.refused;
    const auto wait = circuit.until.remaining(clock());
    return rejected(fmt::format("{} failed {} times in a row; no calls for another {:.1f} s", server_label(server),
                                circuit.failures, std::chrono::duration<double>(wait).count()),
                    "breaker open", wait);
  }

  void log_event(LogLevel level, std::string_view event, const std::string& server, std::string_view what) const {
    log(loop_.log, level, "breaker", [&] { return fmt::format("{}: {}: {}", event, server_label(server), what); });
  }

  static std::string server_label(const std::string& server) {
    return server.empty() ? std::string("the server") : fmt::format("the server '{}'", server);
  }

  BreakerOptions options_;
  EventLoop loop_;
  std::map<std::string, Circuit> circuits_;  // One per server.
};

}  // namespace

std::unique_ptr<Middleware> breaker(BreakerOptions options, EventLoop loop) {
  return std::make_unique<Breaker>(options, std::move(loop));
}

Registry::Entry breaker_entry() {
  return {.usage = "breaker(5, open=30s)",
          .summary = "Circuit breaker: refuses calls for a while after consecutive failures of a server.",
          .make = [](MiddlewareArguments& arguments, EventLoop loop) -> Result<std::unique_ptr<Middleware>> {
            constexpr std::int64_t most = 10'000;
            BreakerOptions options;
            const auto failures = arguments.number("failures", 1, most);
            if (failures) options.failures = static_cast<std::size_t>(*failures);
            options.open = arguments.duration("open").value_or(options.open);
            return breaker(options, std::move(loop));
          }};
}

}  // namespace fairlead::gateway
