#include "client/greeting.hpp"

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

/// What an opening needs to know.
struct Opening {
  Session& session;
  const ClientOptions& options;
  protocol::ClientCapabilities capabilities;
  bool over_http = false;

  protocol::Caller as(const Revision& revision) const {
    return {.revision = std::string(revision.name), .capabilities = capabilities, .info = options.self};
  }
};

/// The newest revision of a kind that both know; null if there is none.
const Revision* newest_common(const std::vector<std::string>& theirs, protocol::Lifecycle lifecycle) {
  const Revision* best = nullptr;
  for (const auto& ours : protocol::revisions()) {
    if (ours.lifecycle == lifecycle && std::ranges::find(theirs, ours.name) != theirs.end()) best = &ours;
  }
  return best;
}

/// The revisions that a refusal says would be served.
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
  return fail(ErrorKind::refused, "the server speaks " + (theirs.empty() ? "no revision" : theirs) +
                                      "; this client speaks " + ours + ": update the older one");
}

json::Extra extra_with_meta(json::Extra extra, std::optional<json::Payload> meta) {
  if (meta) extra.members.emplace_back("_meta", std::move(*meta));
  return extra;
}

template <class Method>
Task<Result<typename Method::Result>> ask(Opening& opening, const Revision& revision, typename Method::Params params,
                                          Duration patience) {
  session::Call call{.method = std::string(Method::method),
                     .params = json::to_payload(params),
                     .patience = {.idle = patience, .cap = patience}};
  call.context.revision = &revision;
  auto reply = co_await opening.session.peer().call(call);
  if (!reply) co_return std::unexpected(at_step(std::move(reply.error()), Method::method));
  co_return json::decode<typename Method::Result>(reply->body);
}

Task<Result<ServerDescription>> discover(Opening& opening, const Revision& revision, Duration patience) {
  opening.session.adopt(revision, opening.as(revision));
  protocol::Empty nothing;
  auto found = co_await ask<protocol::Discover>(opening, revision, std::move(nothing), patience);
  if (!found) co_return std::unexpected(std::move(found.error()));
  const auto* common = newest_common(found->supportedVersions, protocol::Lifecycle::stateless);
  if (!common) {
    // Not an answer of this era, then: told as a refusal that names what the server does speak.
    Error error{.kind = ErrorKind::refused, .message = "the server offers no revision without a handshake"};
    json::ObjectWriter(error.data).raw("supported", json::encode(found->supportedVersions));
    co_return std::unexpected(std::move(error));
  }
  opening.session.adopt(*common, opening.as(*common));
  ServerDescription server{.revision = common,
                           .capabilities = std::move(found->capabilities),
                           .instructions = std::move(found->instructions),
                           .extra = extra_with_meta(std::move(found->extra), std::move(found->_meta))};
  if (const auto& self = opening.session.signed_by()) server.info = *self;
  co_return server;
}

Task<Result<ServerDescription>> shake_hands(Opening& opening, const Revision& offer) {
  opening.session.adopt(offer, opening.as(offer));
  protocol::InitializeParams params{.protocolVersion = std::string(offer.name),
                                    .capabilities = opening.capabilities,
                                    .clientInfo = opening.options.self};
  auto answer = co_await ask<protocol::Initialize>(opening, offer, std::move(params), opening.options.patience.idle);
  if (!answer) co_return std::unexpected(std::move(answer.error()));
  const auto* agreed = protocol::find_revision(answer->protocolVersion);
  if (!agreed || agreed->lifecycle != protocol::Lifecycle::handshake) co_return no_common(answer->protocolVersion);
  opening.session.adopt(*agreed, opening.as(*agreed));
  session::Notice done{.method = std::string(protocol::Initialized::method)};
  co_await opening.session.peer().notify(done);
  co_return ServerDescription{.revision = agreed,
                              .info = std::move(answer->serverInfo),
                              .capabilities = std::move(answer->capabilities),
                              .instructions = std::move(answer->instructions),
                              .extra = extra_with_meta(std::move(answer->extra), std::move(answer->_meta))};
}

/// Whether a failure says nothing about what the server speaks, or that it speaks no other than what it was asked in.
bool is_final(const Error& error, bool over_http) {
  if (error.kind == ErrorKind::closed || error.kind == ErrorKind::cancelled) return true;
  if (error.kind == ErrorKind::timeout) return over_http;
  const auto status = error.code;
  return status == 401 || status == 403 || status == 407 || status == 429 || (status >= 500 && status < 600) ||
         status == protocol::code::header_mismatch || status == protocol::code::missing_capability;
}

/// Whether the server has plainly turned down a method that it does not know, so that the connection is as it was. A
/// server that says anything else, or nothing, may have taken the probe for its opening.
bool is_clean_refusal(const Error& error) {
  if (error.kind != ErrorKind::refused) return false;
  switch (error.code) {
    case 0:  // Our own verdict on a good answer.
    case jsonrpc::code::invalid_request:
    case jsonrpc::code::method_not_found:
    case jsonrpc::code::invalid_params:
    case protocol::code::unsupported_version: return true;
    default: return false;
  }
}

/// Tells the caller of `greet` to try again on a new connection, by a handshake.
std::unexpected<Error> needs_new_connection(const Error& why) {
  return fail(ErrorKind::closed, "the server did not take a handshake after server/discover: " + why.message);
}

/// The newest stateless revision that a refused handshake offers instead; null if there is none.
const Revision* offered_instead(const Error& refused) {
  return newest_common(offered_by(refused), protocol::Lifecycle::stateless);
}

Task<Result<ServerDescription>> probe(Opening& opening) {
  const auto& newest = protocol::newest();
  const auto patience = opening.over_http ? opening.options.patience.idle : opening.options.probe;
  auto found = co_await discover(opening, newest, patience);
  if (found || is_final(found.error(), opening.over_http)) co_return found;
  if (!opening.over_http && !is_clean_refusal(found.error())) co_return needs_new_connection(found.error());
  const auto offered = offered_by(found.error());
  const auto* other = newest_common(offered, protocol::Lifecycle::stateless);
  // Also for one that was just refused: the refusal may be about a first attempt only.
  const bool is_offer = other && (other != &newest || found.error().code == protocol::code::unsupported_version);
  if (is_offer) co_return co_await discover(opening, *other, opening.options.patience.idle);

  const auto* older = newest_common(offered, protocol::Lifecycle::handshake);
  auto greeted = co_await shake_hands(opening, older ? *older : protocol::newest_handshake());
  if (greeted) co_return greeted;
  const auto* late = offered_instead(greeted.error());
  if (late) co_return co_await discover(opening, *late, opening.options.patience.idle);
  // A bridge may have opened its own session for the probe, and refuses to open it twice.
  const bool may_be_ours = !opening.over_http && greeted.error().kind == ErrorKind::refused;
  if (may_be_ours) co_return needs_new_connection(greeted.error());
  co_return greeted;
}

// For a caller that a handshake serves best: the other era only where the server refuses this one.
Task<Result<ServerDescription>> shake_hands_first(Opening& opening) {
  auto greeted = co_await shake_hands(opening, protocol::newest_handshake());
  if (greeted || greeted.error().kind != ErrorKind::refused || is_final(greeted.error(), opening.over_http)) {
    co_return greeted;
  }
  const auto* offered = offered_instead(greeted.error());
  auto found = co_await discover(opening, offered ? *offered : protocol::newest(), opening.options.patience.idle);
  if (found || offered) co_return found;
  co_return greeted;
}

Task<Result<ServerDescription>> speak_only(Opening& opening, const std::string& name) {
  const auto* revision = protocol::find_revision(name);
  if (!revision) co_return fail(ErrorKind::invalid, "there is no revision '" + name + "' of the protocol");
  auto opened = revision->lifecycle == protocol::Lifecycle::stateless
                    ? discover(opening, *revision, opening.options.patience.idle)
                    : shake_hands(opening, *revision);
  auto greeted = co_await std::move(opened);
  if (greeted && greeted->revision != revision) {
    co_return fail(ErrorKind::refused,
                   "the server speaks " + std::string(greeted->revision->name) + ", not " + name + " as demanded");
  }
  co_return greeted;
}

}  // namespace

Task<Result<ServerDescription>> greet(Session& session, const ClientOptions& options,
                                      protocol::ClientCapabilities capabilities, Era era, bool over_http) {
  Opening opening{
      .session = session, .options = options, .capabilities = std::move(capabilities), .over_http = over_http};
  if (!options.revision.empty()) co_return co_await speak_only(opening, options.revision);
  switch (era) {
    case Era::handshake: co_return co_await shake_hands(opening, protocol::newest_handshake());
    case Era::handshake_first: co_return co_await shake_hands_first(opening);
    case Era::stateless: co_return co_await discover(opening, protocol::newest(), options.patience.idle);
    case Era::automatic: break;
  }
  co_return co_await probe(opening);
}

}  // namespace fairlead::client
