#include <fairlead/jsonrpc/read.hpp>

#include <fairlead/json/object_edit.hpp>
#include <gtest/gtest.h>

namespace fairlead::jsonrpc::read_test {
namespace {

/// The one message of a text.
template <class T>
T message_in(const std::string& text) {
  auto incoming = read(text);
  if (!incoming) {
    ADD_FAILURE() << text << ": " << write(incoming.error());
    return {};
  }
  auto* message = std::get_if<Message>(&*incoming);
  if (!message || !std::holds_alternative<T>(*message)) {
    ADD_FAILURE() << text << ": another kind";
    return {};
  }
  return std::get<T>(std::move(*message));
}

/// The reply to an invalid message.
std::string reply_to(const std::string& text, const ReadLimits& limits = {}) {
  const auto incoming = read(text, limits);
  return incoming ? "no error" : write(incoming.error());
}

std::string invalid(const std::string& id, const std::string& why) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"error":{"code":-32600,"message":"Invalid Request","data":")" + why +
         "\"}}";
}

TEST(Read, ReadsARequest) {
  const auto request =
      message_in<Request>(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add", "n": 1.50}})");
  EXPECT_EQ(request.id, Id(1));
  EXPECT_EQ(request.method, "tools/call");
  EXPECT_EQ(request.params.text(), R"({"name":"add", "n": 1.50})");
  EXPECT_EQ(request.extra, "");
}

TEST(Read, ReadsANotification) {
  const auto notification = message_in<Notification>(R"({"method":"notifications/initialized","jsonrpc":"2.0"})");
  EXPECT_EQ(notification.method, "notifications/initialized");
  EXPECT_TRUE(notification.params.empty());
}

TEST(Read, ReadsAResponseOfAnyResult_S4_13) {
  for (const char* result : {"{}", "[1, 2]", "null", "0", "\"\"", "false", R"({"error":{"code":1}})"}) {
    const auto response = message_in<Response>(std::string(R"({"jsonrpc":"2.0","id":"a","result":)") + result + "}");
    EXPECT_EQ(response.id, Id("a"));
    EXPECT_EQ(response.result.text(), result);
  }
}

TEST(Read, ResultsKnowAbsentNames) {
  const auto result_of = [](std::string_view result) {
    return message_in<Response>(R"({"jsonrpc":"2.0","id":1,"result":)" + std::string(result) + "}").result;
  };
  const auto failed = result_of(R"({"content":[{"resultType":1}],"isError":true})");
  EXPECT_EQ(json::member_of(failed, "isError"), "true");
  EXPECT_FALSE(failed.may_contain("resultType"));
  EXPECT_FALSE(failed.may_contain("_meta"));
  EXPECT_FALSE(result_of("{}").may_contain("isError"));
  EXPECT_TRUE(result_of("[1]").may_contain("isError"));
  // These two names share a bit.
  EXPECT_EQ(json::member_of(result_of(R"({"axb":1,"ayb":2})"), "ayb"), "2");
}

TEST(Read, EscapedNamesAreNotMissed) {
  const auto response = message_in<Response>(R"({"jsonrpc":"2.0","id":1,"result":{"a":1,"is\u0045rror":true}})");
  EXPECT_EQ(json::member_of(response.result, "isError"), "true");
  const auto request =
      message_in<Request>(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"\u005fmeta":{"a":1},"b":2}})");
  EXPECT_EQ(json::member_of(request.params, "_meta"), R"({"a":1})");
}

TEST(Read, ParamsKnowAbsentNames) {
  const auto request =
      message_in<Request>(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"name":"x","arguments":{"_meta":1}}})");
  EXPECT_TRUE(request.params.may_contain("name"));
  EXPECT_FALSE(request.params.may_contain("_meta"));
}

TEST(Read, ReadsAnErrorInsteadOfAResult_S4_13) {
  const auto response = message_in<ErrorResponse>(
      R"({"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"Method not found","data":[ 1 ]}})");
  EXPECT_EQ(response.id, Id(3));
  EXPECT_EQ(response.error.code, code::method_not_found);
  EXPECT_EQ(response.error.message, "Method not found");
  EXPECT_EQ(response.error.data->text(), "[ 1 ]");
}

TEST(Read, ReadsAnErrorWithoutAnIdOrData) {
  for (const char* id : {"", R"("id":null,)"}) {
    const auto response =
        message_in<ErrorResponse>(std::string(R"({"jsonrpc":"2.0",)") + id + R"("error":{"code":1,"message":""}})");
    EXPECT_FALSE(response.id);
    EXPECT_FALSE(response.error.data);
  }
}

TEST(Read, AcceptsMembersInAnyOrderAndWhiteSpace_S4_12) {
  const auto request = message_in<Request>(
      "\t{ \"params\" : { \"a\" : 1 } ,\r\n\"id\"\t: \"request-001\" , \"method\":\"x\" , \"jsonrpc\" : \"2.0\"\n} \n");
  EXPECT_EQ(request.id, Id("request-001"));
  EXPECT_EQ(request.method, "x");
  EXPECT_EQ(request.params.text(), "{ \"a\" : 1 }");
}

TEST(Read, AcceptsParamsThatAreAnObjectOrAnArray_S4_11) {
  EXPECT_EQ(message_in<Request>(R"({"jsonrpc":"2.0","id":1,"method":"m","params":[1]})").params.text(), "[1]");
  EXPECT_EQ(message_in<Request>(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{}})").params.text(), "{}");
  EXPECT_TRUE(message_in<Request>(R"({"jsonrpc":"2.0","id":1,"method":"m","params":null})").params.empty());
  for (const char* params : {"1", "\"a\"", "true"}) {
    EXPECT_EQ(reply_to(std::string(R"({"jsonrpc":"2.0","id":1,"method":"m","params":)") + params + "}"),
              invalid("1", R"(\"params\" must be an object or an array)"));
  }
}

TEST(Read, UnescapesTheMethod) {
  EXPECT_EQ(message_in<Notification>(R"({"jsonrpc":"2.0","method":"tools\/list\n"})").method, "tools/list\n");
}

TEST(Read, KeepsUnknownEnvelopeMembers) {
  const std::string text =
      R"({"jsonrpc":"2.0","x":[ 1 ],"id":1,"q\"\n":{"y":2},"method":"m","params":{"z":3},"\u0078y":"n"})";
  const auto request = message_in<Request>(text);
  EXPECT_EQ(request.extra, R"(,"x":[ 1 ],"q\"\n":{"y":2},"\u0078y":"n")");
  EXPECT_EQ(write(request),
            R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"z":3},"x":[ 1 ],"q\"\n":{"y":2},"\u0078y":"n"})");
  EXPECT_EQ(message_in<Response>(R"({"jsonrpc":"2.0","id":1,"result":{},"x":1})").extra, R"(,"x":1)");
  EXPECT_EQ(message_in<ErrorResponse>(R"({"jsonrpc":"2.0","error":{"code":1,"message":""},"x":1})").extra, R"(,"x":1)");
}

TEST(Read, RecognisesEscapedMembers) {
  const auto request = message_in<Request>(
      R"({"js\u006fnrpc":"2.0","i\u0064":1,"\u006dethod":"m","par\u0061ms":{"n\u0061me":"x","_met\u0061":{}}})");
  EXPECT_EQ(request.extra, "");
  EXPECT_EQ(string_at(request.params, request.param_spans.name), "x");
  EXPECT_EQ(request.param_spans.meta.in(request.params.text()), "{}");
  EXPECT_EQ(reply_to(R"({"jsonrpc":"2.0","id":1,"method":"m","m\u0065thod":"n"})").find("twice") != std::string::npos,
            true);
}

TEST(Read, FindsParamSpans) {
  const auto request = message_in<Request>(
      R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"a":{"name":"no"},"name": "add\n" ,"_meta": {"k":1},"uri":"x:y"}})");
  const auto params = request.params.text();
  EXPECT_EQ(request.param_spans.name.in(params), R"("add\n")");
  EXPECT_EQ(request.param_spans.uri.in(params), R"("x:y")");
  EXPECT_EQ(request.param_spans.meta.in(params), R"({"k":1})");
  EXPECT_EQ(string_at(request.params, request.param_spans.name), "add\n");
  EXPECT_FALSE(string_at(request.params, request.param_spans.meta));
}

TEST(Read, FindsNoParamSpansWithoutParams) {
  for (const char* params : {"{}", "[\"name\"]", "{\"x\":{\"name\":1}}"}) {
    const auto request = message_in<Request>(
        std::string(R"({"jsonrpc":"2.0","id":1,"method":"m","name":"top","params":)") + params + "}");
    EXPECT_EQ(request.param_spans, ParamSpans{}) << params;
    EXPECT_FALSE(string_at(request.params, request.param_spans.name));
  }
}

TEST(Read, ParamSpansSurviveACopy) {
  const auto request = message_in<Request>(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"name":"add"}})");
  const Request copy = request;
  EXPECT_EQ(string_at(copy.params, copy.param_spans.name), "add");
}

TEST(Read, RepliesToInvalidJson_S3_16_S3_27_S4_19) {
  const std::string head = R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error","data":")";
  EXPECT_EQ(reply_to(""), head + R"(the text is empty"}})");
  EXPECT_EQ(reply_to("\xFF"), head + R"(the text is not valid UTF-8"}})");
  EXPECT_EQ(reply_to(R"({"jsonrpc":"2.0","id":7,"method":)"), head + R"(expected a closing bracket at byte 32"}})");
  EXPECT_EQ(reply_to(R"([{"jsonrpc":"2.0","id":7},)"), head + R"(expected a closing bracket at byte 25"}})");
}

TEST(Read, RepliesToInvalidJsonRpc_S3_17_S4_20) {
  EXPECT_EQ(reply_to("1"), invalid("null", "a message is an object"));
  EXPECT_EQ(reply_to("\"x\""), invalid("null", "a message is an object"));
  EXPECT_EQ(reply_to(R"({"jsonrpc":"2.0","id":7})"),
            invalid("7", R"(exactly one of \"method\", \"result\" and \"error\" must be present)"));
  EXPECT_EQ(reply_to(R"({"jsonrpc":"2.0","id":"a","method":7})"), invalid("\"a\"", R"(\"method\" must be a string)"));
  EXPECT_EQ(reply_to(R"({"jsonrpc":"2.0","id":null,"method":"m"})"), invalid("null", R"(\"id\" must not be null)"));
  for (const char* id : {"true", "[1]", "{}"}) {
    EXPECT_EQ(reply_to(std::string(R"({"jsonrpc":"2.0","method":"m","id":)") + id + "}"),
              invalid("null", R"(\"id\" must be a string or a number)"));
  }
}

TEST(Read, RequiresTheJsonrpcMember_S0_08) {
  for (const char* member :
       {"", R"("jsonrpc":"1.0",)", R"("jsonrpc":2.0,)", R"("jsonrpc":null,)", R"("JSONRPC":"2.0",)"}) {
    EXPECT_EQ(reply_to(std::string("{") + member + R"("id":5,"method":"m"})"),
              invalid("5", R"(\"jsonrpc\" must be \"2.0\")"));
  }
}

TEST(Read, RequiresEitherAResultOrAnError_S4_13) {
  const auto reply = invalid("1", R"(exactly one of \"method\", \"result\" and \"error\" must be present)");
  EXPECT_EQ(reply_to(R"({"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}})"), reply);
  EXPECT_EQ(reply_to(R"({"jsonrpc":"2.0","id":1,"result":{},"error":null})"), reply);
  EXPECT_EQ(reply_to(R"({"jsonrpc":"2.0","id":1,"result":{},"method":"m"})"), reply);
  EXPECT_EQ(reply_to(R"({"jsonrpc":"2.0","result":{}})"), invalid("null", R"(a result must have an \"id\")"));
  EXPECT_EQ(reply_to(R"({"jsonrpc":"2.0","id":null,"result":{}})"), invalid("null", R"(a result must have an \"id\")"));
}

TEST(Read, NamesTheInvalidMemberOfAnError) {
  const auto reply = [](const std::string& error) {
    return reply_to(R"({"jsonrpc":"2.0","id":1,"error":)" + error + "}");
  };
  EXPECT_EQ(reply("\"x\""), invalid("1", R"(\"error\" must be an object)"));
  EXPECT_EQ(reply(R"({"code":1})"), invalid("1", "error.message: is required"));
  EXPECT_EQ(reply(R"({"code":"1","message":""})"), invalid("1", "error.code: expected an integer, got a string"));
}

TEST(Read, RefusesDuplicateNamesInIndexedObjects) {
  EXPECT_EQ(reply_to(R"({"jsonrpc":"2.0","id":1,"method":"a","method":"b"})"),
            invalid("1", "the same name appears twice in one object, at byte 49"));
  EXPECT_NE(reply_to(R"({"jsonrpc":"2.0","id":1,"method":"a","params":{"name":"a","name":"b"}})"), "no error");
  EXPECT_NE(reply_to(R"({"jsonrpc":"2.0","id":1,"method":"a","params":{"_meta":{"k":1,"k":2}}})"), "no error");
  EXPECT_EQ(reply_to(R"({"jsonrpc":"2.0","id":1,"method":"a","params":{"arguments":{"k":1,"k":2}}})"), "no error");
}

TEST(Read, OmitsTheIdIfThereAreTwo) {
  EXPECT_EQ(reply_to(R"({"jsonrpc":"2.0","id":1,"id":2,"method":"a"})"),
            invalid("null", "the same name appears twice in one object, at byte 43"));
}

TEST(Read, RecoversTheIdOfATooDeeplyNestedMessage) {
  const std::string deep = std::string(200, '[') + std::string(200, ']');
  const std::string params = R"("method":"m","params":{"\"id":0,"id":9,"a":")"
                             "\\\"{[\""
                             R"(,"b":)" +
                             deep + "}";
  const auto has_id = [](const std::string& reply, const std::string& id) {
    return reply.starts_with(R"({"jsonrpc":"2.0","id":)" + id +
                             R"(,"error":{"code":-32600,"message":"Invalid Request","data":"nested)");
  };
  EXPECT_TRUE(has_id(reply_to(R"({"jsonrpc":"2.0","id":77,)" + params + "}"), "77"));
  EXPECT_TRUE(has_id(reply_to(R"({"jsonrpc":"2.0",)" + params + R"(, "id" : "a\"b" })"), R"("a\"b")"));
  EXPECT_TRUE(has_id(reply_to(R"({"jsonrpc":"2.0",)" + params + R"(,"id":1.5})"), "1.5"));
  EXPECT_TRUE(has_id(reply_to(R"({"jsonrpc":"2.0",)" + params + "}"), "null"));
  EXPECT_TRUE(has_id(reply_to(R"({"jsonrpc":"2.0",)" + params + R"(,"id":{"id":3}})"), "null"));
  EXPECT_TRUE(has_id(reply_to(deep), "null"));
}

TEST(Read, FindsTheSameSpansAsLocateParams) {
  for (const char* params : {R"({"name":"a","x":{"uri":1},"_meta":{"k":[]}})", R"( { "uri" : "u" } )", "{}", "[1]"}) {
    auto incoming = read(R"({"jsonrpc":"2.0","id":1,"method":"m","params":)" + std::string(params) + "}");
    ASSERT_TRUE(incoming);
    const auto& request = std::get<Request>(std::get<Message>(*incoming));
    EXPECT_EQ(locate_params(request.params), request.param_spans) << params;
  }
}

TEST(Read, AcceptsTheMaximumDepth) {
  const auto text = [](std::size_t depth) {
    return R"({"jsonrpc":"2.0","id":1,"method":"m","params":)" + std::string(depth - 1, '[') +
           std::string(depth - 1, ']') + "}";
  };
  EXPECT_EQ(reply_to(text(128)), "no error");
  EXPECT_NE(reply_to(text(129)), "no error");
  EXPECT_EQ(reply_to(text(5), {.max_depth = 5}), "no error");
  EXPECT_NE(reply_to(text(6), {.max_depth = 5}), "no error");
  EXPECT_EQ(reply_to("[" + text(128) + "]"), "no error");
}

TEST(Read, RefusesEveryTruncation) {
  const std::string text =
      R"({"jsonrpc":"2.0","id":"a\u0041","method":"m","params":{"name":"é","_meta":{}},"x":[1.5]})";
  ASSERT_EQ(reply_to(text), "no error");
  for (std::size_t size = 0; size < text.size(); ++size) EXPECT_NE(reply_to(text.substr(0, size)), "no error") << size;
}

std::string answered_id(const std::string& text) {
  const auto incoming = read(text);
  if (incoming) return "no error";
  return incoming.error().answered_id ? incoming.error().answered_id->to_json() : "none";
}

TEST(Read, Finding_S13_RecoversTheIdOfAnInvalidResponse) {
  EXPECT_EQ(answered_id("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"\xff\"}"), "7");
  EXPECT_EQ(answered_id(R"({"jsonrpc":"2.0","id":"a","result":{},"result":{}})"), R"("a")");
  EXPECT_EQ(answered_id(R"({"result":{},"error":{"code":1,"message":""},"id":7,"jsonrpc":"2.0"})"), "7");
  EXPECT_EQ(answered_id(R"({"id":7,"result":{}})"), "7");
  EXPECT_EQ(answered_id(R"({"jsonrpc":"2.0","id":7,"error":[]})"), "7");
  EXPECT_EQ(answered_id(R"({"jsonrpc":"2.0","id":7,"result":{"text":"cut o)"), "7");
}

TEST(Read, Finding_S13_DoesNotGuessIds) {
  EXPECT_EQ(answered_id(R"({"jsonrpc":"2.0","id":7,"method":"x","result":{}})"), "none");
  EXPECT_EQ(answered_id(R"({"jsonrpc":"2.0","id":7,"method":"x","params":{"result":1},"params":{}})"), "none");
  EXPECT_EQ(answered_id(R"({"jsonrpc":"2.0","id":7,"method":"x","result":{},"result":{}})"), "none");
  EXPECT_EQ(answered_id(R"({"jsonrpc":"2.0","id":7,"id":8,"result":{}})"), "none");
  EXPECT_EQ(answered_id(R"({"jsonrpc":"2.0","result":{"id":7},"result":{}})"), "none");
  EXPECT_EQ(answered_id(R"({"jsonrpc":"2.0","id":7})"), "none");
  EXPECT_EQ(answered_id("result id 7"), "none");
}

}  // namespace
}  // namespace fairlead::jsonrpc::read_test
