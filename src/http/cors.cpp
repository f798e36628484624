#include <fairlead/http/cors.hpp>

#include <algorithm>

#include "http/char_class.hpp"
#include "http/error_response.hpp"

namespace fairlead::http {
namespace {

std::string join(const std::vector<std::string>& names) {
  std::string all;
  for (const auto& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

bool is_parameter(std::string_view name) {
  constexpr auto prefix = protocol::header::param_prefix;
  return name.size() > prefix.size() && protocol::same_header(name.substr(0, prefix.size()), prefix) &&
         consists_of(name, char_class::token);
}

}  // namespace

Cors::Cors(CorsOptions options)
    : options_(std::move(options)),
      any_(std::ranges::find(options_.origins, "*") != options_.origins.end()),
      methods_(join(options_.methods)),
      headers_(join(options_.headers)),
      exposed_(join(options_.exposed)) {}

bool Cors::allows(std::string_view origin) const {
  if (origin.empty() || origin == "null") return false;
  return any_ ||
         std::ranges::any_of(options_.origins, [&](const auto& known) { return protocol::same_header(known, origin); });
}

void Cors::append_lines(std::string& head, std::string_view origin) const {
  if (!enabled()) return;
  // Sent for origins that are not allowed too, so that a cache does not serve them the response to another origin.
  head += "Vary: Origin\r\n";
  if (!allows(origin)) return;
  head.append("Access-Control-Allow-Origin: ").append(origin);
  head.append("\r\nAccess-Control-Expose-Headers: ").append(exposed_).append("\r\n");
}

std::optional<Response> Cors::answer_preflight(const Request& request) const {
  if (!enabled() || request.method != "OPTIONS") return std::nullopt;
  const auto origin = request.header("Origin");
  if (!origin || !request.header("Access-Control-Request-Method")) return std::nullopt;
  if (!allows(*origin)) return error_response(403, "This Origin is not allowed. Allow it on the server.");
  const auto requested = request.header("Access-Control-Request-Headers").value_or("");
  Response response{.status = 204};
  response.headers = {{"Access-Control-Allow-Methods", methods_},
                      {"Access-Control-Allow-Headers", allowed_headers(requested)},
                      {"Access-Control-Max-Age", std::to_string(options_.max_age.count())}};
  return response;
}

std::string Cors::allowed_headers(std::string_view requested) const {
  auto allowed = headers_;
  while (!requested.empty()) {
    const auto comma = std::min(requested.find(','), requested.size());
    const auto name = protocol::trim_header(requested.substr(0, comma));
    if (is_parameter(name)) allowed.append(", ").append(name);
    requested.remove_prefix(std::min(comma + 1, requested.size()));
  }
  return allowed;
}

}  // namespace fairlead::http
