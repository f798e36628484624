#include "http/listener_policy.hpp"

namespace fairlead::http {

std::optional<Response> ListenerPolicy::refuse(Request& request) const {
  if (request.path.starts_with("/.well-known/")) {
    for (const auto& gate : access_checks) {
      if (auto response = gate->public_document(request)) return response;
    }
  }
  if (auto response = host_origin.refuse(request)) return response;
  // Before the other access checks: browsers send preflights without credentials.
  if (auto response = cors.answer_preflight(request)) return response;
  for (const auto& gate : access_checks) {
    if (auto response = gate->refuse(request)) return response;
  }
  return std::nullopt;
}

}  // namespace fairlead::http
