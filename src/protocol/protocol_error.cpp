#include <fairlead/protocol/protocol_error.hpp>

#include <fairlead/json/object_edit.hpp>
#include <fairlead/json/writer.hpp>
#include <fairlead/protocol/error_codes.hpp>
#include <fairlead/protocol/model/tools.hpp>
#include <utility>

#include "protocol/error_table.hpp"

namespace fairlead::protocol {
namespace {

std::string escaped(std::string_view text) {
  std::string quoted;
  json::write_string(quoted, text);
  return quoted.substr(1, quoted.size() - 2);
}

std::string fill(std::string_view pattern, std::string_view subject, std::string_view detail) {
  std::string out;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const std::string_view mark = pattern.substr(at, 2);
    if (mark == "%s" || mark == "%d") {
      out += mark == "%s" ? subject : detail;
      ++at;
    } else {
      out += pattern[at];
    }
  }
  return out;
}

// Errors before dispatch also set the HTTP status; later ones are sent in the response stream.
int http_status(ProtocolError kind, const Revision& revision) {
  switch (kind) {
    case ProtocolError::unknown_method: return revision.reserved_error_codes ? 404 : 200;
    case ProtocolError::parse:
    case ProtocolError::invalid_request:
    case ProtocolError::missing_envelope:
    case ProtocolError::unsupported_version:
    case ProtocolError::header_mismatch: return 400;
    case ProtocolError::missing_capability: return revision.reserved_error_codes ? 400 : 200;
    default: return 200;
  }
}

// Errors of this process use the code of the matching HTTP status, outside the reserved range of JSON-RPC.
WireError local_error(const Error& error) {
  const int status = error.kind == ErrorKind::timeout ? 408 : 499;
  return {.error = {.code = status, .message = error.message, .data = json::Payload::trusted(R"({"source":"local"})")},
          .http_status = 200};
}

WireError forwarded_error(const Error& error) {
  jsonrpc::ErrorObject object{.code = error.code, .message = error.message};
  if (!error.data.empty()) object.data = json::Payload::trusted(error.data);
  return {.error = std::move(object)};
}

bool has_uri(const std::optional<json::Payload>& data) {
  return data && !json::member_of(*data, "uri").empty();
}

// Codes of JSON-RPC itself.
ProtocolError from_jsonrpc_code(const jsonrpc::ErrorObject& error, const Revision& revision) {
  switch (error.code) {
    case jsonrpc::code::parse_error: return ProtocolError::parse;
    case jsonrpc::code::invalid_request: return ProtocolError::invalid_request;
    case jsonrpc::code::method_not_found: return ProtocolError::unknown_method;
    case jsonrpc::code::invalid_params:
      return revision.reserved_error_codes && has_uri(error.data) ? ProtocolError::resource_missing
                                                                  : ProtocolError::invalid_params;
    case jsonrpc::code::internal_error: return ProtocolError::internal;
    default: return ProtocolError::none;
  }
}

// Codes that the newest revision reserves; older servers use them for other errors.
ProtocolError from_reserved_code(std::int64_t number) {
  switch (number) {
    case code::header_mismatch: return ProtocolError::header_mismatch;
    case code::missing_capability: return ProtocolError::missing_capability;
    case code::unsupported_version: return ProtocolError::unsupported_version;
    default: return ProtocolError::none;
  }
}

// A code that a dialect uses for several errors is not decoded.
ProtocolError from_dialect_code(std::int64_t number, const Revision& revision, ErrorDialect dialect) {
  ProtocolError found = ProtocolError::none;
  for (auto i = std::to_underlying(ProtocolError::parse); i <= std::to_underlying(ProtocolError::url_elicitation);
       ++i) {
    if (error_format(static_cast<ProtocolError>(i), revision, dialect).code != number) continue;
    if (found != ProtocolError::none) return ProtocolError::none;
    found = static_cast<ProtocolError>(i);
  }
  return found;
}

json::Payload tool_failure(const Error& error) {
  CallToolResult result;
  result.content.emplace_back(TextContent{.text = error.message});
  result.isError = true;
  return json::to_payload(result);
}

}  // namespace

Error protocol_error(ProtocolError kind, std::string message, std::string subject, std::string data) {
  return {.kind = ErrorKind::refused,
          .message = std::move(message),
          .code = 0,
          .data = std::move(data),
          .cause = std::to_underlying(kind),
          .subject = std::move(subject)};
}

std::unexpected<Error> refuse(ProtocolError kind, std::string message, std::string subject, std::string data) {
  return std::unexpected(protocol_error(kind, std::move(message), std::move(subject), std::move(data)));
}

ProtocolError protocol_error_of(const Error& error) {
  if (error.cause != 0) return static_cast<ProtocolError>(error.cause);
  return error.kind == ErrorKind::malformed ? ProtocolError::invalid_params : ProtocolError::internal;
}

EncodedError encode_error(const Error& error, const Revision& revision, ErrorDialect dialect) {
  if (plane(error.kind) == ErrorPlane::transport) return local_error(error);
  if (error.kind == ErrorKind::refused && error.cause == 0 && error.code != 0) return forwarded_error(error);

  const ProtocolError kind = protocol_error_of(error);
  const ErrorFormat format = error_format(kind, revision, dialect);
  if (format.in_band) return tool_failure(error);
  jsonrpc::ErrorObject object{.code = format.code, .message = fill(format.message, error.subject, error.message)};
  if (!error.data.empty()) {
    object.data = json::Payload::trusted(error.data);
  } else if (!format.data.empty()) {
    object.data = json::Payload::trusted(fill(format.data, escaped(error.subject), escaped(error.message)));
  }
  object.cause = std::to_underlying(kind);
  return WireError{.error = std::move(object), .http_status = http_status(kind, revision)};
}

ProtocolError decode_error(const jsonrpc::ErrorObject& error, const Revision& revision, ErrorDialect dialect) {
  if (error.cause != 0) return static_cast<ProtocolError>(error.cause);
  if (const auto kind = from_jsonrpc_code(error, revision); kind != ProtocolError::none) return kind;
  if (dialect != ErrorDialect::specification) return from_dialect_code(error.code, revision, dialect);
  switch (error.code) {
    case code::resource_not_found: return ProtocolError::resource_missing;
    case code::url_elicitation: return ProtocolError::url_elicitation;
    default: return revision.reserved_error_codes ? from_reserved_code(error.code) : ProtocolError::none;
  }
}

int tool_http_status(const Error& error) {
  if (error.kind == ErrorKind::timeout) return 504;
  switch (protocol_error_of(error)) {
    case ProtocolError::parse:
    case ProtocolError::invalid_request:
    case ProtocolError::invalid_params:
    case ProtocolError::bad_arguments:
    case ProtocolError::bad_cursor: return 400;
    case ProtocolError::unknown_method:
    case ProtocolError::unknown_tool:
    case ProtocolError::resource_missing:
    case ProtocolError::prompt_missing: return 404;
    case ProtocolError::resource_denied: return 403;
    default: return 500;
  }
}

}  // namespace fairlead::protocol
