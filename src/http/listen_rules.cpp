#include "http/listen_rules.hpp"

namespace fairlead::http {

std::optional<Response> ListenRules::refuse(Request& request) const {
  if (auto response = guard.refuse(request)) return response;
  // Before the other gates: a browser asks without credentials.
  if (auto response = cors.answer_preflight(request)) return response;
  for (const auto& gate : gates) {
    if (auto response = gate->refuse(request)) return response;
  }
  return std::nullopt;
}

}  // namespace fairlead::http
