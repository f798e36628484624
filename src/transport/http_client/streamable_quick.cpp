#include <fairlead/protocol/model/methods.hpp>
#include <utility>

#include "transport/http_client/streamable_state.hpp"

namespace fairlead::transport {

// The usual way of a request: on a kept connection, and no task waits for the answer. True, and `post` taken, if it is
// on its way.
bool StreamableClient::State::start_quick(std::unique_ptr<Post>& post) {
  // An answer to the handshake says in its headers more than others do.
  if (!post->id || post->method == protocol::Initialize::method || scope.cancelled()) return false;
  const auto [flight, is_new] = posts.try_emplace(*post->id);
  if (!is_new) return false;
  http::QuickPost quick{.head = head_for(*post),
                        .body = jsonrpc::write(post->message),
                        .answer_type = json_type,
                        .max_answer = options.max_message};
  // Never called once the flight is gone.
  quick.then = [this, id = &flight->first](auto* answer) { heard(*id, answer); };
  flight->second.sent = client.post_now(quick);
  if (!flight->second.sent) return false;
  flight->second.post = std::move(post);
  return true;
}

// Whether the reader is far behind is not asked: there is one answer for each request.
void StreamableClient::State::heard(const jsonrpc::Id& id, http::WholeAnswer* answer) {
  const auto self = shared_from_this();
  const auto found = posts.find(id);
  auto& [task, waiting, sent] = found->second;
  if (!answer) {
    (void)spawn(std::move(waiting), {.sent = std::exchange(sent, nullptr)});
    return;
  }
  auto flight = posts.extract(found);
  auto& post = *flight.mapped().post;
  post.note_luggage(answer->header(protocol::header::server_timing));
  take(post, std::move(answer->body));
  if (post.answered) return end_if_gone();
  (void)spawn(std::move(flight.mapped().post), {.answered = is_answered(post)});
}

}  // namespace fairlead::transport
