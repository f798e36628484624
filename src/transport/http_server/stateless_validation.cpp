#include "transport/http_server/stateless_validation.hpp"

#include <fairlead/json/dom.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/era_codec.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <fairlead/protocol/unsupported_version.hpp>
#include <fmt/core.h>
#include <utility>

#include "transport/mcp_name_header.hpp"

namespace fairlead::transport {
namespace {

using protocol::protocol_error;
using protocol::ProtocolError;
using protocol::Revision;

std::unexpected<Error> header_mismatch(std::string message) {
  return std::unexpected(protocol_error(ProtocolError::header_mismatch, std::move(message)));
}

std::string_view meta_of(const jsonrpc::Request& call) {
  return call.param_spans.meta.in(call.params.text());
}

const Revision* served(std::string_view name) {
  const auto* revision = protocol::find_revision(name);
  return revision && revision->lifecycle == protocol::Lifecycle::stateless ? revision : nullptr;
}

// The codec reports what is missing.
std::unexpected<Error> bad_envelope(const jsonrpc::Request& call) {
  auto decoded = protocol::newest().codec->decode_request(call.params);
  if (!decoded) return std::unexpected(std::move(decoded.error()));
  return std::unexpected(protocol_error(ProtocolError::missing_envelope, "_meta must name version and capabilities"));
}

Result<void> check_version(const http::Request& request, const std::string& named) {
  const auto sent = protocol::find_header(request.headers, protocol::header::protocol_version);
  if (!sent) return std::unexpected(sent.error());
  if (!*sent)
    return header_mismatch(fmt::format("header {} is missing: send {}", protocol::header::protocol_version, named));
  if (**sent != named) {
    return header_mismatch(
        fmt::format("header {} differs from the version in _meta", protocol::header::protocol_version));
  }
  if (!served(named)) return std::unexpected(protocol::unsupported_version(named));
  return {};
}

Result<void> check_params(const http::Request& request, const jsonrpc::Request& call, SessionFactory& factory,
                          const std::optional<std::string>& tool) {
  if (call.method != protocol::CallTool::method || !tool) return {};
  const auto marked = factory.header_params(*tool, request.principal);
  if (marked.empty()) return {};
  const auto arguments = json::member_of(call.params.text(), "arguments");
  return protocol::check_param_headers(marked, request.headers,
                                       arguments.empty() ? boost::json::value() : json::parse_dom(arguments));
}

}  // namespace

bool claims_stateless(const json::Payload& params, const jsonrpc::ParamSpans& param_spans) {
  return param_spans.meta && protocol::claims_stateless(param_spans.meta.in(params.text()));
}

bool is_stateless(const jsonrpc::Request& request) {
  const auto version = protocol::claimed_version(meta_of(request));
  return version && served(*version);
}

bool header_is_stateless(const http::Request& request) {
  const auto sent = request.header(protocol::header::protocol_version);
  return sent && served(*sent);
}

Result<void> check_stateless(const http::Request& request, const jsonrpc::Request& call, SessionFactory& factory) {
  const auto version = protocol::claimed_version(meta_of(call));
  if (!version) return bad_envelope(call);
  if (auto checked = check_version(request, *version); !checked) return checked;
  const auto name = mcp_name_header(call.method, call.params, call.param_spans);
  const auto view = name ? std::optional<std::string_view>(*name) : std::nullopt;
  if (auto checked = protocol::check_routing_headers(request.headers, call.method, view); !checked) return checked;
  return check_params(request, call, factory, name);
}

}  // namespace fairlead::transport
