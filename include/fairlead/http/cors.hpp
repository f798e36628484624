#pragma once

#include <chrono>
#include <fairlead/http/message.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::http {

struct CorsOptions {
  /// Origins whose pages may read responses, as browsers send them: https://app.example.com. "*" allows every origin.
  /// They also pass the Origin check. With none, no CORS header is sent.
  std::vector<std::string> origins = {};
  std::vector<std::string> methods = {"GET", "POST", "DELETE", "OPTIONS"};
  /// Request headers that pages may send. `Mcp-Param-…` headers are always allowed.
  std::vector<std::string> headers = {"Content-Type",  "Accept",         "Authorization",        "X-API-Key",
                                      "Last-Event-ID", "Mcp-Session-Id", "MCP-Protocol-Version", "Mcp-Method",
                                      "Mcp-Name"};
  /// Response headers that pages may read.
  std::vector<std::string> exposed = {"Mcp-Session-Id", "MCP-Protocol-Version", "WWW-Authenticate", "DPoP-Nonce"};
  std::chrono::seconds max_age{7200};  ///< How long browsers may cache a preflight response.
};

/// The CORS policy, applied to every response.
class Cors {
 public:
  explicit Cors(CorsOptions options);

  bool enabled() const { return !options_.origins.empty(); }
  bool allows(std::string_view origin) const;

  /// Appends the CORS header lines for a response to that origin. An empty origin means that the request has no Origin
  /// header.
  void append_lines(std::string& head, std::string_view origin) const;

  /// Returns the response to a CORS preflight request; nothing if the request is not a preflight.
  std::optional<Response> answer_preflight(const Request& request) const;

 private:
  std::string allowed_headers(std::string_view requested) const;

  CorsOptions options_;
  bool any_ = false;
  std::string methods_, headers_, exposed_;
};

}  // namespace fairlead::http
