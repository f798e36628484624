#include <fairlead/protocol/fault.hpp>

#include <fairlead/protocol/aliases.hpp>
#include <gtest/gtest.h>

namespace fairlead::protocol::fault_test {
namespace {

const Revision& old_one = *find_revision("2025-06-18");
const Revision& in_band = *find_revision("2025-11-25");
const Revision& stateless = *find_revision("2026-07-28");

WireError wire(const Error& error, const Revision& revision, Dialect dialect = Dialect::specification) {
  return std::get<WireError>(lower_error(error, revision, dialect));
}

std::string told(const Error& error, const Revision& revision, Dialect dialect = Dialect::specification) {
  const auto lowered = lower_error(error, revision, dialect);
  if (const auto* result = std::get_if<json::Payload>(&lowered)) return std::string(result->text());
  const auto& object = std::get<WireError>(lowered).error;
  return std::to_string(object.code) + " " + object.message +
         (object.data ? " " + std::string(object.data->text()) : "");
}

const auto no_tool = fault_error(Fault::unknown_tool, "", "nope");
const auto no_method = fault_error(Fault::unknown_method, "", "a/b");
const auto no_resource = fault_error(Fault::resource_missing, "", "x://a");
const auto no_prompt = fault_error(Fault::prompt_missing, "", "p");
const auto denied = fault_error(Fault::resource_denied, "not yours", "x://a");
const auto bad_arguments = fault_error(Fault::bad_arguments, "query is required", "answer");
const auto failed = fault_error(Fault::tool_failed, "disk \"full\"", "answer");

TEST(Faults, UseTheCodesOfJsonRpc_S3_16_S3_17_S3_18_S3_19_S3_20) {
  EXPECT_EQ(told(fault_error(Fault::parse, "expected ':' at byte 3"), old_one),
            R"(-32700 Parse error "expected ':' at byte 3")");
  EXPECT_EQ(told(fault_error(Fault::invalid_request, "why"), old_one), R"(-32600 Invalid Request "why")");
  EXPECT_EQ(wire(no_method, old_one).error.code, -32601);
  EXPECT_EQ(told(fault_error(Fault::invalid_params, "uri: is required"), old_one),
            "-32602 Invalid params: uri: is required");
  EXPECT_EQ(told(fault_error(Fault::internal, "secret path /etc"), old_one), "-32603 Internal error");
}

TEST(Faults, NameTheUnknownMethodInChainsWords_S3_28) {
  EXPECT_EQ(told(no_method, old_one, Dialect::chain), R"(-32601 Method not found "Unknown method: a/b")");
}

TEST(Faults, OfUnknownToolsDifferByDialect_S3_22_S3_29_S4_15_S4_21) {
  EXPECT_EQ(told(no_tool, old_one), "-32602 Unknown tool: nope");
  EXPECT_EQ(told(no_tool, stateless), "-32602 Unknown tool: nope");
  EXPECT_EQ(told(no_tool, old_one, Dialect::answer), "-32601 Unknown tool");
  EXPECT_EQ(told(no_tool, old_one, Dialect::chain), R"(-32001 Tool not found "Tool 'nope' does not exist")");
  EXPECT_EQ(told(no_tool, old_one, Dialect::jsonrpc),
            R"(-32601 Method not found "Tool with name 'nope' does not exist.")");
}

TEST(Faults, OfBadArgumentsGoToTheModelOnceTheRevisionSaysSo_S4_22) {
  EXPECT_EQ(told(bad_arguments, old_one), "-32602 Invalid arguments for tool answer: query is required");
  const std::string read_by_model = R"({"content":[{"type":"text","text":"query is required"}],"isError":true})";
  EXPECT_EQ(told(bad_arguments, in_band), read_by_model);
  EXPECT_EQ(told(bad_arguments, stateless), read_by_model);
  EXPECT_EQ(told(bad_arguments, in_band, Dialect::answer),
            R"(-32001 answer: invalid arguments {"reason":"query is required"})");
  EXPECT_EQ(told(bad_arguments, in_band, Dialect::chain), R"(-32602 Invalid params "query is required")");
  EXPECT_EQ(told(bad_arguments, in_band, Dialect::jsonrpc), R"(-32602 Invalid params "query is required")");
}

TEST(Faults, OfFailedToolsGoToTheModel_S3_25_S4_23) {
  EXPECT_EQ(told(failed, old_one), R"({"content":[{"type":"text","text":"disk \"full\""}],"isError":true})");
  EXPECT_EQ(told(failed, old_one, Dialect::answer), R"(-32001 answer failed {"message":"disk \"full\""})");
  EXPECT_EQ(told(failed, old_one, Dialect::chain), R"(-32004 Tool execution failed "disk \"full\"")");
  EXPECT_EQ(told(failed, old_one, Dialect::jsonrpc), R"(-32603 Internal error "disk \"full\"")");
}

TEST(Faults, OfMissingResourcesAndPromptsDiffer_S3_23_S3_24_S3_26) {
  EXPECT_EQ(told(no_resource, in_band), R"(-32002 Resource not found {"uri":"x://a"})");
  EXPECT_EQ(told(no_resource, stateless), R"(-32602 Resource not found {"uri":"x://a"})");
  EXPECT_EQ(wire(no_resource, in_band, Dialect::chain).error.code, -32002);
  EXPECT_EQ(wire(no_resource, in_band, Dialect::jsonrpc).error.code, -32601);
  EXPECT_EQ(told(no_prompt, in_band), "-32602 Unknown prompt: p");
  EXPECT_EQ(wire(no_prompt, in_band, Dialect::chain).error.code, -32003);
  EXPECT_EQ(wire(denied, in_band).error.code, -32603);
  EXPECT_EQ(wire(denied, in_band, Dialect::chain).error.code, -32005);
}

TEST(Faults, OfTheStatelessEraHaveCodesOfTheirOwn) {
  const auto version = fault_error(Fault::unsupported_version, "", "1999-01-01",
                                   R"({"supported":["2026-07-28"],"requested":"1999-01-01"})");
  EXPECT_EQ(told(version, stateless),
            R"(-32022 Unsupported protocol version {"supported":["2026-07-28"],"requested":"1999-01-01"})");
  EXPECT_EQ(wire(version, in_band).error.code, -32602);
  EXPECT_EQ(wire(fault_error(Fault::header_mismatch, "Mcp-Name"), stateless).error.code, -32020);
  EXPECT_EQ(wire(fault_error(Fault::missing_capability, "", "sampling"), stateless).error.code, -32021);
}

TEST(Faults, OfUrlElicitationHaveACodeInOneRevisionOnly) {
  const auto error = fault_error(Fault::url_elicitation, "visit first");
  EXPECT_EQ(wire(error, in_band).error.code, -32042);
  EXPECT_EQ(wire(error, stateless).error.code, -32603);
  EXPECT_EQ(wire(error, old_one).error.code, -32603);
}

TEST(Faults, KnowTheirHttpStatus) {
  EXPECT_EQ(wire(no_method, stateless).http_status, 404);
  EXPECT_EQ(wire(no_method, in_band).http_status, 200);
  EXPECT_EQ(wire(no_tool, stateless).http_status, 200);
  EXPECT_EQ(wire(fault_error(Fault::missing_envelope, "x"), stateless).http_status, 400);
  EXPECT_EQ(wire(fault_error(Fault::header_mismatch, "x"), stateless).http_status, 400);
  EXPECT_EQ(wire(fault_error(Fault::missing_capability, "x"), stateless).http_status, 400);
  EXPECT_EQ(tool_http_status(no_tool), 404);
  EXPECT_EQ(tool_http_status(denied), 403);
  EXPECT_EQ(tool_http_status(bad_arguments), 400);
  EXPECT_EQ(tool_http_status(failed), 500);
  EXPECT_EQ(tool_http_status(Error{.kind = ErrorKind::timeout, .message = ""}), 504);
}

TEST(Faults, ThatNoPeerSentStayOutsideTheReservedCodes) {
  EXPECT_EQ(told(Error{.kind = ErrorKind::timeout, .message = "no answer in 30 s"}, in_band),
            R"(408 no answer in 30 s {"source":"local"})");
  EXPECT_EQ(wire(Error{.kind = ErrorKind::closed, .message = "gone"}, in_band).error.code, 499);
}

TEST(Faults, OfAPeerPassThroughUnchanged) {
  const Error peer{.kind = ErrorKind::refused, .message = "m", .code = -32099, .data = R"({"a":1})"};
  EXPECT_EQ(told(peer, stateless, Dialect::chain), R"(-32099 m {"a":1})");
}

/// An error as another implementation words it.
struct Foreign {
  std::int64_t code;
  std::string message;
  std::string data = {};
};

Fault meaning(const Foreign& error, const Revision& revision, Dialect dialect = Dialect::specification) {
  jsonrpc::ErrorObject object{.code = error.code, .message = error.message};
  if (!error.data.empty()) object.data = json::Payload::trusted(error.data);
  return recognise(object, revision, dialect);
}

// The texts are those of the TypeScript SDK, versions 1 and 2, of the conformance suite's server and of FastMCP.
TEST(Faults, Finding_P3_OfOthersAreRecognisedByTheirCode) {
  const std::string needs_sampling = R"({"requiredCapabilities":{"sampling":{}}})";
  EXPECT_EQ(meaning({-32021, "Missing required client capabilities: sampling", needs_sampling}, stateless),
            Fault::missing_capability);
  EXPECT_EQ(meaning({-32020, "MCP-Protocol-Version header does not match _meta.protocolVersion"}, stateless),
            Fault::header_mismatch);
  EXPECT_EQ(meaning({-32022, "Unsupported protocol version: 1999-01-01"}, stateless), Fault::unsupported_version);
  EXPECT_EQ(meaning({-32002, "MCP error -32002: Resource note://x not found"}, in_band), Fault::resource_missing);
  EXPECT_EQ(meaning({-32042, "MCP error -32042: URL elicitation required"}, in_band), Fault::url_elicitation);
  EXPECT_EQ(meaning({-32601, "MCP error -32601: Unknown tool: nope"}, in_band), Fault::unknown_method);
  EXPECT_EQ(meaning({-32602, "MCP error -32602: Tool nope not found"}, in_band), Fault::invalid_params);
}

TEST(Faults, Finding_P3_OfAMissingResourceHaveItsUriInTheNewestRevision) {
  const Foreign missing{-32602, "Resource not found: note://x", R"({"uri":"note://x"})"};
  EXPECT_EQ(meaning(missing, stateless), Fault::resource_missing);
  EXPECT_EQ(meaning(missing, in_band), Fault::invalid_params);
}

TEST(Faults, Finding_P3_AreNotRecognisedByTheirWords) {
  EXPECT_EQ(meaning({-32602, "Unknown tool: x"}, in_band), Fault::invalid_params);
  EXPECT_EQ(meaning({-32602, "Unknown prompt: x"}, in_band), Fault::invalid_params);
  EXPECT_EQ(meaning({-32603, "Resource access denied"}, in_band), Fault::internal);
  // Session not found, request timeout, header mismatch: -32001 alone means nothing.
  EXPECT_EQ(meaning({-32001, "Session not found"}, in_band), Fault::none);
  // Before they were reserved, servers used these as they liked.
  EXPECT_EQ(meaning({-32021, "Missing required client capability: sampling"}, in_band), Fault::none);
}

TEST(Faults, Finding_P3_OfADialectAreRecognisedWhereTheirCodeIsTheirOwn) {
  EXPECT_EQ(meaning({-32001, "whatever"}, in_band, Dialect::chain), Fault::unknown_tool);
  EXPECT_EQ(meaning({-32001, "whatever"}, in_band, Dialect::answer), Fault::none) << "it has two meanings there";
}

TEST(Faults, OfThisProcessKeepTheirMeaningInEveryDialect) {
  for (const auto dialect : {Dialect::specification, Dialect::chain}) {
    for (const auto& error : {no_tool, no_method, no_resource, no_prompt, denied}) {
      EXPECT_EQ(recognise(wire(error, in_band, dialect).error, in_band, dialect), fault_of(error));
    }
  }
}

TEST(Aliases, LeadToTheSpecificationsNames) {
  EXPECT_EQ(find_alias("initialized")->method, "notifications/initialized");
  EXPECT_EQ(find_alias("mcp/initialize")->method, "initialize");
  EXPECT_EQ(find_alias("mcp/discover")->hint, Dialect::jsonrpc);
  EXPECT_EQ(find_alias("tools/call"), nullptr);
}

}  // namespace
}  // namespace fairlead::protocol::fault_test
