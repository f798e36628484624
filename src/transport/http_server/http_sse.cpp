#include <fairlead/transport/http_sse.hpp>

#include <fairlead/base/timer_wheel.hpp>
#include <fairlead/http/sse.hpp>
#include <fairlead/store/session_id.hpp>
#include <utility>

#include "transport/http_server/luggage.hpp"
#include "transport/http_server/media.hpp"
#include "transport/http_server/pump.hpp"
#include "transport/http_server/rpc_answer.hpp"
#include "transport/http_server/sse_session.hpp"

namespace fairlead::transport {
namespace {

using jsonrpc::code::invalid_request;

std::optional<std::string_view> session_of(std::string_view query) {
  constexpr std::string_view name = "sessionId=";
  while (!query.empty()) {
    const auto end = query.find('&');
    const auto field = query.substr(0, end);
    if (field.starts_with(name)) return field.substr(name.size());
    if (end == std::string_view::npos) break;
    query.remove_prefix(end + 1);
  }
  return std::nullopt;
}

Received received(jsonrpc::Incoming incoming) {
  return std::visit([](auto& what) -> Received { return std::move(what); }, incoming);
}

bool brings_request(const jsonrpc::Incoming& incoming) {
  const auto* message = std::get_if<jsonrpc::Message>(&incoming);
  return message == nullptr || std::holds_alternative<jsonrpc::Request>(*message);
}

Task<void> write_all(http::Exchange& exchange, SseSession& talk, StreamStart start) {
  co_await pump(exchange, talk.lane(), std::move(start));
  talk.hosted().close();
}

using Talks = store::Directory<SseSession>;

/// Messages find a conversation while this lives.
class Listing {
 public:
  Listing(Talks& talks, std::shared_ptr<SseSession> talk) : talks_(talks), talk_(*talk) {
    talks.insert(std::move(talk));
  }
  Listing(const Listing&) = delete;
  Listing& operator=(const Listing&) = delete;
  ~Listing() { talks_.erase(talk_.id()); }

 private:
  Talks& talks_;
  const SseSession& talk_;
};

}  // namespace

struct HttpSse::State {
  State(Loop on, std::size_t index, Host& hosting, HttpSseOptions chosen)
      : loop(on),
        worker(index),
        host(hosting),
        options(std::move(chosen)),
        talks({.max_entries = options.max_streams}, loop.timers.clock()) {}

  http::Response take(http::Request& request);
  Task<void> stream(http::Exchange& exchange);
  StreamStart start(const SseSession& talk) const;

  Loop loop;
  std::size_t worker;
  Host& host;
  HttpSseOptions options;
  Talks talks;
};

HttpSse::HttpSse(Loop loop, std::size_t worker, Host& host, HttpSseOptions options)
    : state_(std::make_unique<State>(loop, worker, host, std::move(options))) {}

HttpSse::~HttpSse() = default;

std::size_t HttpSse::streams() const {
  return state_->talks.size();
}

std::optional<std::size_t> HttpSse::home(const http::Request& request) const {
  const auto id = session_of(request.query);
  const auto worker = id ? store::worker_of(*id) : std::nullopt;
  return worker && *worker < state_->options.workers ? worker : std::nullopt;
}

// Which of the two paths it is shows in the method: streams are got, messages posted.
std::optional<http::Response> HttpSse::answer_now(http::Request& request) {
  const bool posts_here = request.path == state_->options.messages;
  if (request.method != (posts_here ? "POST" : "GET")) return method_not_allowed(posts_here ? "POST" : "GET");
  if (posts_here) return state_->take(request);
  if (!accepts(request, event_stream)) {
    return refusal(406, invalid_request, "Not Acceptable: send Accept: text/event-stream");
  }
  return std::nullopt;
}

Task<void> HttpSse::serve(http::Exchange& exchange) {
  if (auto now = answer_now(exchange.request())) return respond(exchange, std::move(*now));
  return state_->stream(exchange);
}

http::Response HttpSse::State::take(http::Request& request) {
  const auto id = session_of(request.query);
  if (!id) return refusal(400, invalid_request, "sessionId is missing: post to the address that the stream names");
  const auto talk = talks.find(*id);
  if (!talk || talk->principal() != request.principal) {
    return refusal(404, session_not_found, "Session not found: open another stream");
  }
  if (!has_type(request, json_type)) {
    return refusal(415, invalid_request, "Unsupported Media Type: send Content-Type: application/json");
  }
  auto incoming = jsonrpc::read(std::move(request.body));
  if (!incoming) {
    const auto& bad = incoming.error();
    if (bad.answers) talk->hosted().take(Lost{*bad.answers, unreadable_answer(bad)});
    return refusal(400, bad);
  }
  if (brings_request(*incoming) && talk->hosted().is_behind()) return busy({});
  take_along(*incoming, request, host);
  talk->hosted().take(received(std::move(*incoming)));
  return {.status = 202, .content_type = "text/plain", .body = "Accepted"};
}

StreamStart HttpSse::State::start(const SseSession& talk) const {
  StreamStart start{.keep_alive = options.keep_alive, .at_once = true};
  http::SseEvent endpoint{.event = "endpoint", .data = options.base + options.messages + "?sessionId=" + talk.id()};
  start.opening = std::make_unique<http::SseEvent>(std::move(endpoint));
  return start;
}

Task<void> HttpSse::State::stream(http::Exchange& exchange) {
  auto& principal = exchange.request().principal;
  std::shared_ptr<SseSession> evicted;
  const auto room = talks.make_room(principal, evicted);
  if (room != Talks::Room::made) {
    auto full = refusal(503, jsonrpc::code::internal_error,
                        room == Talks::Room::full ? "too many streams: try again later"
                                                  : "too many streams of yours are open: close some, then try again");
    co_await exchange.respond(std::move(full));
    co_return;
  }
  const auto talk = std::make_shared<SseSession>(store::make_session_id(worker), principal);
  Guest guest{.principal = principal, .name = "sse"};
  talk->host(host.open(loop, *talk, std::move(guest)));
  const Listing listing(talks, talk);
  co_await converse(talk->hosted(), write_all(exchange, *talk, start(*talk)));
}

}  // namespace fairlead::transport
