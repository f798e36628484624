#include "gateway/observe/trace_fields.hpp"

#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <utility>

namespace fairlead::gateway {
namespace {

constexpr auto traceparent_key = protocol::meta::trace[0], tracestate_key = protocol::meta::trace[1],
               baggage_key = protocol::meta::trace[2];

constexpr std::size_t max_baggage_bytes = 8192;  // W3C Baggage requires this many bytes to be propagated.

bool is_visible_text(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

TraceFields checked_fields(std::string_view parent, std::string state, std::string baggage) {
  TraceFields fields{.parent = read_traceparent(parent)};
  if (fields.parent && is_tracestate(state)) fields.state = std::move(state);
  if (baggage.size() <= max_baggage_bytes && is_visible_text(baggage)) fields.baggage = std::move(baggage);
  return fields;
}

std::string meta_text(std::string_view object, std::string_view name) {
  const auto text = json::member_of(object, name);
  if (!text.starts_with('"')) return {};
  return json::decode<std::string>(text).value_or("");
}

std::string trace_json(std::string_view text) {
  std::string out;
  json::write_string(out, text);
  return out;
}

}  // namespace

TraceFields trace_in_meta(const json::Payload& params) {
  const auto meta = json::member_of(params.text(), "_meta");
  if (meta.empty()) return {};
  return checked_fields(meta_text(meta, traceparent_key), meta_text(meta, tracestate_key),
                        meta_text(meta, baggage_key));
}

TraceFields trace_in_headers(const std::shared_ptr<const jsonrpc::MessageHeaders>& headers) {
  if (!headers) return {};
  const auto value_of = [&](std::string_view name) {
    const auto found = std::ranges::find(*headers, name, [](const auto& each) { return std::string_view(each.first); });
    return found == headers->end() ? std::string() : found->second;
  };
  return checked_fields(value_of(traceparent_key), value_of(tracestate_key), value_of(baggage_key));
}

std::optional<json::Payload> with_trace(const json::Payload& params, const TraceFields& fields) {
  if (!fields.parent || (!params.empty() && !params.text().starts_with('{'))) return std::nullopt;
  json::ObjectEdit edit(params.text());
  const auto old = edit.get("_meta");
  if (!old.empty() && !old.starts_with('{')) return std::nullopt;
  json::ObjectEdit meta(old);
  meta.set(traceparent_key, trace_json(write_traceparent(*fields.parent)));
  if (fields.state.empty()) {
    meta.erase(tracestate_key);
  } else {
    meta.set(tracestate_key, trace_json(fields.state));
  }
  if (!fields.baggage.empty() && meta.get(baggage_key).empty()) meta.set(baggage_key, trace_json(fields.baggage));
  edit.set("_meta", meta.text());
  return json::Payload::trusted(edit.text());
}

std::shared_ptr<const jsonrpc::MessageHeaders> with_trace(const std::shared_ptr<const jsonrpc::MessageHeaders>& headers,
                                                          const TraceFields& fields) {
  auto changed = std::make_shared<jsonrpc::MessageHeaders>();
  if (headers) {
    std::ranges::copy_if(*headers, std::back_inserter(*changed), [](const auto& each) {
      return std::ranges::find(protocol::meta::trace, each.first) == protocol::meta::trace.end();
    });
  }
  if (fields.parent) changed->emplace_back(traceparent_key, write_traceparent(*fields.parent));
  if (!fields.state.empty()) changed->emplace_back(tracestate_key, fields.state);
  if (!fields.baggage.empty()) changed->emplace_back(baggage_key, fields.baggage);
  return changed;
}

}  // namespace fairlead::gateway
