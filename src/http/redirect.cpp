#include "http/redirect.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace fairlead::http {
namespace {

// Unknown headers may contain credentials.
bool is_harmless(const Header& field) {
  constexpr std::array<std::string_view, 7> known{"Accept",
                                                  "Accept-Language",
                                                  "Content-Type",
                                                  "User-Agent",
                                                  protocol::header::protocol_version,
                                                  protocol::header::method,
                                                  protocol::header::name};
  return std::ranges::any_of(known, [&](auto name) { return protocol::same_header(field.name, name); });
}

}  // namespace

bool is_redirect(const ClientResponse& response, const ClientRequest& request) {
  if (!response.header("Location")) return false;
  if (response.status == 307 || response.status == 308) return true;
  const bool is_plain = response.status == 301 || response.status == 302 || response.status == 303;
  return is_plain && (request.method == "GET" || request.method == "HEAD");
}

Result<Url> redirect(const ClientResponse& response, const Url& from, ClientRequest& request) {
  auto to = resolve_url(from, *response.header("Location"));
  if (!to) return to;
  if (from.secure() && !to->secure()) {
    return std::unexpected(Error{.kind = ErrorKind::refused,
                                 .message = fmt::format("{} redirects to {}, which is not encrypted; request that URL "
                                                        "directly if you trust it",
                                                        from.redacted(), to->redacted()),
                                 .code = response.status});
  }
  to->credentials.clear();
  if (to->same_origin(from)) {
    to->credentials = from.credentials;
  } else {
    std::erase_if(request.headers, [](const auto& field) { return !is_harmless(field); });
  }
  return to;
}

}  // namespace fairlead::http
