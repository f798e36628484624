#pragma once

#include <string>

#include "support/mcp_endpoint.hpp"

/// Stateless requests with id 7.
namespace fairlead::test {

inline const std::string envelope =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

inline std::string modern(const std::string& method, const std::string& params = "",
                          const std::string& meta = envelope) {
  return R"({"jsonrpc":"2.0","id":7,"method":")" + method + R"(","params":{)" + params +
         (params.empty() || meta.empty() ? "" : ",") + meta + "}}";
}

inline FakeExchange::Headers headers(const std::string& method, const std::string& name = "",
                                     const std::string& version = "2026-07-28") {
  FakeExchange::Headers all{{"MCP-Protocol-Version", version}, {"Mcp-Method", method}};
  if (!name.empty()) all.push_back({"Mcp-Name", name});
  return all;
}

inline bool has_error(const McpEndpoint::ActiveRequest& going, int code) {
  return going->body().find("\"id\":7,\"error\":{\"code\":" + std::to_string(code) + ",") != std::string::npos;
}

}  // namespace fairlead::test
