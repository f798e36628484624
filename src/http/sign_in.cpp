#include "http/sign_in.hpp"

#include <algorithm>

namespace fairlead::http {

bool wants_sign_in(const ClientResponse& response) {
  if (response.status != 401) return false;
  return std::ranges::any_of(response.headers, [](const Header& header) {
    return protocol::same_header(header.name, "WWW-Authenticate") && header.value.contains("resource_metadata");
  });
}

std::string sign_in_advice() {
  return "; it requires OAuth, which this version of Fairlead does not support yet. Until then, get a token from "
         "the service and send it in a header (Authorization: Bearer <token>), or configure a bridge that "
         "signs in as the server, such as: npx -y mcp-remote <url>";
}

}  // namespace fairlead::http
