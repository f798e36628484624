#include <fairlead/gateway/breaker.hpp>

#include <fairlead/base/log.hpp>
#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/gateway/transformers.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "base/duration.hpp"
#include "gateway/middleware/entries.hpp"
#include "gateway/middleware/subject.hpp"
#include "gateway/middleware/trouble.hpp"
#include "gateway/origins.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Reply;
using session::Service;

/// One server's.
struct Circuit {
  std::size_t failures = 0;  // In a row.
  bool open = false;
  bool trying = false;  // Half-open: one is on its way.
  std::uint64_t opened = 0;
  std::uint64_t refused = 0;
  Deadline until = {};  // Open that long.
};

class Breaker final : public Middleware {
 public:
  Breaker(BreakerOptions options, Loop loop) : options_(options), loop_(std::move(loop)) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    if (is_metadata(call.method) || call.method == protocol::Ping::method) return next.call(call);
    auto server = server_of(call, next);
    auto& circuit = circuits_[server];
    if (!circuit.open) return watched(call, next, std::move(server));
    if (circuit.trying || !circuit.until.passed(clock())) return at_once(refusal(server, circuit));
    return tried(call, next, std::move(server));
  }

  std::optional<Result<Reply>> answer_now(Call& call, Service& next) override {
    return is_metadata(call.method) ? next.answer_now(call) : std::nullopt;
  }

  std::optional<Explanation> explain(Call&, Service&) const override {
    return Explanation{.says = fmt::format("leaves the server alone for {} after {} failures in a row",
                                           write_duration(options_.open), options_.failures)};
  }

  std::vector<Count> counts() const override {
    std::vector<Count> all;
    for (const auto& [server, circuit] : circuits_) {
      const std::vector<std::pair<std::string, std::string>> labels(1, {"server", server});
      all.push_back({.name = "breaker_open",
                     .help = "Whether a breaker keeps callers away: 1, or 0.5 while one may try.",
                     .value = circuit.trying ? 0.5
                              : circuit.open ? 1.0
                                             : 0.0,
                     .labels = labels,
                     .gauge = true});
      const auto opened = static_cast<double>(circuit.opened);
      all.push_back({"breaker_opened", "How often a breaker has opened.", opened, labels});
      const auto refused = static_cast<double>(circuit.refused);
      all.push_back({"breaker_refusals", "Calls that an open breaker has refused.", refused, labels});
    }
    return all;
  }

 private:
  const Clock& clock() const { return loop_.timers.clock(); }

  static std::string server_of(const Call& call, const Service& next) {
    const auto subject = subject_of(call);
    return subject ? origin_of(next, subject->kind, subject->named.name).value_or("") : std::string();
  }

  Task<Result<Reply>> watched(Call& call, Service& next, std::string server) {
    auto reply = co_await next.call(call);
    count(server, reply);
    co_return reply;
  }

  Task<Result<Reply>> tried(Call& call, Service& next, std::string server) {
    tell(LogLevel::info, "circuit.half_open", server, "one call may try");
    // However it ends, by an exception too, another may try afterwards.
    struct Trying {
      explicit Trying(Circuit& of) : circuit(of) { circuit.trying = true; }
      Trying(const Trying&) = delete;
      Trying& operator=(const Trying&) = delete;
      ~Trying() { circuit.trying = false; }
      Circuit& circuit;
    } const trying(circuits_[server]);
    auto reply = co_await next.call(call);
    count(server, reply);
    co_return reply;
  }

  void count(const std::string& server, const Result<Reply>& reply) {
    auto& circuit = circuits_[server];
    if (!reply && reply.error().kind == ErrorKind::cancelled) return;
    if (reply || !is_broken_way(reply.error())) {
      // What was not even made says nothing of the server.
      if (!reply && is_not_made(reply.error())) return;
      if (std::exchange(circuit.open, false)) tell(LogLevel::info, "circuit.closed", server, "it answers again");
      circuit.failures = 0;
      return;
    }
    ++circuit.failures;
    const bool opens = circuit.trying || (!circuit.open && circuit.failures >= options_.failures);
    if (!opens) return;
    circuit.open = true;
    ++circuit.opened;
    circuit.until = Deadline::in(options_.open, clock());
    tell(LogLevel::warning, "circuit.opened", server,
         fmt::format("{} failures in a row, the last: {}", circuit.failures, reply.error().message));
  }

  std::unexpected<Error> refusal(const std::string& server, Circuit& circuit) const {
    ++circuit.refused;
    const auto wait = circuit.until.remaining(clock());
    return not_made(fmt::format("{} has failed {} times in a row and is left alone for another {:.1f} s", shown(server),
                                circuit.failures, std::chrono::duration<double>(wait).count()),
                    "breaker open", wait);
  }

  void tell(LogLevel level, std::string_view event, const std::string& server, std::string_view what) const {
    log(loop_.log, level, "breaker", [&] { return fmt::format("{}: {}: {}", event, shown(server), what); });
  }

  static std::string shown(const std::string& server) {
    return server.empty() ? std::string("the server") : fmt::format("the server '{}'", server);
  }

  BreakerOptions options_;
  Loop loop_;
  std::map<std::string, Circuit> circuits_;  // As many as there are servers.
};

}  // namespace

std::unique_ptr<Middleware> breaker(BreakerOptions options, Loop loop) {
  return std::make_unique<Breaker>(options, std::move(loop));
}

Registry::Entry breaker_entry() {
  return {.usage = "breaker(5, open=30s)",
          .summary = "After so many failures in a row, leaves a server alone for a while.",
          .make = [](Arguments& arguments, Loop loop) -> Result<std::unique_ptr<Middleware>> {
            constexpr std::int64_t most = 10'000;
            BreakerOptions options;
            const auto failures = arguments.number("failures", 1, most);
            if (failures) options.failures = static_cast<std::size_t>(*failures);
            options.open = arguments.duration("open").value_or(options.open);
            return breaker(options, std::move(loop));
          }};
}

}  // namespace fairlead::gateway
