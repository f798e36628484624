#pragma once

#include <chrono>
#include <fairlead/base/loop.hpp>
#include <fairlead/base/redactor.hpp>
#include <fairlead/base/task_scope.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "gateway/config/config.hpp"
#include "gateway/observe/observer.hpp"
#include "gateway/observe/otlp.hpp"
#include "gateway/observe/span.hpp"
#include "gateway/observe/trace_fields.hpp"

namespace fairlead::gateway {

/// Carries the trace of each call from its client to its servers, and makes a span of each hop where somebody collects
/// them. What nobody traces passes byte for byte. On one loop.
class Tracer final : public Observer {
 public:
  using Sink = std::function<void(const Span&)>;
  using WallClock = std::function<std::chrono::system_clock::time_point()>;

  explicit Tracer(Loop loop, WallClock now = &std::chrono::system_clock::now);

  /// Where spans go from now on. Those of before still get there.
  void apply(const TraceConfig& config);
  /// The same for any collector, or none: then a client's own trace is passed on, and no other begins here.
  void collect(Sink sink, double share = 1);

  void begins(session::Call& call, Sight& sight) override;
  void ended(session::Call& call, const Sight& sight) override;

  /// Sends what is left. To be awaited before it is destroyed, after the last call.
  Task<void> stop();

 private:
  /// A hop that is under way.
  struct Open {
    std::optional<TraceContext> own = {};  ///< Where it becomes a span.
    std::optional<TraceContext> parent = {};
    std::string state = {};
    std::optional<json::Payload> params = {};  ///< As they were before they told the server.
  };
  using Passing = std::pair<Hop, const session::Call*>;  // A call passes each hop once at a time.

  TraceContext begin_span(Open& open, const TraceFields& from) const;
  Span span_of(const session::Call& call, const Sight& sight, const Open& open) const;
  void retire();

  Loop loop_;
  WallClock wall_;
  Redactor redactor_;
  TaskScope scope_;
  TraceConfig config_;
  std::shared_ptr<Otlp> otlp_;
  Sink sink_;
  double share_ = 1;
  std::map<Passing, Open> open_;
};

}  // namespace fairlead::gateway
