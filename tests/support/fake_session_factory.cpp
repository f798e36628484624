#include "support/fake_session_factory.hpp"

#include <fairlead/json/object_edit.hpp>
#include <gtest/gtest.h>

#include "support/messages.hpp"

namespace fairlead::test {

Task<Result<void>> FakeSession::send(jsonrpc::Message message, std::optional<jsonrpc::Id> related_request) {
  return transport->send({std::move(message), std::move(related_request)});
}

class FakeSessionFactory::FakeServerSession final : public transport::ServerSession {
 public:
  FakeServerSession(FakeSessionFactory& factory, std::shared_ptr<FakeSession> session)
      : factory_(factory), session_(std::move(session)) {}
  ~FakeServerSession() override { session_->transport = nullptr; }

  Task<void> run() override {
    while (true) {
      auto received = co_await session_->transport->receive();
      if (!received) co_return;
      auto replies = handle(std::move(*received));
      for (auto& reply : replies) co_await session_->transport->send(std::move(reply));
    }
  }
  void open() override { session_->open = true; }
  void on_message(transport::Received&& received) override {
    auto replies = handle(std::move(received));
    for (auto& reply : replies) EXPECT_TRUE(session_->transport->send(std::move(reply)).is_ready());
  }
  Task<void> end() override {
    session_->open = false;
    co_return;
  }
  bool is_backlogged() const override { return session_->backlogged; }
  Task<void> backlog_cleared() override {
    const auto session = session_;
    session->backlog_cleared = std::make_shared<Promise<bool>>();
    const auto cleared = session->backlog_cleared;
    const auto is_set = co_await cleared->wait();
    if (is_set) co_await next_turn;
  }
  const protocol::Revision* revision() const override { return session_->revision; }
  void shutdown_gracefully() noexcept override { close(); }
  void close() noexcept override {
    session_->closed = true;
    if (session_->transport) session_->transport->close();
  }

 private:
  Replies handle(transport::Received received) {
    session_->received.push_back(text(received));
    auto* message = std::get_if<jsonrpc::Message>(&received);
    const auto* request = message ? std::get_if<jsonrpc::Request>(message) : nullptr;
    if (!request) return {};
    auto now = factory_.find_now(*request);
    if (!now) return factory_.replies(*request, *session_);
    Replies replies;
    replies.push_back({std::move(*now)});
    return replies;
  }

  FakeSessionFactory& factory_;
  std::shared_ptr<FakeSession> session_;
};

std::unique_ptr<transport::ServerSession> FakeSessionFactory::open(EventLoop, transport::Transport& transport,
                                                                   transport::PeerInfo peer) {
  sessions_.push_back(std::make_shared<FakeSession>());
  sessions_.back()->transport = &transport;
  sessions_.back()->peer = std::move(peer);
  return std::make_unique<FakeServerSession>(*this, sessions_.back());
}

namespace {

/// Sends the notifications of a stateless request, and stores its response.
class StatelessTransport final : public transport::Transport {
 public:
  explicit StatelessTransport(transport::NotificationSink& notifications) : notifications_(notifications) {}

  Task<Result<transport::Received>> receive() override { return fail(ErrorKind::closed, "not used"); }
  Task<Result<void>> send(transport::Outgoing outgoing) override {
    auto* notification = std::get_if<jsonrpc::Notification>(&outgoing.message);
    if (notification) return notifications_.send(std::move(*notification));
    response.set(std::move(outgoing.message));
    return Result<void>();
  }
  void close() noexcept override {}

  Promise<jsonrpc::Message> response;

 private:
  transport::NotificationSink& notifications_;
};

Task<jsonrpc::Message> wait_for_response(std::shared_ptr<FakeSession> session,
                                         std::unique_ptr<StatelessTransport> transport) {
  auto response = co_await transport->response.wait();
  session->transport = nullptr;
  session->closed = true;
  if (!response) co_return jsonrpc::ErrorResponse{};
  co_return std::move(*response);
}

}  // namespace

Task<jsonrpc::Message> FakeSessionFactory::respond(EventLoop, jsonrpc::Request request, transport::PeerInfo peer,
                                                   transport::NotificationSink& notifications) {
  if (auto now = find_now(request)) return std::move(*now);
  auto transport = std::make_unique<StatelessTransport>(notifications);
  const auto& session = sessions_.emplace_back(std::make_shared<FakeSession>());
  session->transport = transport.get();
  session->peer = std::move(peer);
  session->received.push_back(text(transport::Received(jsonrpc::Message(request))));
  auto sent = replies(request, *session);
  for (auto& reply : sent) EXPECT_TRUE(transport->send(std::move(reply)).is_ready());
  return wait_for_response(session, std::move(transport));
}

std::optional<jsonrpc::Message> FakeSessionFactory::find_now(const jsonrpc::Request& request) const {
  const auto found = now_.find(request.method);
  if (found == now_.end()) return std::nullopt;
  return jsonrpc::Response{request.id, json::Payload::trusted(found->second)};
}

FakeSessionFactory::Replies FakeSessionFactory::replies(const jsonrpc::Request& request, FakeSession& session) {
  if (const auto found = scripts_.find(request.method); found != scripts_.end()) return found->second(request);
  if (request.method != "initialize") return {};
  auto named = std::string(json::member_of(request.params.text(), "protocolVersion"));
  if (named.size() >= 2) named = named.substr(1, named.size() - 2);
  session.revision = &protocol::negotiate(named);
  Replies greeting;
  greeting.push_back({jsonrpc::Response{
      request.id, json::Payload::trusted(R"({"protocolVersion":")" + std::string(session.revision->name) + "\"}")}});
  return greeting;
}

}  // namespace fairlead::test
