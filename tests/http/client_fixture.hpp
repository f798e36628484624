#pragma once

#include <fairlead/http/client.hpp>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "support/scripted_http_server.hpp"
#include "support/test_loop.hpp"

namespace fairlead::http {

using test::ScriptedHttpServer;

inline std::string answer(std::string_view body, std::string_view status = "200 OK", std::string_view fields = "") {
  return "HTTP/1.1 " + std::string(status) + "\r\n" + std::string(fields) +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

inline bool contains(const std::string& request, std::string_view text) {
  return request.find(text) != std::string::npos;
}

class HttpClientTest : public testing::Test {
 protected:
  ScriptedHttpServer& serve(ScriptedHttpServer::Script script) {
    servers_.push_back(std::make_unique<ScriptedHttpServer>(loop.loop(), std::move(script)));
    return *servers_.back();
  }
  ScriptedHttpServer& serve(std::string same) {
    return serve([same](const auto&, auto) { return same; });
  }

  Result<ClientResponse> fetch(ClientRequest request) {
    auto task = client.fetch(std::move(request));
    return loop.run(std::move(task));
  }

  void TearDown() override {
    for (const auto& server : servers_) loop.run(server->stop());
  }

  test::TestLoop loop;
  Client client{loop.loop()};

 private:
  std::vector<std::unique_ptr<ScriptedHttpServer>> servers_;
};

}  // namespace fairlead::http
