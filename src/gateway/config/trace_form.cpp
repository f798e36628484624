#include "gateway/config/trace_form.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "gateway/config/problems.hpp"
#include "http/characters.hpp"
#include "http/url.hpp"
#include "transport/header_line.hpp"

namespace fairlead::gateway {
namespace {

constexpr auto endpoint_variable = "OTEL_EXPORTER_OTLP_ENDPOINT";
constexpr auto service_variable = "OTEL_SERVICE_NAME";
constexpr auto headers_variable = "OTEL_EXPORTER_OTLP_HEADERS";
constexpr auto usual_endpoint = "http://localhost:4318";
constexpr auto usual_service = "fairlead";

Result<bool> read_switch(std::string_view text, std::string_view shown) {
  return text == "on" || text == "off" ? text == "on" : read_flag(text, shown);
}

Result<double> read_share(std::string_view text, std::string_view shown) {
  double value = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end && value >= 0 && value <= 1) return value;
  return fail(ErrorKind::invalid, fmt::format("{} is no share; write a number from 0 to 1", value_in_quotes(shown)));
}

Result<std::string> read_receiver(std::string_view text, std::string_view shown) {
  const auto url = http::parse_url(text);
  if (url && url->scheme.starts_with("http")) return std::string(text);
  return fail(ErrorKind::invalid,
              fmt::format("{} is no receiver of OTLP; write http://localhost:4318", value_in_quotes(shown)));
}

std::string without_percents(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const auto* digits = text.data() + i + 1;
    const bool escaped =
        text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
    out += escaped ? static_cast<char>(byte) : text[i];
    if (escaped) i += 2;
  }
  return out;
}

/// What the environment says beyond the file.
class TraceDefaults {
 public:
  TraceDefaults(Reading& reading, const Place& place) : reading_(reading), place_(place) {}

  void fill(TraceConfig& config) {
    if (config.endpoint.empty()) fill_endpoint(config.endpoint);
    if (config.service.empty()) config.service = variable(service_variable, "service").value_or(usual_service);
    if (const auto headers = variable(headers_variable, "headers")) add_headers(*headers, config.headers);
  }

 private:
  std::optional<std::string> variable(const char* name, std::string_view key) {
    auto value = reading_.options().environment(name);
    if (!value || value->empty()) return std::nullopt;
    reading_.took({place_.node, below(place_.path, key), below(place_.slot, key)}, {name});
    return value;
  }

  void fill_endpoint(std::string& endpoint) {
    const auto given = variable(endpoint_variable, "endpoint");
    const auto read = read_receiver(given.value_or(usual_endpoint), endpoint_variable);
    if (read) {
      endpoint = *read;
    } else {
      reading_.wrong(place_, read.error().message);
    }
  }

  // W3C Baggage: `name=value,name=value`, of which a value may be percent-encoded. The file is stronger.
  void add_headers(std::string_view text, std::map<std::string, std::string>& headers) {
    while (!text.empty()) {
      const auto member = text.substr(0, text.find(','));
      text.remove_prefix(std::min(member.size() + 1, text.size()));
      const auto equals = std::min(member.find('='), member.size());
      const auto name = std::string(transport::trimmed(member.substr(0, equals)));
      const auto value = without_percents(transport::trimmed(member.substr(std::min(equals + 1, member.size()))));
      const bool fits =
          http::consists_of(name, http::character::token) && http::consists_of(value, http::character::field);
      if (name.empty() || !fits) {
        return reading_.wrong(place_, fmt::format("{} is not of the form name=value,name=value", headers_variable));
      }
      headers.emplace(name, value);
    }
  }

  Reading& reading_;
  const Place& place_;
};

}  // namespace

void SwitchForm::read(Reading& reading, const Place& place, bool& into) {
  read_scalar(reading, place, into, read_switch);
}

void ShareForm::read(Reading& reading, const Place& place, double& into) {
  read_scalar(reading, place, into, read_share);
}

void ShareForm::show(Showing& showing, std::string_view name, double value) {
  showing.value(name, fmt::format("{}", value));
}

void ReceiverForm::read(Reading& reading, const Place& place, std::string& into) {
  read_scalar(reading, place, into, read_receiver);
}

void TraceForm::read(Reading& reading, const Place& place, TraceConfig& into) {
  const auto wanted = read_switch(place.node.text, {});
  if (place.node.kind != Node::Kind::scalar) {
    Form<TraceConfig>::read(reading, place, into);
  } else if (wanted) {
    if (!*wanted) reading.forget(place.slot);
    reading.took(place);
    if (!*wanted) return static_cast<void>(into = {});
  } else {
    ReceiverForm::read(reading, {place.node, place.path, below(place.slot, "endpoint")}, into.endpoint);
    if (into.endpoint.empty()) return;
  }
  TraceDefaults(reading, place).fill(into);
}

void TraceForm::show(Showing& showing, std::string_view name, const TraceConfig& value) {
  if (value.endpoint.empty()) return showing.value(name, "off");
  Form<TraceConfig>::show(showing, name, value);
}

}  // namespace fairlead::gateway
