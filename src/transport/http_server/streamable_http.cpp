#include <fairlead/transport/streamable_http.hpp>

#include <algorithm>
#include <fairlead/store/session_id.hpp>
#include <utility>

#include "transport/http_server/content_negotiation.hpp"
#include "transport/http_server/jsonrpc_response.hpp"
#include "transport/http_server/session_post_response.hpp"
#include "transport/http_server/stateless_validation.hpp"
#include "transport/http_server/streamable_state.hpp"

namespace fairlead::transport {
namespace {

// Params of stateless requests are copied in case a coroutine is needed; not worth it for large ones.
constexpr std::size_t small_body = std::size_t{64} * 1024;

bool has_request(const Received& body) {
  if (const auto* batch = std::get_if<jsonrpc::Batch>(&body)) {
    return std::ranges::any_of(batch->entries, [](const jsonrpc::ReadResult& entry) {
      return entry && std::holds_alternative<jsonrpc::Request>(*entry);
    });
  }
  const auto* message = std::get_if<jsonrpc::Message>(&body);
  return message && std::holds_alternative<jsonrpc::Request>(*message);
}

http::Response no_stream_without_session() {
  auto response =
      error_response(405, jsonrpc::code::invalid_request,
                     "Method not allowed: a stream belongs to a session; POST initialize, then GET with the "
                     "Mcp-Session-Id that it returned");
  response.headers.push_back({"Allow", "POST"});
  return response;
}

/// A POST that needs a coroutine.
class ClassifiedPostResponse final : public http::LaterAnswer {
 public:
  ClassifiedPostResponse(StreamableHttpState& state, ClassifiedPost post) : state_(state), post_(std::move(post)) {}
  Task<void> serve(http::Exchange& exchange) override { return state_.serve_post(exchange, std::move(post_)); }

 private:
  StreamableHttpState& state_;
  ClassifiedPost post_;
};

}  // namespace

StreamableHttp::StreamableHttp(EventLoop loop, std::size_t worker, SessionFactory& factory,
                               StreamableHttpOptions options)
    : state_(std::make_unique<StreamableHttpState>(loop, worker, factory, options)) {}

StreamableHttp::~StreamableHttp() = default;

std::optional<http::Response> StreamableHttp::answer_now(http::Request& request) {
  if (auto refused = state_->refuse_method(request)) return refused;
  if (request.method == "DELETE") return state_->remove(request);
  if (request.method != "POST" || request.body.size() > small_body) return std::nullopt;
  return state_->answer_post(request);
}

// Not a coroutine: each one would cost an idle stream a frame.
Task<void> StreamableHttp::serve(http::Exchange& exchange) {
  auto& request = exchange.request();
  if (auto refused = state_->refuse_method(request)) return respond(exchange, std::move(*refused));
  if (request.method == "DELETE") return respond(exchange, state_->remove(request));
  if (request.method == "GET") return state_->serve_stream(exchange);
  auto& state = *state_;
  return state.serve_post(exchange, classify_post(request, state.factory, state.sessions, state.options.eras));
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

std::optional<http::Response> StreamableHttpState::answer_post(http::Request& request) {
  auto post = classify_post(request, factory, sessions, options.eras);
  if (auto* response = std::get_if<http::Response>(&post)) return std::move(*response);
  auto* in_session = std::get_if<SessionPost>(&post);
  if (auto response = in_session ? answer_in_session(*in_session) : answer_alone(post, request)) return response;
  if (in_session != nullptr) {
    request.later = std::make_shared<SessionPostResponse>(loop, std::move(in_session->session),
                                                          std::move(in_session->body), options.keep_alive);
  } else {
    request.later = std::make_shared<ClassifiedPostResponse>(*this, std::move(post));
  }
  return std::nullopt;
}

std::optional<http::Response> StreamableHttpState::answer_in_session(SessionPost& post) {
  if (!has_request(post.body)) return accept(post);
  auto* message = std::get_if<jsonrpc::Message>(&post.body);
  if (message == nullptr) return std::nullopt;
  const auto answer = post.session->server_session().answer_now(std::get<jsonrpc::Request>(*message));
  return answer ? std::optional(json_response(*answer)) : std::nullopt;
}

std::optional<http::Response> StreamableHttpState::answer_alone(ClassifiedPost& post, const http::Request& request) {
  auto* alone = std::get_if<StatelessPost>(&post);
  if (alone == nullptr || !alone->claimed) return std::nullopt;
  const auto answer = factory.answer_now(alone->request, peer_info(request));
  return answer ? std::optional(stateless_response(*answer)) : std::nullopt;
}

http::Response StreamableHttpState::accept(SessionPost& post) {
  post.session->server_session().on_message(std::move(post.body));
  return accepted();
}

http::Response StreamableHttpState::remove(const http::Request& request) {
  const auto session = find_session(request, sessions);
  if (!session) return session.error();
  end(*session);
  return {.status = 200};
}

Task<void> StreamableHttpState::serve_post(http::Exchange& exchange, ClassifiedPost post) {
  if (auto* response = std::get_if<http::Response>(&post)) return respond(exchange, std::move(*response));
  if (auto* alone = std::get_if<StatelessPost>(&post)) return serve_stateless(exchange, std::move(*alone));
  if (auto* opening = std::get_if<InitializePost>(&post)) return serve_initialize(exchange, std::move(*opening));
  auto& in_session = std::get<SessionPost>(post);
  if (has_request(in_session.body)) return serve_in_session(exchange, std::move(in_session));
  return respond(exchange, accept(in_session));
}

}  // namespace fairlead::transport
