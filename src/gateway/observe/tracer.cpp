#include "gateway/observe/tracer.hpp"

#include <algorithm>
#include <fairlead/base/timer_wheel.hpp>

namespace fairlead::gateway {
namespace {

using session::Call;

OtlpOptions otlp_options(const TraceConfig& config) {
  OtlpOptions options{.endpoint = config.endpoint, .service = config.service};
  for (const auto& [name, value] : config.headers) options.headers.push_back({name, value});
  return options;
}

// Clients use `_meta`, older ones headers. Between `front` and `server` the tracer keeps the span of `front` in the
// headers, which calls made by the chain share.
TraceFields fields_at(Hop hop, const Call& call) {
  auto fields = hop == Hop::front ? trace_in_meta(call.params) : trace_in_headers(call.context.request_headers);
  auto others = hop == Hop::front ? trace_in_headers(call.context.request_headers) : trace_in_meta(call.params);
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

Task<void> stop_exporter(std::shared_ptr<OtlpExporter> otlp) {
  co_await otlp->stop();
}

}  // namespace

Tracer::Tracer(EventLoop loop, WallClock now)
    : loop_(loop), wall_(std::move(now)), scope_(loop.executor, loop.log, "trace") {}

void Tracer::apply(const TraceConfig& config) {
  if (config == config_) return;
  stop_current_exporter();
  config_ = config;
  if (config.endpoint.empty()) return set_sink({});
  otlp_ = std::make_shared<OtlpExporter>(loop_, otlp_options(config));
  set_sink([otlp = otlp_](const Span& span) { otlp->add(span); }, config.sample);
}

void Tracer::set_sink(Sink sink, double share) {
  sink_ = std::move(sink);
  sample_ratio_ = share;
}

void Tracer::stop_current_exporter() {
  if (otlp_) scope_.spawn(stop_exporter(std::exchange(otlp_, nullptr)));
}

Task<void> Tracer::stop() {
  set_sink({});
  stop_current_exporter();
  co_await scope_.join();
}

void Tracer::on_start(Call& call, CallRecord& record) {
  // Without a sink and without headers, `_meta` needs no change.
  if (!sink_ && !call.context.request_headers) return;
  auto fields = fields_at(record.hop, call);
  if (!sink_ && !fields.parent) return;
  OpenSpan open;
  if (sink_) fields.parent = begin_span(open, fields);
  record.trace = write_traceparent(*fields.parent);
  if (record.hop == Hop::front) {
    call.context.request_headers = with_trace(call.context.request_headers, fields);
  } else if (auto traced = with_trace(call.params, fields)) {
    open.params = std::exchange(call.params, std::move(*traced));
  }
  open_.insert_or_assign({record.hop, &call}, std::move(open));
}

TraceContext Tracer::begin_span(OpenSpan& open, const TraceFields& from) const {
  open.parent = from.parent;
  open.state = from.state;
  open.own = from.parent ? child_of(*from.parent) : new_trace(sample_ratio_);
  return *open.own;
}

void Tracer::on_end(Call& call, const CallRecord& record) {
  auto found = open_.extract({record.hop, &call});
  if (found.empty()) return;
  auto& open = found.mapped();
  // The caller may send the call again.
  if (open.params) call.params = std::move(*open.params);
  if (sink_ && open.own && open.own->sampled()) sink_(span_of(call, record, open));
}

Span Tracer::span_of(const Call& call, const CallRecord& record, const OpenSpan& open) const {
  Span span{.context = *open.own, .state = open.state};
  if (open.parent) span.parent = open.parent->span;
  const auto ended = wall_() - std::chrono::duration_cast<std::chrono::system_clock::duration>(
                                   loop_.timers.clock().now() - record.end);
  span.end = unix_nanoseconds(ended);
  const auto elapsed = std::chrono::duration_cast<std::chrono::nanoseconds>(record.end - record.start).count();
  span.start = span.end - std::min(span.end, static_cast<std::uint64_t>(std::max<std::int64_t>(elapsed, 0)));
  fill_span(span, record, call, redactor_);
  return span;
}

}  // namespace fairlead::gateway
