#include "transport/http_client/http_error.hpp"

#include <algorithm>
#include <fairlead/base/utf8.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/jsonrpc/read.hpp>
#include <fmt/format.h>

#include "http/sign_in.hpp"

namespace fairlead::transport {
namespace {

std::string hint_for(const http::ClientResponse& response) {
  if (http::wants_sign_in(response)) return http::sign_in_advice();
  switch (response.status) {
    case 401: return "; give credentials, such as a bearer token";
    case 403: return "; the server does not accept these credentials or this Origin";
    case 404: return "; check the path of the URL";
    case 405: return "; is this the address of an MCP endpoint?";
    case 429: return "; send fewer requests";
    default: return "";
  }
}

// The readable beginning of an error body.
std::string excerpt(const http::ClientResponse& response, const std::string& body) {
  constexpr std::size_t enough = 200;
  if (response.media_type() == "text/html" || !is_utf8(body)) return {};
  std::size_t size = 0;
  while (size < std::min(enough, body.size())) size += utf8_length(body, size);
  auto text = body.substr(0, size);
  std::ranges::replace_if(text, [](unsigned char c) { return c < ' '; }, ' ');
  return text;
}

}  // namespace

std::optional<jsonrpc::ErrorResponse> error_in(const std::string& body, const jsonrpc::Id& id) {
  auto incoming = jsonrpc::read(body);
  auto* message = incoming ? std::get_if<jsonrpc::Message>(&*incoming) : nullptr;
  auto* error = message ? std::get_if<jsonrpc::ErrorResponse>(message) : nullptr;
  if (!error || (error->id && *error->id != id)) return std::nullopt;
  return std::move(*error);
}

Error status_error(const http::ClientResponse& response, const std::string& body) {
  const auto phrase = http::reason_phrase(response.status);
  auto message = fmt::format("the server answered {}{}{}{}", response.status, phrase.empty() ? "" : " ", phrase,
                             hint_for(response));
  if (const auto text = excerpt(response, body); !text.empty()) message += ": " + text;
  Error error{.kind = ErrorKind::refused, .message = std::move(message), .code = response.status};
  json::ObjectWriter(error.data).text("source", "local").raw("status", std::to_string(response.status));
  return error;
}

}  // namespace fairlead::transport
