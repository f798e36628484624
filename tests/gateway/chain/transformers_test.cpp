#include <fairlead/gateway/transformers.hpp>

#include <fairlead/json/dom.hpp>

#include "gateway/fixtures/chain_fixture.hpp"

namespace fairlead::gateway::test::transformers_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr auto tools = R"({"tools":[{"name":"get_weather","description":"Get current weather for a location"}]})";

struct Transformers : ChainTest {
  Transformers() {
    server.on_call = [](Call& call) -> Task<Result<Reply>> {
      if (call.method == "tools/list") co_return reply(tools);
      if (call.method == "initialize") co_return reply(R"({"serverInfo":{"name":"weather","version":"1"}})");
      co_return reply(std::string(call.params.text()));
    };
  }
};

TEST_F(Transformers, AnswersInsteadOfTheServer) {
  const auto guarded = chain()
                           .then([](Service& next, Call& call) -> Task<Result<Reply>> {
                             if (call.context.principal.empty()) co_return refuse("Authentication required", 401);
                             co_return co_await next.call(call);
                           })
                           .then(server);
  const auto refused = send_request(*guarded, tool_call("get_weather"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, 401);
  EXPECT_EQ(refused.error().message, "Authentication required");
  EXPECT_THAT(server.calls, ElementsAre());

  auto known = tool_call("get_weather");
  known.context.principal = "ann";
  EXPECT_TRUE(send_request(*guarded, std::move(known)));
}

TEST_F(Transformers, RewritesARequest) {
  const auto in_context = chain()
                              .then([](Call& call) {
                                call.params.edit([](boost::json::value& params) {
                                  params.at("arguments").as_object()["units"] = "metric";
                                });
                              })
                              .then(server);
  EXPECT_EQ(text(*in_context, tool_call("get_weather", R"({"location":"Oslo"})")),
            R"({"name":"get_weather","arguments":{"location":"Oslo","units":"metric"}})");
}

TEST_F(Transformers, APlainFunctionMayAnswer) {
  const auto closed = chain()
                          .then([](Call& call) -> ShortCircuit {
                            if (call.method == "tools/call") return refuse("closed on Sundays");
                            return std::nullopt;
                          })
                          .then(server);
  EXPECT_EQ(text(*closed, tool_call("get_weather")), "!closed on Sundays");
  EXPECT_EQ(text(*closed, call_of("prompts/get", R"({"name":"a"})")), R"({"name":"a"})");
}

TEST_F(Transformers, RewritesAReply) {
  const auto loud = chain()
                        .then([](Service& next, Call& call) -> Task<Result<Reply>> {
                          auto answer = co_await next.call(call);
                          if (answer) answer->body = json::Payload::trusted(R"({"instead":true})");
                          co_return answer;
                        })
                        .then(server);
  EXPECT_EQ(text(*loud, tool_call("get_weather")), R"({"instead":true})");
}

TEST_F(Transformers, NextMayBeCalledTwice) {
  const auto both =
      chain()
          .then([](Service& next, Call& call) -> Task<Result<Reply>> {
            Call first = call;
            const auto here = co_await next.call(first);
            call.params = json::Payload::trusted(R"({"name":"second"})");
            const auto there = co_await next.call(call);
            co_return reply("[" + std::string(here->body.text()) + "," + std::string(there->body.text()) + "]");
          })
          .then(server);
  EXPECT_EQ(text(*both, call_of("tools/call", R"({"name":"first"})")), R"([{"name":"first"},{"name":"second"}])");
  EXPECT_EQ(server.calls.size(), 2u);
}

TEST_F(Transformers, RewritesDescriptionsInMetadata) {
  const auto described = chain()
                             .then(
                                 [](json::Payload metadata) {
                                   metadata.edit([](boost::json::value& dict) {
                                     auto* list = dict.as_object().if_contains("tools");
                                     if (list) list->as_array()[0].as_object()["description"] = "Weather, in short";
                                   });
                                   return metadata;
                                 },
                                 nullptr)
                             .then(server);
  EXPECT_THAT(text(*described, call_of("tools/list")), HasSubstr("Weather, in short"));
  EXPECT_THAT(text(*described, call_of("initialize")), HasSubstr(R"("name":"weather")"));
}

TEST_F(Transformers, PassesTheMethodWithMetadata) {
  std::vector<std::string> methods;
  const auto watched = chain()
                           .then(
                               [&](std::string_view method, json::Payload metadata) {
                                 methods.emplace_back(method);
                                 return metadata;
                               },
                               nullptr)
                           .then(server);
  for (const auto* method : {"initialize", "server/discover", "tools/list", "resources/list",
                             "resources/templates/list", "prompts/list", "tools/call", "ping", "com.example/own"}) {
    text(*watched, call_of(method));
  }
  EXPECT_THAT(methods, ElementsAre("initialize", "server/discover", "tools/list", "resources/list",
                                   "resources/templates/list", "prompts/list"));
}

TEST_F(Transformers, ReplacesMetadataAltogether) {
  const auto offline =
      chain()
          .then([](Service&, Call&) -> Task<Result<Reply>> { co_return reply(R"({"tools":[]})"); }, nullptr)
          .then(server);
  EXPECT_EQ(text(*offline, call_of("tools/list")), R"({"tools":[]})");
  EXPECT_THAT(server.calls, ElementsAre());
  text(*offline, tool_call("x"));
  EXPECT_EQ(server.calls.size(), 1u);
}

TEST_F(Transformers, ReportsAMetadataError) {
  const auto broken =
      chain()
          .then([](json::Payload) -> Result<json::Payload> { return refuse("Metadata retrieval failed"); }, nullptr)
          .then(server);
  EXPECT_EQ(text(*broken, call_of("tools/list")), "!Metadata retrieval failed");
}

TEST_F(Transformers, ARequestTransformerSeesOtherRequestsOnly) {
  std::vector<std::string> methods;
  const auto log = [&](Call& call) { methods.push_back(call.method); };
  const auto watched = chain().then(log).then(nullptr, log).then(server);
  for (const auto* method : {"initialize", "tools/list", "tools/call", "resources/read", "com.example/own"}) {
    text(*watched, call_of(method));
  }
  EXPECT_THAT(methods, ElementsAre("tools/call", "tools/call", "resources/read", "resources/read", "com.example/own",
                                   "com.example/own"));
}

TEST_F(Transformers, CombinesMetadataAndRequestTransformers) {
  const auto renamed = chain()
                           .then(
                               [](json::Payload metadata) {
                                 auto written = std::string(metadata.text());
                                 if (const auto at = written.find("get_weather"); at != std::string::npos)
                                   written.replace(at, 11, "now");
                                 return json::Payload::trusted(std::move(written));
                               },
                               [](Call& call) { call.params = json::Payload::trusted(R"({"name":"get_weather"})"); })
                           .then(server);
  EXPECT_THAT(text(*renamed, call_of("tools/list")), HasSubstr(R"("name":"now")"));
  EXPECT_EQ(text(*renamed, tool_call("now")), R"({"name":"get_weather"})");
}

TEST_F(Transformers, PassesUnchangedMessagesByteForByte) {
  const auto odd = R"({"name" : "x",  "arguments":{"n":1.0e+02,"big":123456789012345678901234567890,"z":1,"a":2}})";
  const auto whole = chain().then([](Call&) {}).then([](json::Payload same) { return same; }, nullptr).then(server);
  EXPECT_EQ(text(*whole, call_of("tools/call", odd)), odd);
}

}  // namespace
}  // namespace fairlead::gateway::test::transformers_test
