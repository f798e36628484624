#include <boost/asio/post.hpp>

#include "transport/http_client/stateless_requests.hpp"

namespace fairlead::transport::streamable_requests_test {
namespace {

using namespace stateless_requests;
using testing::HasSubstr;
using testing::Not;

/// The second request uses the pooled connection.
class StreamableClientNextRequests : public StreamableClientRequests {
 protected:
  StreamableClient& open_keep_alive(std::string next) {
    auto& it = open([next, n = 0](const auto&, auto) mutable { return ++n == 1 ? json_answer(result(1)) : next; });
    send(it, request(1, "tools/list"));
    receive(it);
    return it;
  }
};

TEST_F(StreamableClientNextRequests, AreAnswered) {
  auto& it = open_keep_alive(json_answer(result(2), "Server-Timing: db;dur=5\r\n"));
  for (int i = 0; i < 3; ++i) {
    send(it, request(2, "tools/list"));
    auto received = loop.run(it.receive());
    ASSERT_TRUE(received);
    const auto& response = std::get<jsonrpc::Response>(std::get<jsonrpc::Message>(*received));
    ASSERT_TRUE(response.headers);
    EXPECT_EQ(response.headers->at(0).second, "db;dur=5");
  }
  EXPECT_EQ(server->connections(), 1U);
  EXPECT_EQ(scope.count(), 0U);
}

TEST_F(StreamableClientNextRequests, AreSentBeforeSendReturns) {
  auto& it = open_keep_alive(json_answer(result(2)));
  boost::asio::post(loop.context(), [&] { EXPECT_TRUE(it.send(message(request(2, "tools/list"))).is_ready()); });
  EXPECT_THAT(receive(it), HasSubstr(R"("id":2)"));
}

TEST_F(StreamableClientNextRequests, AreAnsweredByEventsToo) {
  auto& it = open_keep_alive(event_answer("data: " + result(2) + "\n\n"));
  send(it, request(2, "tools/list"));
  EXPECT_THAT(receive(it), HasSubstr(R"("id":2)"));
  EXPECT_EQ(server->requests().size(), 2U);
}

TEST_F(StreamableClientNextRequests, AreCancelledByClosingTheirConnection) {
  auto& it = open_keep_alive(std::string(Server::no_response));
  send(it, request(5, "tools/call", R"("name":"slow")"));
  turn_until([&] { return server->requests().size() == 2; });
  send(it, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}})");
  EXPECT_EQ(receive_lost(it).error.kind, ErrorKind::cancelled);
  turn_until([&] { return server->ended() == 1; });
  EXPECT_EQ(server->requests().size(), 2U);
}

TEST_F(StreamableClientNextRequests, AreNotRetriedIfTheServerDisconnects) {
  auto& it = open_keep_alive("");
  send(it, request(2, "tools/list"));
  EXPECT_EQ(receive_lost(it).error.kind, ErrorKind::closed);
  EXPECT_EQ(server->requests().size(), 2U);
}

TEST_F(StreamableClientNextRequests, RejectAResponseToAnotherRequest) {
  auto& it = open_keep_alive(json_answer(result(8)));
  send(it, request(7, "tools/list"));
  EXPECT_THAT(receive(it), HasSubstr(R"("id":8)"));
  EXPECT_EQ(receive_lost(it).error.kind, ErrorKind::malformed);
}

TEST_F(StreamableClientNextRequests, AreRetriedWithMissingHeaders) {
  auto& it = open([](const std::string& sent, auto) {
    if (has_method(sent, "ping")) return json_answer(result(1));
    if (has_method(sent, "tools/list")) {
      return json_answer(R"({"jsonrpc":"2.0","id":"fairlead-list","result":{"tools":[)" + std::string(marked) + "]}}");
    }
    if (has(sent, "Mcp-Param-Region: eu")) return json_answer(result(2));
    return json_answer(R"({"jsonrpc":"2.0","id":2,"error":{"code":-32020,"message":"Header mismatch"}})");
  });
  send(it, request(1, "ping"));
  receive(it);
  send(it, request(2, "tools/call", R"("name":"run","arguments":{"region":"eu"})"));
  EXPECT_THAT(receive(it), HasSubstr("complete"));
  EXPECT_EQ(server->requests().size(), 4U);
}

TEST_F(StreamableClientNextRequests, SendCurrentHeaders) {
  auto& it = open([](const std::string& sent, auto) {
    return json_answer(has_method(sent, "tools/list") ? tool_list(2, marked) : result(2));
  });
  const auto send_request = [&](std::string_view method, std::string_view params = "") {
    send(it, request(2, method, params));
    receive(it);
    const auto& sent = server->requests().back();
    return sent.substr(0, sent.find("\r\n\r\n"));
  };
  send_request("ping");
  for (const std::string name : {"one", "two", "one", "two"}) {
    EXPECT_THAT(send_request("tools/call", R"("name":")" + name + '"'),
                HasSubstr("Mcp-Method: tools/call\r\nMcp-Name: " + name));
    EXPECT_THAT(send_request("prompts/get", R"("name":")" + name + '"'),
                HasSubstr("Mcp-Method: prompts/get\r\nMcp-Name: " + name));
    EXPECT_THAT(send_request("resources/read", R"("uri":"x://)" + name + '"'), HasSubstr("Mcp-Name: x://" + name));
  }
  for (const std::string region : {"eu", "us"}) {
    const auto run = R"("name":"run","arguments":{"region":")" + region + R"("})";
    if (region == "eu") {
      EXPECT_THAT(send_request("tools/call", run), Not(HasSubstr("Mcp-Param")));
      send_request("tools/list");
    }
    EXPECT_THAT(send_request("tools/call", run), HasSubstr("Mcp-Param-Region: " + region));
  }
  EXPECT_EQ(server->connections(), 1U);
}

TEST_F(StreamableClientNextRequests, EndWithTheTransport) {
  auto& it = open_keep_alive(std::string(Server::no_response));
  send(it, request(7, "tools/list"));
  turn_until([&] { return server->requests().size() == 2; });
  it.close();
  EXPECT_THAT(receive(it), HasSubstr("closed:"));
  turn_until([&] { return server->ended() == 1 && scope.count() == 0; });
}

}  // namespace
}  // namespace fairlead::transport::streamable_requests_test
