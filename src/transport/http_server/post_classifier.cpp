#include "transport/http_server/post_classifier.hpp"

#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/method_aliases.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <fairlead/protocol/unsupported_version.hpp>
#include <utility>

#include "transport/http_server/content_negotiation.hpp"
#include "transport/http_server/forwarded_headers.hpp"
#include "transport/http_server/jsonrpc_response.hpp"
#include "transport/http_server/stateless_validation.hpp"

namespace fairlead::transport {
namespace {

namespace header = protocol::header;
using jsonrpc::code::invalid_request;
using protocol::protocol_error;
using protocol::ProtocolError;

http::Response bad(std::string message, std::optional<jsonrpc::Id> id = {}) {
  return error_response(400, invalid_request, std::move(message), std::move(id));
}

std::string_view canonical_method(std::string_view method) {
  const auto* alias = protocol::find_alias(method);
  return alias ? alias->method : method;
}

std::optional<http::Response> check_content_types(const http::Request& request) {
  if (!has_type(request, json_type)) {
    return error_response(415, invalid_request, "Unsupported Media Type: send Content-Type: application/json");
  }
  if (!accepts(request, json_type) || !accepts(request, event_stream)) {
    return error_response(406, invalid_request, "Not Acceptable: send Accept: application/json, text/event-stream");
  }
  return std::nullopt;
}

// The header must name a revision with sessions; the session itself knows which one was negotiated.
std::optional<http::Response> check_version(const http::Request& request, const std::optional<jsonrpc::Id>& id) {
  const auto sent = request.header(header::protocol_version);
  if (!sent) return std::nullopt;
  const auto* revision = protocol::find_revision(*sent);
  if (revision && revision->lifecycle == protocol::Lifecycle::handshake) return std::nullopt;
  std::vector<std::string> supported;
  for (const auto& known : protocol::revisions()) supported.emplace_back(known.name);
  std::string data;
  json::ObjectWriter(data).raw("supported", json::encode(supported)).text("requested", *sent);
  const auto error = protocol_error(ProtocolError::unsupported_version, "", std::string(*sent), std::move(data));
  return error_response(error, protocol::newest_handshake(), id);
}

// Fails the pending server request that an invalid response was meant for.
void fail_server_request(ServerSession& session, const jsonrpc::ReadError& bad) {
  if (bad.answered_id) session.on_message(RequestFailed{*bad.answered_id, invalid_response_error(bad)});
}

// For a batch without requests, whose POST has no stream that could carry an error for each invalid entry.
void deliver_valid_entries(ServerSession& session, jsonrpc::Batch batch) {
  for (const auto& entry : batch.entries) {
    if (!entry) fail_server_request(session, entry.error());
  }
  std::erase_if(batch.entries, [](const auto& entry) { return !entry; });
  if (!batch.entries.empty()) session.on_message(std::move(batch));
}

/// Classifies the parsed body of one POST.
struct PostClassifier {
  http::Request& request;
  SessionFactory& factory;
  HttpSessionTable& sessions;
  Eras eras;

  ClassifiedPost operator()(jsonrpc::Request& call) const {
    const bool opens = canonical_method(call.method) == protocol::Initialize::method;
    if (eras != Eras::handshake) {
      const bool claims = claims_stateless(call.params, call.param_spans);
      if (claims && (!opens || is_stateless(call))) return stateless(call);
      if (header_is_stateless(request)) return unclaimed(call, opens);
    }
    if (eras == Eras::stateless) {
      return error_response(protocol::unsupported_version("a session"), protocol::newest(), call.id);
    }
    const bool named = request.count(header::session_id) != 0;
    if (opens && !named) return InitializePost{std::move(call)};
    // A legacy method alias that needs no handshake.
    if (!named && call.method != canonical_method(call.method)) return StatelessPost{std::move(call)};
    if (opens) return already_open(call);
    if (auto refused = check_version(request, call.id)) return std::move(*refused);
    const auto id = call.id;
    return in_session(jsonrpc::Message(std::move(call)), id);
  }

  ClassifiedPost operator()(jsonrpc::Notification& notice) const {
    const bool claims = claims_stateless(notice.params, notice.param_spans) || header_is_stateless(request);
    // Stateless notifications have no effect over HTTP.
    if (eras == Eras::stateless || (eras == Eras::both && claims)) return accepted();
    return unanswered(jsonrpc::Message(std::move(notice)));
  }
  ClassifiedPost operator()(jsonrpc::Response& response) const {
    return unanswered(jsonrpc::Message(std::move(response)));
  }
  ClassifiedPost operator()(jsonrpc::ErrorResponse& response) const {
    return unanswered(jsonrpc::Message(std::move(response)));
  }

  ClassifiedPost stateless(jsonrpc::Request& call) const {
    const auto checked = check_stateless(request, call, factory);
    if (!checked) return error_response(checked.error(), protocol::newest(), call.id);
    return StatelessPost{std::move(call)};
  }

  ClassifiedPost unclaimed(const jsonrpc::Request& call, bool opens) const {
    const auto error =
        opens ? protocol_error(ProtocolError::header_mismatch, "initialize is not part of the revision in the header")
              : protocol_error(ProtocolError::missing_envelope,
                               "params._meta must name the protocol version and the client's "
                               "capabilities");
    return error_response(error, protocol::newest(), call.id);
  }

  ClassifiedPost already_open(const jsonrpc::Request& call) const {
    auto session = find_session(request, sessions, call.id);
    if (!session) return std::move(session.error());
    return bad("this session is open already: send initialize without Mcp-Session-Id for another", call.id);
  }

  ClassifiedPost unanswered(Received body) const {
    if (eras == Eras::stateless) return bad("the revisions served here do not accept responses");
    if (auto refused = check_version(request, {})) return std::move(*refused);
    return in_session(std::move(body), {});
  }

  ClassifiedPost in_session(Received body, const std::optional<jsonrpc::Id>& id) const {
    auto session = find_session(request, sessions, id);
    if (!session) return std::move(session.error());
    if (id && (*session)->awaits(*id)) return id_in_use(*id);
    if (id && (*session)->server_session().is_backlogged()) return busy(id);
    return SessionPost{std::move(*session), std::move(body)};
  }

  ClassifiedPost operator()(jsonrpc::Batch& batch) const {
    if (eras == Eras::stateless) return bad("send one request at a time: this revision has no batches");
    bool has_request = false;
    for (const auto& entry : batch.entries) {
      const auto* call = entry ? std::get_if<jsonrpc::Request>(&*entry) : nullptr;
      if (call && claims_stateless(call->params, call->param_spans))
        return bad("this revision has no batches", call->id);
      has_request = has_request || call;
    }
    if (auto refused = check_version(request, {})) return std::move(*refused);
    auto session = find_session(request, sessions);
    if (!session) return std::move(session.error());
    const auto* revision = (*session)->server_session().revision();
    if (revision && !revision->batches) return bad("send one message at a time: this revision has no batches");
    const auto broken = std::ranges::find_if(batch.entries, [](const auto& entry) { return !entry; });
    if (!has_request && broken != batch.entries.end()) {
      auto refused = error_response(400, broken->error());
      deliver_valid_entries((*session)->server_session(), std::move(batch));
      return refused;
    }
    for (const auto& entry : batch.entries) {
      const auto* call = entry ? std::get_if<jsonrpc::Request>(&*entry) : nullptr;
      if (call && (*session)->awaits(call->id)) return id_in_use(call->id);
    }
    if (has_request && (*session)->server_session().is_backlogged()) return busy({});
    return SessionPost{std::move(*session), std::move(batch)};
  }
};

}  // namespace

http::Response session_gone(const std::optional<jsonrpc::Id>& id) {
  return error_response(404, session_not_found, "Session not found: start over with initialize", id);
}

http::Response id_in_use(const jsonrpc::Id& id) {
  return bad("this id is in use by a pending request", id);
}

ClassifiedPost classify_post(http::Request& request, SessionFactory& factory, HttpSessionTable& sessions, Eras eras) {
  if (auto refused = check_content_types(request)) return std::move(*refused);
  auto incoming = jsonrpc::read(std::move(request.body));
  if (!incoming) {
    auto session = incoming.error().answered_id ? find_session(request, sessions) : std::unexpected(http::Response());
    if (session) fail_server_request((*session)->server_session(), incoming.error());
    return error_response(400, incoming.error());
  }
  attach_headers(*incoming, request, factory);
  const PostClassifier sorter{request, factory, sessions, eras};
  if (auto* batch = std::get_if<jsonrpc::Batch>(&*incoming)) return sorter(*batch);
  return std::visit(sorter, std::get<jsonrpc::Message>(*incoming));
}

std::expected<std::shared_ptr<HttpSession>, http::Response> find_session(const http::Request& request,
                                                                         HttpSessionTable& sessions,
                                                                         const std::optional<jsonrpc::Id>& id) {
  const auto named = request.count(header::session_id);
  if (named != 1) {
    return std::unexpected(bad(named == 0 ? "Mcp-Session-Id is missing: send initialize first, then the id it returned"
                                          : "Mcp-Session-Id must not be sent twice",
                               id));
  }
  auto session = sessions.find(*request.header(header::session_id));
  // A session of another principal is reported as unknown, so that its existence is not revealed.
  if (!session || session->closed() || !session->opened() || session->principal() != request.principal) {
    return std::unexpected(session_gone(id));
  }
  return session;
}

}  // namespace fairlead::transport
