#include <fairlead/transport/streamable_http.hpp>

#include <fairlead/protocol/model/methods.hpp>
#include <fairlead/store/session_id.hpp>
#include <utility>

#include "transport/http_server/caller.hpp"
#include "transport/http_server/forwarded_headers.hpp"
#include "transport/http_server/jsonrpc_response.hpp"
#include "transport/http_server/operation_scopes.hpp"
#include "transport/http_server/stateless_validation.hpp"
#include "transport/http_server/streamable_state.hpp"

namespace fairlead::transport {
namespace {

http::Response no_stream_without_session() {
  auto response =
      error_response(405, jsonrpc::code::invalid_request,
                     "Method not allowed: a stream belongs to a session; POST initialize, then GET with the "
                     "Mcp-Session-Id that it returned");
  response.headers.push_back({"Allow", "POST"});
  return response;
}

// A subscription lasts as long as its token; the response to a call may be late.
Duration listen_lifetime(const http::Request& request, const jsonrpc::Request& call) {
  if (!request.identity || call.method != protocol::Listen::method) return Duration::zero();
  return stream_lifetime(request).value_or(Duration::zero());
}

}  // namespace

StreamableHttp::StreamableHttp(EventLoop loop, std::size_t worker, SessionFactory& factory,
                               StreamableHttpOptions options)
    : state_(std::make_unique<StreamableHttpState>(loop, worker, factory, options)) {}

StreamableHttp::~StreamableHttp() = default;

Task<http::Response> StreamableHttp::handle(http::Request& request) {
  if (auto refused = state_->refuse_method(request)) return std::move(*refused);
  if (request.method == "DELETE") return state_->remove(request);
  if (request.method == "GET") return state_->open_stream(request);
  return state_->handle_post(request);
}

std::optional<std::size_t> StreamableHttp::preferred_worker(const http::Request& request) const {
  const auto id = request.header(protocol::header::session_id);
  const auto worker = id ? store::worker_of(*id) : std::nullopt;
  return worker && *worker < state_->options.workers ? worker : std::nullopt;
}

std::size_t StreamableHttp::sessions() const {
  return state_->sessions.size();
}

std::optional<http::Response> StreamableHttpState::refuse_method(const http::Request& request) const {
  if (request.method == "POST") return std::nullopt;
  const bool stateless =
      options.eras == Eras::stateless || (options.eras == Eras::both && header_is_stateless(request));
  const bool known = request.method == "GET" || request.method == "DELETE";
  if (stateless || !known) return method_not_allowed(stateless ? "POST" : "GET, POST, DELETE");
  // 405, not 400: clients that try HTTP+SSE first take it as the sign to use Streamable HTTP.
  if (request.method == "GET" && request.count(protocol::header::session_id) == 0) return no_stream_without_session();
  if (request.method == "DELETE" && !options.allow_client_termination) return method_not_allowed("GET, POST");
  return std::nullopt;
}

Task<http::Response> StreamableHttpState::handle_post(http::Request& request) {
  if (auto refused = check_content_types(request)) return std::move(*refused);
  auto incoming = jsonrpc::read(std::move(request.body));
  if (!incoming) return refuse_body(request, incoming.error(), sessions);
  if (auto refused = refuse_operations(request, *incoming)) return std::move(*refused);
  attach_headers(*incoming, request, factory);
  auto post = classify_post(request, *incoming, factory, sessions, options.eras);
  if (auto* response = std::get_if<http::Response>(&post)) return std::move(*response);
  if (auto* alone = std::get_if<StatelessPost>(&post)) {
    const auto lifetime = listen_lifetime(request, alone->request);
    return respond_stateless(std::move(alone->request), peer_info(request, "http"), lifetime);
  }
  if (auto* opening = std::get_if<InitializePost>(&post)) return initialize(request, std::move(opening->request));
  const auto& [session, has_request] = std::get<SessionPost>(post);
  // A session belongs to a principal; its token may change with each request.
  if (request.identity) session->server_session().set_caller(request.identity, request.access_token);
  auto body = received(std::move(*incoming));
  if (has_request) return session->respond(std::move(body), options.keep_alive);
  session->server_session().on_message(std::move(body));
  return accepted();
}

http::Response StreamableHttpState::remove(const http::Request& request) {
  auto session = find_session(request, sessions);
  if (!session) return std::move(session.error());
  end(*session);
  return {.status = 200};
}

}  // namespace fairlead::transport
