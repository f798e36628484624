#include "session/revision_negotiator.hpp"

#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/extension.hpp>
#include <fairlead/protocol/method_aliases.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/unsupported_version.hpp>
#include <tuple>
#include <utility>

#include "base/last_value.hpp"

namespace fairlead::session {
namespace {

using protocol::ProtocolError;
using protocol::Revision;

std::unexpected<Error> unknown(const std::string& method) {
  return refuse(ProtocolError::unknown_method, "", method);
}

}  // namespace

std::string RevisionNegotiator::resolve_alias(std::string& method) {
  const auto* alias = protocol::find_alias(method);
  if (!alias) return {};
  if (options_.detect_dialect && dialect_ == protocol::ErrorDialect::specification) dialect_ = alias->hint;
  return std::exchange(method, std::string(alias->method));
}

Result<void> RevisionNegotiator::negotiate(jsonrpc::Request& request, bool is_alias, Call& call) {
  const auto& method = request.method;
  current_is_stateless_ = false;
  if (options_.side == Side::client) {
    if (!protocol::may_exist(&Revision::server_requests, error_revision(), method)) return unknown(method);
    call.context.revision = &error_revision();
    call.params = std::move(request.params);
    return {};
  }
  const auto meta = request.param_spans.meta;
  if (meta && protocol::claims_stateless(meta.in(request.params.text()))) return negotiate_stateless(request, call);
  if (stateless_) {
    current_is_stateless_ = true;
    if (method == protocol::Initialize::method) {
      return std::unexpected(protocol::unsupported_version("a handshake, after stateless requests"));
    }
    return refuse(ProtocolError::missing_envelope,
                  "params._meta must name the protocol version and the client's capabilities");
  }
  const bool initializes = method == protocol::Initialize::method;
  auto checked = initializes ? negotiate_initialize(request.params) : negotiate_handshake(method, is_alias);
  if (!checked) return checked;
  call.context.revision = revision_ ? revision_ : &protocol::newest_handshake();
  call.context.caller = caller_;
  call.params = std::move(request.params);
  return {};
}

Result<void> RevisionNegotiator::negotiate_stateless(jsonrpc::Request& request, Call& call) {
  current_is_stateless_ = true;
  auto decoded = protocol::newest().codec->decode_request(std::move(request.params), request.param_spans.meta);
  if (!decoded) return std::unexpected(decoded.error());
  const auto* revision = protocol::find_revision(decoded->caller->revision);
  if (!revision || revision->lifecycle != protocol::Lifecycle::stateless) {
    return std::unexpected(protocol::unsupported_version(decoded->caller->revision));
  }
  if (!protocol::may_exist(&Revision::client_requests, *revision, request.method)) return unknown(request.method);
  if (request.method != protocol::Discover::method && !revision_) stateless_ = true;
  call.context.revision = revision;
  call.context.caller = std::move(decoded->caller);
  call.params = std::move(decoded->params);
  return {};
}

Result<void> RevisionNegotiator::negotiate_initialize(const json::Payload& params) {
  // Thousands of clients may send an identical `initialize`: they share one decoded identity.
  thread_local LastValue<std::string, std::pair<const Revision*, std::shared_ptr<const protocol::ClientIdentity>>> last;
  if (const auto* known = last.find(params.text())) {
    std::tie(revision_, caller_) = *known;
    return {};
  }
  auto wanted = json::decode<protocol::InitializeParams>(params);
  if (!wanted) return std::unexpected(wanted.error());
  revision_ = wanted->protocolVersion ? &protocol::negotiate(*wanted->protocolVersion) : &protocol::assumed_over_http();
  protocol::ClientIdentity caller{.revision = std::string(revision_->name),
                                  .capabilities = wanted->capabilities.value_or(protocol::ClientCapabilities{}),
                                  .info = wanted->clientInfo};
  caller_ = std::make_shared<const protocol::ClientIdentity>(std::move(caller));
  constexpr std::size_t max_remembered_params = 1024;
  if (params.text().size() <= max_remembered_params) last.set(params.text(), {revision_, caller_});
  return {};
}

Result<void> RevisionNegotiator::negotiate_handshake(const std::string& method, bool is_alias) const {
  const bool always = method == protocol::Ping::method || (is_alias && method == protocol::Discover::method);
  if (!revision_ && !always && options_.handshake == HandshakePolicy::strict) {
    return refuse(ProtocolError::invalid_request, "send initialize before " + method);
  }
  const auto& revision = revision_ ? *revision_ : protocol::newest_handshake();
  if (!always && !protocol::may_exist(&Revision::client_requests, revision, method)) return unknown(method);
  return {};
}

const Revision& RevisionNegotiator::error_revision() const {
  if (current_is_stateless_) return protocol::newest();
  return revision_ ? *revision_ : protocol::newest_handshake();
}

void RevisionNegotiator::adopt(const Revision& revision, protocol::ClientIdentity self) {
  revision_ = &revision;
  caller_ = std::make_shared<const protocol::ClientIdentity>(std::move(self));
}

bool RevisionNegotiator::accepts_batches() const {
  return !stateless_ && (revision_ ? revision_->batches : options_.handshake != HandshakePolicy::strict);
}

}  // namespace fairlead::session
