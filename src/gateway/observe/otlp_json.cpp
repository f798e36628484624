#include "gateway/observe/otlp_json.hpp"

#include <algorithm>
#include <fairlead/json/writer.hpp>

namespace fairlead::gateway {
namespace {

constexpr std::string_view kind_server = "2", kind_client = "3";
constexpr std::string_view status_error = "2";

void write_attribute(std::string& out, std::string_view key, std::string_view value) {
  json::ObjectWriter attribute(out);
  attribute.text("key", key);
  json::ObjectWriter(attribute.plain_member("value")).text("stringValue", value);
}

void write_attributes(std::string& out, const Span& span) {
  out += '[';
  for (const auto& [key, value] : span.attributes) {
    if (out.back() != '[') out += ',';
    write_attribute(out, key, value);
  }
  out += ']';
}

void write_status(std::string& out, const Span& span) {
  json::ObjectWriter status(out);
  if (!span.failed) return;
  status.raw("code", status_error);
  if (!span.message.empty()) status.text("message", span.message);
}

}  // namespace

std::string otlp_span(const Span& span) {
  std::string out;
  {
    json::ObjectWriter object(out);
    object.text("traceId", span.context.trace_id()).text("spanId", span.context.span_id());
    if (span.parent) object.text("parentSpanId", {span.parent->data(), span.parent->size()});
    if (!span.state.empty()) object.text("traceState", span.state);
    object.text("name", span.name).raw("kind", span.hop == Hop::front ? kind_server : kind_client);
    object.text("startTimeUnixNano", std::to_string(span.start));
    object.text("endTimeUnixNano", std::to_string(span.end));
    write_attributes(object.plain_member("attributes"), span);
    write_status(object.plain_member("status"), span);
  }
  return out;
}

std::string otlp_request(const std::deque<std::string>& spans, std::size_t count, std::string_view service) {
  std::string out = R"({"resourceSpans":[{"resource":{"attributes":[)";
  write_attribute(out, "service.name", service);
  out += ',';
  write_attribute(out, "service.version", FAIRLEAD_VERSION);
  out += R"(]},"scopeSpans":[{"scope":{"name":"fairlead","version":")" FAIRLEAD_VERSION R"("},"spans":[)";
  for (std::size_t i = 0; i < std::min(count, spans.size()); ++i) {
    if (i != 0) out += ',';
    out += spans[i];
  }
  out += "]}]}]}";
  return out;
}

}  // namespace fairlead::gateway
