#include "session/era.hpp"

#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/aliases.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/unsupported_version.hpp>
#include <utility>

namespace fairlead::session {
namespace {

using protocol::Fault;
using protocol::fault_error;
using protocol::Revision;

std::unexpected<Error> refuse(Fault fault, std::string message, std::string subject = {}) {
  return std::unexpected(fault_error(fault, std::move(message), std::move(subject)));
}

// A method that some revision knows exists where its revision lists it. What no revision knows is an extension's: the
// service decides.
bool exists(const protocol::MethodSet Revision::* direction, const Revision& revision, const std::string& method) {
  const auto lists = [&](const Revision& other) { return (other.*direction).contains(method); };
  return lists(revision) || std::ranges::none_of(protocol::revisions(), lists);
}

std::unexpected<Error> unknown(const std::string& method) {
  return refuse(Fault::unknown_method, "", method);
}

}  // namespace

void Era::resolve_alias(std::string& method) {
  const auto* alias = protocol::find_alias(method);
  if (!alias) return;
  method = alias->method;
  if (options_.detect_dialect && dialect_ == protocol::Dialect::specification) dialect_ = alias->hint;
}

Result<Prepared> Era::prepare(const std::string& method, json::Payload& params, const jsonrpc::Landmarks& landmarks,
                              bool is_alias) {
  told_statelessly_ = false;
  if (options_.side == Side::client) return prepare_for_client(method, std::move(params));
  if (landmarks.meta && protocol::claims_stateless(landmarks.meta.in(params.text()))) {
    return prepare_stateless(method, params, landmarks);
  }
  if (stateless_) {
    told_statelessly_ = true;
    if (method == protocol::Initialize::method) {
      return std::unexpected(protocol::unsupported_version("a handshake, after stateless requests"));
    }
    return refuse(Fault::missing_envelope, "params._meta must name the protocol version and the client's capabilities");
  }
  if (method == protocol::Initialize::method) return open_handshake(std::move(params));
  return prepare_handshake(method, std::move(params), is_alias);
}

Result<Prepared> Era::prepare_stateless(const std::string& method, const json::Payload& params,
                                        const jsonrpc::Landmarks& landmarks) {
  told_statelessly_ = true;
  auto lifted = protocol::newest().codec->lift_request(params, landmarks.meta);
  if (!lifted) return std::unexpected(lifted.error());
  const auto* revision = protocol::find_revision(lifted->caller->revision);
  if (!revision || revision->lifecycle != protocol::Lifecycle::stateless) {
    return std::unexpected(protocol::unsupported_version(lifted->caller->revision));
  }
  if (!exists(&Revision::client_requests, *revision, method)) return unknown(method);
  if (method != protocol::Discover::method && !revision_) stateless_ = true;
  return Prepared{.revision = revision, .caller = std::move(lifted->caller), .params = std::move(lifted->params)};
}

Result<Prepared> Era::open_handshake(json::Payload params) {
  // Clients of one kind open in the same words, and thousands of them may be there: they share what was made of them.
  struct Opening {
    std::string words;
    const Revision* revision = nullptr;
    std::shared_ptr<const protocol::Caller> caller;
  };
  thread_local Opening last;
  if (!params.empty() && last.words == params.text()) {
    revision_ = last.revision;
    caller_ = last.caller;
    return Prepared{.revision = revision_, .caller = caller_, .params = std::move(params)};
  }
  auto asked = json::decode<protocol::InitializeParams>(params);
  if (!asked) return std::unexpected(asked.error());
  revision_ = asked->protocolVersion ? &protocol::negotiate(*asked->protocolVersion) : &protocol::assumed_over_http();
  protocol::Caller caller{.revision = std::string(revision_->name),
                          .capabilities = asked->capabilities.value_or(protocol::ClientCapabilities{}),
                          .info = asked->clientInfo};
  caller_ = std::make_shared<const protocol::Caller>(std::move(caller));
  constexpr std::size_t few_words = 1024;
  if (params.text().size() <= few_words) last = {std::string(params.text()), revision_, caller_};
  return Prepared{.revision = revision_, .caller = caller_, .params = std::move(params)};
}

Result<Prepared> Era::prepare_handshake(const std::string& method, json::Payload params, bool is_alias) {
  const bool always = method == protocol::Ping::method || (is_alias && method == protocol::Discover::method);
  if (!revision_ && !always && options_.lifecycle == Lifecycle::strict) {
    return refuse(Fault::invalid_request, "send initialize before " + method);
  }
  const auto& revision = revision_ ? *revision_ : protocol::newest_handshake();
  if (!always && !exists(&Revision::client_requests, revision, method)) return unknown(method);
  return Prepared{.revision = &revision, .caller = caller_, .params = std::move(params)};
}

Result<Prepared> Era::prepare_for_client(const std::string& method, json::Payload params) {
  const auto& revision = answers_in();
  if (!exists(&Revision::server_requests, revision, method)) return unknown(method);
  return Prepared{.revision = &revision, .caller = nobody(), .params = std::move(params)};
}

const Revision& Era::answers_in() const {
  if (told_statelessly_) return protocol::newest();
  return revision_ ? *revision_ : protocol::newest_handshake();
}

void Era::adopt(const Revision& revision, protocol::Caller self) {
  revision_ = &revision;
  caller_ = std::make_shared<const protocol::Caller>(std::move(self));
}

bool Era::accepts_batches() const {
  return !stateless_ && (revision_ ? revision_->batches : options_.lifecycle != Lifecycle::strict);
}

}  // namespace fairlead::session
