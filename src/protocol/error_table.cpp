#include "protocol/error_table.hpp"

#include <fairlead/protocol/error_codes.hpp>

namespace fairlead::protocol {
namespace {

using namespace jsonrpc::code;

using code::header_mismatch;
using code::missing_capability;
using code::resource_not_found;
using code::unsupported_version;
using code::url_elicitation;

ErrorFormat specification(ProtocolError kind, const Revision& revision) {
  const bool own = revision.reserved_error_codes;
  switch (kind) {
    case ProtocolError::none:
    case ProtocolError::internal: return {internal_error, "Internal error"};
    case ProtocolError::parse: return {parse_error, "Parse error", R"("%d")"};
    case ProtocolError::invalid_request: return {invalid_request, "Invalid Request", R"("%d")"};
    case ProtocolError::unknown_method: return {method_not_found, "Method not found", R"("Unknown method: %s")"};
    case ProtocolError::invalid_params: return {invalid_params, "Invalid params: %d"};
    case ProtocolError::unknown_tool: return {invalid_params, "Unknown tool: %s"};
    case ProtocolError::bad_arguments:
      return {invalid_params, "Invalid arguments for tool %s: %d", {}, revision.bad_arguments_in_band};
    case ProtocolError::tool_failed: return {internal_error, "%d", {}, true};
    case ProtocolError::resource_missing:
      return {own ? invalid_params : resource_not_found, "Resource not found", R"({"uri":"%s"})"};
    case ProtocolError::resource_denied: return {internal_error, "Resource access denied", R"({"uri":"%s"})"};
    case ProtocolError::prompt_missing: return {invalid_params, "Unknown prompt: %s"};
    case ProtocolError::bad_cursor: return {invalid_params, "Invalid cursor", R"("%d")"};
    case ProtocolError::missing_envelope: return {invalid_params, "Invalid params: %d"};
    case ProtocolError::unsupported_version:
      return {own ? unsupported_version : invalid_params, "Unsupported protocol version", R"({"requested":"%s"})"};
    case ProtocolError::header_mismatch: return {own ? header_mismatch : invalid_request, "Header mismatch: %d"};
    case ProtocolError::missing_capability:
      return {own ? missing_capability : internal_error, "Missing required client capability: %s"};
    case ProtocolError::url_elicitation:
      return {revision.url_elicitation_error ? url_elicitation : internal_error, "URL elicitation required: %d"};
  }
  return {internal_error, "Internal error"};
}

// The entries of a dialect; code 0 if it follows the specification.
ErrorFormat answer(ProtocolError kind) {
  switch (kind) {
    case ProtocolError::unknown_method: return {method_not_found, "Unknown method"};
    case ProtocolError::unknown_tool: return {method_not_found, "Unknown tool"};
    case ProtocolError::bad_arguments: return {-32001, "%s: invalid arguments", R"({"reason":"%d"})"};
    case ProtocolError::tool_failed: return {-32001, "%s failed", R"({"message":"%d"})"};
    default: return {};
  }
}

ErrorFormat chain(ProtocolError kind) {
  switch (kind) {
    case ProtocolError::unknown_tool: return {-32001, "Tool not found", R"("Tool '%s' does not exist")"};
    case ProtocolError::resource_missing: return {-32002, "Resource not found", R"("Resource '%s' does not exist")"};
    case ProtocolError::prompt_missing: return {-32003, "Prompt not found", R"("Prompt '%s' does not exist")"};
    case ProtocolError::tool_failed: return {-32004, "Tool execution failed", R"("%d")"};
    case ProtocolError::resource_denied: return {-32005, "Resource access denied", R"("%d")"};
    case ProtocolError::bad_arguments: return {invalid_params, "Invalid params", R"("%d")"};
    default: return {};
  }
}

ErrorFormat plain_jsonrpc(ProtocolError kind) {
  switch (kind) {
    case ProtocolError::unknown_tool:
      return {method_not_found, "Method not found", R"("Tool with name '%s' does not exist.")"};
    case ProtocolError::resource_missing:
      return {method_not_found, "Method not found", R"("Resource with uri '%s' does not exist.")"};
    case ProtocolError::prompt_missing:
      return {method_not_found, "Method not found", R"("Prompt with name '%s' does not exist.")"};
    case ProtocolError::bad_arguments: return {invalid_params, "Invalid params", R"("%d")"};
    case ProtocolError::tool_failed: return {internal_error, "Internal error", R"("%d")"};
    default: return {};
  }
}

}  // namespace

ErrorFormat error_format(ProtocolError kind, const Revision& revision, ErrorDialect dialect) {
  ErrorFormat own;
  switch (dialect) {
    case ErrorDialect::specification: break;
    case ErrorDialect::answer: own = answer(kind); break;
    case ErrorDialect::chain: own = chain(kind); break;
    case ErrorDialect::jsonrpc: own = plain_jsonrpc(kind); break;
  }
  return own.code != 0 ? own : specification(kind, revision);
}

}  // namespace fairlead::protocol
