#pragma once

#include <fairlead/base/event_loop.hpp>
#include <fairlead/base/redactor.hpp>
#include <fairlead/base/task_scope.hpp>

#include "gateway/config/config.hpp"
#include "gateway/observe/observer.hpp"
#include "gateway/observe/otlp_exporter.hpp"
#include "gateway/observe/span.hpp"
#include "gateway/observe/trace_fields.hpp"

namespace fairlead::gateway {

/// Propagates the trace of each call from client to servers and creates a span per hop if spans are exported. Calls
/// without a trace are not changed. On one loop.
class Tracer final : public Observer {
 public:
  using Sink = std::function<void(const Span&)>;
  using WallClock = std::function<std::chrono::system_clock::time_point()>;

  explicit Tracer(EventLoop loop, WallClock now = &std::chrono::system_clock::now);

  /// Sets the exporter. The previous one still sends its spans.
  void apply(const TraceConfig& config);
  /// Sets the sink of spans. Without one, traces of clients are propagated and no new ones start.
  void set_sink(Sink sink, double share = 1);

  void on_start(session::Call& call, CallRecord& record) override;
  void on_end(session::Call& call, const CallRecord& record) override;

  /// Sends the remaining spans. Await it after the last call, before destruction.
  Task<void> stop();

 private:
  /// A span that has not ended.
  struct OpenSpan {
    std::optional<TraceContext> own = {};  ///< Set if it is exported.
    std::optional<TraceContext> parent = {};
    std::string state = {};
    std::optional<json::Payload> params = {};  ///< Params before the trace was added.
  };
  using SpanKey = std::pair<Hop, const session::Call*>;  // A call passes each hop once at a time.

  TraceContext begin_span(OpenSpan& open, const TraceFields& from) const;
  Span span_of(const session::Call& call, const CallRecord& record, const OpenSpan& open) const;
  void stop_current_exporter();

  EventLoop loop_;
  WallClock wall_;
  Redactor redactor_;
  TaskScope scope_;
  TraceConfig config_;
  std::shared_ptr<OtlpExporter> otlp_;
  Sink sink_;
  double sample_ratio_ = 1;
  std::map<SpanKey, OpenSpan> open_;
};

}  // namespace fairlead::gateway
