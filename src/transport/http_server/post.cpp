#include "transport/http_server/post.hpp"

#include <algorithm>
#include <fairlead/json/codec.hpp>
#include <fairlead/protocol/aliases.hpp>
#include <fairlead/protocol/fault.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/protocol/unsupported_version.hpp>
#include <utility>

#include "transport/http_server/luggage.hpp"
#include "transport/http_server/media.hpp"
#include "transport/http_server/rpc_answer.hpp"
#include "transport/http_server/stateless_check.hpp"

namespace fairlead::transport {
namespace {

namespace header = protocol::header;
using jsonrpc::code::invalid_request;
using protocol::Fault;

http::Response bad(std::string message, std::optional<jsonrpc::Id> id = {}) {
  return refusal(400, invalid_request, std::move(message), std::move(id));
}

std::string_view spelled_out(std::string_view method) {
  const auto* alias = protocol::find_alias(method);
  return alias ? alias->method : method;
}

std::optional<http::Response> check_media(const http::Request& request) {
  if (!has_type(request, json_type)) {
    return refusal(415, invalid_request, "Unsupported Media Type: send Content-Type: application/json");
  }
  if (!accepts(request, json_type) || !accepts(request, event_stream)) {
    return refusal(406, invalid_request, "Not Acceptable: send Accept: application/json, text/event-stream");
  }
  return std::nullopt;
}

// After the handshake the header must name a revision that has one; which, the session remembers better.
std::optional<http::Response> check_version(const http::Request& request, const std::optional<jsonrpc::Id>& id) {
  const auto sent = request.header(header::protocol_version);
  if (!sent) return std::nullopt;
  const auto* revision = protocol::find_revision(*sent);
  if (revision && revision->lifecycle == protocol::Lifecycle::handshake) return std::nullopt;
  std::vector<std::string> supported;
  for (const auto& known : protocol::revisions()) supported.emplace_back(known.name);
  std::string data;
  json::ObjectWriter(data).raw("supported", json::encode(supported)).text("requested", *sent);
  const auto error = protocol::fault_error(Fault::unsupported_version, "", std::string(*sent), std::move(data));
  return refusal(error, protocol::newest_handshake(), id);
}

/// One POST on its way to be sorted.
struct Sorter {
  http::Request& request;
  Host& host;
  Sessions& sessions;
  Eras eras;

  SortedPost operator()(jsonrpc::Request& call) const {
    const bool opens = spelled_out(call.method) == protocol::Initialize::method;
    if (eras != Eras::handshake) {
      const bool claims = claims_stateless(call.params, call.landmarks);
      if (claims && (!opens || is_stateless(call))) return stateless(call);
      if (header_is_stateless(request)) return unclaimed(call, opens);
    }
    if (eras == Eras::stateless) {
      return refusal(protocol::unsupported_version("a session"), protocol::newest(), call.id);
    }
    const bool named = request.count(header::session_id) != 0;
    if (opens && !named) return OpeningPost{std::move(call)};
    // An old way to ask what a server has, before any handshake.
    if (!named && call.method != spelled_out(call.method)) return StatelessPost{std::move(call), false};
    if (opens) return already_open(call);
    if (auto refused = check_version(request, call.id)) return std::move(*refused);
    const auto id = call.id;
    return in_session(jsonrpc::Message(std::move(call)), id);
  }

  SortedPost operator()(jsonrpc::Notification& notice) const {
    const bool claims = claims_stateless(notice.params, notice.landmarks) || header_is_stateless(request);
    // Nothing that a stateless client could notify of concerns a server over HTTP.
    if (eras == Eras::stateless || (eras == Eras::both && claims)) return accepted();
    return unanswered(jsonrpc::Message(std::move(notice)));
  }
  SortedPost operator()(jsonrpc::Response& response) const { return unanswered(jsonrpc::Message(std::move(response))); }
  SortedPost operator()(jsonrpc::ErrorResponse& response) const {
    return unanswered(jsonrpc::Message(std::move(response)));
  }

  SortedPost stateless(jsonrpc::Request& call) const {
    const auto checked = check_stateless(request, call, host);
    if (!checked) return refusal(checked.error(), protocol::newest(), call.id);
    return StatelessPost{std::move(call)};
  }

  SortedPost unclaimed(const jsonrpc::Request& call, bool opens) const {
    const auto error = opens ? protocol::fault_error(Fault::header_mismatch,
                                                     "initialize does not belong to the revision of the header")
                             : protocol::fault_error(Fault::missing_envelope,
                                                     "params._meta must name the protocol version and the client's "
                                                     "capabilities");
    return refusal(error, protocol::newest(), call.id);
  }

  SortedPost already_open(const jsonrpc::Request& call) const {
    auto session = find_session(request, sessions, call.id);
    if (!session) return std::move(session.error());
    return bad("this session is open already: send initialize without Mcp-Session-Id for another", call.id);
  }

  SortedPost unanswered(Received body) const {
    if (eras == Eras::stateless) return bad("responses do not belong to the revisions served here");
    if (auto refused = check_version(request, {})) return std::move(*refused);
    return in_session(std::move(body), {});
  }

  SortedPost in_session(Received body, const std::optional<jsonrpc::Id>& id) const {
    auto session = find_session(request, sessions, id);
    if (!session) return std::move(session.error());
    if (id && (*session)->awaits(*id)) return id_in_use(*id);
    if (id && (*session)->hosted().is_behind()) return busy(id);
    return SessionPost{std::move(*session), std::move(body)};
  }

  SortedPost operator()(jsonrpc::Batch& batch) const {
    if (eras == Eras::stateless) return bad("send one request at a time: this revision has no batches");
    bool asks = false;
    for (const auto& entry : batch.entries) {
      const auto* call = entry ? std::get_if<jsonrpc::Request>(&*entry) : nullptr;
      if (call && claims_stateless(call->params, call->landmarks)) return bad("this revision has no batches", call->id);
      asks = asks || call;
    }
    if (auto refused = check_version(request, {})) return std::move(*refused);
    auto session = find_session(request, sessions);
    if (!session) return std::move(session.error());
    const auto* revision = (*session)->hosted().revision();
    if (revision && !revision->batches) return bad("send one message at a time: this revision has no batches");
    const auto broken = std::ranges::find_if(batch.entries, [](const auto& entry) { return !entry; });
    if (!asks && broken != batch.entries.end()) return refusal(400, broken->error());
    for (const auto& entry : batch.entries) {
      const auto* call = entry ? std::get_if<jsonrpc::Request>(&*entry) : nullptr;
      if (call && (*session)->awaits(call->id)) return id_in_use(call->id);
    }
    if (asks && (*session)->hosted().is_behind()) return busy({});
    return SessionPost{std::move(*session), std::move(batch)};
  }
};

}  // namespace

http::Response session_gone(const std::optional<jsonrpc::Id>& id) {
  return refusal(404, session_not_found, "Session not found: start over with initialize", id);
}

http::Response id_in_use(const jsonrpc::Id& id) {
  return bad("this id belongs to a request still under way", id);
}

SortedPost sort_post(http::Request& request, Host& host, Sessions& sessions, Eras eras) {
  if (auto refused = check_media(request)) return std::move(*refused);
  auto incoming = jsonrpc::read(std::move(request.body));
  if (!incoming) {
    // A question of the server's that was answered by this waits no longer.
    auto session = incoming.error().answers ? find_session(request, sessions) : std::unexpected(http::Response());
    if (session) (*session)->hosted().take(Lost{*incoming.error().answers, unreadable_answer(incoming.error())});
    return refusal(400, incoming.error());
  }
  take_along(*incoming, request, host);
  const Sorter sorter{request, host, sessions, eras};
  if (auto* batch = std::get_if<jsonrpc::Batch>(&*incoming)) return sorter(*batch);
  return std::visit(sorter, std::get<jsonrpc::Message>(*incoming));
}

std::expected<std::shared_ptr<HttpSession>, http::Response> find_session(const http::Request& request,
                                                                         Sessions& sessions,
                                                                         const std::optional<jsonrpc::Id>& id) {
  const auto named = request.count(header::session_id);
  if (named != 1) {
    return std::unexpected(bad(named == 0 ? "Mcp-Session-Id is missing: send initialize first, then the id it returned"
                                          : "Mcp-Session-Id must not be sent twice",
                               id));
  }
  auto session = sessions.find(*request.header(header::session_id));
  // Another principal's session is none: that it exists is nobody else's business.
  if (!session || session->closed() || !session->opened() || session->principal() != request.principal) {
    return std::unexpected(session_gone(id));
  }
  return session;
}

}  // namespace fairlead::transport
