#include <fairlead/base/log.hpp>
#include <fairlead/json/codec.hpp>
#include <fairlead/json/object_edit.hpp>
#include <fairlead/protocol/error_codes.hpp>
#include <fairlead/protocol/meta_keys.hpp>
#include <fairlead/protocol/model/methods.hpp>
#include <set>
#include <utility>

#include "transport/excerpt.hpp"
#include "transport/http_client/http_refusal.hpp"
#include "transport/http_client/streamable_state.hpp"

namespace fairlead::transport {
namespace {

constexpr std::size_t max_refusal = 64 * 1024;

// Before the number got another meaning, servers said so with it that they do not know a session.
constexpr std::int64_t told_session_not_found = -32001;

bool is_success(std::uint16_t status) {
  return status >= 200 && status < 300;
}

std::unexpected<Error> no_answer(const http::ClientResponse& head) {
  const auto type = head.media_type();
  return fail(ErrorKind::malformed,
              type.empty() ? "the server took the request and did not answer it"
                           : "the server answered with " + type + "; is this the address of an MCP endpoint?");
}

}  // namespace

Task<void> StreamableClient::State::run(std::shared_ptr<State> self, std::unique_ptr<Post> sending, Standing standing) {
  auto& post = *sending;
  struct Forget {
    Forget(State& of, const Post& what) : state(of), id(what.id), size(id ? 0 : jsonrpc::size_of(what.message)) {
      if (!id) ++state.untaken;
      state.untaken_bytes += size;
    }
    Forget(const Forget&) = delete;
    Forget& operator=(const Forget&) = delete;
    ~Forget() {
      if (id) state.posts.erase(*id);
      if (!id) --state.untaken;
      state.untaken_bytes -= size;
      state.end_if_gone();
    }
    State& state;
    std::optional<jsonrpc::Id> id;
    std::size_t size;
  } const forget(*self, post);

  Result<void> done;
  if (standing.answered) {
    done = std::move(*standing.answered);
  } else if (standing.sent) {
    auto opening = std::exchange(standing.sent, nullptr)->open();
    done = co_await self->read_opened(post, std::move(opening));
  } else {
    done = co_await self->exchange(post);
  }
  if (done && post.wants_list) done = co_await self->list_and_retry(post);
  if (done && post.id && !post.answered) done = co_await self->resume(post);
  if (done) co_return;
  if (!post.id) {
    log(self->loop.log, LogLevel::warning, "http client",
        [&] { return "a message did not arrive: " + done.error().message; });
    co_return;
  }
  self->session_gone = self->session_gone || done.error().cause == not_processed;
  self->inbox.deliver_now(Lost{*post.id, std::move(done.error())});
}

// Each request learns for itself that the session is gone: only so is it known not to have been processed. Then what
// was never sent is all that is left.
void StreamableClient::State::end_if_gone() {
  if (!session_gone || !posts.empty()) return;
  session.clear();
  inbox.end(no_such_session());
}

Error StreamableClient::State::no_such_session() {
  return {.kind = ErrorKind::closed,
          .message = "the server has ended this session; open a new one",
          .cause = not_processed};
}

// Closing the stream says nothing to a server of these revisions, so it is told; then nobody reads on.
Task<void> StreamableClient::State::tell(std::shared_ptr<State> self, std::unique_ptr<Post> post,
                                         jsonrpc::Notification cancelled) {
  co_await self->exchange(*post);
  self->give_up(cancelled.params);
}

Task<Result<void>> StreamableClient::State::exchange(Post& post) {
  auto headers = headers_for(post);
  if (!headers) co_return std::unexpected(std::move(headers.error()));
  http::ClientRequest request{
      .method = "POST", .url = options.url, .headers = std::move(*headers), .body = jsonrpc::write(post.message)};
  co_return co_await read_opened(post, client.open(std::move(request)));
}

Task<Result<void>> StreamableClient::State::read_opened(Post& post, Task<Opened> opening) {
  auto opened = co_await std::move(opening);
  if (!opened) co_return std::unexpected(std::move(opened.error()));
  auto& stream = **opened;
  post.note_luggage(stream.head().header(protocol::header::server_timing));
  if (!is_success(stream.head().status)) co_return co_await read_refusal(post, stream);
  if (post.method == protocol::Initialize::method) {
    if (const auto id = stream.head().header(protocol::header::session_id)) session = *id;
  }
  if (!post.id) co_return Result<void>();
  co_return co_await read_answer(post, stream);
}

Task<Result<void>> StreamableClient::State::read_answer(Post& post, http::ResponseStream& stream) {
  const auto type = stream.head().media_type();
  if (type == "text/event-stream") co_return co_await read_events(post, stream);
  auto body = co_await stream.rest(options.max_message);
  if (!body) co_return std::unexpected(std::move(body.error()));
  if (type != json_type || body->empty()) co_return no_answer(stream.head());
  if (!inbox.has_room()) co_await inbox.room();
  take(post, std::move(*body));
  co_return is_answered(post);
}

Result<void> StreamableClient::State::is_answered(const Post& post) {
  if (post.answered || post.wants_list) return {};
  return fail(ErrorKind::malformed, "the server answered something else than it was asked");
}

Task<Result<void>> StreamableClient::State::read_refusal(Post& post, http::ResponseStream& stream) {
  const auto& head = stream.head();
  const auto body = (co_await stream.rest(max_refusal)).value_or("");
  const bool opens = post.method == protocol::Initialize::method;
  auto told = post.id ? error_in(body, *post.id) : std::nullopt;
  const bool is_modern = told && told->error.code == protocol::code::unsupported_version;
  if (opens && head.status < 500 && !is_about_caller(head.status) && !is_modern) refused_opening = head.status;
  const bool in_session = !session.empty() && !post.stateless && !opens;
  const bool about_request = told && told->id && told->error.code != told_session_not_found;
  if (head.status == 404 && in_session && !about_request) co_return std::unexpected(no_such_session());
  if (!told || is_about_caller(head.status)) co_return std::unexpected(status_error(head, body));
  told->id = post.id;
  if (auto heard = sorted(post, std::move(*told))) co_await inbox.deliver(std::move(*heard));
  co_return Result<void>();
}

// However many a batch holds: they are in memory by now.
void StreamableClient::State::take(Post& post, std::string text) {
  const Excerpt begin(text);
  auto incoming = jsonrpc::read(std::move(text));
  if (!incoming) return take_unread(post, std::move(incoming.error()), begin.text());
  if (auto* message = std::get_if<jsonrpc::Message>(&*incoming)) {
    if (auto heard = sorted(post, std::move(*message))) inbox.deliver_now(std::move(*heard));
    return;
  }
  for (auto& entry : std::get<jsonrpc::Batch>(*incoming).entries) {
    if (!entry) {
      take_unread(post, std::move(entry.error()));
    } else if (auto heard = sorted(post, std::move(*entry))) {
      inbox.deliver_now(std::move(*heard));
    }
  }
}

// An answer that cannot be read is one all the same: no other will come.
void StreamableClient::State::take_unread(Post& post, jsonrpc::Unread&& bad, std::string begin) {
  if (post.id && bad.answers == post.id) post.answered = true;
  if (!post.private_use) inbox.deliver_now(Unreadable{.reply = std::move(bad), .text = std::move(begin)});
}

// What others are to hear of it; nothing where it is ours alone.
std::optional<Received> StreamableClient::State::sorted(Post& post, jsonrpc::Message&& message) {
  if (auto* response = std::get_if<jsonrpc::Response>(&message); response && post.id == response->id) {
    response->luggage = post.luggage;
    post.answered = true;
    learn(post, *response);
    if (post.private_use) post.result = std::move(response->result);
  }
  if (auto* error = std::get_if<jsonrpc::ErrorResponse>(&message); error && post.id && post.id == error->id) {
    const bool is_call = post.stateless && post.method == protocol::CallTool::method;
    if (is_call && !post.wants_list && error->error.code == protocol::code::header_mismatch) {
      post.wants_list = true;
      return std::nullopt;
    }
    error->luggage = post.luggage;
    post.answered = true;
  }
  const bool is_answer =
      std::holds_alternative<jsonrpc::Response>(message) || std::holds_alternative<jsonrpc::ErrorResponse>(message);
  if (post.private_use && is_answer) return std::nullopt;
  if (is_answer || !post.id) return std::move(message);
  return Related{std::move(message), *post.id};
}

void StreamableClient::State::learn(const Post& post, jsonrpc::Response& response) {
  if (post.method == protocol::Initialize::method) {
    const auto result = json::decode<protocol::InitializeResult>(response.result);
    if (result) agreed = protocol::find_revision(result->protocolVersion);
  } else if (post.method == protocol::ListTools::method && post.stateless && post.stateless->method_headers) {
    tools.learn(response.result, loop.log);
    heads.known.clear();
  }
}

// A server that misses headers has tools that we know nothing of, or not what they are now: listed once, and the call,
// which was refused, is made again.
Task<Result<void>> StreamableClient::State::list_and_retry(Post& post) {
  const auto& call = std::get<jsonrpc::Request>(post.message);
  json::ObjectEdit meta(json::member_of(call.params.text(), "_meta"));
  meta.erase(protocol::meta::progress_token);
  // A list that is longer is not read to its end: the call is made with what is known.
  constexpr std::size_t most_pages = 1'000, most_cursor_bytes = 1024 * 1024;
  std::size_t cursor_bytes = 0;
  std::set<std::string> seen;
  std::optional<std::string> cursor;
  do {
    json::ObjectEdit params("{}");
    if (cursor) params.set("cursor", json::encode(*cursor));
    params.set("_meta", meta.text());
    auto page = prepare(jsonrpc::Request{"fairlead-list", std::string(protocol::ListTools::method),
                                         json::Payload::trusted(params.text())});
    page->private_use = true;
    auto listed = co_await exchange(*page);
    if (!listed) co_return listed;
    const auto list = json::decode<protocol::ListToolsResult>(page->result);
    cursor = list ? list->nextCursor : std::nullopt;
    cursor_bytes += cursor ? cursor->size() : 0;
  } while (cursor && seen.size() < most_pages && cursor_bytes < most_cursor_bytes && seen.insert(*cursor).second);
  co_return co_await exchange(post);
}

}  // namespace fairlead::transport
