#pragma once

#include <fairlead/transport/http_client.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "support/messages.hpp"
#include "support/scripted_http_server.hpp"
#include "support/test_loop.hpp"

namespace fairlead::transport {

/// Responses for the scripted server.
inline std::string whole(std::string_view status, std::string_view fields, std::string_view body) {
  return "HTTP/1.1 " + std::string(status) + "\r\n" + std::string(fields) +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}
inline std::string json_answer(std::string_view body, std::string_view fields = "") {
  return whole("200 OK", "Content-Type: application/json\r\n" + std::string(fields), body);
}
inline std::string accepted() {
  return whole("202 Accepted", "", "");
}
/// An event stream that ends or stays open after the events.
inline std::string event_answer(std::string_view text, bool stays_open = false) {
  return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + std::string(text) +
         std::string(stays_open ? test::ScriptedHttpServer::no_response : test::ScriptedHttpServer::disconnect);
}

inline std::string body_of(const std::string& request) {
  return request.substr(request.find("\r\n\r\n") + 4);
}
inline bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}
inline bool has_method(const std::string& request, std::string_view method) {
  return has(request, R"("method":")" + std::string(method) + '"');
}

inline Outgoing message(std::string_view text) {
  auto incoming = jsonrpc::read(std::string(text));
  return {std::move(std::get<jsonrpc::Message>(incoming.value()))};
}

/// A client transport and the scripted server of a test.
class HttpTransportTest : public testing::Test {
 protected:
  using Server = test::ScriptedHttpServer;

  Server& serve(Server::Script script) {
    servers_.push_back(std::make_unique<Server>(loop.loop(), std::move(script)));
    return *servers_.back();
  }

  void send(Transport& transport, std::string_view text) {
    auto outgoing = message(text);
    EXPECT_TRUE(loop.run(transport.send(std::move(outgoing))));
  }
  std::string receive(Transport& transport) { return test::text(loop.run(transport.receive())); }
  RequestFailed receive_lost(Transport& transport) {
    auto received = loop.run(transport.receive());
    EXPECT_TRUE(received && std::holds_alternative<RequestFailed>(*received)) << test::text(received);
    return received && std::holds_alternative<RequestFailed>(*received) ? std::get<RequestFailed>(*received)
                                                                        : RequestFailed{};
  }

  /// Closes the transport and waits for its tasks.
  void finish(Transport& transport) {
    transport.close();
    loop.run(joined(scope));
  }

  void turn_until(const std::function<bool()>& done) {
    loop.poll();
    loop.run_until(done);
  }

  void TearDown() override {
    scope.cancel();
    loop.run(joined(scope));
    for (const auto& server : servers_) loop.run(server->stop());
  }

  static Task<bool> joined(TaskScope& tasks) {
    co_await tasks.join();
    co_return true;
  }

  test::TestLoop loop;
  TaskScope scope{loop.loop().executor, loop.loop().log, "test"};

 private:
  std::vector<std::unique_ptr<Server>> servers_;
};

}  // namespace fairlead::transport
