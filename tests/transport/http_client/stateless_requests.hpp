#pragma once

#include "transport/http_client/http_answers.hpp"

namespace fairlead::transport::stateless_requests {

/// Requests and responses of a stateless client.
inline std::string request(int id, std::string_view method, std::string_view params = "") {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + std::string(method) + R"(","params":{)" +
         std::string(params) + (params.empty() ? "" : ",") +
         R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})";
}

inline std::string result(int id, std::string_view members = R"("resultType":"complete")") {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":{)" + std::string(members) + "}}";
}

inline std::string tool_list(int id, std::string_view tools) {
  return result(id, R"("tools":[)" + std::string(tools) + "]");
}

inline constexpr auto marked =
    R"({"name":"run","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}})";

class StreamableClientRequests : public HttpTransportTest {
 protected:
  StreamableClient& open(Server::Script script, HttpClientOptions options = {}) {
    server = &serve(std::move(script));
    options.url = server->url("/mcp");
    client = std::make_unique<StreamableClient>(loop.loop(), scope, std::move(options));
    return *client;
  }
  StreamableClient& open(std::string same, HttpClientOptions options = {}) {
    return open([same](const auto&, auto) { return same; }, std::move(options));
  }

  const std::string& sent(std::size_t number) const { return server->requests().at(number); }

  Server* server = nullptr;
  std::unique_ptr<StreamableClient> client;
};

}  // namespace fairlead::transport::stateless_requests
