#pragma once

#include <fairlead/http/message.hpp>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>

#include "support/scripted_http_server.hpp"
#include "support/test_loop.hpp"

namespace fairlead::answer {

/// A complete HTTP response.
inline std::string http_answer(int status, std::string_view body, std::string_view fields = "") {
  return "HTTP/1.1 " + std::to_string(status) + " " +
         std::string(http::reason_phrase(static_cast<std::uint16_t>(status))) + "\r\n" + std::string(fields) +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

/// A scripted HTTP endpoint.
class AnswerFixture : public testing::Test {
 protected:
  test::ScriptedHttpServer& endpoint(test::ScriptedHttpServer::Script script) {
    endpoint_ = std::make_unique<test::ScriptedHttpServer>(loop_.loop(), std::move(script));
    return *endpoint_;
  }
  test::ScriptedHttpServer& endpoint(std::string same) {
    return endpoint([same](const auto&, auto) { return same; });
  }
  std::string base_url() const { return endpoint_->url("/v1/"); }

  void TearDown() override {
    if (endpoint_) loop_.run(endpoint_->stop());
  }

  test::TestLoop loop_;
  std::unique_ptr<test::ScriptedHttpServer> endpoint_;
};

}  // namespace fairlead::answer
