#pragma once

#include <fairlead/transport/streamable_http.hpp>
#include <memory>
#include <string>

#include "support/endpoint_bench.hpp"

namespace fairlead::test {

/// A Streamable HTTP endpoint under test.
class McpEndpoint : public EndpointBench<transport::StreamableHttp> {
 public:
  explicit McpEndpoint(transport::StreamableHttpOptions options = {})
      : EndpointBench([&](EventLoop loop, transport::SessionFactory& factory) {
          return std::make_unique<transport::StreamableHttp>(loop, 0, factory, options);
        }) {}

  static Headers usual(Headers more = {}) {
    Headers headers{{"Content-Type", "application/json"}, {"Accept", "application/json, text/event-stream"}};
    headers.insert(headers.end(), more.begin(), more.end());
    return headers;
  }

  ActiveRequest send(std::string method, Headers headers, std::string body = {}, std::string principal = {}) {
    return start(std::move(method), "/mcp", std::move(headers), std::move(body), std::move(principal));
  }
  ActiveRequest post(std::string body, Headers more = {}, std::string principal = {}) {
    return send("POST", usual(std::move(more)), std::move(body), std::move(principal));
  }

  std::string open(std::string version = "2025-11-25", std::string principal = {}) {
    const auto opening =
        post(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" + version + "\"}}", {},
             std::move(principal));
    return opening->header("Mcp-Session-Id");
  }

  ActiveRequest call(const std::string& session, std::string method, int id = 1) {
    return post(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method + "\"}",
                {{"Mcp-Session-Id", session}});
  }
  ActiveRequest listen(const std::string& session, Headers more = {}) {
    more.insert(more.begin(), {{"Accept", "text/event-stream"}, {"Mcp-Session-Id", session}});
    return send("GET", std::move(more));
  }
};

}  // namespace fairlead::test
