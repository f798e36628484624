#include "support/fake_session_factory.hpp"

#include <fairlead/json/object_edit.hpp>

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
    for (auto& reply : replies) session_->transport->send_now(reply);
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
  std::optional<jsonrpc::Message> answer_now(jsonrpc::Request& request) override { return factory_.find_now(request); }
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
    return request ? factory_.replies(*request, *session_) : Replies{};
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
