#include "gateway/config/trace_codec.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/uri.hpp"
#include "config/diagnostics.hpp"
#include "http/char_class.hpp"
#include "http/url.hpp"
#include "transport/header_line.hpp"

namespace fairlead::gateway {
namespace {

constexpr auto endpoint_variable = "OTEL_EXPORTER_OTLP_ENDPOINT";
constexpr auto service_variable = "OTEL_SERVICE_NAME";
constexpr auto headers_variable = "OTEL_EXPORTER_OTLP_HEADERS";
constexpr auto usual_endpoint = "http://localhost:4318";
constexpr auto usual_service = "fairlead";

/// Fills missing values from the OTEL_* environment variables.
class TraceDefaults {
 public:
  TraceDefaults(config::ReadContext& context, const config::NodeRef& ref) : context_(context), ref_(ref) {}

  void fill(TraceConfig& config) {
    if (config.endpoint.empty()) fill_endpoint(config.endpoint);
    if (config.service.empty()) config.service = variable(service_variable, "service").value_or(usual_service);
    if (const auto headers = variable(headers_variable, "headers")) add_headers(*headers, config.headers);
  }

 private:
  std::optional<std::string> variable(const char* name, std::string_view key) {
    auto value = context_.options().environment(name);
    if (!value || value->empty()) return std::nullopt;
    context_.record_source({ref_.node, config::below(ref_.path, key), config::below(ref_.key_path, key)}, {name});
    return value;
  }

  void fill_endpoint(std::string& endpoint) {
    const auto given = variable(endpoint_variable, "endpoint");
    const auto read = read_receiver(given.value_or(usual_endpoint), endpoint_variable);
    if (read) {
      endpoint = *read;
    } else {
      context_.error(ref_, read.error().message);
    }
  }

  // W3C Baggage: `name=value,name=value` with percent-encoded values. The file overrides it.
  void add_headers(std::string_view text, std::map<std::string, std::string>& headers) {
    while (!text.empty()) {
      const auto member = text.substr(0, text.find(','));
      text.remove_prefix(std::min(member.size() + 1, text.size()));
      const auto equals = std::min(member.find('='), member.size());
      const auto name = std::string(transport::trimmed(member.substr(0, equals)));
      const auto value = percent_decoded(transport::trimmed(member.substr(std::min(equals + 1, member.size()))));
      const bool fits =
          http::consists_of(name, http::char_class::token) && http::consists_of(value, http::char_class::field);
      if (name.empty() || !fits) {
        return context_.error(ref_, fmt::format("{} is not of the form name=value,name=value", headers_variable));
      }
      headers.emplace(name, value);
    }
  }

  config::ReadContext& context_;
  const config::NodeRef& ref_;
};

}  // namespace

Result<bool> read_switch(std::string_view text, std::string_view shown) {
  return text == "on" || text == "off" ? text == "on" : config::read_flag(text, shown);
}

Result<std::string> read_receiver(std::string_view text, std::string_view shown) {
  const auto url = http::parse_url(text);
  if (url && url->scheme.starts_with("http")) return std::string(text);
  return fail(ErrorKind::invalid,
              fmt::format("expected the URL of an OTLP receiver such as http://localhost:4318, got {}",
                          config::value_in_quotes(shown)));
}

void TraceCodec::read(config::ReadContext& context, const config::NodeRef& ref, TraceConfig& into) {
  const auto wanted = read_switch(ref.node.text, {});
  if (ref.node.kind != config::Node::Kind::scalar) {
    config::FieldCodec<TraceConfig>::read(context, ref, into);
  } else if (wanted) {
    if (!*wanted) context.forget(ref.key_path);
    context.record_source(ref);
    if (!*wanted) return static_cast<void>(into = {});
  } else {
    OtlpUrlCodec::read(context, {ref.node, ref.path, config::below(ref.key_path, "endpoint")}, into.endpoint);
    if (into.endpoint.empty()) return;
  }
  TraceDefaults(context, ref).fill(into);
}

void TraceCodec::show(config::Printer& printer, std::string_view name, const TraceConfig& value) {
  if (value.endpoint.empty()) return printer.value(name, "off");
  config::FieldCodec<TraceConfig>::show(printer, name, value);
}

}  // namespace fairlead::gateway
