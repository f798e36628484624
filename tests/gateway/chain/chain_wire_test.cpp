#include <fairlead/protocol/protocol_error.hpp>
#include <fairlead/server.hpp>
#include <stdexcept>

#include "gateway/fixtures/chain_fixture.hpp"
#include "gateway/fixtures/wire_client.hpp"

/// Passes wire messages of a client through session, era adapter and chain to a server and back (mcp-chain of the seed
/// document).
namespace fairlead::gateway::test::chain_wire_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct Confirm {
  bool yes = false;
};

/// Records all messages and changes nothing.
struct RecordingAccessCheck final : BidirectionalMiddleware {
  Task<Result<Reply>> call(Call& call, Service& next) override {
    seen.push_back(call.method);
    co_return co_await next.call(call);
  }
  Task<void> notify(Notification& notice, Service& next) override {
    seen.push_back(notice.method);
    return next.notify(notice);
  }
  Task<Result<Reply>> on_server_request(Call& question, Service& client) override {
    seen.push_back("< " + question.method);
    co_return co_await client.call(question);
  }
  bool on_server_notification(Notification& notice) override {
    seen.push_back("< " + notice.method);
    return true;
  }

  std::vector<std::string> seen;
};

struct ChainWireTest : testing::Test {
  ChainWireTest() {
    app.tool("get_weather", "Get current weather for a location", [](Arg<"location", std::string, "City name"> city) {
      return "The weather in " + *city + " is 72°F and sunny.";
    });
    app.tool("fail", "Fails", []() -> std::string { throw std::runtime_error("the disk is full"); });
    app.tool("work", "Works in steps", [](Context& context) -> Task<std::string> {
      co_await context.progress(1, 2);
      co_await context.progress(2, 2);
      co_return "done";
    });
    app.tool("deploy", "Asks first", [](Context& context) -> Task<std::string> {
      const auto answer = co_await context.elicit<Confirm>("Sure?");
      co_return answer.yes ? "deployed" : "left alone";
    });
    app.resource("file:///report.pdf", "Report", [] { return "text"; });
    app.resource("file:///broken", "Broken", []() -> std::string { throw std::runtime_error("a secret path"); });
    app.resource("file:///secret", "Secret", []() -> std::string {
      throw Failed(protocol::protocol_error(protocol::ProtocolError::resource_denied, "not yours", "file:///secret"));
    });
    app.prompt("code_review", "Review code", [](Arg<"language", std::string>) { return "Review it"; });
  }

  fairlead::test::TestLoop loop;
  Server app{"mcp-chain-server", "1.0.0"};
  std::shared_ptr<RecordingAccessCheck> witness = std::make_shared<RecordingAccessCheck>();
  std::shared_ptr<Service> whole = chain().then([](Call&) {}).then(witness).then(app);
};

TEST_F(ChainWireTest, S3_34_PassesMessagesThroughParserAdapterAndMiddleware) {
  WireClient line(loop, *whole);
  EXPECT_EQ(line.exchange(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}})")
                .substr(0, 71),
            R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-03-26","capab)");
  line.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  const auto called = line.exchange(
      R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_weather","arguments":{"location":"New York"}}})");
  EXPECT_THAT(called, StartsWith(R"({"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text",)"));
  EXPECT_THAT(called, HasSubstr("The weather in New York is 72°F and sunny."));
  EXPECT_THAT(witness->seen, ElementsAre("initialize", "notifications/initialized", "tools/call"));
}

TEST_F(ChainWireTest, S3_34_PassesEveryMethodThroughTheChain) {
  WireClient line(loop, *whole);
  line.open();
  witness->seen.clear();
  EXPECT_THAT(line.request("tools/list"), HasSubstr(R"("name":"get_weather")"));
  EXPECT_THAT(line.request("resources/list"), HasSubstr("file:///report.pdf"));
  EXPECT_THAT(line.request("resources/templates/list"), HasSubstr("resourceTemplates"));
  EXPECT_THAT(line.request("prompts/list"), HasSubstr("code_review"));
  EXPECT_THAT(line.request("resources/read", R"({"uri":"file:///report.pdf"})"), HasSubstr(R"("text":"text")"));
  EXPECT_THAT(line.request("prompts/get", R"({"name":"code_review","arguments":{"language":"c"}})"),
              HasSubstr("Review it"));
  EXPECT_THAT(line.request("resources/subscribe", R"({"uri":"file:///report.pdf"})"), HasSubstr(R"("result":{})"));
  EXPECT_THAT(line.request("resources/unsubscribe", R"({"uri":"file:///report.pdf"})"), HasSubstr(R"("result":{})"));
  EXPECT_THAT(line.request("logging/setLevel", R"({"level":"error"})"), HasSubstr(R"("result":{})"));
  line.send(R"({"jsonrpc":"2.0","method":"notifications/com.example","params":{}})");
  EXPECT_THAT(line.request("tools/call", R"({"name":"get_weather","arguments":{"location":"Rome"}})"),
              HasSubstr("Rome"));
  EXPECT_THAT(witness->seen,
              ElementsAre("tools/list", "resources/list", "resources/templates/list", "prompts/list", "resources/read",
                          "prompts/get", "resources/subscribe", "resources/unsubscribe", "logging/setLevel",
                          "notifications/com.example", "tools/call"));
}

TEST_F(ChainWireTest, S3_33_NegotiatesRoutesAndKeepsProtocolState) {
  session::SessionOptions strict;
  strict.handshake = session::HandshakePolicy::strict;
  WireClient line(loop, *whole, strict);
  EXPECT_THAT(line.request("tools/list"), HasSubstr(R"("code":-32600)"));
  EXPECT_THAT(witness->seen, ElementsAre());
  const auto hello = line.request("initialize", R"({"protocolVersion":"2025-03-26","capabilities":{}})");
  EXPECT_THAT(hello, HasSubstr(R"("serverInfo":{"name":"mcp-chain-server","version":"1.0.0"})"));
  for (const auto* declared : {R"("tools":{)", R"("resources":{)", R"("prompts":{)"}) {
    EXPECT_THAT(hello, HasSubstr(declared));
  }
  line.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
  EXPECT_THAT(line.request("tools/list"), HasSubstr(R"("tools":[)"));
  ASSERT_NE(line.session().revision(), nullptr);
  EXPECT_EQ(line.session().revision()->name, "2025-03-26");
  EXPECT_THAT(line.exchange("{oops"), HasSubstr(R"("id":null,"error":{"code":-32700)"));
  EXPECT_THAT(witness->seen, ElementsAre("initialize", "notifications/initialized", "tools/list"));
}

TEST_F(ChainWireTest, S3_35_PassesEveryErrorCodeThroughTheChain) {
  const auto with_failure = chain()
                                .then(witness)
                                .then([](Call& call) -> ShortCircuit {
                                  if (call.method == "vendor/limit") return refuse("slow down", -32050);
                                  return std::nullopt;
                                })
                                .then(app);
  WireClient line(loop, *with_failure);
  line.request("initialize", R"({"protocolVersion":"2025-03-26"})");
  line.send(R"({"jsonrpc":"2.0","method":"initialized"})");  // Selects the dialect of the error codes.
  const auto code = [](int number) { return HasSubstr(R"("error":{"code":)" + std::to_string(number) + ","); };
  EXPECT_THAT(line.exchange("{oops"), code(-32700));
  EXPECT_THAT(line.exchange(R"({"jsonrpc":"1.0","id":1,"method":"ping"})"), code(-32600));
  EXPECT_THAT(line.request("no/such"), code(-32601));
  EXPECT_THAT(line.request("tools/call", R"({"name":"get_weather","arguments":{}})"), code(-32602));
  EXPECT_THAT(line.request("resources/read", R"({"uri":"file:///broken"})"), code(-32603));
  EXPECT_THAT(line.request("vendor/limit"), code(-32050));
  EXPECT_THAT(line.request("tools/call", R"({"name":"unknown_tool"})"),
              HasSubstr(R"("code":-32001,"message":"Tool not found","data":"Tool 'unknown_tool' does not exist")"));
  EXPECT_THAT(line.request("resources/read", R"({"uri":"file:///none"})"), code(-32002));
  EXPECT_THAT(line.request("prompts/get", R"({"name":"none"})"), code(-32003));
  EXPECT_THAT(line.request("tools/call", R"({"name":"fail"})"), code(-32004));
  EXPECT_THAT(line.request("resources/read", R"({"uri":"file:///secret"})"), code(-32005));
}

TEST_F(ChainWireTest, PassesVendorMethods) {
  const auto extended = chain()
                            .then(witness)
                            .then([](Service& next, Call& call) -> Task<Result<Reply>> {
                              if (call.method != "com.example/own") co_return co_await next.call(call);
                              co_return reply(R"({"own":true})");
                            })
                            .then(app);
  WireClient line(loop, *extended);
  line.open();
  EXPECT_THAT(line.request("com.example/own"), HasSubstr(R"("result":{"own":true})"));
  EXPECT_THAT(line.request("com.example/other"), HasSubstr(R"("code":-32601)"));
  EXPECT_EQ(witness->seen.back(), "com.example/other");
}

TEST_F(ChainWireTest, SendsProgressInOrderBeforeTheReply) {
  WireClient line(loop, *whole);
  line.open();
  EXPECT_THAT(line.request("tools/call", R"({"name":"work","_meta":{"progressToken":"p"}})"),
              HasSubstr(R"("progressToken":"p","progress":1)"));
  EXPECT_THAT(line.receive(), HasSubstr(R"("progress":2)"));
  EXPECT_THAT(line.receive(), HasSubstr(R"("text":"done")"));
  EXPECT_THAT(witness->seen, testing::IsSupersetOf({"tools/call", "< notifications/progress"}));
}

TEST_F(ChainWireTest, PassesServerRequestsThroughTheChain) {
  WireClient line(loop, *whole);
  line.request("initialize", R"({"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}}})");
  const auto question = line.request("tools/call", R"({"name":"deploy"})");
  EXPECT_THAT(question, HasSubstr(R"("method":"elicitation/create")"));
  EXPECT_EQ(witness->seen.back(), "< elicitation/create");
  EXPECT_THAT(line.exchange(R"({"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"yes":true}}})"),
              HasSubstr("deployed"));
}

TEST_F(ChainWireTest, PassesListChangesThroughTheChain) {
  WireClient line(loop, *whole);
  line.open();
  app.tool("more", "", [] { return ""; });
  EXPECT_THAT(line.receive(), HasSubstr("notifications/tools/list_changed"));
  EXPECT_EQ(witness->seen.back(), "< notifications/tools/list_changed");
}

TEST_F(ChainWireTest, CancelsACallAtTheServerWithoutAReply) {
  bool ended = false;
  app.tool("wait", "Waits for ever", [&ended](Context& context) -> Task<std::string> {
    struct AtTheEnd {
      bool& ended;
      ~AtTheEnd() { ended = true; }
    } const at_the_end{ended};
    co_await context.elicit<Confirm>("Sure?");
    co_return "";
  });
  WireClient line(loop, *whole);
  line.request("initialize", R"({"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}}})");
  line.request("tools/call", R"({"name":"wait"})");
  EXPECT_FALSE(ended);
  line.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}})");
  line.send(R"({"jsonrpc":"2.0","id":10,"method":"tools/list"})");
  auto next = line.receive();
  if (next.find("cancelled") != std::string::npos) next = line.receive();  // The server request was cancelled.
  EXPECT_THAT(next, StartsWith(R"({"jsonrpc":"2.0","id":10,"result")"));
  EXPECT_TRUE(ended);
}

struct Thrower final : BidirectionalMiddleware {
  explicit Thrower(std::string at) : where(std::move(at)) {}
  void maybe(std::string_view here) const {
    if (here == where) throw std::runtime_error("a secret");
  }

  Task<Result<Reply>> call(Call& call, Service& next) override {
    maybe("call");
    return call_next(call, next);
  }
  Task<Result<Reply>> call_next(Call& call, Service& next) {
    maybe("coroutine");
    auto answer = co_await next.call(call);
    maybe("after");
    co_return answer;
  }
  Task<void> notify(Notification& notice, Service& next) override {
    maybe("notify");
    return next.notify(notice);
  }
  Task<Result<Reply>> on_server_request(Call& question, Service& client) override {
    maybe("ask_back");
    return client.call(question);
  }
  bool on_server_notification(Notification&) override {
    maybe("tell_back");
    return true;
  }

  std::string where;
};

TEST_F(ChainWireTest, MapsAnExceptionOfMiddlewareToAnInternalErrorWithoutText) {
  for (const auto* where : {"call", "coroutine", "after"}) {
    const auto broken = chain().then(Thrower(where)).then(app);
    WireClient line(loop, *broken);
    const auto answer = line.request("tools/call", R"({"name":"get_weather","arguments":{"location":"Rome"}})");
    EXPECT_THAT(answer, HasSubstr(R"("id":9,"error":{"code":-32603,"message":"Internal error")")) << where;
    EXPECT_THAT(answer, Not(HasSubstr("secret"))) << where;
  }
}

TEST_F(ChainWireTest, MapsAnExceptionOfAFunctionToAnInternalError) {
  const auto broken = chain().then([](Call&) { throw std::logic_error("a secret"); }).then(app);
  WireClient line(loop, *broken);
  const auto answer = line.request("tools/call", R"({"name":"get_weather"})");
  EXPECT_THAT(answer, HasSubstr(R"("code":-32603)"));
  EXPECT_THAT(answer, Not(HasSubstr("secret")));
}

TEST_F(ChainWireTest, AnExceptionInAServerRequestEndsThatCallOnly) {
  for (const auto* where : {"ask_back", "tell_back"}) {
    const auto broken = chain().then(Thrower(where)).then(app);
    WireClient line(loop, *broken);
    line.request("initialize", R"({"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}}})");
    const std::string tool = where == std::string("ask_back") ? "deploy" : "work";
    const auto answer = line.request("tools/call", R"({"name":")" + tool + R"(","_meta":{"progressToken":1}})");
    EXPECT_THAT(answer, StartsWith(R"({"jsonrpc":"2.0","id":9,)")) << where;
    EXPECT_THAT(line.request("tools/list"), HasSubstr("get_weather")) << where;
  }
}

TEST_F(ChainWireTest, AnExceptionInANotificationEndsNothing) {
  const auto broken = chain().then(Thrower("notify")).then(app);
  WireClient line(loop, *broken);
  line.open();
  EXPECT_THAT(line.request("tools/list"), HasSubstr("get_weather"));
}

}  // namespace
}  // namespace fairlead::gateway::test::chain_wire_test
