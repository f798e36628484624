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

Telling specification(Fault fault, const Revision& revision) {
  const bool own = revision.own_error_codes;
  switch (fault) {
    case Fault::none:
    case Fault::internal: return {internal_error, "Internal error"};
    case Fault::parse: return {parse_error, "Parse error", R"("%d")"};
    case Fault::invalid_request: return {invalid_request, "Invalid Request", R"("%d")"};
    case Fault::unknown_method: return {method_not_found, "Method not found", R"("Unknown method: %s")"};
    case Fault::invalid_params: return {invalid_params, "Invalid params: %d"};
    case Fault::unknown_tool: return {invalid_params, "Unknown tool: %s"};
    case Fault::bad_arguments:
      return {invalid_params, "Invalid arguments for tool %s: %d", {}, revision.bad_arguments_in_band};
    case Fault::tool_failed: return {internal_error, "%d", {}, true};
    case Fault::resource_missing:
      return {own ? invalid_params : resource_not_found, "Resource not found", R"({"uri":"%s"})"};
    case Fault::resource_denied: return {internal_error, "Resource access denied", R"({"uri":"%s"})"};
    case Fault::prompt_missing: return {invalid_params, "Unknown prompt: %s"};
    case Fault::bad_cursor: return {invalid_params, "Invalid cursor", R"("%d")"};
    case Fault::missing_envelope: return {invalid_params, "Invalid params: %d"};
    case Fault::unsupported_version:
      return {own ? unsupported_version : invalid_params, "Unsupported protocol version", R"({"requested":"%s"})"};
    case Fault::header_mismatch: return {own ? header_mismatch : invalid_request, "Header mismatch: %d"};
    case Fault::missing_capability:
      return {own ? missing_capability : internal_error, "Missing required client capability: %s"};
    case Fault::url_elicitation:
      return {revision.url_elicitation_error ? url_elicitation : internal_error, "URL elicitation required: %d"};
  }
  return {internal_error, "Internal error"};
}

// A dialect's own cells; code 0 for those where it follows the specification.
Telling answer(Fault fault) {
  switch (fault) {
    case Fault::unknown_method: return {method_not_found, "Unknown method"};
    case Fault::unknown_tool: return {method_not_found, "Unknown tool"};
    case Fault::bad_arguments: return {-32001, "%s: invalid arguments", R"({"reason":"%d"})"};
    case Fault::tool_failed: return {-32001, "%s failed", R"({"message":"%d"})"};
    default: return {};
  }
}

Telling chain(Fault fault) {
  switch (fault) {
    case Fault::unknown_tool: return {-32001, "Tool not found", R"("Tool '%s' does not exist")"};
    case Fault::resource_missing: return {-32002, "Resource not found", R"("Resource '%s' does not exist")"};
    case Fault::prompt_missing: return {-32003, "Prompt not found", R"("Prompt '%s' does not exist")"};
    case Fault::tool_failed: return {-32004, "Tool execution failed", R"("%d")"};
    case Fault::resource_denied: return {-32005, "Resource access denied", R"("%d")"};
    case Fault::bad_arguments: return {invalid_params, "Invalid params", R"("%d")"};
    default: return {};
  }
}

Telling plain_jsonrpc(Fault fault) {
  switch (fault) {
    case Fault::unknown_tool: return {method_not_found, "Method not found", R"("Tool with name '%s' does not exist.")"};
    case Fault::resource_missing:
      return {method_not_found, "Method not found", R"("Resource with uri '%s' does not exist.")"};
    case Fault::prompt_missing:
      return {method_not_found, "Method not found", R"("Prompt with name '%s' does not exist.")"};
    case Fault::bad_arguments: return {invalid_params, "Invalid params", R"("%d")"};
    case Fault::tool_failed: return {internal_error, "Internal error", R"("%d")"};
    default: return {};
  }
}

}  // namespace

Telling telling(Fault fault, const Revision& revision, Dialect dialect) {
  Telling own;
  switch (dialect) {
    case Dialect::specification: break;
    case Dialect::answer: own = answer(fault); break;
    case Dialect::chain: own = chain(fault); break;
    case Dialect::jsonrpc: own = plain_jsonrpc(fault); break;
  }
  return own.code != 0 ? own : specification(fault, revision);
}

}  // namespace fairlead::protocol
