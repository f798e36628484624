#pragma once

#include <chrono>
#include <fairlead/http/message.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::http {

struct CorsOptions {
  /// Whose pages may read our answers, as browsers write them: https://app.example.com. "*" is everybody. They pass
  /// the guard as well. With none, no such header is sent.
  std::vector<std::string> origins = {};
  std::vector<std::string> methods = {"GET", "POST", "DELETE", "OPTIONS"};
  /// What pages may send. Every `Mcp-Param-…` is allowed besides.
  std::vector<std::string> headers = {"Content-Type",  "Accept",         "Authorization",        "X-API-Key",
                                      "Last-Event-ID", "Mcp-Session-Id", "MCP-Protocol-Version", "Mcp-Method",
                                      "Mcp-Name"};
  /// What pages may read.
  std::vector<std::string> exposed = {"Mcp-Session-Id", "MCP-Protocol-Version", "WWW-Authenticate"};
  std::chrono::seconds max_age{7200};  ///< For which a browser may remember the permission.
};

/// The one policy towards pages of other origins, applied to every answer.
class Cors {
 public:
  explicit Cors(CorsOptions options);

  bool enabled() const { return !options_.origins.empty(); }
  bool allows(std::string_view origin) const;

  /// The header lines that go with every answer to a page of that origin; an empty origin is no page.
  void append_lines(std::string& head, std::string_view origin) const;

  /// The answer to a browser that asks before it sends the real request; nothing if this is no such question.
  std::optional<Response> answer_preflight(const Request& request) const;

 private:
  std::string allowed_headers(std::string_view asked) const;

  CorsOptions options_;
  bool any_ = false;
  std::string methods_, headers_, exposed_;
};

}  // namespace fairlead::http
