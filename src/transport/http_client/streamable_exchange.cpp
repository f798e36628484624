#include <fairlead/base/log.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/error_codes.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <set>

#include "base/scope_exit.hpp"
#include "transport/excerpt.hpp"
#include "transport/http_client/authorized_request.hpp"
#include "transport/http_client/http_error.hpp"
#include "transport/http_client/streamable_state.hpp"

namespace fairlead::transport {
namespace {

constexpr std::size_t max_refusal = 64 * 1024;

// Code of older servers for an unknown session.
constexpr std::int64_t legacy_session_not_found = -32001;

bool is_success(std::uint16_t status) {
  return status >= 200 && status < 300;
}

std::unexpected<Error> no_answer(const http::ClientResponse& head) {
  const auto type = head.media_type();
  return fail(ErrorKind::malformed,
              type.empty() ? "the server accepted the request but sent no response"
                           : "the server answered with " + type + "; is this the address of an MCP endpoint?");
}

}  // namespace

Task<void> StreamableClientState::run(std::shared_ptr<StreamableClientState> self,
                                      std::shared_ptr<PostedMessage> sent) {
  auto& post = *sent;
  const auto size = post.id ? 0 : jsonrpc::size_of(post.message);
  if (!post.id) ++self->unsent;
  self->unsent_bytes += size;
  const ScopeExit at_end([&state = *self, &post, size] {
    if (post.id) state.forget(post);
    if (!post.id) --state.unsent;
    state.unsent_bytes -= size;
    state.end_if_session_gone();
  });

  auto done = co_await self->exchange(post);
  if (done && post.needs_tool_list) done = co_await self->list_and_retry(post);
  if (done && post.id && !post.answered) done = co_await self->resume(post);
  if (done) co_return;
  if (!post.id) {
    log(self->loop.log, LogLevel::warning, "http client",
        [&] { return "message not delivered: " + done.error().message; });
    co_return;
  }
  self->session_gone = self->session_gone || done.error().cause == cause_not_processed;
  self->inbox.fail_request(*post.id, std::move(done.error()));
}

// The last one takes its place.
void StreamableClientState::forget(const PostedMessage& post) {
  const auto position = post.position;
  posts.back()->position = position;
  std::swap(posts[position], posts.back());
  posts.pop_back();
}

// Each pending request fails on its own, which proves that it was not processed. After the last one the session ends.
void StreamableClientState::end_if_session_gone() {
  if (!session_gone || !posts.empty()) return;
  session.clear();
  inbox.end(no_such_session());
}

Error StreamableClientState::no_such_session() {
  return {.kind = ErrorKind::closed,
          .message = "the server has ended this session; open a new one",
          .cause = cause_not_processed};
}

Task<Result<void>> StreamableClientState::exchange(PostedMessage& post) {
  AuthorizedAttempts attempts(loop, options);
  std::unique_ptr<http::ResponseStream> response;
  while (!response) {
    auto credential = co_await attempts.credential();
    if (!credential) co_return std::unexpected(std::move(credential.error()));
    auto opened = co_await open_post(post, *credential);
    if (!opened) co_return std::unexpected(std::move(opened.error()));
    if (!attempts.is_refused(*credential, *opened)) response = std::move(*opened);
  }
  auto& stream = *response;
  post.record_headers(stream.head().header(protocol::header::server_timing));
  if (!is_success(stream.head().status)) co_return co_await read_refusal(post, stream);
  if (post.method == protocol::Initialize::method) {
    if (const auto id = stream.head().header(protocol::header::session_id)) session = *id;
  }
  if (!post.id) co_return Result<void>();
  if (stream.head().has_media_type("text/event-stream")) co_return co_await read_events(post, stream);
  auto body = co_await stream.rest(options.max_message);
  if (!body) co_return std::unexpected(std::move(body.error()));
  if (!stream.head().has_media_type(json_type) || body->empty()) co_return no_answer(stream.head());
  co_await on_text(post, std::move(*body));
  co_return is_answered(post);
}

Result<void> StreamableClientState::is_answered(const PostedMessage& post) {
  if (post.answered || post.needs_tool_list) return {};
  return fail(ErrorKind::malformed, "the server's response does not match the request");
}

Task<Result<void>> StreamableClientState::read_refusal(PostedMessage& post, http::ResponseStream& stream) {
  const auto& head = stream.head();
  const auto body = (co_await stream.rest(max_refusal)).value_or("");
  const bool opens = post.method == protocol::Initialize::method;
  auto error = post.id ? error_in(body, *post.id) : std::nullopt;
  const bool is_modern = error && error->error.code == protocol::code::unsupported_version;
  if (opens && head.status < 500 && !concerns_credentials(head.status) && !is_modern)
    rejected_initialize_status = head.status;
  const bool in_session = !session.empty() && !post.stateless && !opens;
  const bool about_request = error && error->id && error->error.code != legacy_session_not_found;
  if (head.status == 404 && in_session && !about_request) co_return std::unexpected(no_such_session());
  if (!error || concerns_credentials(head.status)) co_return std::unexpected(status_error(head, body));
  error->id = post.id;
  co_await on_message(post, std::move(*error));
  co_return Result<void>();
}

Task<void> StreamableClientState::on_text(PostedMessage& post, std::string text) {
  const Excerpt begin(text);
  auto incoming = jsonrpc::read(std::move(text));
  if (!incoming) return on_invalid_message(post, std::move(incoming.error()), begin.text());
  if (auto* message = std::get_if<jsonrpc::Message>(&*incoming)) return on_message(post, std::move(*message));
  return on_batch(post, std::move(std::get<jsonrpc::Batch>(*incoming)));
}

Task<void> StreamableClientState::on_batch(PostedMessage& post, jsonrpc::Batch batch) {
  for (auto& entry : batch.entries) {
    auto passing_on = entry ? on_message(post, std::move(*entry)) : on_invalid_message(post, std::move(entry.error()));
    co_await std::move(passing_on);
  }
}

Task<void> StreamableClientState::on_message(PostedMessage& post, jsonrpc::Message&& message) {
  auto received = classify(post, std::move(message));
  return received ? inbox.deliver(std::move(*received)) : Task<void>();
}

// An invalid response counts as the response: no other will follow.
Task<void> StreamableClientState::on_invalid_message(PostedMessage& post, jsonrpc::ReadError bad, std::string begin) {
  if (post.id && bad.answered_id == post.id) post.answered = true;
  if (post.internal) return {};
  return inbox.deliver(InvalidMessage{.reply = std::move(bad), .text = std::move(begin)});
}

// Returns the message to pass on; nothing if it is internal to the transport.
std::optional<Received> StreamableClientState::classify(PostedMessage& post, jsonrpc::Message&& message) {
  if (auto* response = std::get_if<jsonrpc::Response>(&message); response && post.id == response->id) {
    response->headers = post.response_headers;
    post.answered = true;
    observe_result(post, *response);
    if (post.internal) post.result = std::move(response->result);
  }
  if (auto* error = std::get_if<jsonrpc::ErrorResponse>(&message); error && post.id && post.id == error->id) {
    const bool is_call = post.stateless && post.method == protocol::CallTool::method;
    if (is_call && !post.needs_tool_list && error->error.code == protocol::code::header_mismatch) {
      post.needs_tool_list = true;
      return std::nullopt;
    }
    error->headers = post.response_headers;
    post.answered = true;
  }
  const bool is_answer =
      std::holds_alternative<jsonrpc::Response>(message) || std::holds_alternative<jsonrpc::ErrorResponse>(message);
  if (post.internal && is_answer) return std::nullopt;
  if (is_answer || !post.id) return std::move(message);
  return MessageForRequest{std::move(message), *post.id};
}

void StreamableClientState::observe_result(const PostedMessage& post, jsonrpc::Response& response) {
  if (post.method == protocol::Initialize::method) {
    const auto result = json::decode<protocol::InitializeResult>(response.result);
    if (result) agreed = protocol::find_revision(result->protocolVersion);
  } else if (post.method == protocol::ListTools::method && post.stateless && post.stateless->method_headers) {
    tools.learn(response.result, loop.log);
    heads.entries.clear();
  }
}

// The server rejected a call because of missing headers: list its tools once, then retry the call.
Task<Result<void>> StreamableClientState::list_and_retry(PostedMessage& post) {
  const auto& call = std::get<jsonrpc::Request>(post.message);
  json::ObjectEdit meta(json::member_of(call.params.text(), "_meta"));
  meta.erase(protocol::meta::progress_token);
  // Longer lists are not read to the end.
  constexpr std::size_t max_pages = 1'000, max_cursor_bytes = 1024 * 1024;
  std::size_t cursor_bytes = 0;
  std::set<std::string> seen;
  std::optional<std::string> cursor;
  do {
    json::ObjectEdit params("{}");
    if (cursor) params.set("cursor", json::encode(*cursor));
    params.set("_meta", meta.text());
    PostedMessage page(jsonrpc::Request{"fairlead-list", std::string(protocol::ListTools::method),
                                        json::Payload::trusted(params.text())});
    page.internal = true;
    auto listed = co_await exchange(page);
    if (!listed) co_return listed;
    const auto list = json::decode<protocol::ListToolsResult>(page.result);
    cursor = list ? list->nextCursor : std::nullopt;
    cursor_bytes += cursor ? cursor->size() : 0;
  } while (cursor && seen.size() < max_pages && cursor_bytes < max_cursor_bytes && seen.insert(*cursor).second);
  co_return co_await exchange(post);
}

}  // namespace fairlead::transport
