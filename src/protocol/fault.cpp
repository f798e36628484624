#include <fairlead/protocol/fault.hpp>

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

// Before dispatch, a bad request is HTTP's business too; afterwards errors travel in band.
int http_status(Fault fault, const Revision& revision) {
  switch (fault) {
    case Fault::unknown_method: return revision.own_error_codes ? 404 : 200;
    case Fault::parse:
    case Fault::invalid_request:
    case Fault::missing_envelope:
    case Fault::unsupported_version:
    case Fault::header_mismatch: return 400;
    case Fault::missing_capability: return revision.own_error_codes ? 400 : 200;
    default: return 200;
  }
}

// Errors that no peer sent have the code of the HTTP status that tells the same, outside JSON-RPC's reserved range.
WireError local_error(const Error& error) {
  const int status = error.kind == ErrorKind::timeout ? 408 : 499;
  return {.error = {.code = status, .message = error.message, .data = json::Payload::trusted(R"({"source":"local"})")},
          .http_status = 200};
}

WireError passed_on(const Error& error) {
  jsonrpc::ErrorObject object{.code = error.code, .message = error.message};
  if (!error.data.empty()) object.data = json::Payload::trusted(error.data);
  return {.error = std::move(object)};
}

bool names_a_resource(const std::optional<json::Payload>& data) {
  return data && !json::member_of(*data, "uri").empty();
}

// JSON-RPC's own codes; most of ours share them.
Fault of_json_rpc(const jsonrpc::ErrorObject& error, const Revision& revision) {
  switch (error.code) {
    case jsonrpc::code::parse_error: return Fault::parse;
    case jsonrpc::code::invalid_request: return Fault::invalid_request;
    case jsonrpc::code::method_not_found: return Fault::unknown_method;
    case jsonrpc::code::invalid_params:
      return revision.own_error_codes && names_a_resource(error.data) ? Fault::resource_missing : Fault::invalid_params;
    case jsonrpc::code::internal_error: return Fault::internal;
    default: return Fault::none;
  }
}

// Before the newest revision reserved these codes, servers used them as they liked.
Fault of_newest(std::int64_t number) {
  switch (number) {
    case code::header_mismatch: return Fault::header_mismatch;
    case code::missing_capability: return Fault::missing_capability;
    case code::unsupported_version: return Fault::unsupported_version;
    default: return Fault::none;
  }
}

// A code that a dialect uses for several faults stands for none of them.
Fault of_dialect(std::int64_t number, const Revision& revision, Dialect dialect) {
  Fault found = Fault::none;
  for (auto i = std::to_underlying(Fault::parse); i <= std::to_underlying(Fault::url_elicitation); ++i) {
    if (telling(static_cast<Fault>(i), revision, dialect).code != number) continue;
    if (found != Fault::none) return Fault::none;
    found = static_cast<Fault>(i);
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

Error fault_error(Fault fault, std::string message, std::string subject, std::string data) {
  return {.kind = ErrorKind::refused,
          .message = std::move(message),
          .code = 0,
          .data = std::move(data),
          .cause = std::to_underlying(fault),
          .subject = std::move(subject)};
}

Fault fault_of(const Error& error) {
  if (error.cause != 0) return static_cast<Fault>(error.cause);
  return error.kind == ErrorKind::malformed ? Fault::invalid_params : Fault::internal;
}

LoweredError lower_error(const Error& error, const Revision& revision, Dialect dialect) {
  if (plane(error.kind) == ErrorPlane::transport) return local_error(error);
  if (error.kind == ErrorKind::refused && error.cause == 0 && error.code != 0) return passed_on(error);

  const Fault fault = fault_of(error);
  const Telling told = telling(fault, revision, dialect);
  if (told.in_band) return tool_failure(error);
  jsonrpc::ErrorObject object{.code = told.code, .message = fill(told.message, error.subject, error.message)};
  if (!error.data.empty()) {
    object.data = json::Payload::trusted(error.data);
  } else if (!told.data.empty()) {
    object.data = json::Payload::trusted(fill(told.data, escaped(error.subject), escaped(error.message)));
  }
  object.cause = std::to_underlying(fault);
  return WireError{.error = std::move(object), .http_status = http_status(fault, revision)};
}

Fault recognise(const jsonrpc::ErrorObject& error, const Revision& revision, Dialect dialect) {
  if (error.cause != 0) return static_cast<Fault>(error.cause);
  if (const auto fault = of_json_rpc(error, revision); fault != Fault::none) return fault;
  if (dialect != Dialect::specification) return of_dialect(error.code, revision, dialect);
  switch (error.code) {
    case code::resource_not_found: return Fault::resource_missing;
    case code::url_elicitation: return Fault::url_elicitation;
    default: return revision.own_error_codes ? of_newest(error.code) : Fault::none;
  }
}

int tool_http_status(const Error& error) {
  if (error.kind == ErrorKind::timeout) return 504;
  switch (fault_of(error)) {
    case Fault::parse:
    case Fault::invalid_request:
    case Fault::invalid_params:
    case Fault::bad_arguments:
    case Fault::bad_cursor: return 400;
    case Fault::unknown_method:
    case Fault::unknown_tool:
    case Fault::resource_missing:
    case Fault::prompt_missing: return 404;
    case Fault::resource_denied: return 403;
    default: return 500;
  }
}

}  // namespace fairlead::protocol
