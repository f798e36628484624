#include "gateway/observe/tracer.hpp"

#include <algorithm>
#include <fairlead/base/timer_wheel.hpp>
#include <utility>

namespace fairlead::gateway {
namespace {

using session::Call;

OtlpOptions otlp_options(const TraceConfig& config) {
  OtlpOptions options{.endpoint = config.endpoint, .service = config.service};
  for (const auto& [name, value] : config.headers) options.headers.push_back({name, value});
  return options;
}

// Clients speak in `_meta`, or in headers if they do not know better. In between, the front has left its own place in
// the luggage, which also calls have that the chain makes on somebody's behalf.
TraceFields fields_at(Hop hop, const Call& call) {
  auto fields = hop == Hop::front ? trace_in_meta(call.params) : trace_in_luggage(call.context.luggage);
  auto others = hop == Hop::front ? trace_in_luggage(call.context.luggage) : trace_in_meta(call.params);
  if (!fields.parent) {
    fields.parent = others.parent;
    fields.state = std::move(others.state);
  }
  if (fields.baggage.empty()) fields.baggage = std::move(others.baggage);
  return fields;
}

std::uint64_t unix_nanoseconds(std::chrono::system_clock::time_point time) {
  const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch());
  return static_cast<std::uint64_t>(std::max<std::int64_t>(since.count(), 0));
}

Task<void> stop_exporter(std::shared_ptr<Otlp> otlp) {
  co_await otlp->stop();
}

}  // namespace

Tracer::Tracer(Loop loop, WallClock now)
    : loop_(loop), wall_(std::move(now)), scope_(loop.executor, loop.log, "trace") {}

void Tracer::apply(const TraceConfig& config) {
  if (config == config_) return;
  retire();
  config_ = config;
  if (config.endpoint.empty()) return collect({});
  otlp_ = std::make_shared<Otlp>(loop_, otlp_options(config));
  collect([otlp = otlp_](const Span& span) { otlp->add(span); }, config.sample);
}

void Tracer::collect(Sink sink, double share) {
  sink_ = std::move(sink);
  share_ = share;
}

void Tracer::retire() {
  if (otlp_) scope_.spawn(stop_exporter(std::exchange(otlp_, nullptr)));
}

Task<void> Tracer::stop() {
  collect({});
  retire();
  co_await scope_.join();
}

void Tracer::begins(Call& call, Sight& sight) {
  // Where nobody collects, and no header came, what `_meta` says passes by itself.
  if (!sink_ && !call.context.luggage) return;
  auto fields = fields_at(sight.hop, call);
  if (!sink_ && !fields.parent) return;
  Open open;
  if (sink_) fields.parent = begin_span(open, fields);
  sight.trace = write_traceparent(*fields.parent);
  if (sight.hop == Hop::front) {
    call.context.luggage = with_trace(call.context.luggage, fields);
  } else if (auto told = with_trace(call.params, fields)) {
    open.params = std::exchange(call.params, std::move(*told));
  }
  open_.insert_or_assign({sight.hop, &call}, std::move(open));
}

TraceContext Tracer::begin_span(Open& open, const TraceFields& from) const {
  open.parent = from.parent;
  open.state = from.state;
  open.own = from.parent ? next_in(*from.parent) : new_trace(share_);
  return *open.own;
}

void Tracer::ended(Call& call, const Sight& sight) {
  auto found = open_.extract({sight.hop, &call});
  if (found.empty()) return;
  auto& open = found.mapped();
  // Whoever made the call may make it again.
  if (open.params) call.params = std::move(*open.params);
  if (sink_ && open.own && open.own->sampled()) sink_(span_of(call, sight, open));
}

Span Tracer::span_of(const Call& call, const Sight& sight, const Open& open) const {
  Span span{.context = *open.own, .state = open.state};
  if (open.parent) span.parent = open.parent->span;
  const auto ended = wall_() - std::chrono::duration_cast<std::chrono::system_clock::duration>(
                                   loop_.timers.clock().now() - sight.ended);
  span.ended = unix_nanoseconds(ended);
  const auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(sight.ended - sight.begun).count();
  span.begun = span.ended - std::min(span.ended, static_cast<std::uint64_t>(std::max<std::int64_t>(took, 0)));
  describe_hop(span, sight, call, redactor_);
  return span;
}

}  // namespace fairlead::gateway
