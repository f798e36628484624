#include "transport/http_server/post_classifier.hpp"

#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/method_aliases.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/protocol_error.hpp>
#include <fairlead/protocol/unsupported_version.hpp>
#include <utility>

#include "transport/http_server/content_negotiation.hpp"
#include "transport/http_server/jsonrpc_response.hpp"
#include "transport/http_server/stateless_validation.hpp"

namespace fairlead::transport {
namespace {

namespace header = protocol::header;
using jsonrpc::code::invalid_request;
using protocol::protocol_error;
using protocol::ProtocolError;

std::optional<jsonrpc::Id> copy_of(const jsonrpc::Id* id) {
  return id ? std::optional(*id) : std::nullopt;
}

http::Response bad(std::string message, const jsonrpc::Id* id = nullptr) {
  return error_response(400, invalid_request, std::move(message), copy_of(id));
}

http::Response id_in_use(const jsonrpc::Id& id) {
  return bad("this id is in use by a pending request", &id);
}

std::string_view canonical_method(std::string_view method) {
  const auto* alias = protocol::find_alias(method);
  return alias ? alias->method : method;
}

/// The revision that the MCP-Protocol-Version header names.
struct NamedRevision {
  explicit NamedRevision(const http::Request& request)
      : sent(request.header(header::protocol_version)), known(sent ? protocol::find_revision(*sent) : nullptr) {}

  bool is(protocol::Lifecycle lifecycle) const { return known && known->lifecycle == lifecycle; }

  std::optional<std::string_view> sent;
  const protocol::Revision* known;
};

// The header must name a revision with sessions; the session itself knows which one was negotiated.
std::optional<http::Response> check_version(const NamedRevision& revision, const jsonrpc::Id* id = nullptr) {
  const auto& sent = revision.sent;
  if (!sent || revision.is(protocol::Lifecycle::handshake)) return std::nullopt;
  std::vector<std::string> supported;
  for (const auto& known : protocol::revisions()) supported.emplace_back(known.name);
  std::string data;
  json::ObjectWriter(data).raw("supported", json::encode(supported)).text("requested", *sent);
  const auto error = protocol_error(ProtocolError::unsupported_version, "", std::string(*sent), std::move(data));
  return error_response(error, protocol::newest_handshake(), copy_of(id));
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
  const http::Request& request;
  SessionFactory& factory;
  HttpSessionTable& sessions;
  Eras eras;

  ClassifiedPost operator()(jsonrpc::Request& call) const {
    const auto method = canonical_method(call.method);
    const bool opens = method == protocol::Initialize::method;
    if (eras != Eras::handshake && claims_stateless(call.params, call.param_spans) && (!opens || is_stateless(call))) {
      return stateless(call);
    }
    const NamedRevision revision(request);
    if (eras != Eras::handshake && revision.is(protocol::Lifecycle::stateless)) return unclaimed(call, opens);
    if (eras == Eras::stateless) {
      return error_response(protocol::unsupported_version("a session"), protocol::newest(), call.id);
    }
    const bool named = request.count(header::session_id) != 0;
    if (opens && !named) return InitializePost{call};
    // A legacy method alias that needs no handshake.
    if (!named && call.method != method) return StatelessPost{call};
    if (opens) return already_open(call);
    if (auto refused = check_version(revision, &call.id)) return std::move(*refused);
    return in_session(&call.id);
  }

  ClassifiedPost operator()(const jsonrpc::Notification& notice) const {
    const bool claims = claims_stateless(notice.params, notice.param_spans) || header_is_stateless(request);
    // Stateless notifications have no effect over HTTP.
    if (eras == Eras::stateless || (eras == Eras::both && claims)) return accepted();
    return unanswered();
  }
  ClassifiedPost operator()(const jsonrpc::Response&) const { return unanswered(); }
  ClassifiedPost operator()(const jsonrpc::ErrorResponse&) const { return unanswered(); }

  ClassifiedPost stateless(jsonrpc::Request& call) const {
    const auto checked = check_stateless(request, call, factory);
    if (!checked) return error_response(checked.error(), protocol::newest(), call.id);
    return StatelessPost{call};
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
    auto session = find_session(request, sessions, &call.id);
    if (!session) return std::move(session.error());
    return bad("this session is open already: send initialize without Mcp-Session-Id for another", &call.id);
  }

  ClassifiedPost unanswered() const {
    if (eras == Eras::stateless) return bad("the revisions served here do not accept responses");
    if (auto refused = check_version(NamedRevision(request))) return std::move(*refused);
    return in_session(nullptr);
  }

  ClassifiedPost in_session(const jsonrpc::Id* id) const {
    auto session = find_session(request, sessions, id);
    if (!session) return std::move(session.error());
    if (id && (*session)->awaits(*id)) return id_in_use(*id);
    if (id && (*session)->server_session().is_backlogged()) return busy(*id);
    return SessionPost{std::move(*session), id != nullptr};
  }

  ClassifiedPost operator()(jsonrpc::Batch& batch) const {
    if (eras == Eras::stateless) return bad("send one request at a time: this revision has no batches");
    bool has_request = false;
    for (const auto& entry : batch.entries) {
      const auto* call = entry ? std::get_if<jsonrpc::Request>(&*entry) : nullptr;
      if (call && claims_stateless(call->params, call->param_spans))
        return bad("this revision has no batches", &call->id);
      has_request = has_request || call;
    }
    if (auto refused = check_version(NamedRevision(request))) return std::move(*refused);
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
    return SessionPost{std::move(*session), has_request};
  }
};

}  // namespace

std::optional<http::Response> check_content_types(const http::Request& request) {
  if (!has_type(request, json_type)) {
    return error_response(415, invalid_request, "Unsupported Media Type: send Content-Type: application/json");
  }
  if (!accepts(request, json_type) || !accepts(request, event_stream)) {
    return error_response(406, invalid_request, "Not Acceptable: send Accept: application/json, text/event-stream");
  }
  return std::nullopt;
}

http::Response refuse_body(const http::Request& request, const jsonrpc::ReadError& error, HttpSessionTable& sessions) {
  auto session = error.answered_id ? find_session(request, sessions) : std::unexpected(http::Response());
  if (session) fail_server_request((*session)->server_session(), error);
  return error_response(400, error);
}

ClassifiedPost classify_post(const http::Request& request, jsonrpc::Incoming& body, SessionFactory& factory,
                             HttpSessionTable& sessions, Eras eras) {
  const PostClassifier sorter{request, factory, sessions, eras};
  if (auto* batch = std::get_if<jsonrpc::Batch>(&body)) return sorter(*batch);
  return std::visit(sorter, std::get<jsonrpc::Message>(body));
}

std::expected<std::shared_ptr<HttpSession>, http::Response> find_session(const http::Request& request,
                                                                         HttpSessionTable& sessions,
                                                                         const jsonrpc::Id* id) {
  const auto named = request.count(header::session_id);
  if (named != 1) {
    return std::unexpected(bad(named == 0 ? "Mcp-Session-Id is missing: send initialize first, then the id it returned"
                                          : "Mcp-Session-Id must not be sent twice",
                               id));
  }
  auto session = sessions.find(*request.header(header::session_id));
  // A session of another principal is reported as unknown, so that its existence is not revealed.
  if (!session || session->closed() || !session->opened() || session->principal() != request.principal) {
    return std::unexpected(
        error_response(404, session_not_found, "Session not found: start over with initialize", copy_of(id)));
  }
  return session;
}

}  // namespace fairlead::transport
