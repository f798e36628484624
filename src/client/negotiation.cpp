#include "client/negotiation.hpp"

#include <algorithm>
#include <fairlead/base/diagnosis.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/error_codes.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <utility>

namespace fairlead::client {
namespace {

using protocol::Revision;
using session::Session;

/// The input of a negotiation.
struct Negotiation {
  Session& session;
  const ClientOptions& options;
  protocol::ClientCapabilities capabilities;
  bool over_http = false;

  protocol::ClientIdentity identity_for(const Revision& revision) const {
    return {.revision = std::string(revision.name), .capabilities = capabilities, .info = options.client_info};
  }
};

/// The newest revision of this lifecycle that both sides support; null if there is none.
const Revision* newest_common(const std::vector<std::string>& theirs, protocol::Lifecycle lifecycle) {
  const Revision* best = nullptr;
  for (const auto& ours : protocol::revisions()) {
    if (ours.lifecycle == lifecycle && std::ranges::find(theirs, ours.name) != theirs.end()) best = &ours;
  }
  return best;
}

/// The supported revisions that an error names.
std::vector<std::string> offered_by(const Error& error) {
  struct Offer {
    std::vector<std::string> supported = {};
  };
  if (error.kind != ErrorKind::refused || error.data.empty()) return {};
  auto offer = json::decode<Offer>(error.data);
  return offer ? std::move(offer->supported) : std::vector<std::string>();
}

std::unexpected<Error> no_common(const std::string& theirs) {
  std::string ours;
  for (const auto& revision : protocol::revisions()) ours += (ours.empty() ? "" : ", ") + std::string(revision.name);
  return fail(ErrorKind::refused, "no common revision: the server supports " + (theirs.empty() ? "none" : theirs) +
                                      ", this client " + ours + "; update the older one");
}

json::Extra extra_with_meta(json::Extra extra, std::optional<json::Payload> meta) {
  if (meta) extra.members.emplace_back("_meta", std::move(*meta));
  return extra;
}

template <class Method>
Task<Result<typename Method::Result>> send_request(Negotiation& state, const Revision& revision,
                                                   typename Method::Params params, Duration timeout) {
  session::Call call{.method = std::string(Method::method),
                     .params = json::to_payload(params),
                     .timeouts = {.idle = timeout, .total = timeout}};
  call.context.revision = &revision;
  auto reply = co_await state.session.peer().call(call);
  if (!reply) co_return std::unexpected(with_step(std::move(reply.error()), Method::method));
  co_return json::decode<typename Method::Result>(reply->body);
}

Task<Result<ServerDescription>> discover(Negotiation& state, const Revision& revision, Duration timeout) {
  state.session.adopt(revision, state.identity_for(revision));
  protocol::Empty nothing;
  auto found = co_await send_request<protocol::Discover>(state, revision, std::move(nothing), timeout);
  if (!found) co_return std::unexpected(std::move(found.error()));
  const auto* common = newest_common(found->supportedVersions, protocol::Lifecycle::stateless);
  if (!common) {
    // Reported as a refusal with the server's revisions, so that the caller can initialize with one of them.
    Error error{.kind = ErrorKind::refused, .message = "the server supports no stateless revision"};
    json::ObjectWriter(error.data).raw("supported", json::encode(found->supportedVersions));
    co_return std::unexpected(std::move(error));
  }
  state.session.adopt(*common, state.identity_for(*common));
  ServerDescription server{.revision = common,
                           .capabilities = std::move(found->capabilities),
                           .instructions = std::move(found->instructions),
                           .extra = extra_with_meta(std::move(found->extra), std::move(found->_meta))};
  if (const auto& self = state.session.last_server_info()) server.info = *self;
  co_return server;
}

Task<Result<ServerDescription>> initialize(Negotiation& state, const Revision& offer) {
  state.session.adopt(offer, state.identity_for(offer));
  protocol::InitializeParams params{.protocolVersion = std::string(offer.name),
                                    .capabilities = state.capabilities,
                                    .clientInfo = state.options.client_info};
  auto answer =
      co_await send_request<protocol::Initialize>(state, offer, std::move(params), state.options.timeouts.idle);
  if (!answer) co_return std::unexpected(std::move(answer.error()));
  const auto* agreed = protocol::find_revision(answer->protocolVersion);
  if (!agreed || agreed->lifecycle != protocol::Lifecycle::handshake) co_return no_common(answer->protocolVersion);
  state.session.adopt(*agreed, state.identity_for(*agreed));
  session::Notification done{.method = std::string(protocol::Initialized::method)};
  co_await state.session.peer().notify(done);
  co_return ServerDescription{.revision = agreed,
                              .info = std::move(answer->serverInfo),
                              .capabilities = std::move(answer->capabilities),
                              .instructions = std::move(answer->instructions),
                              .extra = extra_with_meta(std::move(answer->extra), std::move(answer->_meta))};
}

/// True if the other era should not be tried after this error.
bool is_conclusive(const Error& error, bool over_http) {
  if (error.kind == ErrorKind::closed || error.kind == ErrorKind::cancelled) return true;
  if (error.kind == ErrorKind::timeout) return over_http;
  const auto status = error.code;
  return status == 401 || status == 403 || status == 407 || status == 429 || (status >= 500 && status < 600) ||
         status == protocol::code::header_mismatch || status == protocol::code::missing_capability;
}

/// True if the server rejected an unknown method in an orderly way, so that the connection can still be initialized.
/// After any other error, or none, the server may have taken server/discover for its handshake.
bool leaves_connection_usable(const Error& error) {
  if (error.kind != ErrorKind::refused) return false;
  switch (error.code) {
    case 0:  // Set by discover() for a valid result.
    case jsonrpc::code::invalid_request:
    case jsonrpc::code::method_not_found:
    case jsonrpc::code::invalid_params:
    case protocol::code::unsupported_version: return true;
    default: return false;
  }
}

/// Tells the caller of `negotiate` to retry with a handshake on a new connection.
std::unexpected<Error> needs_new_connection(const Error& why) {
  return fail(ErrorKind::closed, "the server did not accept initialize after server/discover: " + why.message);
}

/// The newest stateless revision named in the refusal of initialize; null if there is none.
const Revision* offered_instead(const Error& refused) {
  return newest_common(offered_by(refused), protocol::Lifecycle::stateless);
}

Task<Result<ServerDescription>> discover_or_initialize(Negotiation& state) {
  const auto& newest = protocol::newest();
  const auto timeout = state.over_http ? state.options.timeouts.idle : state.options.discover_timeout;
  auto found = co_await discover(state, newest, timeout);
  if (found || is_conclusive(found.error(), state.over_http)) co_return found;
  if (!state.over_http && !leaves_connection_usable(found.error())) co_return needs_new_connection(found.error());
  const auto offered = offered_by(found.error());
  const auto* other = newest_common(offered, protocol::Lifecycle::stateless);
  // Also retries the revision that was just refused: a server may refuse a first attempt only.
  const bool is_offer = other && (other != &newest || found.error().code == protocol::code::unsupported_version);
  if (is_offer) co_return co_await discover(state, *other, state.options.timeouts.idle);

  const auto* older = newest_common(offered, protocol::Lifecycle::handshake);
  auto initialized = co_await initialize(state, older ? *older : protocol::newest_handshake());
  if (initialized) co_return initialized;
  const auto* offered_later = offered_instead(initialized.error());
  if (offered_later) co_return co_await discover(state, *offered_later, state.options.timeouts.idle);
  // A proxy may have opened its upstream session for server/discover and refuses a second one.
  const bool may_be_ours = !state.over_http && initialized.error().kind == ErrorKind::refused;
  if (may_be_ours) co_return needs_new_connection(initialized.error());
  co_return initialized;
}

// Prefers the handshake era; discovers only if the server refuses initialize.
Task<Result<ServerDescription>> initialize_first(Negotiation& state) {
  auto initialized = co_await initialize(state, protocol::newest_handshake());
  if (initialized || initialized.error().kind != ErrorKind::refused) co_return initialized;
  if (is_conclusive(initialized.error(), state.over_http)) co_return initialized;
  const auto* offered = offered_instead(initialized.error());
  auto found = co_await discover(state, offered ? *offered : protocol::newest(), state.options.timeouts.idle);
  if (found || offered) co_return found;
  co_return initialized;
}

Task<Result<ServerDescription>> require_revision(Negotiation& state, const std::string& name) {
  const auto* revision = protocol::find_revision(name);
  if (!revision) {
    const auto example = std::string(protocol::newest().name);
    co_return fail(ErrorKind::invalid, "unknown MCP revision '" + name + "'; use the date of one, such as " + example);
  }
  auto opened = revision->lifecycle == protocol::Lifecycle::stateless
                    ? discover(state, *revision, state.options.timeouts.idle)
                    : initialize(state, *revision);
  auto initialized = co_await std::move(opened);
  if (initialized && initialized->revision != revision) {
    co_return fail(ErrorKind::refused, "the server negotiated revision " + std::string(initialized->revision->name) +
                                           ", but " + name + " is required");
  }
  co_return initialized;
}

}  // namespace

Task<Result<ServerDescription>> negotiate(Session& session, const ClientOptions& options,
                                          protocol::ClientCapabilities capabilities, EraPreference era,
                                          bool over_http) {
  Negotiation state{
      .session = session, .options = options, .capabilities = std::move(capabilities), .over_http = over_http};
  if (!options.revision.empty()) co_return co_await require_revision(state, options.revision);
  switch (era) {
    case EraPreference::handshake: co_return co_await initialize(state, protocol::newest_handshake());
    case EraPreference::handshake_first: co_return co_await initialize_first(state);
    case EraPreference::stateless: co_return co_await discover(state, protocol::newest(), options.timeouts.idle);
    case EraPreference::automatic: break;
  }
  co_return co_await discover_or_initialize(state);
}

}  // namespace fairlead::client
