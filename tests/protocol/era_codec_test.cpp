#include <fairlead/protocol/era_codec.hpp>

#include <fairlead/protocol/protocol_error.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace fairlead::protocol::era_codec_test {
namespace {

const Revision& named(std::string_view name) {
  return *find_revision(name);
}
Payload json(std::string text) {
  return *Payload::parse(std::move(text));
}

std::string encoded(std::string_view revision, std::string_view method, std::string body) {
  const ResultEnvelope result_envelope{.method = method};
  return std::string(
      named(revision).codec->encode_result(json(std::move(body)), result_envelope, named(revision)).text());
}

constexpr auto envelope =
    R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"sampling":{}})";

TEST(StatelessCodec, ExtractsTheClientIdentityFromParams) {
  const auto decoded =
      newest().codec->decode_request(json(std::string(R"({"name":"add","arguments":{"a":1.0},"_meta":{)") + envelope +
                                          R"(,"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},)"
                                          R"("io.modelcontextprotocol/logLevel":"debug","progressToken":"p1"}})"));

  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(decoded->params.text(), R"({"name":"add","arguments":{"a":1.0},"_meta":{"progressToken":"p1"}})");
  EXPECT_EQ(decoded->caller->revision, "2026-07-28");
  EXPECT_TRUE(decoded->caller->capabilities.sampling);
  EXPECT_EQ(decoded->caller->info->name, "c");
  EXPECT_EQ(decoded->caller->log_level, LoggingLevel::debug);
}

TEST(StatelessCodec, SharesTheIdentityOfEqualRequests) {
  const auto lift = [](const std::string& more) {
    return newest().codec->decode_request(json(R"({"_meta":{)" + std::string(envelope) + more + "}}"))->caller;
  };
  const auto first = lift("");
  EXPECT_EQ(lift(R"(,"progressToken":1)"), first);
  EXPECT_EQ(lift(R"(,"io.modelcontextprotocol/logLevel":"error")")->log_level, LoggingLevel::error);
  EXPECT_EQ(lift("")->log_level, std::nullopt);
}

TEST(StatelessCodec, RemovesAnEmptyMeta) {
  const auto decoded = newest().codec->decode_request(json(std::string(R"({"_meta":{)") + envelope + "}}"));
  EXPECT_EQ(decoded->params.text(), "{}");
}

TEST(StatelessCodec, AcceptsAMissingClientInfo) {
  EXPECT_TRUE(newest().codec->decode_request(json(std::string(R"({"_meta":{)") + envelope + "}}")));
}

TEST(StatelessCodec, NamesTheMissingKey) {
  for (const auto* params :
       {"{}", R"({"_meta":{}})", R"({"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}})"}) {
    const auto decoded = newest().codec->decode_request(json(params));
    ASSERT_FALSE(decoded) << params;
    EXPECT_EQ(protocol_error_of(decoded.error()), ProtocolError::missing_envelope);
    EXPECT_NE(decoded.error().message.find("protocolVersion"), std::string::npos) << decoded.error().message;
  }
  const auto decoded = newest().codec->decode_request(Payload());
  EXPECT_FALSE(decoded);
}

TEST(StatelessCodec, RefusesAnInvalidEnvelope) {
  const auto decoded = newest().codec->decode_request(json(
      R"({"_meta":{"io.modelcontextprotocol/protocolVersion":7,"io.modelcontextprotocol/clientCapabilities":{}}})"));
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().message,
            R"(_meta["io.modelcontextprotocol/protocolVersion"]: expected a string, got a number)");
}

std::shared_ptr<const ClientIdentity> client_named(std::string name) {
  return std::make_shared<const ClientIdentity>(
      ClientIdentity{.revision = "2026-07-28", .info = Implementation{.name = std::move(name), .version = "1"}});
}

TEST(StatelessCodec, AddsTheClientIdentityToParams) {
  const auto caller = client_named("c");
  const auto params = newest().codec->encode_request(json(R"({"name":"add","_meta":{"progressToken":7}})"), caller);
  EXPECT_EQ(params.text(),
            R"({"name":"add","_meta":{"progressToken":7,"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
            R"("io.modelcontextprotocol/clientCapabilities":{},)"
            R"("io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}}})");
}

TEST(StatelessCodec, AddsTheRightIdentityForAlternatingClients) {
  for (const std::string name : {"a", "b", "a"}) {
    const auto params = newest().codec->encode_request(json(R"({"name":"add"})"), client_named(name));
    const auto decoded = newest().codec->decode_request(params);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->caller->info->name, name);
    EXPECT_EQ(decoded->params.text(), R"({"name":"add"})");
  }
}

TEST(StatelessCodec, DecodesServerInfoOfAlternatingServers) {
  const auto lift = [](const char* name, const char* more) {
    const auto text = fmt::format(
        R"({{"ok":1,"_meta":{{"io.modelcontextprotocol/serverInfo":{{"name":"{}","version":"1"}}{}}},"resultType":"complete"}})",
        name, more);
    auto decoded = newest().codec->decode_result(json(text));
    return decoded && decoded->server ? decoded->server->name + std::string(decoded->body.text()) : "none";
  };
  EXPECT_EQ(lift("a", ""), R"(a{"ok":1})");
  EXPECT_EQ(lift("b", R"(,"x":2)"), R"(b{"ok":1,"_meta":{"x":2}})");
  EXPECT_EQ(lift("a", ""), R"(a{"ok":1})");
}

TEST(StatelessCodec, RemovesTheEnvelopeAtAnyPosition) {
  const std::string type = R"("resultType":"complete")";
  const std::string meta = R"("_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}})";
  for (const auto& text : {"{" + type + "," + meta + R"(,"a":1})", "{" + meta + R"(,"a":1,)" + type + "}",
                           R"({"a":1,)" + type + "," + meta + "}", R"({"a":1,)" + meta + " , " + type + "}"}) {
    const auto decoded = newest().codec->decode_result(json(text));
    ASSERT_TRUE(decoded) << text;
    EXPECT_EQ(decoded->body.text(), R"({"a":1})") << text;
    EXPECT_EQ(decoded->server->name, "s") << text;
  }
  const auto lone = newest().codec->decode_result(json("{" + meta + "," + type + "}"));
  ASSERT_TRUE(lone);
  EXPECT_EQ(lone->body.text(), "{}");
}

TEST(StatelessCodec, KeepsTheMetaOfTheHandler) {
  for (const auto* meta : {"{}", R"({"x":1})", "7", "77"}) {
    const auto body = fmt::format(R"({{"a":1,"_meta":{}}})", meta);
    const auto decoded = newest().codec->decode_result(json(body));
    ASSERT_TRUE(decoded) << meta;
    EXPECT_EQ(decoded->body.text(), body);
    EXPECT_EQ(decoded->server, nullptr);
  }
}

TEST(StatelessCodec, AddsTheEnvelopeToAnEmptyResult) {
  EXPECT_EQ(encoded("2026-07-28", "tools/call", "{}"), R"({"resultType":"complete"})");
  EXPECT_EQ(encoded("2026-07-28", "tools/call", "{ }"), R"({ "resultType":"complete"})");
}

TEST(StatelessCodec, CreatesParamsForARequestWithoutParams) {
  const auto params = newest().codec->encode_request({}, client_named("c"));
  EXPECT_TRUE(newest().codec->decode_request(params));
}

TEST(StatelessCodec, AddsTheEnvelopeToEveryResult) {
  EXPECT_EQ(encoded("2026-07-28", "tools/call", R"({"content":[],"isError":true})"),
            R"({"content":[],"isError":true,"resultType":"complete"})");
  EXPECT_EQ(encoded("2026-07-28", "tools/list", R"({"tools":[]})"),
            R"({"tools":[],"resultType":"complete","ttlMs":0,"cacheScope":"private"})");
}

TEST(StatelessCodec, KeepsTheCacheHintsOfTheHandler) {
  EXPECT_EQ(encoded("2026-07-28", "tools/list", R"({"tools":[],"ttlMs":60000,"cacheScope":"public"})"),
            R"({"tools":[],"ttlMs":60000,"cacheScope":"public","resultType":"complete"})");
}

TEST(StatelessCodec, AddsNoCacheHintsToInputRequired) {
  const ResultEnvelope result_envelope{.method = "resources/read", .kind = ResultKind::input_required};
  const auto body = newest().codec->encode_result(json(R"({"requestState":"s"})"), result_envelope, newest());
  EXPECT_EQ(body.text(), R"({"requestState":"s","resultType":"input_required"})");
}

TEST(StatelessCodec, AddsServerInfoToResults) {
  const Implementation server{.name = "s", .version = "1"};
  const ResultEnvelope result_envelope{.method = "tools/call", .server = &server};
  const auto body = newest().codec->encode_result(json(R"({"content":[],"_meta":{"x":1}})"), result_envelope, newest());
  EXPECT_EQ(body.text(),
            R"({"content":[],"_meta":{"x":1,"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}},)"
            R"("resultType":"complete"})");
}

// The schema requires name and version only; other members would be larger than most results.
TEST(StatelessCodec, Finding_P10_ResultsContainOnlyNameAndVersion) {
  Implementation server{.name = "s", .title = "S", .version = "1", .description = "A long one"};
  server.icons = {Icon{.src = "data:image/png;base64,AAAA"}};
  const auto encode = [&](std::string_view method, std::string_view body) {
    const ResultEnvelope result_envelope{.method = method, .server = &server};
    return std::string(newest().codec->encode_result(json(std::string(body)), result_envelope, newest()).text());
  };
  const std::string name = R"("io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"})";
  EXPECT_EQ(encode("tools/call", R"({"content":[]})"),
            R"({"content":[],"resultType":"complete","_meta":{)" + name + "}}");
  EXPECT_EQ(encode("tools/call", R"({"_meta":{"a":1}})"),
            R"({"_meta":{"a":1,)" + name + R"(},"resultType":"complete"})");
  EXPECT_THAT(encode("server/discover", "{}"), testing::HasSubstr("A long one"));
  server.version = "2";
  EXPECT_THAT(encode("tools/call", "{}"), testing::HasSubstr(R"("version":"2"})"));
}

TEST(StatelessCodec, AddsTheRightServerInfoForAlternatingServers) {
  Implementation server{.name = "s", .version = "1"};
  const auto encode = [&] {
    const ResultEnvelope result_envelope{.method = "server/discover", .server = &server};
    return std::string(
        newest().codec->encode_result(json(R"({"ttlMs":0,"cacheScope":"private"})"), result_envelope, newest()).text());
  };
  const auto with_info = [](std::string_view info) {
    return R"({"ttlMs":0,"cacheScope":"private","resultType":"complete",)"
           R"("_meta":{"io.modelcontextprotocol/serverInfo":)" +
           std::string(info) + "}}";
  };
  EXPECT_EQ(encode(), with_info(R"({"name":"s","version":"1"})"));
  server.title = "S";
  EXPECT_EQ(encode(), with_info(R"({"name":"s","title":"S","version":"1"})"));
  server.icons = {Icon{.src = "a"}};
  EXPECT_EQ(encode(), with_info(R"({"name":"s","title":"S","version":"1","icons":[{"src":"a"}]})"));
  server.icons->front().src = "b";
  EXPECT_EQ(encode(), with_info(R"({"name":"s","title":"S","version":"1","icons":[{"src":"b"}]})"));
}

TEST(StatelessCodec, ReadsAMissingResultTypeAsComplete) {
  const auto decoded = newest().codec->decode_result(json(R"({"content":[ ]})"));
  EXPECT_EQ(decoded->kind, ResultKind::complete);
  EXPECT_EQ(decoded->body.text(), R"({"content":[ ]})");
}

TEST(StatelessCodec, DistinguishesInputRequiredAndExtensions) {
  EXPECT_EQ(newest().codec->decode_result(json(R"({"resultType":"input_required"})"))->kind,
            ResultKind::input_required);
  const auto task = newest().codec->decode_result(json(R"({"resultType":"task","taskId":"t"})"));
  EXPECT_EQ(task->kind, ResultKind::other);
  EXPECT_EQ(task->other_kind, "task");
  EXPECT_FALSE(newest().codec->decode_result(json(R"({"resultType":5})")));
}

// Clients of the same revision as the server get its results unchanged.
TEST(HandshakeCodec, Finding_P7_KeepsAResultOfItsOwnRevision) {
  const std::string odd =
      R"({"content":[{"type":"newkind","x":1},{"type":"text","text":"t"}],"structuredContent":[1]})";
  const auto& revision = *find_revision("2025-11-25");
  const auto lower = [&](const char* written_in) {
    const ResultEnvelope result_envelope{.method = "tools/call",
                                         .written_in = written_in ? find_revision(written_in) : nullptr};
    return std::string(revision.codec->encode_result(json(odd), result_envelope, revision).text());
  };
  EXPECT_EQ(lower("2025-11-25"), odd);
  EXPECT_EQ(lower("2025-06-18"), odd);
  EXPECT_THAT(lower("2026-07-28"), testing::HasSubstr("[newkind]"));
  EXPECT_THAT(lower(nullptr), testing::HasSubstr("[newkind]"));
}

TEST(HandshakeCodec, RemovesMembersOfTheStatelessEra) {
  EXPECT_EQ(encoded("2025-11-25", "ping", R"({"resultType":"complete"})"), "{}");
  EXPECT_EQ(encoded("2025-06-18", "tools/list",
                    R"({"tools":[],"resultType":"complete","ttlMs":5,"cacheScope":"public",)"
                    R"("_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}})"),
            R"({"tools":[]})");
}

TEST(HandshakeCodec, KeepsOtherBytes) {
  const std::string body = R"({ "content" : [ {"type":"text", "text":"\u0041"} ], "x":1.50 })";
  EXPECT_EQ(encoded("2025-11-25", "tools/call", body), body);
}

TEST(HandshakeCodec, ConvertsNewerContentToText) {
  EXPECT_EQ(
      encoded("2024-11-05", "tools/call",
              R"({"content":[{"type":"text","text":"a"},{"type":"audio","data":"AA==","mimeType":"audio/wav"}]})"),
      R"({"content":[{"type":"text","text":"a"},{"type":"text","text":"[audio] audio/wav"}]})");
  EXPECT_EQ(encoded("2025-03-26", "prompts/get",
                    R"({"messages":[{"role":"user","content":{"type":"resource_link","uri":"x://a","name":"A"}}]})"),
            R"({"messages":[{"role":"user","content":{"type":"text","text":"[resource_link] A x://a"}}]})");
}

TEST(HandshakeCodec, RemovesUnsupportedStructuredContent) {
  const std::string list = R"({"content":[],"structuredContent":[1]})";
  const std::string object = R"({"content":[],"structuredContent":{"a":1}})";
  EXPECT_EQ(encoded("2025-11-25", "tools/call", list), R"({"content":[]})");
  EXPECT_EQ(encoded("2025-11-25", "tools/call", object), object);
  EXPECT_EQ(encoded("2025-03-26", "tools/call", object), R"({"content":[]})");
}

TEST(HandshakeCodec, RemovesUnsupportedOutputSchemas) {
  EXPECT_EQ(encoded("2025-11-25", "tools/list", R"({"tools":[{"name":"a","outputSchema":{"type":"array"}}]})"),
            R"({"tools":[{"name":"a"}]})");
}

TEST(HandshakeCodec, RemovesStatelessMembersFromRequests) {
  const auto params = newest_handshake().codec->encode_request(
      json(std::string(R"({"name":"a","requestState":"s","inputResponses":{},"_meta":{)") + envelope + "}}"), {});
  EXPECT_EQ(params.text(), R"({"name":"a"})");
}

TEST(EraCodec, DetectsStatelessRequests) {
  EXPECT_TRUE(claims_stateless(std::string("{") + envelope + "}"));
  EXPECT_FALSE(claims_stateless(R"({"progressToken":1})"));
  EXPECT_FALSE(claims_stateless(""));
}

}  // namespace
}  // namespace fairlead::protocol::era_codec_test
