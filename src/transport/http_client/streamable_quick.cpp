#include <fairlead/protocol/model/methods.hpp>
#include <utility>

#include "transport/http_client/streamable_state.hpp"

namespace fairlead::transport {

// Fast path: sends the request on a pooled connection without a task. Returns true and takes `post` if it was sent.
bool StreamableClientState::start_quick(std::unique_ptr<PostedMessage>& post) {
  // The response to `initialize` has headers that need the slow path.
  if (!post->id || post->method == protocol::Initialize::method || scope.cancelled()) return false;
  const auto [pending, is_new] = posts.try_emplace(*post->id);
  if (!is_new) return false;
  http::QuickPost quick{.head = head_for(*post),
                        .body = jsonrpc::write(post->message),
                        .answer_type = json_type,
                        .max_answer = options.max_message};
  // Not called after the entry was erased.
  quick.then = [this, id = &pending->first](auto* answer) { on_response(*id, answer); };
  pending->second.sent = client.post_now(quick);
  if (!pending->second.sent) return false;
  pending->second.post = std::move(post);
  return true;
}

// Ignores the queue limit: there is one response per request.
void StreamableClientState::on_response(const jsonrpc::Id& id, http::WholeAnswer* answer) {
  const auto self = shared_from_this();
  const auto found = posts.find(id);
  auto& [task, waiting, sent] = found->second;
  if (!answer) {
    (void)spawn(std::move(waiting), {.sent = std::exchange(sent, nullptr)});
    return;
  }
  auto pending = posts.extract(found);
  auto& post = *pending.mapped().post;
  post.record_headers(answer->header(protocol::header::server_timing));
  (void)on_text(post, std::move(answer->body));
  if (post.answered) return end_if_session_gone();
  (void)spawn(std::move(pending.mapped().post), {.answered = is_answered(post)});
}

}  // namespace fairlead::transport
