#include <array>
#include <boost/asio/post.hpp>
#include <utility>

#include "http/client_state.hpp"
#include "http/socket_stream.hpp"
#include "http/traffic_log.hpp"
#include "http/vectored_write.hpp"

namespace fairlead::http {
namespace {

/// Waits for the response by a callback that holds a weak reference.
class QuickSentRequest final : public SentRequest, public std::enable_shared_from_this<QuickSentRequest> {
 public:
  QuickSentRequest(std::shared_ptr<ClientState> client, std::unique_ptr<ClientConnection> connection, QuickPost& post)
      : client_(std::move(client)),
        post_(std::move(post.head)),
        connection_(std::move(connection)),
        body_(std::move(post.body)),
        answer_type_(post.answer_type),
        max_answer_(post.max_answer),
        then_(std::move(post.then)) {
    const bool joins = body_.size() <= max_joined_body;
    head_ = post_->text(body_.size(), joins ? body_.size() : 0);
    head_size_ = head_.size();
    wire::sent(client_->loop.log, wire::client, head_, body_);
    if (joins) head_ += std::exchange(body_, {});
  }

  void begin(SocketStream& socket) {
    sent_ = connection_->begin(head_, body_);
    auto on_ready = [sent = weak_from_this()](bool) {
      if (const auto self = sent.lock()) self->go_on();
    };
    // A broken connection becomes readable too.
    if (sent_ && !*sent_) {
      socket.when_writable(std::move(on_ready));
    } else if (socket.may_read_at_once()) {
      boost::asio::post(client_->loop.executor, [on_ready = std::move(on_ready)] { on_ready(true); });
    } else {
      socket.when_readable(std::move(on_ready));
    }
  }

  Task<ClientState::Opened> open() override {
    ClientRequest request{.method = "POST", .url = post_->address, .headers = post_->headers};
    const bool is_gone = sent_ && *sent_;
    request.body = body_.empty() ? head_.substr(head_size_) : is_gone ? std::move(body_) : body_;
    StartedExchange begun{.connection = std::move(connection_), .sent = std::move(sent_), .bytes = shared_from_this()};
    return ClientState::follow(client_, std::move(request), std::move(begun));
  }

 private:
  void go_on() {
    const auto then = std::move(then_);
    if (!sent_ || !*sent_) return then(nullptr);
    std::array<char, std::size_t{32} * 1024> buffer;
    auto answer = connection_->read_whole(buffer, answer_type_, max_answer_);
    if (!answer) return then(nullptr);
    wire::received(client_->loop.log, *answer);
    client_->keep(post_->origin, std::move(connection_));
    then(&*answer);
  }

  std::shared_ptr<ClientState> client_;
  std::shared_ptr<const PreparedRequestHead> post_;
  std::unique_ptr<ClientConnection> connection_;
  std::string head_;  // Includes the body if it is short.
  std::size_t head_size_ = 0;
  std::string body_;
  std::string_view answer_type_;
  std::size_t max_answer_;
  std::function<void(WholeAnswer*)> then_;
  Result<bool> sent_ = false;
};

}  // namespace

std::shared_ptr<SentRequest> Client::post_now(QuickPost& post) {
  auto kept = post.head ? state_->take_idle(post.head->origin) : nullptr;
  if (!kept) return nullptr;
  // `dial` creates only `SocketStream`s.
  auto& socket = static_cast<SocketStream&>(kept->stream());
  const auto sent = std::make_shared<QuickSentRequest>(state_, std::move(kept), post);
  sent->begin(socket);
  return sent;
}

}  // namespace fairlead::http
