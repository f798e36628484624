#include <fairlead/protocol/protocol_error.hpp>

#include <fairlead/protocol/method_aliases.hpp>
#include <gtest/gtest.h>

namespace fairlead::protocol::protocol_error_test {
namespace {

const Revision& old_one = *find_revision("2025-06-18");
const Revision& in_band = *find_revision("2025-11-25");
const Revision& stateless = *find_revision("2026-07-28");

WireError wire(const Error& error, const Revision& revision, ErrorDialect dialect = ErrorDialect::specification) {
  return std::get<WireError>(encode_error(error, revision, dialect));
}

std::string encoded(const Error& error, const Revision& revision, ErrorDialect dialect = ErrorDialect::specification) {
  const auto lowered = encode_error(error, revision, dialect);
  if (const auto* result = std::get_if<json::Payload>(&lowered)) return std::string(result->text());
  const auto& object = std::get<WireError>(lowered).error;
  return std::to_string(object.code) + " " + object.message +
         (object.data ? " " + std::string(object.data->text()) : "");
}

const auto no_tool = protocol_error(ProtocolError::unknown_tool, "", "nope");
const auto no_method = protocol_error(ProtocolError::unknown_method, "", "a/b");
const auto no_resource = protocol_error(ProtocolError::resource_missing, "", "x://a");
const auto no_prompt = protocol_error(ProtocolError::prompt_missing, "", "p");
const auto denied = protocol_error(ProtocolError::resource_denied, "not yours", "x://a");
const auto bad_arguments = protocol_error(ProtocolError::bad_arguments, "query is required", "answer");
const auto failed = protocol_error(ProtocolError::tool_failed, "disk \"full\"", "answer");

TEST(ProtocolErrors, UsesTheCodesOfJsonRpc_S3_16_S3_17_S3_18_S3_19_S3_20) {
  EXPECT_EQ(encoded(protocol_error(ProtocolError::parse, "expected ':' at byte 3"), old_one),
            R"(-32700 Parse error "expected ':' at byte 3")");
  EXPECT_EQ(encoded(protocol_error(ProtocolError::invalid_request, "why"), old_one), R"(-32600 Invalid Request "why")");
  EXPECT_EQ(wire(no_method, old_one).error.code, -32601);
  EXPECT_EQ(encoded(protocol_error(ProtocolError::invalid_params, "uri: is required"), old_one),
            "-32602 Invalid params: uri: is required");
  EXPECT_EQ(encoded(protocol_error(ProtocolError::internal, "secret path /etc"), old_one), "-32603 Internal error");
}

TEST(ProtocolErrors, NamesTheUnknownMethodInTheChainDialect_S3_28) {
  EXPECT_EQ(encoded(no_method, old_one, ErrorDialect::chain), R"(-32601 Method not found "Unknown method: a/b")");
}

TEST(ProtocolErrors, UnknownToolsDifferByDialect_S3_22_S3_29_S4_15_S4_21) {
  EXPECT_EQ(encoded(no_tool, old_one), "-32602 Unknown tool: nope");
  EXPECT_EQ(encoded(no_tool, stateless), "-32602 Unknown tool: nope");
  EXPECT_EQ(encoded(no_tool, old_one, ErrorDialect::answer), "-32601 Unknown tool");
  EXPECT_EQ(encoded(no_tool, old_one, ErrorDialect::chain), R"(-32001 Tool not found "Tool 'nope' does not exist")");
  EXPECT_EQ(encoded(no_tool, old_one, ErrorDialect::jsonrpc),
            R"(-32601 Method not found "Tool with name 'nope' does not exist.")");
}

TEST(ProtocolErrors, BadArgumentsBecomeToolResultsInNewerRevisions_S4_22) {
  EXPECT_EQ(encoded(bad_arguments, old_one), "-32602 Invalid arguments for tool answer: query is required");
  const std::string read_by_model = R"({"content":[{"type":"text","text":"query is required"}],"isError":true})";
  EXPECT_EQ(encoded(bad_arguments, in_band), read_by_model);
  EXPECT_EQ(encoded(bad_arguments, stateless), read_by_model);
  EXPECT_EQ(encoded(bad_arguments, in_band, ErrorDialect::answer),
            R"(-32001 answer: invalid arguments {"reason":"query is required"})");
  EXPECT_EQ(encoded(bad_arguments, in_band, ErrorDialect::chain), R"(-32602 Invalid params "query is required")");
  EXPECT_EQ(encoded(bad_arguments, in_band, ErrorDialect::jsonrpc), R"(-32602 Invalid params "query is required")");
}

TEST(ProtocolErrors, FailedToolsBecomeToolResults_S3_25_S4_23) {
  EXPECT_EQ(encoded(failed, old_one), R"({"content":[{"type":"text","text":"disk \"full\""}],"isError":true})");
  EXPECT_EQ(encoded(failed, old_one, ErrorDialect::answer), R"(-32001 answer failed {"message":"disk \"full\""})");
  EXPECT_EQ(encoded(failed, old_one, ErrorDialect::chain), R"(-32004 Tool execution failed "disk \"full\"")");
  EXPECT_EQ(encoded(failed, old_one, ErrorDialect::jsonrpc), R"(-32603 Internal error "disk \"full\"")");
}

TEST(ProtocolErrors, MissingResourcesAndPromptsDifferByDialect_S3_23_S3_24_S3_26) {
  EXPECT_EQ(encoded(no_resource, in_band), R"(-32002 Resource not found {"uri":"x://a"})");
  EXPECT_EQ(encoded(no_resource, stateless), R"(-32602 Resource not found {"uri":"x://a"})");
  EXPECT_EQ(wire(no_resource, in_band, ErrorDialect::chain).error.code, -32002);
  EXPECT_EQ(wire(no_resource, in_band, ErrorDialect::jsonrpc).error.code, -32601);
  EXPECT_EQ(encoded(no_prompt, in_band), "-32602 Unknown prompt: p");
  EXPECT_EQ(wire(no_prompt, in_band, ErrorDialect::chain).error.code, -32003);
  EXPECT_EQ(wire(denied, in_band).error.code, -32603);
  EXPECT_EQ(wire(denied, in_band, ErrorDialect::chain).error.code, -32005);
}

TEST(ProtocolErrors, StatelessErrorsHaveReservedCodes) {
  const auto version = protocol_error(ProtocolError::unsupported_version, "", "1999-01-01",
                                      R"({"supported":["2026-07-28"],"requested":"1999-01-01"})");
  EXPECT_EQ(encoded(version, stateless),
            R"(-32022 Unsupported protocol version {"supported":["2026-07-28"],"requested":"1999-01-01"})");
  EXPECT_EQ(wire(version, in_band).error.code, -32602);
  EXPECT_EQ(wire(protocol_error(ProtocolError::header_mismatch, "Mcp-Name"), stateless).error.code, -32020);
  EXPECT_EQ(wire(protocol_error(ProtocolError::missing_capability, "", "sampling"), stateless).error.code, -32021);
}

TEST(ProtocolErrors, UrlElicitationHasACodeInOneRevisionOnly) {
  const auto error = protocol_error(ProtocolError::url_elicitation, "visit first");
  EXPECT_EQ(wire(error, in_band).error.code, -32042);
  EXPECT_EQ(wire(error, stateless).error.code, -32603);
  EXPECT_EQ(wire(error, old_one).error.code, -32603);
}

TEST(ProtocolErrors, HaveAnHttpStatus) {
  EXPECT_EQ(wire(no_method, stateless).http_status, 404);
  EXPECT_EQ(wire(no_method, in_band).http_status, 200);
  EXPECT_EQ(wire(no_tool, stateless).http_status, 200);
  EXPECT_EQ(wire(protocol_error(ProtocolError::missing_envelope, "x"), stateless).http_status, 400);
  EXPECT_EQ(wire(protocol_error(ProtocolError::header_mismatch, "x"), stateless).http_status, 400);
  EXPECT_EQ(wire(protocol_error(ProtocolError::missing_capability, "x"), stateless).http_status, 400);
  EXPECT_EQ(tool_http_status(no_tool), 404);
  EXPECT_EQ(tool_http_status(denied), 403);
  EXPECT_EQ(tool_http_status(bad_arguments), 400);
  EXPECT_EQ(tool_http_status(failed), 500);
  EXPECT_EQ(tool_http_status(Error{.kind = ErrorKind::timeout, .message = ""}), 504);
}

TEST(ProtocolErrors, LocalErrorsUseCodesOutsideTheReservedRange) {
  EXPECT_EQ(encoded(Error{.kind = ErrorKind::timeout, .message = "no answer in 30 s"}, in_band),
            R"(408 no answer in 30 s {"source":"local"})");
  EXPECT_EQ(wire(Error{.kind = ErrorKind::closed, .message = "gone"}, in_band).error.code, 499);
}

TEST(ProtocolErrors, ForwardsErrorsOfAPeerUnchanged) {
  const Error peer{.kind = ErrorKind::refused, .message = "m", .code = -32099, .data = R"({"a":1})"};
  EXPECT_EQ(encoded(peer, stateless, ErrorDialect::chain), R"(-32099 m {"a":1})");
}

/// An error as another implementation words it.
struct PeerError {
  std::int64_t code;
  std::string message;
  std::string data = {};
};

ProtocolError decoded(const PeerError& error, const Revision& revision,
                      ErrorDialect dialect = ErrorDialect::specification) {
  jsonrpc::ErrorObject object{.code = error.code, .message = error.message};
  if (!error.data.empty()) object.data = json::Payload::trusted(error.data);
  return decode_error(object, revision, dialect);
}

// The texts are those of the TypeScript SDK, versions 1 and 2, of the conformance suite's server and of FastMCP.
TEST(ProtocolErrors, Finding_P3_DecodesErrorsByCode) {
  const std::string needs_sampling = R"({"requiredCapabilities":{"sampling":{}}})";
  EXPECT_EQ(decoded({-32021, "Missing required client capabilities: sampling", needs_sampling}, stateless),
            ProtocolError::missing_capability);
  EXPECT_EQ(decoded({-32020, "MCP-Protocol-Version header does not match _meta.protocolVersion"}, stateless),
            ProtocolError::header_mismatch);
  EXPECT_EQ(decoded({-32022, "Unsupported protocol version: 1999-01-01"}, stateless),
            ProtocolError::unsupported_version);
  EXPECT_EQ(decoded({-32002, "MCP error -32002: Resource note://x not found"}, in_band),
            ProtocolError::resource_missing);
  EXPECT_EQ(decoded({-32042, "MCP error -32042: URL elicitation required"}, in_band), ProtocolError::url_elicitation);
  EXPECT_EQ(decoded({-32601, "MCP error -32601: Unknown tool: nope"}, in_band), ProtocolError::unknown_method);
  EXPECT_EQ(decoded({-32602, "MCP error -32602: Tool nope not found"}, in_band), ProtocolError::invalid_params);
}

TEST(ProtocolErrors, Finding_P3_DecodesAMissingResourceByItsUri) {
  const PeerError missing{-32602, "Resource not found: note://x", R"({"uri":"note://x"})"};
  EXPECT_EQ(decoded(missing, stateless), ProtocolError::resource_missing);
  EXPECT_EQ(decoded(missing, in_band), ProtocolError::invalid_params);
}

TEST(ProtocolErrors, Finding_P3_DoesNotDecodeErrorsByMessage) {
  EXPECT_EQ(decoded({-32602, "Unknown tool: x"}, in_band), ProtocolError::invalid_params);
  EXPECT_EQ(decoded({-32602, "Unknown prompt: x"}, in_band), ProtocolError::invalid_params);
  EXPECT_EQ(decoded({-32603, "Resource access denied"}, in_band), ProtocolError::internal);
  // Session not found, request timeout, header mismatch: -32001 alone is ambiguous.
  EXPECT_EQ(decoded({-32001, "Session not found"}, in_band), ProtocolError::none);
  // Older servers use these codes for other errors.
  EXPECT_EQ(decoded({-32021, "Missing required client capability: sampling"}, in_band), ProtocolError::none);
}

TEST(ProtocolErrors, Finding_P3_DecodesUnambiguousCodesOfADialect) {
  EXPECT_EQ(decoded({-32001, "whatever"}, in_band, ErrorDialect::chain), ProtocolError::unknown_tool);
  EXPECT_EQ(decoded({-32001, "whatever"}, in_band, ErrorDialect::answer), ProtocolError::none)
      << "it has two meanings there";
}

TEST(ProtocolErrors, KeepsTheCauseInEveryDialect) {
  for (const auto dialect : {ErrorDialect::specification, ErrorDialect::chain}) {
    for (const auto& error : {no_tool, no_method, no_resource, no_prompt, denied}) {
      EXPECT_EQ(decode_error(wire(error, in_band, dialect).error, in_band, dialect), protocol_error_of(error));
    }
  }
}

TEST(Aliases, MapToTheNamesOfTheSpecification) {
  EXPECT_EQ(find_alias("initialized")->method, "notifications/initialized");
  EXPECT_EQ(find_alias("mcp/initialize")->method, "initialize");
  EXPECT_EQ(find_alias("mcp/discover")->hint, ErrorDialect::jsonrpc);
  EXPECT_EQ(find_alias("tools/call"), nullptr);
}

}  // namespace
}  // namespace fairlead::protocol::protocol_error_test
