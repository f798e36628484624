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
  return "; it requires OAuth. Sign in with: fairlead login <url>, and remove a configured Authorization header, or "
         "send a valid token of the service in it";
}

}  // namespace fairlead::http
