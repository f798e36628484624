#include <fairlead/gateway/timeout.hpp>

#include <fmt/format.h>
#include <utility>

#include "base/duration.hpp"
#include "gateway/asked_for.hpp"
#include "gateway/middleware/entries.hpp"

namespace fairlead::gateway {
namespace {

using session::Call;
using session::Patience;
using session::Reply;
using session::Service;

class Timeout final : public Middleware {
 public:
  explicit Timeout(Patience patience) : patience_(patience) {}

  Task<Result<Reply>> call(Call& call, Service& next) override {
    call.patience = call.patience.within(patience_);
    auto reply = co_await next.call(call);
    if (!reply && reply.error().kind == ErrorKind::timeout) tell_why(reply.error(), call, next);
    co_return reply;
  }

  // What is answered at once is in time.
  std::optional<Result<Reply>> answer_now(Call& call, Service& next) override { return next.answer_now(call); }

  std::optional<Explanation> explain(Call& call, Service&) const override {
    call.patience = call.patience.within(patience_);
    return Explanation{.says = fmt::format("gives up after {} without a sign of life, and after {} in all",
                                           write_duration(patience_.idle), write_duration(patience_.cap))};
  }

 private:
  void tell_why(Error& error, const Call& call, const Service& next) const {
    const auto* server = next.self();
    const auto who = server != nullptr ? server->name + " gave" : std::string("there was");
    error.message = fmt::format("{}: {} no sign of life for {}, or no answer within {} ({})", asked_for(call), who,
                                write_duration(call.patience.idle), write_duration(call.patience.cap), error.message);
  }

  Patience patience_;
};

}  // namespace

std::unique_ptr<Middleware> timeout(Patience patience) {
  return std::make_unique<Timeout>(patience);
}

Registry::Entry timeout_entry() {
  return {.usage = "timeout(30s, cap=5m)",
          .summary = "Gives up on calls without a sign of life for so long, or without an answer within the cap.",
          .make = [](Arguments& arguments, Loop) -> Result<std::unique_ptr<Middleware>> {
            Patience patience;
            const auto idle = arguments.duration("idle");
            const auto cap = arguments.duration("cap");
            if (!idle && !cap) arguments.needs("idle");
            if (idle) patience.idle = *idle;
            patience.cap = cap.value_or(std::max(patience.cap, patience.idle));
            if (idle && patience.cap < patience.idle) arguments.wrong("cap", "is shorter than idle");
            patience.idle = std::min(patience.idle, patience.cap);
            return timeout(patience);
          }};
}

}  // namespace fairlead::gateway
